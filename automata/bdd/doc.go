// Package bdd holds Boolean functions of propositions as reduced ordered binary decision
// diagrams. In come labels and formulas, out go labels again: irredundant sums of cubes.
// Readers of automata, translations and all rooms that change labels use it.
//
// A Functions is one slice of nodes with a limit on their number, so no formula takes more
// than its share. Once the limit is reached, operations return FalseFunction, and Err says
// why. The diagrams are Bryant's ("Graph-based algorithms for Boolean function
// manipulation", 1986), the sums those of Minato ("Fast generation of irredundant
// sum-of-products forms from binary decision diagrams", 1992).
package bdd
