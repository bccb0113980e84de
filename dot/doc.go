// Package dot writes automata in Graphviz's language, to be drawn, and as SVG, and reads
// the drawings of testing automata that Spot's ltl2tgta prints, the only form in
// which that tool gives them away.
//
// In come an automata.Automaton, or DOT text; out go DOT text for Graphviz, or
// an automata.Automaton in the form that docs/testing-automata-in-hoa.md
// describes, which package checker synchronizes with a net and package hoa
// writes.
package dot
