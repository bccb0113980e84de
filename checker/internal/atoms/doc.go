// Package atoms has the engines that decide atoms: whether a marking with a goal is reachable,
// and the largest value of a sum. They try place invariants, the state equation, all markings
// of a reduced net, walks, and decision diagrams, for all atoms together or for one at a time.
// In comes a task, out come reports to its ledger; package checker calls the engines by its
// plans.
package atoms
