// Package store interns packed markings: equal ones get the same number. Or it only tells which are
// new, in less memory.
//
// In come markings as words, out go numbers, by which markings are loaded again. A Store is for
// one thread (store.go). A Shared store is for several, each with an Arena (shared.go,
// arena.go) and perhaps a Recent, which leaves out markings met lately (recent.go). They also
// share the work of expanding the markings (claim.go). All of them pause while the store grows
// or takes wider markings (growth.go). Next are package petri and its package multicore.
//
// A Set has no numbers (set.go). Its tables hold the bits of a marking that the position does not imply
// (quotient.go), and markings to go on from wait in a Queue (queue.go). A Tree is a set of longer markings,
// which shares what they have in common (tree.go); threads add to it by a Climber each (climber.go). Next is
// package multicore, where both count markings.
//
// The files:
//
//	store, finish            a store for one thread, and a shared one that becomes such a store
//	shared, arena, recent    a store for several threads, and what each has of it
//	claim, growth            markings to expand; growing and widening at a pause
//	set, quotient, queue     markings without numbers
//	tree, climber, numbering the same of several words: numbers of words, of pairs, and so on
//	rounds                   how a thread goes through parts that have a lock each
//
// The shared table follows Laarman, van de Pol, Weber, "Boosting multi-core reachability
// performance with shared hash tables" (FMCAD 2010): open addressing, slots claimed by
// compare-and-swap, hash bits in the slot. Markings lie apart from the slots, as in van der Vegt,
// Laarman, "A parallel compact hash table" (2011). A thread first writes the marking. Then it
// claims the slot by one compare-and-swap, which publishes the marking as well. So nobody ever
// waits for another to write. testdata/store.pnml in the root of the module models it.
package store
