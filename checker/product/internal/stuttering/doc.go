// Package stuttering has the product of a net and a testing automaton, in which the net's
// stuttering is a step of its own, as in "Model Checking using Generalized Testing Automata"
// (Ben Salem, Duret-Lutz, Kordon, 2012). In come a Kripke structure and a Reader, an automaton
// that reads changes of labels, built whole (Built) or as it is asked; out goes what a Search
// finds: a path with a cycle, or a livelock. Package product makes counterexamples of them.
package stuttering
