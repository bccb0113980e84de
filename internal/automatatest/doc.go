// Package automatatest has random automata and words, hard cases, and naive twins of what
// the rooms of package automata do: nothing of it is in the program. Tests of any package
// use it; random automata depend on settings and seed only.
package automatatest
