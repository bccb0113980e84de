// Package reduce makes nets smaller while what is asked about them stays the
// same.
//
// In comes a petri.Net, the places a property looks at, and what has to be
// preserved: the reachability of predicates over these places, deadlocks, linear or
// branching properties that cannot see stuttering, or the whole state graph. Out goes a
// smaller net whose nodes keep their identifiers. With it comes for each of its transitions the
// sequence of original ones that it stands for: so a run of the small net is translated to one of
// the original.
//
// A draft of the net holds its arcs at both of their ends, and tells for each rule which
// places and transitions have changed since the rule looked at them (due.go). Rules take
// turns, cheap ones first, until nothing is due, so that the cost follows what changes: a
// chain of n places is agglomerated in time proportional to n. Only what can never fire and
// what is irrelevant are found anew over the whole net, after removals elsewhere. Each
// removal is sound by itself: where the time is up, what was done until then is the result.
//
// The rules are those of Berthelot ("Transformations and decompositions of
// nets", 1987) and of Thierry-Mieg ("Structural reductions revisited", 2020).
package reduce
