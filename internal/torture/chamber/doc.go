// Package chamber runs pnmc on drawn input within small limits, and says what is
// wrong with how a run ended.
//
// In come the number of a run and a seed, which determine command, input and limits;
// out go findings: a limit that was not kept, an exit code that the help of the command
// does not tell, a line on standard output or standard error that has not the form of one,
// a stack trace, half a file, an answer that is lost or doubled, a verdict that package
// twin refutes, a run that does not replay. The program is run as it is, in a process
// group of its own or in a terminal; nothing of pnmc is linked in.
//
// The files:
//
//	case, launcher, terminal,
//	process, process_linux,
//	process_other             runs of the program, and their ends
//	problems, speech          what must be true of each: limits, codes, lines, files
//	commands                  what is run on which kinds of input
//	check, formulas, traces   questions about linear time, and the runs that show verdicts
//	questions, queries        other questions, and property files
//	contest, batch            the contest's examinations, alone and many
//	states, reduce, view      state spaces, smaller nets, pages and games
//	automata, pairs           automata, and pairs of them
//	bench, cross              comparisons
//	arguments                 help, and wrong arguments
package chamber
