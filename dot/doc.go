// Package dot writes automata in Graphviz's language, to be drawn, and as SVG. It reads
// the drawings of testing automata that Spot's ltl2tgta prints; that tool has no other
// output for them.
//
// In come an automata.Automaton, or DOT text; out go DOT text for Graphviz, or
// an automata.Automaton in the form that docs/testing-automata-in-hoa.md
// describes, which package checker/product synchronizes with a net and package hoa
// writes.
//
//	writer.go, labels.go                automata to text for Graphviz
//	picture.go                          and to SVG
//	spot_form.go, drawing.go            testing automata as ltl2tgta draws them
//	reader.go, scanner.go, graph.go     text to statements,
//	drawn.go, form.go, meaning.go       statements to states and edges, their kind, their labels,
//	subsets.go, assemble.go             without several states after the same changes, as an automaton
//	room.go                             of what is made within the limit of the reader
//	hint.go                             what drawings of pnmc say besides
package dot
