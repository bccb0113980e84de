// Package tree has the engines that decide formulas of CTL: on the whole state graph, by a
// search on the fly, or by fixpoints over sets of markings. Each works on a net that is reduced
// as far as the formulas allow, and replays on the original one what runs can show. In comes a
// task, out come reports to its ledger; package checker calls the engines by its plans.
//
//	engine       explores                          decides
//	Graph        all markings                      all open formulas, on one graph
//	Orbits       one of all markings that are      all open formulas, on one graph
//	             images by symmetries
//	Search       markings as they are needed,      one formula after the other, in growing slices
//	             breadth first
//	SearchDeep   the same, in several orders,      the same
//	             places without bounds, too
//	Diagrams     all markings, as a diagram, of    one formula after the other, by fixpoints
//	             the net as it is if that is there
//	             first
//	OfImplied    what an engine of linear time     formulas, where a run refutes what they, or
//	             does                              their negations, imply of all runs
//
// How far a net can be reduced depends on the formulas. A formula that looks one step ahead, such as
// EX p, or at deadlocks, needs the state graph up to bisimulation. For others it is enough to have it
// up to stuttering bisimulation, and more rules of reduction apply. Places that formulas speak of
// stay. So with EX p, AG EF q and AF r there are up to four nets: one for all three formulas, a
// smaller one for the last two, and one for each of these. Searches use all four, the other engines
// the first two. A smaller net is used if its nodes are fewer than 90% of those of the larger one, as
// formulas on the same net share a state graph.
//
// Where the net for all formulas is more than twice as large as that for formulas without next steps,
// Graph and Diagrams have one more net: for what the formulas with next steps imply without them. EX p
// implies EF p: if that is false, so is EX p.
package tree
