// Package pnml reads and writes Petri nets in PNML (ISO/IEC 15909-2).
//
// In comes XML text: place/transition nets and symmetric nets in the 2009 grammar with
// its nested pages and reference nodes, and the dialects that tools export. Out goes a
// petri.Net or a symmetric.Net with the document's identifiers and names, for packages
// petri and checker. If the document says something that such a net does not have, that
// is an error with file, line and column. Graphics and the parts for other tools are
// skipped, except for nested units (Garavel, "Nested-unit Petri nets", 2019).
//
// The document is read as a stream. Of a place/transition net only one place, transition or
// arc at a time exists as an etree element, so memory is that of the net, not of the text.
// Arcs in their usual form never become an element: quick.go reads them off the text. Of a
// symmetric net the terms are kept until its declarations are known, which may come last.
//
// The files:
//
//	read, source, scanner,
//	length, encoding                the text as a stream of elements
//	document, node, label, error    what elements say, and what is wrong with them
//	meter                           asks for what is made of them
//	quick                           arcs in their usual form, without elements
//	connect, special, nupn          the net made of it; special arcs; nested units
//	coloured, declarations, sorts,
//	terms, multiset, guards         symmetric nets
//	graphics                        where nodes lie and arcs bend
//	write                           nets as text
package pnml
