// Package rephrase says state predicates in other words.
//
// In come predicates and a net; out go predicates that mean the same, in one of three forms. They
// speak of places only: t is fireable becomes p ≥ 2 ∧ q ≥ 1, say. They speak of another net, whose
// nodes have other numbers. Or they speak of the net that a coloured one unfolds to: p ≥ 2 becomes
// p_red + p_blue ≥ 2. Package checker asks its engines in the words that each understands.
package rephrase
