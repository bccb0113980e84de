// Package rewrite makes formulas of linear temporal logic simpler. In come formulas of one
// ltl.Formulas; out go others of it with the same runs: in negation normal form, or as simple as
// the rules make them. The translation asks it, and so does the portfolio.
//
//	rewriter              what is kept, and the way through a formula
//	unary, until, wait    rules for one operator
//	dual                  what rules of until say of release, and the other way round
//	junction, merge, gather  rules for conjunctions and disjunctions
//	implication           which formula follows from which
//	boolean               formulas without temporal operators, as truth tables
//
// The rules follow Etessami, Holzmann, "Optimizing Büchi automata" (CONCUR 2000), and Spot's
// list of simplifications (Duret-Lutz, "LTL translation improvements in Spot 1.0", IJCCBS 5,
// 2014).
package rewrite
