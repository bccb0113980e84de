// Package chamber runs pnmc on drawn input within small limits, and says what is
// wrong with how a run ended.
//
// In come the number of a run and a seed, which determine command, input and limits;
// out go findings: a limit that was not kept, an exit code that is not documented, a
// line that was cut, a stack trace, half a file, a verdict that package twin refutes,
// a counterexample that does not replay. The program is run as it is, in a process
// group of its own; nothing of pnmc is linked in.
//
// The files:
//
//	series, case,
//	launcher, process,
//	process_linux,
//	process_other       runs of the program, and their ends
//	commands, questions what is run, with which options
//	check, contest,
//	states, reduce,
//	automata            the cases of each kind of command, and what must be true
package chamber
