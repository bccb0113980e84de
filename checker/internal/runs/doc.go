// Package runs judges runs by questions of linear time, and as far as one run can, by formulas
// of CTL. In come a question and what is known of a run. The question is a formula, or an
// automaton of its negation, over state predicates. Known are the markings of the run, or the
// truth of the predicates in some of them. Out comes whether the run violates the question,
// surely or as far as it is known. Engines for linear time and for coloured nets ask it, and
// the ledger keeps its questions.
//
// It uses no automaton to judge a formula, so that what engines find with automata is
// confirmed in another way.
package runs
