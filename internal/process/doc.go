// Package process does with processes and files what each operating system does otherwise.
//
// In come commands that this process starts, and files that it alone may write. DieTogether
// makes processes end when this one ends, and Apart keeps the terminal from interrupting them. Words
// reads a command line, OwnGroup ends a command with all that it started, and LimitMemory bounds what it takes.
// Memory, Peak and PeakOf say how much memory a process took, and ForgetProgram makes it less. Lock
// reports whether a file is free, Scratch makes a folder that goes when this process has ended,
// and Nameless a file that goes with it.
// Where a system lacks something, the function does nothing or returns zero. Next are packages
// mcc/batch and cmd/pnmc, which start a process for each run, and cross and internal/smtlib, which ask programs.
//
// The files:
//
//	machine, memory            what a machine is, and what processes take of it
//	peak_unix, peak_other      the most memory that a process took
//	pages_linux, pages_other   the program's own pages
//	orphan_linux, orphan_other children that end with this process
//	apart_unix, apart_other    children apart from the terminal
//	group_unix, group_other    commands that end with all that they started
//	limit_linux, limit_other   a bound on the memory of a command
//	words                      command lines
//	killed_unix, killed_other  whether somebody ended a process
//	lock_flock, lock_other     files for one process
//	scratch                    folders for one process, which go with it
//	nameless, nameless_linux, nameless_other   files that go with it
package process
