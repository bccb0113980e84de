// Package walk goes through nets of any size at random and towards goals, in the manner of the
// best-first walks of contest tools. In come a net and goals: predicates to be reached, sums to
// be made large. Out go runs that reach them, which the portfolio replays by package witness;
// that nothing is found proves nothing.
//
// A Walk (walk.go) goes by several policies in turn. One of them follows relaxed plans (plan.go),
// which leave out that firing takes tokens away. The board (board.go) knows at each step what is
// enabled, and truths (truth.go) which conditions (condition.go) hold and what sums are, both at
// the cost of what a firing changes. A RandomRun (run.go) makes runs for questions about runs, and
// DeadEnds (deadend.go) looks for markings beyond which a transition can never fire again.
package walk
