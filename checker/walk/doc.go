// Package walk goes through nets of any size at random and towards goals, in the manner of the
// best-first walks of contest tools. In come a net and goals: predicates to be reached, sums to
// be made large. Out go runs that reach them, which the portfolio replays by package witness;
// that nothing is found proves nothing.
//
// A Walk (walk.go) plans: it follows relaxed plans (plan.go), which leave out that firing takes
// tokens away, on a board (game.go) that knows at each step what is enabled and which goals
// came nearer (condition.go). A RandomRun (run.go) makes runs for questions about runs, and
// DeadEnds (deadend.go) looks for markings beyond which a transition can never fire again.
package walk
