// Package witness holds runs of nets and replays them. In come a net and what an engine
// claims: a run, a lasso that an automaton accepts, a loop that adds tokens. Out goes
// whether it is so, by the firing rule and the automaton's edges alone. The package imports
// no engine. It shares with them what nets, automata and formulas mean: packages petri,
// automata and logic, of which the latter evaluates predicates and products of sums. Sums it
// adds up by itself. Every counterexample passes through here before it is reported, and runs
// that went astray come out shorter, replayed again.
package witness
