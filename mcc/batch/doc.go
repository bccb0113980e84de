// Package batch answers many examinations of many contest instances, each run in
// a process of its own.
//
// In come folders and archives as the Model Checking Contest distributes them, a program, and
// limits. Out goes a journal, to which each answer is added the moment it is given. A batch that is
// interrupted, by a power cut even, goes on where it was.
//
// Find lists instances, and Execute runs what a journal does not have yet. What was run is in
// pnmc/mcc/batch/history. The command batch is next: it tells how well that went, and has
// schedulers run the rest, task by task.
//
//	instance.go         the folders and archives of instances
//	archive.go          what is in an archive, unpacked
//	questions.go        what a run is asked, read from its files
//	run.go, process.go  a plan, its jobs, and the process of a run
//	fault.go            what was wrong with a run, and which need another one
package batch
