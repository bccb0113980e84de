// Package lanes lets engines take turns. In come functions that look at a context as they
// work, and a bound on how many may work at once; each look may hand the turn over. The
// portfolio runs its engines so, and with one thread in the same order every time. An engine that
// can use several threads takes some that the others leave, and one that has several questions takes up
// some beside each other (threads.go, team.go).
package lanes
