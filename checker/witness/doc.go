// Package witness holds runs of nets and replays them. In come a net and what an engine
// claims: a run, a lasso that an automaton accepts, a loop that adds tokens. Out goes
// whether it is so, by the firing rule and the automaton's edges alone; the package imports
// no engine and shares nothing with one. Every counterexample passes through here before it
// is told, and runs that went astray come out shorter, replayed again.
package witness
