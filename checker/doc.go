// Package checker answers questions about Petri nets. It is the portfolio: engines race on
// each question, and the first that is sure answers it.
//
// In come a Problem, which is a net with or without colours, and questions: whether a
// marking is reachable or a predicate invariant, the bound of a sum, formulas of CTL and of
// linear temporal logic, automata, deadlocks, liveness, sizes of the state space. Out come
// answers: a typed Value, the Techniques that found it, and a Witness, which is a run of the
// problem's own net that code apart from the engines has replayed, or the kind of proof. The
// package reads no files, and prints nothing.
//
// CheckLTL, CheckCTL and Ask answer one question in one call. New makes a Solver, which
// answers many about one net: what it learns for one serves the next. Bind makes a question
// of an automaton that comes from package hoa. CheckBy and CheckSymbolically, apart from all
// this, are single approaches of the papers on generalized testing automata (Ben Salem,
// Duret-Lutz, Kordon, Thierry-Mieg), to be compared with each other.
//
// The files: solver, task and schedule share out time and memory; ask puts questions;
// coloured looks at coloured nets before they are unfolded. The engines are product,
// emptiness and testing for automata; goals, walk and liveness for reachability; stateequation
// and simplex; ctl; symbolic and diagrams for decision diagrams; and intersect, which needs no
// net. The files named replay confirm runs.
package checker
