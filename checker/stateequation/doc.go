// Package stateequation rules out markings, and bounds sums of tokens, without any search of
// markings. In comes a net with one of three questions. Can a predicate hold? Contradicts says
// "never", or nothing. How large can a sum get? UpperBound returns a proven bound, or none. Which
// parts of a predicate are constant? Simplifier puts in their values, where it can prove them. The
// portfolio proves invariants and bounds by it.
//
// The idea. Let a run fire each transition t σ(t) times. It leads from the initial marking m0 to
//
//	σ ≥ 0 and m ≥ 0 with m = m0 + C·σ
//
// where C tells how many tokens a firing adds to each place. The order of the firings is lost, so
// that some solutions belong to no run. But a predicate that no solution satisfies holds in no
// reachable marking. Contradicts looks for a solution that satisfies the predicate. If there is
// none, no reachable marking satisfies it. The search:
//
//  1. The linear parts of the predicate become bounds of forms, which stand for places and sums of
//     places. The simplex method finds values within all bounds, or shows that there are none
//     (simplex.go, simplex_check.go).
//  2. A disjunction that the solution violates is split: each operand is tried (search.go).
//  3. If a place holds a fraction of a token in the solution, say 1.5, two cases are tried: at most
//     1, and at least 2. Counts of firings may stay fractions.
//  4. A trap that has tokens in m0 and none in the solution is found: a set of places whose
//     consumers all produce into it again. A trap with tokens never loses its last one, so "at
//     least one token" becomes a constraint for good (addTrap).
//  5. Where no constraints are left to add, the solution stands, and nothing is proven.
//
// ContradictsByClauses does so in another way, for predicates of many disjunctions, such as those
// about deadlocks: what it learns of a contradiction rules out many branches at once (clauses.go).
//
// Why it is right. The equation and the traps hold of every reachable marking. So a reachable
// marking that satisfies the predicate is a solution, and in each split it is a solution of one of
// the branches. If no branch has a solution, there is no such marking. Floating point only guides:
// where a branch ends without a solution, its constraints are multiplied by integers and added up,
// and the sum is checked to be a contradiction, such as 0 ≥ 1, in exact arithmetic
// (certificate.go). A branch without such a certificate proves nothing. Inhibitor arcs, capacities,
// and products of places in predicates are left out, and a reset becomes a loss of any size. All
// that only allows more solutions, so that less is ruled out. But where the predicate says that a
// transition is disabled, an inhibitor arc or a capacity may be the cause. There each of these is
// one more branch (split).
//
// What is left. Where a solution stands, it says how often transitions fire in a run to the goal, if there
// is one. KeepSolutions has the equation keep that, moved to where the firings are fewest, and others
// (firings.go). Walks are led by them.
//
// The files:
//
//	stateequation     the equation of a net, forms of sums, and bounds from above
//	search, branches  the search by branches
//	clauses           the search by clauses
//	literals          predicates as clauses
//	traps             traps that a solution leaves empty
//	simplex           values within bounds: rows and pivots
//	simplex_check     which pivots are made
//	dense             rows that have filled up
//	columns           columns that come in when they are needed
//	certificate       contradictions in integers
//	firings           solutions that stand, as counts of firings
//	simplify          constant parts of predicates
//
// An Equation is for one goroutine, as each question changes it: the simplex begins where the last
// question left it, and traps that were found are kept.
//
// The cost. Splitting is exponential in the number of disjunctions at worst. Nets may have up to
// 60,000 places and transitions together. One run of the simplex makes at most 20,000 pivots. One
// call of Contradicts makes at most 3,000 such runs, and nests splits at most 200 deep. An equation
// has at most 200 traps. A search by clauses has at most 3,000 rounds. Each question ends with its context.
//
// The state equation is in Murata, "Petri nets: properties, analysis and applications"
// (Proceedings of the IEEE 77, 1989). Traps are added as in Esparza, Melzer, "Verification of
// safety properties using integer programming: beyond the state equation" (Formal Methods in
// System Design 16, 2000). To learn clauses of contradictions is the way of
// Nieuwenhuis, Oliveras, Tinelli, "Solving SAT and SAT modulo theories" (Journal of the ACM 53,
// 2006). The simplex method, with bounds that come and go, is that of Dutertre, de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV 2006).
package stateequation
