// Package smtlib asks a solver of satisfiability modulo theories, in its own process, by SMT-LIB 2.
//
// In comes a command line, such as z3, and then commands of the language: declarations, assertions and
// questions. Out come sat, unsat or unknown, values of a model, and the assumptions that an unsat rests
// on. Package checker/induction is next. Nothing here knows of nets.
//
// A Session is one process. It gets commands on its standard input and answers on its standard output.
// Whatever it does instead is an error of the session: it dies, writes something else, writes too much,
// or its context ends first. After an error the session is of no use; Close ends the process, with all
// that it started (on Unix), and waits until it has ended. If this process is killed, the solver is
// killed too (on Linux), or ends as its input does.
//
// Nothing that a solver says is trusted here, or need be: who asks has to check it.
//
// The language is that of Barrett, Fontaine, Tinelli, "The SMT-LIB Standard: Version 2.6" (2017).
//
// The files:
//
//	command     command lines, and what solvers known by name need
//	session     the process, questions and answers
//	expression  reading what it writes
package smtlib
