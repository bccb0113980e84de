// Package view writes pages that show runs of nets: one HTML file each, which a browser
// opens without a network and without a server.
//
// In come a Net, with or without colours and positions, and one Answer after the other. An Answer
// has the question, the verdict, the runs that show it, the formula, and the automaton of its
// negation. Out comes a page that draws the net and plays the runs, which commands write where
// --trace asks for it. The package knows no engine: it fires each run itself, by the definition of
// firing, and evaluates what the page says of its markings.
//
// Picture draws a net alone, as SVG, by package picture.
//
// Numbers travel as variable-length integers in base64, so that a run of 100,000 steps takes some
// 200 kB. The page makes elements only for what is on the screen. The code that runs in the
// browser is in the folder page. Its folder vendor has the libraries that it uses, as they were
// published, with their licences. Dagre lays graphs out; d3-zoom, with what it needs, moves the
// drawing.
//
// The files:
//
//	page, net, answer        a page, the net on it, and an answer
//	writer                   a part of a page while it is made, which asks for room
//	run, replay              a run as the page gets it, fired again here
//	formula, truth           formulas, and their truth along a run
//	automaton, automaton_run the automaton of the negation, and its run
//	inscription, picture     inscriptions of coloured arcs; a net alone, as SVG
package view
