// Package product checks a net against an automaton by their product, explored on the fly.
// In come a Kripke structure and a Property; out goes a verdict, with an accepted run where
// there is one. The portfolio uses it for linear properties, the benchmarks to compare
// approaches.
//
// For plain automata the search is Couvreur's ("On-the-fly verification of linear temporal
// logic", FM 1999), with short cuts for terminal and weak components (product.go,
// emptiness.go, terminal.go). It returns the shortest of the runs at hand (lasso.go,
// nearest.go). Conditions with Fin go to package emptiness (intersect_net.go). Testing
// automata have a product of their own, in internal/stuttering. CheckBy (approach.go) explores
// one of the two, as the approach says. Explain (explain.go) makes runs counterexamples, and
// Measure (measure.go) counts what approaches cost. How product states are numbered is in
// internal/states.
package product
