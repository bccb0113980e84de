// Package checkertest has what tests of several rooms share: random predicates, formulas and
// automata over a net, and naive twins, which answer questions by the definitions on all
// markings. In comes a net, mostly one of package petritest; out come questions and the answers
// that engines must give. Nothing but tests imports it.
package checkertest
