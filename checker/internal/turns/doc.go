// Package turns shares out time among what is to be decided.
//
// In come things to be decided, and a function that tries one of them for a while. The tries go on
// until nothing is open any more, or more time would not help. A Queue gives each a slice, then
// each that is still open a longer one. Where threads are left, several are tried beside each other
// (round.go). A Room tells what may be tried again when memory has come free, and Prospects tell when a
// search that never ends by itself is given up, where there is no deadline. The engines of package
// checker are its users; package lanes is what it waits by.
//
// Slices that grow by a factor are the doubling strategy for searches of unknown length:
// Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms" (IPL 47, 1993).
package turns
