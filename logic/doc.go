// Package logic holds state predicates, which say something about a marking, and the
// Boolean operators that all logics share. The temporal logics are its rooms: package ltl
// for linear time, package ctl for branching time.
//
// In comes text: the name of an atomic proposition in an automaton, a line of a file, a
// formula on the command line. Out go trees in which places and transitions are dense
// numbers, resolved against a Vocabulary; package checker/properties compiles them into the
// labels of a Kripke structure.
//
// ParsePredicate reads propositions and Predicate.Text writes them; ParseSum reads numbers;
// ReadPropositions reads a file that names propositions. BranchingParser reads predicates
// with path quantifiers above them, of which package ctl makes formulas. Whatever is wrong
// with a text is a SyntaxError with the place of the first character that does not fit, and
// what was expected there.
//
//	predicate.go, sum.go      what predicates and sums are
//	polynomial.go             products of sums in comparisons
//	grammar.go, lexer.go      text to syntax trees, of which
//	resolve.go, numbers.go    make predicates and sums, by the names of a Vocabulary
//	room.go                   asks limits before sums and lists of nodes grow
//	branching.go,
//	branching_lexer.go,
//	paths.go                  the same with path quantifiers
//	propositions.go           files that name propositions
//	text.go                   predicates to text
//	evaluate.go, simplify.go  their truth in a marking; smaller ones that mean the same
//	aliases.go                errors and limits, which all readers share
package logic
