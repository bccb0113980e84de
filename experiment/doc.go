// Package experiment measures how the kinds of automata compare as a means to
// check the same properties of the same net.
//
// In come a net and automata of negated properties, from package hoa or a translation.
// Out goes a table of comma-separated values, with one line for each property and
// approach. From that table come averages and maxima in the layout of Tables 1 and 2,
// and scatter plots like Figure 7, of "Model Checking using Generalized Testing
// Automata" (Ben Salem, Duret-Lutz, Kordon, 2012). The command line is next.
//
//	run.go, conditions.go     the plan of an experiment, and one measurement after the other
//	record.go, rows.go        a measurement as a line, and lines read back,
//	row_reader.go             a row at a time
//	division.go               records that can be compared: of the same properties, decided alike
//	resume.go                 what an interrupted experiment has left
//	table.go, comparison.go   averages and maxima; who did best
//	plot.go, report.go        scatter plots, and a page of all
//	growth.go, growth_table.go
//	                          explorations of state spaces, with more or fewer threads
//	diagrams.go               the same experiment with approaches by decision diagrams,
//	ratios.go, matrix.go      with their tables and plots
package experiment
