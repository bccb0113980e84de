// Package automorphism finds symmetries of a net: permutations of its places and transitions that
// keep arcs, weights and the initial marking, and the goals of a search. In comes a net with goals, out
// go petri.Symmetries, by which package checker/reachability has one marking stand for all its images,
// or the orbits of places and transitions: questions about all of them ask for one of each.
//
// For example, three machines that take a tool from the same shelf can be exchanged. Whether machine
// 1 has the tool, or machine 3, makes no difference to what can follow, unless a goal names one of
// them. So of three markings one is explored; of n machines with k states each, as many markings are
// left as there are ways to put n balls into k boxes.
//
// The net becomes a coloured graph (graph.go), with the goals as further vertices. Colour refinement
// says which vertices may be exchanged at all (refine.go). A search fixes place after place, and finds
// automorphisms that move as few of them as possible (search.go). Each is verified arc by arc before it
// counts: refinement and search decide only what is found, not whether it is right. Last is chosen
// which of the permutations that they generate markings are lowered by (find.go).
//
// Where components of a row can be permuted as one likes, Components tells which places belong to them, so that exactly one
// of all images of a marking stands for them, and images can be counted (components.go).
//
// Colours of a symmetric net that can be permuted become such symmetries when it is unfolded. So
// coloured nets need nothing of their own.
//
// What is not found: automorphisms beyond those which choices that are not taken back lead to, and
// all of large nets for which there is no time.
package automorphism
