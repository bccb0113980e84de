// Package linear has the engines that decide questions of linear time: products of the net and
// an automaton of the negation, the same on decision diagrams, and random runs, on which
// formulas are evaluated, or which the automaton leads. Each counterexample is replayed on the
// original net, and judged by the formula itself. In comes a task, out come reports to its
// ledger; package checker calls the engines by its plans.
package linear
