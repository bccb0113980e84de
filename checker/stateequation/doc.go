// Package stateequation rules out markings by the state equation: every reachable marking
// is the initial one plus the effect of some counts of firings. In come a net and a
// predicate; out goes "never", with a certificate of multipliers that integer arithmetic has
// checked, or nothing. The portfolio proves invariants by it and drops parts of formulas.
//
// Linear programs are solved by a simplex method over bounded variables (simplex.go), and
// traps cut off solutions that no run has (addTrap, called by search.go). The source is Esparza,
// Melzer, "Verification of safety properties using integer programming: beyond the state
// equation" (Formal Methods in System Design 16, 2000).
package stateequation
