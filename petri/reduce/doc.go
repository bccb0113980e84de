// Package reduce makes nets smaller while what is asked about them stays the
// same.
//
// In come a petri.Net, the places that a property looks at, and what has to be preserved: the
// reachability of predicates over these places, deadlocks, linear or branching properties without
// stuttering, the number of markings, or the whole state graph. Out goes a smaller net whose nodes
// keep their identifiers. With it comes for each of its transitions the sequence of original ones
// that it stands for: so a run of the small net is translated to one of the original. The portfolio (checker/internal/core)
// asks for it, once for all questions and then for each, and hands small nets to its engines.
//
// The rules work on a draft: the net with its arcs listed both at places and at transitions. It
// notes for each rule which places and transitions have changed since that rule looked at them
// (due.go). Rules take turns, cheap ones first, until nothing is due, so that the cost follows what
// changes: a chain of n places is agglomerated in time proportional to n. Only what can never fire,
// what is irrelevant, cycles of places, composed transitions, implied places and what ends by
// itself are found anew over the whole net, after removals elsewhere. Each removal is sound by
// itself: where the time is up, what was done until then is the result.
//
// The rules are those of Berthelot ("Transformations and decompositions of
// nets", 1987), of Bønneland et al. ("Stubborn versus structural reductions for Petri nets",
// 2019) and of Thierry-Mieg ("Structural reductions revisited", 2020).
//
// The files:
//
//	reduce            the table of rules, and what they are applied by
//	draft, due        the net while it changes, and what has to be looked at again
//	remove, twins     dead, idle and irrelevant nodes; those that others make superfluous
//	agglomerate, compose  places taken away between transitions that become one
//	partial           some producers of a place fused with its consumer, where not all can be
//	fuse              places between which tokens move around
//	composed, implied  transitions that two others stand for, places that others imply
//	deadlock, ending  rules for the question whether there is a deadlock
//	counting, equal   rules that keep the number of markings: places merged, places that equal others
//	counts, sharing   how markings of the original net are counted on the reduced one
//	recipe, finish    what a transition stands for; the reduced net
//	further           a net reduced for all, reduced further for one
package reduce
