// Package reachability looks for markings. In come a net and goals: predicates to be
// reached, sums to be made large, groups of transitions to be live. Out go runs that reach
// them, or, from a whole exploration, that nothing does; the portfolio replays the runs by
// package witness.
//
// A GoalSearch (goals.go) explores breadth first, and finds all goals there are, if there is
// room; package walk finds some in nets of any size, and has what goals are. Liveness is read
// off the terminal components of the state graph (liveness.go).
package reachability
