// Package product checks a net against an automaton by their product, explored on the fly.
// In come a Kripke structure and a Property; out goes a verdict, with an accepted run where
// there is one. The portfolio uses it for linear properties, the benchmarks to compare
// approaches.
//
// For plain automata the search is Couvreur's ("On-the-fly verification of linear temporal
// logic", FM 1999), with short cuts for terminal and weak components. It returns the shortest
// of the runs at hand. Several threads may search together, by union-find. Conditions with Fin go
// to package emptiness. Testing automata have a product of their own, in internal/stuttering. How
// product states are numbered is in internal/states, and in internal/partition for several threads.
//
// The files:
//
//	check, approach       the ways in: Check, and CheckBy for one kind of automaton
//	product, row_table    product states and their edges; rows by label and automaton state
//	emptiness             the search for an accepting component
//	threads, together     the same by several threads, and when they search
//	passing               what several threads do where the automaton waits for something
//	nearest, lasso        short runs first; the run in the component that was found
//	together_lasso        the run in what several threads have found
//	testing_together      what several threads have found with a testing automaton, as a run
//	terminal              the run where the automaton accepts whatever comes
//	intersect_net         conditions with Fin
//	degeneralized         the same properties by Büchi automata
//	stubborn              firings that a property cannot tell from others
//	guided                firings that bring nearer what an automaton waits for
//	explain               runs as counterexamples
//	measure               what approaches cost
package product
