// Package sizes has the engines that measure the state space: how many markings and firings
// there are, and the most tokens in a marking and in a place. They count explicitly or with
// decision diagrams; the two of tokens are also known where a walk reaches a proven bound. In
// comes a task, out come reports to its sizes; package checker calls the engines by its plans.
//
//	engine     markings, firings   most tokens in a marking, in a place
//	Graph      counted             counted
//	Orbits     counted by images   counted, of one of all images by symmetries
//	Diagrams   counted             largest sums over the diagram
//	Bounds     nothing             proven from above, by invariants and the state equation
//	Walks      nothing             reached from below
//
// First proves as Bounds does, before the others, on large nets, by machines alone.
//
// Graph and Walks also find that the net is unbounded. Then all four are infinite: a part of a run
// that can be repeated and adds tokens each time reaches infinitely many markings.
package sizes
