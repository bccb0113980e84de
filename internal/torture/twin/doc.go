// Package twin decides questions about small nets and automata by their
// definitions, and replays counterexamples.
//
// In come texts in PNML and HOA, formulas as trees, and runs in JSON, as text
// or on pages; out go truth values that the chamber compares with what pnmc says.
// Nothing here is shared with pnmc: no reader, no engine, no table. Whatever is clever would
// have to be checked itself, so the code follows the definitions and is slow.
//
// The files:
//
//	pnml, hoa                  readers of what pnmc reads and prints
//	trace, trace_text, page    runs in JSON, as text and on pages, and their replay
//	net, graph                 nets and their state graphs
//	formula, text, ctl         formulas, and CTL by the definition
//	automaton, system, product automata, what runs are taken from, and accepted runs
package twin
