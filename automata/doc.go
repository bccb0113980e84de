// Package automata holds ω-automata with transition-based acceptance.
//
// In comes what package hoa reads or a translation builds, through Builder. Out
// go immutable automata in flat slices, which package checker synchronizes with
// a Kripke structure, and the writers print. State-based acceptance is pushed
// to the outgoing edges before it gets here.
//
// The automata are those of "Model Checking using Generalized Testing Automata"
// (Ben Salem, Duret-Lutz, Kordon, 2012), Definitions 2 to 6, with the
// acceptance conditions of the Hanoi Omega-Automata format.
package automata
