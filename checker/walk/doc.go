// Package walk goes through nets of any size at random and towards goals, in the manner of the
// best-first walks of contest tools. In come a net and goals: predicates to be reached, sums to
// be made large. Out go runs that reach them, which the portfolio replays by package witness;
// that nothing is found proves nothing.
//
// A Walk goes by several policies in turn. One of them follows relaxed plans, which leave out that
// firing takes tokens away. Another fires what a solution of the state equation fires, where the caller
// knows one. At each step the board knows which transitions are enabled, and truths
// know which conditions hold, and the values of sums. To keep both costs what a firing changes,
// whatever the size of the net. A RandomRun makes runs for questions about runs, and DeadEnds looks
// for markings beyond which a transition can never fire again.
//
// The files:
//
//	walk, back              the policies and their turns; the way back from a deadlock
//	along, pump             many goals that one run reaches; sums that grow for ever
//	plan, raise             relaxed plans, and those for large sums
//	counts                  walks along the counts of a solution of the state equation
//	game, board             a net laid out for playing; what is enabled
//	crowd, crowding         what is enabled where places have many consumers
//	condition, truth, widesum  predicates, what holds along a walk, sums of 128 bits
//	calm                    where sums may be without a change of what holds
//	run, deadend            random runs, and markings beyond which something is dead
package walk
