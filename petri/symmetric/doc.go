// Package symmetric holds symmetric nets, the coloured nets of ISO/IEC 15909-2,
// and unfolds them.
//
// In comes a Net whose places carry tuples of colours and whose arcs carry
// multiset expressions, built by package pnml. Out goes a petri.Net with a place
// for each coloured place and colour, a transition for each coloured transition
// and binding, and the mapping between the two, which the coloured meaning of
// queries needs. Colours that no token can reach and bindings that cannot fire
// are never enumerated, let alone built.
//
// Chiola, Dutheillet, Franceschinis and Haddad, "Stochastic well-formed colored
// nets and symmetric modeling applications" (1993), is where the class of nets
// comes from.
package symmetric
