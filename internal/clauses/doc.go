// Package clauses decides whether clauses have a solution: truth values of variables such that each
// clause has a literal that is true.
//
// In come variables and clauses, one after the other, also between searches. Out comes a solution,
// or that there is none. Package checker/stateequation is next: its clauses say which bounds of sums
// of tokens a goal needs, and it adds a clause for each set of bounds that cannot be together.
//
// The search is conflict-driven clause learning (Marques-Silva, Sakallah, "GRASP: a search algorithm
// for propositional satisfiability", IEEE Transactions on Computers 48, 1999), with two watched
// literals for each clause and activities of variables (Moskewicz and others, "Chaff: engineering an
// efficient SAT solver", DAC 2001), and restarts in the sequence of Luby, Sinclair and Zuckerman
// ("Optimal speedup of Las Vegas algorithms", 1993). Decisions make variables false, so that few are
// true in a solution: a caller for whom true means "this has to be so" gets little that has to be.
// The same clauses in the same order always give the same solution.
//
// The files: solver.go has the clauses and propagation, search.go decisions and what is learned of
// conflicts, order.go the order of decisions.
package clauses
