// Package symbolic explores state spaces with decision diagrams.
//
// In comes a petri.Net, or any System of integer variables and guarded events.
// Out go exact sizes of its state space, sets of states as diagrams on which
// package checker/diagram evaluates formulas, and verdicts on the product with an
// automaton.
//
// Diagrams are multi-valued rather than binary: a place of k tokens takes one level, not one
// for each bit, and an event shifts values without knowing their range. They are not
// hierarchical: places that share a token become one variable (Encoding), which does for
// nested units what a hierarchy would. That made results on contest models up to fifty times
// smaller (docs/experiments.md).
//
// The diagrams are multi-valued decision diagrams (Kam, Villa, Brayton,
// Sangiovanni-Vincentelli, 1998) in a Forest: canonical, with a variable at each level and
// sparse edges. Reachable sets come from saturation (Ciardo, Marmorstein, Siminiceanu,
// "Saturation unbound", 2003). Relations are implicit (Biswal, Miner, "Improving saturation
// efficiency with implicit relations", 2019): an event is a chain of guards and displacements,
// or assignments for reset arcs. So domains grow as tokens appear. Products follow "Symbolic
// Model Checking of Stutter-Invariant Properties Using Generalized Testing Automata" (Ben
// Salem, Duret-Lutz, Kordon, Thierry-Mieg, 2014). Products with an automaton that stays
// explicit follow "Self-loop aggregation product" (Duret-Lutz, Klai, Poitrenaud, Thierry-Mieg,
// 2011).
//
// The files:
//
//	forest, cache, collect, setops   diagrams: nodes, remembered results, garbage, operations on sets
//	reachable, count, weighted, enumerate,
//	extremes                         passes over a diagram
//	relation, rules, merge           events as chains of rules
//	saturation, reach                reachable sets, by saturation or in rounds
//	system, encoding                 a net as variables and events; groups of places as one variable
//	explore, race, beside, growth,
//	unbounded                        a state space: order of variables, two nets, limits, unbounded places
//	predicate, condition, polynomial sets of states in which a predicate holds
//	tokens, deadlock, terminal,
//	stuttering                       figures of a state space
//	ctl, ctl_forward                 operators of CTL, backwards and forwards
//	product, product_state,
//	product_relation,
//	product_successors               products with an automaton
//	product_testing,
//	product_observed, phase          products with testing automata
//	emptiness, witness               is a run accepted, and which
//	aggregation, aggregation_search,
//	aggregation_hull,
//	aggregation_witness              the automaton explicit
package symbolic
