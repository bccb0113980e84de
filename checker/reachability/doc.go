// Package reachability looks for markings. In come a net and goals: predicates to be
// reached, sums to be made large, groups of transitions to be live. Out go runs that reach
// them, or, from a whole exploration, that nothing does; the portfolio replays the runs by
// package witness.
//
// A GoalSearch (goals.go) explores breadth first, and finds all goals that can be reached, if
// there is room. Several threads do so together, about breadth first (together.go). One marking may
// stand for all that symmetries make of it (symmetries.go). Package walk says what goals are, and finds some of them in nets of any size. Liveness is read off the
// terminal components of the state graph (liveness.go).
package reachability
