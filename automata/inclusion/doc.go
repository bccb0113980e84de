// Package inclusion compares languages: whether every word of one automaton is one of
// another, and whether two are equal, with a word that tells them apart. In come automata
// with any acceptance conditions, out goes an Inclusion; `pnmc include`, `pnmc equivalent`
// and the comparison of translators use it.
//
// A complement that is at hand is used (inclusion.go), that of a deterministic automaton is
// made; otherwise a search builds as much of it as pairs of states ask for, and leaves out
// pairs that simulation decides (search.go). The word is checked by both automata (words.go).
package inclusion
