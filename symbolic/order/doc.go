// Package order finds orders of the variables of decision diagrams.
//
// In come the supports of events, which are the sets of variables that an event reads or
// writes, and groups of variables that belong together, such as the places of a semiflow.
// Out goes an order: the variables from the bottom level up. Package symbolic lets several
// orders race, since no heuristic is good for all systems, and a bad order costs orders of
// magnitude.
//
// The heuristics keep the variables of an edge of the hypergraph together. FORCE moves
// variables to the middle of their edges (Aloul, Markov, Sakallah, "FORCE: a fast and
// easy-to-implement variable-ordering heuristic", 2003). Sloan's reduction keeps the profile
// small ("An algorithm for profile and wavefront reduction of sparse matrices", 1986; Meijer,
// van de Pol, "Bandwidth and wavefront reduction for static variable ordering in symbolic
// reachability analysis", NFM 2016). A walk always takes the variable that closes most edges
// (follow.go).
package order
