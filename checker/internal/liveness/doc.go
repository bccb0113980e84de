// Package liveness has the engines that decide whether every transition can always fire again:
// by the terminal components of the state graph, explicitly or as decision diagrams, and by
// walks to dead ends. In comes a task, out come reports to its ledger; package checker calls
// the engines by its plans.
//
// A terminal component is a set of markings that reach each other and nothing else. Every finite
// state graph leads into one from each marking. So all transitions are live if and only if each
// fires in each terminal component. If t does not fire in one, t is dead from there on. If all
// fire in each, every marking leads to a component where they do.
//
// For example, let t move a token from p to q, u move it back, and v move it from p to r. The marking
// r alone is the only terminal component, and none of the three fires there: no transition is live.
// Without v, the markings p and q are the terminal component, and both others fire in it: live.
//
// Where every firing can be undone, the whole state graph is one component, and walks that fire each
// transition once prove liveness.
//
// State graphs are those of nets reduced only by rules that keep all transitions, as each counts.
// For a coloured net the instances of a transition count together.
package liveness
