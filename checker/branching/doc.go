// Package branching decides formulas of CTL on explicit state graphs. In come a Kripke structure
// and a formula; out goes whether the initial marking satisfies it, and a Run that shows why
// as far as runs can. The portfolio asks it, and replays what it shows.
//
// A Graph is the whole state graph with its edges backwards, on which fixpoints are computed
// (graph.go), by one thread or by several; a Search goes only as far as the formula needs (search.go). The first is that of
// Clarke, Emerson, Sistla, "Automatic verification of finite-state concurrent systems using
// temporal logic specifications" (TOPLAS 8, 1986). The second follows the dependency graphs of
// Liu, Smolka, "Simple linear-time algorithms for minimal fixed points" (ICALP 1998).
//
// The files:
//
//	graph, columns                   fixpoints on all of a state graph, state predicates in all states
//	together, crew, terminal         the same by several threads, and terminal components
//	search, rounds, basis            the search on the fly, its bounds, and the operators that it knows
//	simplify, deadlocks              simpler formulas, and what deadlocks say of them
//	consequences                     what formulas imply of all runs
//	nextless                         what they imply without a look at next steps
//	witness                          runs that show why a formula holds
//
// The name is that of branching time, as package logic/ctl has the name of the logic: files here
// import both.
package branching
