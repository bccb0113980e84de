// Package linear has the engines that decide questions of linear time. They are products of
// the net and an automaton of the negation, the same products on decision diagrams, and random
// runs. Formulas are evaluated on random runs, or the automaton leads the runs. Each
// counterexample is replayed on the original net, and judged by the formula itself. In comes a
// task, out come reports to its ledger; package checker calls the engines by its plans.
//
//	products.go, property.go    explicit products, in turns, and the automata they need
//	folded.go                   the same, where markings stand for their images by symmetries
//	diagrams.go                 products on decision diagrams, which prove, and show no counterexample
//	first.go                    a few runs on large nets before all else
//	runs.go, cycles.go          random runs, and cycles that they may take
//	needed.go                   runs to markings of a kind that every violation has
//	stages.go                   runs that are led through the automaton, edge by edge
//	confirm.go, rest.go         a counterexample fired on the original net
//	repeats.go                  whether a cycle that gains tokens looks the same for ever
package linear
