// Package exchange reads and writes nets in the text formats of other tools, so that a net can
// be taken there and back. It reads and writes Tina's .net and LoLA's .lola. It only writes
// GAL of ITS-Tools and the language of Graphviz.
//
// In comes text or a petri.Net, out goes the other. A text may ask for something that a net
// does not have, such as time, priorities or fairness: that is an error with file, line and
// column. A net may have something that a format cannot say: that is an error that names the
// node. Identifiers are kept; names that differ from them only Tina's format has, and none has
// nested units. PNML is read and written by package pnml.
//
// A scanner cuts a text into tokens and keeps a few of them (scanner.go). A grammar parses the
// next piece, which is the beginning of a statement, or one item of its list (statement.go). An
// assembly collects what the pieces say (assembly.go).
//
// The files:
//
//	scanner, statement, assembly, error what the readers share: tokens, pieces, nets, messages
//	tina, tina_write                    Tina's .net
//	lola, lola_write                    LoLA's .lola
//	gal, graphviz                       GAL and Graphviz, only written
package exchange
