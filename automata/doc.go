// Package automata holds ω-automata with transition-based acceptance.
//
// In comes what package hoa reads or a translation builds, through Builder. Out
// go immutable automata in flat slices, which package checker synchronizes with
// a Kripke structure, and the writers print. State-based acceptance is pushed
// to the outgoing edges before it gets here.
//
// Algorithms take an automaton and give another, or an answer. Those that change one
// work on a copy with marks in one word and Boolean functions as labels
// (reducible.go, functions.go), which merges states (simulation.go, bisimulation.go),
// determinizes obligations (obligation.go), makes Büchi automata (degeneralize.go) and
// testing automata (testing.go; testing_on_the_fly.go builds what a product asks for).
// Languages are combined and compared by products (product.go), complements
// (complement.go, complementation.go) and games (fair_simulation.go), and examined for
// stuttering (stutter_invariance.go). What others find, Accepts judges (lasso.go).
//
// The automata are those of "Model Checking using Generalized Testing Automata"
// (Ben Salem, Duret-Lutz, Kordon, 2012), Definitions 2 to 6, with the
// acceptance conditions of the Hanoi Omega-Automata format.
package automata
