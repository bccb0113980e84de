// Package disk explores state spaces that are larger than memory.
//
// In come a net, what is proven of it, a budget and a Folder, out go the same figures that
// petri.Explore finds. It begins in memory. Once that is full, the markings are written to the
// folder as sorted runs, and the exploration goes on breadth first. Duplicates are found with
// delay: the successors of a layer are collected in memory, sorted, written and merged. Only
// then are they looked up among all markings met before, by going through both in order (Stern
// and Dill, "Using magnetic disk instead of main memory in the Murphi verifier", 1998; Korf,
// "Best-first frontier search with delayed duplicate detection", 2004). A Petri net's graph is
// directed, so a duplicate may lie in any layer, and all layers are kept. They are kept in
// runs whose sizes grow geometrically, as in a log-structured merge tree (O'Neil and others,
// 1996). Only those blocks of a run are read that may have the wanted markings.
//
// Parents are not kept. So a place is found to be unbounded only while the exploration is in
// memory, or where a marking covers the initial one or its predecessor. Next is command states.
//
//	explore.go    the exploration, layer by layer
//	handover.go   what was in memory is written; a wider layout
//	history.go    runs of all markings met before
//	buffer.go     a set of markings in memory, and its sorting
//	merge.go      one order of many
//	stream.go     markings one after the other, from a run or from memory
//	run.go        files of sorted markings
//	code.go       what a marking takes there
//	folder.go     the folder, its limit, what a killed process left
package disk
