// Package rephrase says state predicates in other words.
//
// In come predicates and a net; out go predicates that mean the same, said over places only
// (fireable and deadlock are comparisons of tokens), of another net with other numbers, or
// of the net that a coloured one unfolds to, whose nodes form groups. Package checker asks
// its engines in the words that each understands.
package rephrase
