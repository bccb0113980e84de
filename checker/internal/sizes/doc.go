// Package sizes has the engines that measure the state space: how many markings and firings
// there are, and the most tokens in a marking and in a place. They count explicitly or with
// decision diagrams; the two of tokens are also known where a walk reaches a proven bound. In
// comes a task, out come reports to its sizes; package checker calls the engines by its plans.
package sizes
