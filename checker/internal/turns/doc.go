// Package turns shares out time among what is to be decided.
//
// In come things that are open and a way to try one of them; out goes that nothing is open
// any more, or why no more time will help. A Queue gives each a slice, then each that is
// still open a longer one. A Room says what may be tried again when memory has come free.
// Prospects say when to give up a search that never ends by itself, where there is no
// deadline. The engines of package checker are its users; package lanes is what it waits by.
//
// Slices that grow by a factor are the doubling strategy for searches of unknown length:
// Luby, Sinclair, Zuckerman, "Optimal speedup of Las Vegas algorithms" (IPL 47, 1993).
package turns
