// Package multicore explores the state space of a net with one thread or several.
//
// In comes a net, with what is proven of it; out go the figures that petri.Explore finds with
// one thread, and the same. Next is the command that counts markings. A Search (search.go)
// calls a function with each marking, and has runs to them; next is package
// checker/reachability, which looks for goals. A Graph (graph.go) gives a petri.Kripke all markings
// and edges; next are the packages checker/branching and checker/reachability, which decide CTL and
// liveness on it. A Kripke (kripke.go) is a state graph of which threads ask for what they need; next
// is package checker/product.
//
// Markings are counted without numbers, in sets that take little memory (counting.go). Those of a
// net with a place that gets more tokens than it was thought to, and those of a search have numbers, as
// follows.
//
// Threads share one store (package store). Each thread goes on from markings that it met itself,
// in the order in which it met them. When it has none, it takes some of another thread
// (worker.go). It leaves out markings that it has met lately, before it looks into the shared
// store. What can't be done while others work is done at a meeting of all (meeting.go): the
// table of markings grows, or a field of the packed markings turns out too narrow. Threads
// without work wait; when all do, the exploration is complete (rest.go).
//
// The files:
//
//	explore                 figures of a state space, with numbers of markings
//	counting, counter       the same without numbers, and what a thread does for it
//	catalogue               how such a thread knows whether a marking was met
//	search, graph, rows     searches with runs; whole graphs, and lists of edges by thread
//	kripke, numbers         a graph on the fly, and numbers by marking that threads share
//	worker, meeting, rest   what a thread does, what all do together, and when all is done
//
// The scheme is that of Laarman, van de Pol, Weber, "Boosting multi-core reachability
// performance with shared hash tables" (FMCAD 2010). Two things differ: the table grows,
// and the store is also the queue.
package multicore
