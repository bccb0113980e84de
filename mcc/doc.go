// Package mcc answers the examinations of the Model Checking Contest.
//
// In comes a contest folder: a model in PNML, property files in the contest's
// XML, and the limits of the run. Out go answer lines, each written and flushed
// the moment it is known. Property files become trees of Formula, which are
// resolved against a net into the formulas of package logic; Run hands them to
// the engines of package checker by the plan in schedule.go.
//
// The grammar is that of the contest's property manual, with the elements that
// the files of its first years have; semantics are those its tools agree on: a
// deadlock repeats its last marking for LTL and ends the path for CTL.
package mcc
