// Package stuttering has the product of a net and a testing automaton, in which the net's
// stuttering is a step of its own, as in "Model Checking using Generalized Testing Automata"
// (Ben Salem, Duret-Lutz, Kordon, 2012).
//
// In come a Kripke structure and a Reader, which is an automaton that reads changes of
// labels. The automaton is built as a whole (Built), or made as the search asks for it (by
// package testingautomata), or plain (Plain). Out goes what Search.Find finds: a path with
// a cycle, or a livelock, which Search.Lasso turns into a run of the state graph. Package
// product makes a counterexample of it.
//
//	source.go, start.go    the readers, and with which letter a product begins
//	product.go             pairs of a marking and a state, and their successors
//	rows.go                the steps that were asked for
//	search.go              the components of the product, and whether one accepts
//	livelock.go            the second pass: cycles that only stutter
//	lasso.go               the finding as a run of the state graph
//	together.go            the same search by several threads
//	livelocks.go           their searches for cycles that only stutter
//	shared.go              the reader that they share
//	together_lasso.go      what they have found as a run of the state graph
//
// The search is linear in the steps of the product, the second pass too.
package stuttering
