// Package experiment measures how the kinds of automata compare as a means to
// check the same properties of the same net.
//
// In come a net with automata of negated properties, from package hoa or a
// translation; out go a table of comma-separated values, one line for each
// property and approach, and from that table the averages and maxima in the
// layout of Tables 1 and 2, and the scatter plots of Figure 7, of "Model Checking
// using Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon, 2012). The
// command line is next.
package experiment
