// Package ledger takes in what engines find, and makes answers of it. In come questions, with
// the atoms that decide them, and reports of several engines at once: a run, a proof, a bound.
// Runs are replayed on the net before they count. Out come answers, each once, by way of
// Answers, which belongs to one call of the portfolio.
//
// An atom is the smallest thing that engines decide: whether a marking with a goal is
// reachable, or the largest value of a sum. Questions of which atoms say nothing are answered
// as a whole. A ledger may have a sink, which is told what is proven here: so proofs on a
// coloured net's skeleton decide questions about the coloured net.
package ledger
