// Package core has what all engines of the portfolio work on. In comes a net, with questions
// on a ledger. A Task holds them. It also holds what was made for one engine and serves
// others: facts, reduced nets, state graphs, decision diagrams, and turns of time and memory.
// Out come engines' reports, to the task's ledger. The rooms beside it are engines, which are
// functions of a context and a Task; package checker has the plans that call them.
//
// The files:
//
//	shared, memory, collector  what the tasks of a solver share; the memory of the process
//	task, clock, phases, turns a task, its time, and how engines follow one another
//	threads                    how many an engine may explore with
//	facts, reduced             what is proven of nets; nets that are reduced for some atoms
//	solutions                  solutions of the state equation, which lead walks on a reduced net
//	graph, diagrams            state graphs and decision diagrams
//	orbits                     whether graphs by symmetries are worth it
//	kept                       what later questions find
package core
