// Package effort bounds operations on automata whose price may be more than polynomial, by
// work and by a context. In come the bound and the work done, out goes whether to go on;
// whoever is told not to takes the answer that is right in any case. Package automata and
// its rooms use it.
package effort
