// Package automata holds ω-automata with transition-based acceptance.
//
// In comes what package hoa or dot reads or a translation builds, through Builder. Out
// go immutable automata in flat slices, which the rooms below work on, package checker/product
// synchronizes with a Kripke structure, and the writers print. State-based acceptance is
// pushed to the outgoing edges before it gets here.
//
// This package has what each of the rooms needs:
//
//	automaton, builder              the automaton itself
//	label, label_valid              labels: sums of cubes of literals
//	acceptance, condition_text,
//	livelock_acceptance             acceptance conditions
//	scc, strength                   components, and how strong they are
//	accepting_components,
//	accepting_cycle                 components and cycles that are accepted
//	claims, outgoing, ambiguity     what can be claimed: deterministic, complete, …
//	product, rows, meeting, pairs   products, by an index of labels
//	lasso, lasso_changes, changes   words, and those of testing automata
//
// The rooms, each for one purpose:
//
//	bdd              Boolean functions, which labels are made of and become again
//	reduce           fewer states and edges for the same words
//	degeneralize     Büchi automata
//	complement       what an automaton does not accept; simulation games between two
//	stutter          whether a language is closed under stuttering
//	testingautomata  TA, GTA and TGTA, built whole or as a product asks for them
//	emptiness        whether two languages meet, and a word of both
//	inclusion        whether one language lies in another
//	translate        formulas of linear temporal logic to automata
//	statistics       figures of an automaton
//
// The automata are those of "Model Checking using Generalized Testing Automata"
// (Ben Salem, Duret-Lutz, Kordon, 2012), Definitions 2 to 6, with the
// acceptance conditions of the Hanoi Omega-Automata format.
package automata
