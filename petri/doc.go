// Package petri holds place/transition nets and their state spaces.
//
// In comes a net, usually built by package pnml through Builder. Out go an
// immutable Net in flat slices, markings compressed by a Layout, state spaces of
// them, and the Kripke structure that package checker/product synchronizes with an automaton. Package
// multicore explores with several threads what Explore explores with one, and searches it.
//
// Markings follow the usual token game (Murata, "Petri nets: properties, analysis and
// applications", 1989). The Kripke structure is Definition 1 of "Model Checking using
// Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon, 2012): in a deadlock,
// the last marking repeats for ever.
//
// The files:
//
//	net, builder, special, nupn, drawing a net, its special arcs, its units, its picture
//	facts, claim                         what is proven of a net, and claims that turned out false
//	layout, layout_choice, measure       how a marking is packed into words, and sums of packed counts
//	firing, firing_rule, ceilings        the token game on packed markings
//	filing, pairing                      which rules are tried in a marking, where they are many
//	game                                 the same, for explorations with stores of their own
//	explore, space, growth, budget       all reachable markings, within limits; unbounded places
//	rule_order                           edges in one order, whatever layouts come
//	kripke, edges, complete              the state graph on the fly, its edges in little room, and as
//	                                     several threads have found it
//	select, chooser                      which of its edges may be left out, and of what threads explore
//	symmetries, fold                     markings that stand for others, in runs and packed
//	components, canonical,
//	fold_components                      the same by components that are alike: exactly one of all images
package petri
