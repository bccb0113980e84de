// Package stateequation rules out markings, and bounds sums of tokens, without any search of
// markings. In come a net and a predicate, a sum, or a formula. Out goes what is proven: that the
// predicate never holds (Contradicts), an upper bound of the sum (UpperBound), or the formula with
// its constant parts replaced (Simplifier). Often nothing is proven. The portfolio uses it to prove
// invariants and bounds.
//
// The idea. Let a run fire each transition t σ(t) times. It leads from the initial marking m0 to
//
//	m = m0 + C·σ    with σ ≥ 0 and m ≥ 0
//
// where C says how many tokens a firing adds to each place. The equation forgets the order of the
// firings, so some solutions belong to no run. But each reachable marking is a solution. So a
// predicate that holds in no solution holds in no reachable marking. Contradicts looks for a
// solution in these steps; if there is none, that is the proof:
//
//  1. The linear parts of the predicate become bounds of forms. The simplex method finds a solution
//     of all bounds, or finds that there is none (simplex.go, simplex_check.go).
//  2. If the solution violates a disjunction, each operand is tried in turn (search.go).
//  3. If a place holds a fraction of a token in the solution, say 1.5, two cases are tried: at most
//     1 token, and at least 2. Counts of firings may stay fractions.
//  4. A trap is a set of places whose consumers all produce into it again. A trap with tokens never
//     loses its last one. If a trap has tokens in m0 and none in the solution, "at least one token"
//     becomes a constraint for good (addTrap).
//  5. If no constraint is left to add, the solution stands, and nothing is proven.
//
// Why it is right. Each constraint is true of every reachable marking. Floating point only guides
// the search. Each leaf without a solution gets a certificate: integer multipliers with which its
// constraints add up to a contradiction in exact arithmetic (certificate.go). A leaf without a
// certificate proves nothing. Some things are left out of the equation: inhibitor arcs, capacities,
// and products of places in predicates; a reset is a loss of any size. Leaving them out allows more
// solutions, so less is ruled out, and never too much. Only "t is disabled" needs care: such an
// arc or a capacity may be the reason, so each is a branch of its own (split).
//
// An example. Place p has one token, place x none. Transition t takes two tokens of p, and puts one
// into p and one into x. Can x get a token? The equation says p = 1 - σ(t) and x = σ(t), and
// x = 1, p = 0 solves it. But {p} is a trap: who takes from p also puts into p. So p ≥ 1. With
// multiplier 1 for p ≥ 1 and 1 for x ≥ 1, we get p + x ≥ 2. But p + x = 1 whatever σ is. So x
// stays empty.
//
// An Equation is for one goroutine. Its rows stay where the last question left them, and its traps
// are kept for the next question.
//
// The cost. At worst it is exponential in the number of disjunctions. Nets of up to 60,000 nodes are
// taken. A check ends after 20,000 pivots. A refutation ends after 3,000 linear programs, or with
// splits nested 200 deep. An equation has at most 200 traps. All end with their context.
//
// The state equation is in Murata, "Petri nets: properties, analysis and applications"
// (Proceedings of the IEEE 77, 1989). Traps are added as in Esparza, Melzer, "Verification of
// safety properties using integer programming: beyond the state equation" (Formal Methods in
// System Design 16, 2000). The simplex method, with bounds that come and go, is that of Dutertre,
// de Moura, "A fast linear-arithmetic solver for DPLL(T)" (CAV 2006).
package stateequation
