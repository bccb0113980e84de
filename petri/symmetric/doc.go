// Package symmetric holds symmetric nets, the coloured nets of ISO/IEC 15909-2, unfolds
// them, and answers some questions without unfolding.
//
// In comes a Net whose places carry tuples of colours and whose arcs carry multiset
// expressions, built by package pnml. Unfold gives a petri.Net with a place for each
// coloured place and colour, and a transition for each coloured transition and binding.
// With it comes the mapping between the two. With the mapping, queries about coloured
// nodes are understood (Vocabulary). Colours that no token can reach and bindings that
// cannot fire are never enumerated. On request, colours that the net can't tell apart
// are merged (division.go), and places that never change are dropped. Inhibitor arcs
// look at all colours of a place together (inhibit.go).
//
// Net.Skeleton strips the colours off: it over-approximates. A Walk fires random
// bindings of the coloured net itself, and a Replay confirms what a walk has
// found. Package checker uses both while it unfolds, and without unfolding where the
// unfolded net is too large.
//
//	net.go, guard.go, multiset.go      nets, guards, and what expressions come to
//	unfold.go, unfolder.go, build.go   unfolding: reachable colours and bindings, then the net
//	plan.go, run.go, index.go          how bindings are found: plans, and joins over tokens
//	planner.go, planning.go, dated.go  how plans are made, and what guards say of bound variables
//	division.go, interchange.go        colours and variables that need not be told apart
//	colour_set.go, inhibit.go          colours of a place; inhibitor arcs over all of them
//	unfold_run.go                      as much of the unfolding as one run needs
//	skeleton.go                        the net without colours
//	walk.go, walk_back.go              random runs without unfolding
//	replay.go, replay_enabled.go       runs and bindings by the definitions alone
//	vocabulary.go, spelling.go         what names in formulas stand for
//
// Chiola, Dutheillet, Franceschinis and Haddad, "Stochastic well-formed colored
// nets and symmetric modeling applications" (1993), is where the class of nets
// comes from.
package symmetric
