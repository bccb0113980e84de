// Package cross compares translators of temporal formulas with one another, to
// find those that are wrong.
//
// In come formulas and translators, most of them commands that print an automaton
// in the Hanoi Omega-Automata format, or draw it as Spot's ltl2tgta does. Each translates each formula and its
// negation, within a time limit; whatever a translator does, it makes a row of the
// report. Then the automata are compared:
//
//   - no automaton of a formula has a word in common with one of its negation;
//   - one of the two accepts each word, where complements can be had;
//   - on random state spaces, each state has a run that one of the two accepts, and all
//     translators agree on the states that have a run which the first accepts;
//   - likewise on a system that the user gives, such as a Petri net.
//
// A difference comes with a word. The meaning of the formula on that word shows which
// translator is wrong. The formula is then shrunk, as long as a difference remains. Out
// goes a Report, written as a table, as comma-separated values, or as JSON by the
// command.
//
// The checks are those of Spot's ltlcross ("LTL translation improvements in Spot",
// Duret-Lutz, 2014, section 2.3), without its limit on acceptance sets.
//
// The files:
//
//	run, compare            the order of work; all checks on the automata of one formula
//	command, files          translators that are commands, and the files that they get
//	output                  what they print or write into a file, within limits
//	meaning, space          what a formula means on a word; random state spaces
//	drawing                 drawings that can be read in two ways
//	shrink                  smaller formulas with the same difference
//	report, object          what Run found, as text; as JSON
package cross
