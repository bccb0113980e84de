// Package stateequation rules out markings, and bounds sums of tokens, without any search of
// markings. In come a net and a predicate, a sum, or a formula; out go "never" (Contradicts), a
// proven upper bound of a sum (UpperBound), and the formula with constant parts replaced
// (Simplifier), or that nothing is known. The portfolio proves invariants and bounds by it.
//
// The idea. A run that fires each transition t σ(t) times leads from the initial marking m0 to
//
//	m = m0 + C·σ    with σ ≥ 0 and m ≥ 0
//
// where C tells how many tokens a firing adds to each place. The order of the firings is lost, so
// that some solutions belong to no run. But a predicate that no solution satisfies holds in no
// reachable marking. Contradicts looks for a solution; that there is none is the proof:
//
//  1. The linear parts of the predicate become bounds of forms, and the simplex method finds a
//     solution of all, or none (simplex.go, simplex_check.go).
//  2. A disjunction that the solution violates is split: each operand is tried (search.go).
//  3. A place that holds a fraction of a token in the solution is split: of 1.5 tokens, say, into
//     at most 1 and at least 2. Counts of firings may stay fractions.
//  4. A trap that has tokens in m0 and none in the solution is found: a set of places whose
//     consumers all produce into it again. A trap with tokens never loses its last one, so "at
//     least one token" becomes a constraint for good (addTrap).
//  5. Where no constraints are left to add, the solution stands, and nothing is proven.
//
// Why it is right. Each constraint is true of every reachable marking. Floating point only guides:
// each leaf of the search without a solution has a combination of its constraints, with integers as
// multipliers, that adds up to a contradiction in exact arithmetic (certificate.go). A leaf without
// such a certificate proves nothing. The equation leaves out inhibitor arcs and capacities, a reset
// is a loss of any size, and of predicates, products of places are left out: then there are more
// solutions, and less is ruled out. That a transition is disabled, however, may be due to such an
// arc or capacity, so that these are branches there (split).
//
// An Equation is for one goroutine: its rows stay where the last question left them, and traps are
// kept for the next.
//
// An example. Place p has one token, place x none, and t takes two of p and puts one into p and
// one into x. Can x get a token? The equation says p = 1 - σ(t) and x = σ(t), which x = 1, p = 0
// solves. But {p} is a trap: who takes from p puts there. So p ≥ 1, and the multipliers 1 for
// p ≥ 1 and 1 for x ≥ 1 give p + x ≥ 2, though p + x = 1 whatever σ is. So x stays empty.
//
// The cost. Splitting is exponential in the number of disjunctions at worst. Nets of up to 60,000
// nodes are taken; a check ends after 20,000 pivots, a refutation after 3,000 linear programs or
// splits nested 200 deep, and an equation has at most 200 traps. All end with their context.
//
// The sources are Murata, "Petri nets: properties, analysis and applications" (Proceedings of the
// IEEE 77, 1989); Esparza, Melzer, "Verification of safety properties using integer programming:
// beyond the state equation" (Formal Methods in System Design 16, 2000); and, for the simplex
// method with bounds that come and go, Dutertre, de Moura, "A fast linear-arithmetic solver for
// DPLL(T)" (CAV 2006).
package stateequation
