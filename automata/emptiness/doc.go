// Package emptiness decides whether the languages of two automata meet, without building
// their product, and finds a word of both. In come operands: explicit automata, automata
// built as their states are asked for, or Kripke structures; out goes an Intersection, with
// a word where that is asked for. Package inclusion, the comparison of translators, and the
// check of properties with Fin in package checker/product use it; it knows nothing of nets.
//
//	intersect.go           the call, and which search is used
//	operand.go, side.go    what an operand is, and the rows of one during a search
//	prepare.go             what is found out about an explicit operand first
//	search.go, component.go, successors.go   the search for an accepting component
//	empty.go, accepts.go   whether one automaton accepts some word, or a given one
//	word.go, replay.go     a word, and the check that both accept it
//
// Package generic reports whether a component has an accepting cycle, for any condition.
//
// Sources: Baier, Blahoudek, Duret-Lutz, Klein, Müller, Strejček, "Generic emptiness check
// for fun and profit" (ATVA 2019); Duret-Lutz and others, "Two-automaton emptiness check in
// Spot" (2024).
package emptiness
