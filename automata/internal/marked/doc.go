// Package marked holds automata that are being changed: edges in lists, labels as Boolean
// functions, acceptance sets as bits of one word. In comes an immutable automaton with
// generalized Büchi acceptance of at most 64 sets, out goes another one. Package reduce is
// the door to what it does by itself; packages degeneralize, stutter and testingautomata
// build on it.
//
//	reducible.go                   the form, and the way into it and back
//	prune.go                       states and edges that no accepted run takes
//	simulation.go                  states that simulate each other, on pairs, forwards or backwards
//	partition.go, signatures.go    states that can not be told apart, by splitting classes
//	similar.go, quotient.go        both together: quotients with edges that are prime implicants
//	subsets.go, obligation.go      determinization of what is weak, and its minimum
//	suspension.go                  conditions that can wait
//	acceptance_simplify.go, testing_marks.go   marks that say too much, or differ for nothing
package marked
