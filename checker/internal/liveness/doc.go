// Package liveness has the engines that decide whether every transition can always fire again:
// by the terminal components of the state graph, explicitly or as decision diagrams, and by
// walks to dead ends. In comes a task, out come reports to its ledger; package checker calls
// the engines by its plans.
package liveness
