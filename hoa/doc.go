// Package hoa reads and writes ω-automata as text in the Hanoi Omega-Automata
// format, version 1, with what tools write of version 1.1.
//
// In comes a stream of automata, from a file or a pipe; out go
// automata.Automaton values, one by one as soon as each --END-- is read, which
// package checker/product synchronizes with a net. The writer makes text that other
// tools (Spot, Owl, LTSmin) read. Testing automata travel in the same format
// with a header of their own, see docs/testing-automata-in-hoa.md.
//
// Source: Babiak, Blahoudek, Duret-Lutz, Klein, Křetínský, Müller, Parker, Strejček,
// "The Hanoi Omega-Automata Format" (2015), and http://adl.github.io/hoaf/. Two things
// are not supported, and give an error: universal branching (alternating automata), and
// headers with a capital letter that the format doesn't define, as they may change the
// meaning.
//
// The files:
//
//	reader, scanner, diagnostic a stream of automata, its tokens, and its mistakes
//	header, item, grammar       headers
//	acceptance, property        conditions and claims in headers
//	body, states, finish        states and edges, and the automaton made of them
//	label, alias, expression    labels and their names
//	testing                     testing automata
//	writer, strength            text of automata, with the properties that they have
package hoa
