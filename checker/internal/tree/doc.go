// Package tree has the engines that decide formulas of CTL: on the whole state graph, by a
// search on the fly, or by fixpoints over sets of markings. Each works on a net that is reduced
// as far as the formulas allow, and replays on the original one what runs can show. In comes a
// task, out come reports to its ledger; package checker calls the engines by its plans.
package tree
