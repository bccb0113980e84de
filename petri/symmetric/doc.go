// Package symmetric holds symmetric nets, the coloured nets of ISO/IEC 15909-2,
// unfolds them, and tells what needs no unfolding.
//
// In comes a Net whose places carry tuples of colours and whose arcs carry
// multiset expressions, built by package pnml. Unfold gives a petri.Net with a
// place for each coloured place and colour, a transition for each coloured
// transition and binding, and the mapping between the two, which the coloured
// meaning of queries needs (Vocabulary). Colours that no token can reach and
// bindings that cannot fire are never enumerated, let alone built; on request
// colours that the net can't tell apart are merged (division.go), and places that
// never change are dropped. Inhibitor arcs look at all colours of a place together
// (inhibit.go).
//
// Net.Skeleton strips the colours off: it over-approximates. A Walk fires random
// bindings of the coloured net itself, and a Replay confirms what a walk has
// found. Package checker uses both while it unfolds, and without unfolding where the
// unfolded net is too large.
//
// Chiola, Dutheillet, Franceschinis and Haddad, "Stochastic well-formed colored
// nets and symmetric modeling applications" (1993), is where the class of nets
// comes from.
package symmetric
