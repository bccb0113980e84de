// Package disk explores state spaces that are larger than memory.
//
// In come a net, what is proven of it, a budget and a Folder, out go the same figures that
// petri.Explore finds. It begins in memory. Once that is full, the markings are written to the
// folder as sorted runs, and the exploration goes on breadth first with delayed detection of
// duplicates: the successors of a layer are collected in what memory there is, sorted, written,
// merged, and only then looked up among all markings met before, by going through both in order
// (Stern and Dill, "Using magnetic disk instead of main memory in the Murphi verifier", 1998;
// Korf, "Best-first frontier search with delayed duplicate detection", 2004). A Petri net's
// graph is directed, so that a duplicate may lie in any layer, and all are kept: in runs whose
// sizes grow geometrically, as in a log-structured merge tree (O'Neil and others, 1996). Of a run,
// which is a file here, only those blocks are read that may hold a marking that is looked for.
//
// A Search begins there, and looks at each marking. It also keeps the layers apart, from which a run
// to a marking is found backwards.
//
// Parents are not kept. So a place is found to be unbounded only while the exploration is in
// memory, or where a marking covers the initial one or its predecessor. Next is command states.
//
//	explore.go    the exploration, layer by layer
//	search.go     the same with a look at each marking, and runs to them
//	handover.go   what was in memory is written; a wider layout
//	history.go    runs of all markings met before
//	buffer.go     a set of markings in memory, and its sorting
//	merge.go      one order of many
//	stream.go     markings one after the other, from a run or from memory
//	run.go        files of sorted markings
//	code.go       what a marking takes there
//	folder.go     files in a folder, their limit, what a killed process left
package disk
