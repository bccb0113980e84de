// Package ledger takes in what engines find, and makes answers of it. In come questions, with
// the atoms that decide them, and reports of several engines at once: a run, a proof, a bound.
// Runs are replayed on the net before they count. Out come answers, each once, by way of
// Answers, which belongs to one call of the portfolio.
//
// An atom is the smallest thing that engines decide: whether a marking with a goal is
// reachable, or the largest value of a sum. Questions of which atoms say nothing are answered
// as a whole. A ledger may have a sink, which is told what is proven here: so proofs on a
// coloured net's skeleton decide questions about the coloured net.
//
// An example: let the formula EF p ∧ AG q be asked. Its atoms are "p is reachable" and "¬q is
// reachable". A walk reports a run to ¬q. The ledger replays the run, decides the atom, and finds by
// the combination that the formula is false, whatever becomes of p. So it gives the answer, and the
// atom p is of no use any more: OpenAtoms leaves it out, and engines stop looking for it.
//
// A maximum is decided where two kinds of reports meet. Runs raise what is reached, for example to
// 3 and then to 4 tokens. Proofs lower the bound, for example to 5 and then to 4. At 4 both meet,
// and that is the answer, which rests on the techniques of the last of each kind.
package ledger
