// Package product checks a net against an automaton by their product, explored on the fly.
// In come a Kripke structure and a Property; out goes a verdict, with an accepted run where
// there is one. The portfolio uses it for linear properties, the benchmarks to compare
// approaches.
//
// For plain automata the search is Couvreur's ("On-the-fly verification of linear temporal
// logic", FM 1999), with short cuts for terminal and weak components (product.go,
// emptiness.go, terminal.go); the shortest of the runs at hand is told (lasso.go, nearest.go).
// Conditions with Fin go to package emptiness (intersect_net.go). Testing automata have a
// product of their own, in which the net's stuttering is a step of its own (testing_*.go), as
// in "Model Checking using Generalized Testing Automata" (Ben Salem, Duret-Lutz, Kordon, 2012).
package product
