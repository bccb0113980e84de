// Package generic finds accepting cycles in graphs with marks on their edges, whatever the
// acceptance condition. In come a graph and a condition over the marks, out go whether a part
// of the graph satisfies it, and a cycle that does. The search for words that two automata
// accept uses it, and the portfolio for short runs; it knows nothing of automata but their
// conditions.
//
// Without Fin, a strongly connected component is accepting as a whole or not at all,
// since seeing more never hurts. With Fin, a part of a rejecting component may be
// accepting. The search here is that of "Generic Emptiness Check for Fun and Profit"
// (Baier, Blahoudek, Duret-Lutz, Klein, Müller, Strejček, ATVA 2019). If the marks of a
// component do not satisfy the condition, the component is cut at the edges of some
// Fin. Its parts are searched for the condition that remains. Linear in the graph for
// each condition without Fin, and at worst exponential in the number of bits that occur
// in Fin, as the problem is NP-hard in them.
package generic
