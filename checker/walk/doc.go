// Package walk goes through nets of any size at random and towards goals, in the manner of the
// best-first walks of contest tools. In come a net and goals: predicates to be reached, sums to
// be made large. Out go runs that reach them, which the portfolio replays by package witness;
// that nothing is found proves nothing.
//
// A Walk (walk.go) goes by several policies in turn. One of them follows relaxed plans
// (plan.go), which leave out that firing takes tokens away. At each step the board (board.go)
// knows which transitions are enabled, by crowds (crowd.go) where places have many consumers;
// truths (truth.go) know which conditions (condition.go) hold, and the values of sums. To keep
// both costs what a firing changes, whatever the size of the net. Firings are taken back
// together (back.go). A RandomRun (run.go) makes runs for questions about runs, and DeadEnds
// (deadend.go) looks for markings beyond which a transition can never fire again.
package walk
