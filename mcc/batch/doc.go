// Package batch answers many examinations of many contest instances, each run in
// a process of its own, and tells how well that went.
//
// In come folders and archives as the Model Checking Contest distributes them,
// and limits; beside them, where there are any, the answers that are known to be
// right. Out go a journal, to which each answer is added the moment it is given,
// tables of comma-separated values, and a report in HTML that needs no network.
// A batch that is interrupted, by a power cut even, goes on where it was.
//
// Find lists instances, Execute runs what a Journal does not have yet, Summarize
// compares what it has with an Oracle, and a Summary writes itself. Others run what Missing lists,
// task by task: RunTask has a journal for each, and HowFar looks at all.
//
//	instance.go            the folders and archives of instances
//	run.go, process.go     a plan, its jobs, and the process of a run
//	journal.go, history.go what was run: as it is written, and read from several journals
//	fault.go               what was wrong with a run, and which need another one
//	handout.go, scratch.go jobs that others run, tasks of them, and where these unpack
//	expected.go, far.go    how long jobs will take, and how far a batch is
//	oracle.go              right answers
//	summary.go, table.go   answers compared with them, and as tables
//	report.go, cactus.go   the page of it, and its curve
package batch
