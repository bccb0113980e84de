// Package induction decides with the help of a solver of satisfiability modulo theories whether a marking
// with a goal is reachable. The solver is another program, and nothing that it says is believed.
//
// In come a net, a goal over places without products, what is known of the net, and the command of a
// solver. Out comes an Outcome: a run to the goal, an invariant that excludes it, or neither. The engine
// Induction of package checker/internal/atoms is next.
//
// A cube is a conjunction of comparisons of sums of tokens, such as p ≥ 2 ∧ q + r ≤ 1. What lies before a cube
// by a transition t is a cube again: the places of t have what it needs, and each sum is as far from its
// bound as t adds. So neither sets of markings nor markings of a next step are variables. All questions
// about one step are about one marking.
//
// Directed is property-directed reachability (Bradley, "SAT-based model checking without unrolling",
// VMCAI 2011), on nets as in Amat, Dal Zilio, Hujsa, "Property directed reachability for generalized Petri
// nets" (TACAS 2022):
//
//  1. Frame i is a set of clauses, which are negated cubes, that hold in all markings after at most i
//     firings. The last frame is asked for a marking with the goal. Comparisons that make the goal true
//     there are a cube to be excluded.
//  2. A cube is excluded from frame i if no marking of frame i-1 outside the cube has a firing into it.
//     If one has, the cube before that one is to be excluded from frame i-1 first. A cube before with
//     the initial marking in it begins a run to the goal.
//  3. An excluded cube is made larger: comparisons that the proof does not need are dropped (the solver
//     tells them), and others are tried, or weakened.
//  4. Clauses that hold one step longer go to the next frame. Two frames that are equal are an invariant.
//
// A cube that contradicts the state equation is excluded for good, without the solver.
//
// Unrolled asks about the first k steps at once: bounded model checking, where a step fires any number of
// transitions at the same time, which their inputs allow in any order. So a step is a system of linear
// comparisons, without a choice between transitions. In turn it asks for k-induction (Sheeran, Singh,
// Stålmarck, "Checking safety properties using induction and a SAT-solver", FMCAD 2000): no k markings
// without the goal in a row, the first of which satisfies place invariants, have one with the goal behind
// them. Here each step fires one transition; idle steps would prove nothing. Then the invariant is that
// all cubes up to k-1 firings before the goal are excluded; they are computed here. Nets with inhibitor or
// reset arcs or capacities are left to Directed.
//
// Why it is right. A run is one of the net: who gets it replays it. An invariant is checked, clause by
// clause, by the state equation's own search, which ends each branch with multipliers that are integers
// (certificate.go here, and in package checker/stateequation): the clause holds initially, no firing breaks it
// where all hold, and with all there is no goal. An invariant that is not certified so is no answer.
// So a solver with a defect costs time, and perhaps an answer, and never makes one wrong.
//
// The cost is the solver's: each question may be exponential, and neither procedure need end on
// unbounded nets. All ends with the context; the solver's process does, too.
//
// The files:
//
//	outcome       what is asked, and what comes out
//	cube          conjunctions of comparisons, what lies before them, and what makes a goal true
//	terms         SMT-LIB of comparisons and predicates
//	directed, frames, generalize   property-directed reachability
//	unrolled, normalform           bounded model checking and k-induction
//	certificate   checking invariants
package induction
