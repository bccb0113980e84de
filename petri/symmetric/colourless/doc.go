// Package colourless strips symmetric nets of their colours.
//
// In comes a symmetric.Net, and out goes its skeleton, a petri.Net with as many places and transitions,
// and what it is good for: it can do all that the coloured net can, and its places hold as many tokens as
// all colours have together. For some transitions it can do no more. Package checker refutes by it what is
// never reached, without unfolding, and package view draws coloured nets by it.
//
// Findlow, "Obtaining deadlock-preserving skeletons for coloured nets" (1992), tells how much of a net its
// skeleton keeps.
package colourless
