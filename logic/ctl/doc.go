// Package ctl holds formulas of computation tree logic over state predicates.
//
// In comes text, with quantifiers as TAPAAL and Spot's users write them; the grammar is
// package logic's, since a state predicate may stand wherever a formula may. Out go trees:
// packages checker/branching and checker/diagram decide them.
//
// The logic is that of Clarke, Emerson, Sistla, "Automatic verification of finite-state
// concurrent systems using temporal logic specifications" (TOPLAS 8, 1986). It speaks
// of maximal paths: a path that ends in a deadlock counts, too, as in the Model
// Checking Contest.
package ctl
