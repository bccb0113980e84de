// Package reduce makes nets smaller while what is asked about them stays the
// same.
//
// In comes a petri.Net, the places a property looks at, and what has to be
// preserved: the reachability of predicates over these places, deadlocks, linear
// properties that cannot see stuttering, or the whole state graph. Out goes a
// smaller net whose nodes keep their identifiers, and for each of its
// transitions the sequence of original ones it stands for, so that a run of the
// small net is told as a run of the original.
//
// The rules are those of Berthelot ("Transformations and decompositions of
// nets", 1987) and of Thierry-Mieg ("Structural reductions revisited", 2020).
package reduce
