// Package symmetric holds symmetric nets, the coloured nets of ISO/IEC 15909-2, unfolds
// them, and walks through them without unfolding.
//
// In comes a Net whose places carry tuples of colours and whose arcs carry multiset
// expressions, built by package pnml. Unfold gives a petri.Net with a place for each
// coloured place and colour, and a transition for each coloured transition and binding.
// With it comes the mapping between the two, by which package names finds out what names in
// formulas stand for. Colours that no token can reach and bindings that cannot fire are never
// enumerated. On request, colours that the net can't tell apart are merged (division.go),
// and places that never change are dropped. Inhibitor arcs look at all colours of a place
// together (inhibit.go).
//
// A Walk fires random bindings of the coloured net itself, and package replay confirms what it
// has found. Package colourless strips the colours off: that over-approximates. Package checker
// uses all three while it unfolds, and without unfolding where the unfolded net is too large.
//
//	net.go, guard.go, multiset.go      nets, guards, and what expressions come to
//	unfold.go, unfolder.go, build.go   unfolding: reachable colours and bindings, then the net
//	plan.go, run.go, index.go          how bindings are found: plans, and joins over tokens
//	planner.go, planning.go, dated.go  how plans are made, and what guards say of bound variables
//	division.go, interchange.go        colours and variables that need not be told apart
//	colour_set.go, inhibit.go          colours of a place; inhibitor arcs over all of them
//	unfold_run.go                      as much of the unfolding as one run needs
//	walk.go, walk_back.go              random runs without unfolding
//
// Chiola, Dutheillet, Franceschinis and Haddad, "Stochastic well-formed colored
// nets and symmetric modeling applications" (1993), is where the class of nets
// comes from.
package symmetric
