// Package invariant proves facts about all reachable markings of a net from its
// structure: place semiflows and bounds.
//
// In comes a petri.Net, out go petri.Facts, from which petri lays out compressed
// markings. Semiflows are found with the algorithm of Farkas (Colom and Silva,
// "Convex geometry and semiflows in P/T nets", 1990), in exact integers. Those with one
// token and weights of one are found place by place, on nets of any size (machine.go).
package invariant
