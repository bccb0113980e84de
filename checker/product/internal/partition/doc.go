// Package partition has sets of product states that several threads unite while they search for
// strongly connected components. In come pairs of a graph state and an automaton state; out come
// numbers of these pairs, and for each thread what it needs to know: whether a state is new to it,
// lies in a set that is on its path, or is done with.
//
// It is the union-find structure of Bloemen, Laarman, van de Pol, "Multi-core on-the-fly SCC
// decomposition" (PPoPP 2016), with the acceptance marks of Bloemen, van de Pol, "Multi-core
// SCC-based LTL model checking" (HVC 2016). What is different: a state that one thread alone has met is a
// word with the number of the thread, and in no set. Next is package product, whose threads search.
//
// The files:
//
//	table   numbers of product states, in an array that several threads let grow
//	sets    union-find: which states are known to be strongly connected, who has met them, their marks
//	path    what a thread is going through, and the sets that it unites
//	list    the members of a set of which edges are still to be explored
package partition
