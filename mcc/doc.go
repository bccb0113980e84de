// Package mcc answers the examinations of the Model Checking Contest.
//
// In comes a contest folder: a model in PNML, property files in the contest's XML, and the limits
// of the run. Out go answer lines, each written and flushed the moment it is known, for the
// command pnmc mcc, and for package batch, which runs it for many instances. Package query reads
// property files, and resolves them against a net into the formulas of package logic. Run has a
// checker.Solver decide them, and writes the answers in the contest's words.
//
// Semantics are those that the contest's tools agree on: a deadlock repeats its
// last marking for LTL and ends the path for CTL.
//
// Lines of answers, of three examinations, look so:
//
//	FORMULA Philosophers-PT-000005-CTLFireability-2024-03 TRUE TECHNIQUES EXPLICIT STATE_COMPRESSION
//	FORMULA ReachabilityDeadlock TRUE TECHNIQUES RANDOM_WALK
//	STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES INITIAL_STATE TOPOLOGICAL
//
// A property that cannot be read gets CANNOT_COMPUTE. One that is not decided in time has no line.
package mcc
