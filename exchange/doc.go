// Package exchange reads and writes nets in the text formats of other tools, so that a net can
// be taken there and back: Tina's .net, LoLA's .lola, and, to write only, GAL of ITS-Tools
// and the language of Graphviz.
//
// In comes text or a petri.Net, out goes the other. What a text says that a net cannot
// honour, such as time, priorities and fairness, is an error with file, line and column; what a
// net has that a format cannot say is an error that names the node. Identifiers are kept;
// names that differ from them only Tina's format has, and none has nested units. PNML is read
// and written by package pnml.
//
// A scanner cuts a text into tokens, of which it keeps a few (scanner.go); a grammar parses the
// piece that comes next, which is what a statement begins with or one item of its list
// (statement.go); and an assembly collects what pieces say (assembly.go).
package exchange
