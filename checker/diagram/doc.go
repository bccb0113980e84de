// Package diagram answers questions on sets of markings held as decision diagrams. In come
// a net, or its reachable markings, and what is asked: goals, sums, CTL, automata. Out go
// answers, with runs taken out of the sets and replayed. The portfolio and the symbolic
// approaches use it; the diagrams themselves are package symbolic's.
package diagram
