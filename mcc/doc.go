// Package mcc answers the examinations of the Model Checking Contest.
//
// In comes a contest folder: a model in PNML, property files in the contest's
// XML, and the limits of the run. Out go answer lines, each written and flushed
// the moment it is known. Package query reads property files and resolves them
// against a net into the formulas of package logic; Run has a checker.Solver decide
// them, and writes what it finds in the contest's words.
//
// Semantics are those that the contest's tools agree on: a deadlock repeats its
// last marking for LTL and ends the path for CTL.
package mcc
