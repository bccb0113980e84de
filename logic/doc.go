// Package logic holds formulas: state predicates over markings, and the
// temporal logics above them.
//
// In comes text: the name of an atomic proposition in an automaton, a line of a
// file, a formula on the command line. Out go trees in which places and
// transitions are dense numbers, resolved against a Vocabulary; package checker
// compiles them into the labels of a Kripke structure.
package logic
