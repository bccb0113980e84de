// Package subsets finds which of very many sets of small numbers lie within a given set. In come the sets, once,
// and then sets of which they may be parts, one after the other. Out go the numbers of those that are. So it is
// found which of tens of thousands of transitions have tokens in all places that they need: walks ask that after
// each firing, and explorations for each marking. It imports nothing of the module but sets of bits.
//
// The idea. Most sets have a member that is seldom there. So a set is listed under the two of its members that are
// the least likely to be there, its pair. Sets of one pair are a group. For each number of the given set, its
// partners, with which it makes pairs, are met with the given set, 64 at a time, and only the groups of those in
// both are looked at.
//
// Sets that lie within a certain one, the usual one, need not have a member that is seldom there, and what is
// asked often is close to the usual one. Such sets are bits in rows: each member of the usual set that is not given
// takes away those that have it, 64 at a time.
//
// For example, let a thousand sets have a, and each one of a hundred numbers b0 to b99 as well. Of {a, b7, c}, the
// ten sets are looked at that have b7.
//
// Why it is right. If a set lies within the given one, so do both members of its pair. So it is looked at, or its
// bit is left. What is looked at is found only if all its members are given.
//
// What it costs. Tables are small and lie in one piece each, since misses of the cache take most of the time: of a
// set that is looked at, four bytes are read, with two further members, and more only if both are given.
//
// The files:
//
//	index   the tables, and how they are made
//	within  what lies within a set
//	memory  what lay within sets that were asked about before
package subsets
