// Package inclusion compares languages: whether every word of one automaton is one of
// another, and whether two are equal, with a word that tells them apart. In come automata
// with any acceptance conditions, out goes an Inclusion; `pnmc include`, `pnmc equivalent`
// and the comparison of translators use it.
//
// One language lies in another if it has no word in common with the complement of the other.
// The caller may give that complement; of a deterministic automaton it is easily made
// (inclusion.go). Otherwise a search makes it state by state, as far as pairs of states ask
// for it, and skips the pairs that a simulation decides (search.go). Both automata check the
// word that is found (words.go).
package inclusion
