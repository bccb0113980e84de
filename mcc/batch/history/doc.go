// Package history has what was run of a batch: each run with its answers and its end, as journals
// tell it.
//
// In come the starts, answers and ends of runs, as they happen. Out go lines of a journal, each on
// the disk before anything else happens. The runs are read back from one journal or many. Next are
// pnmc/mcc/batch, which runs jobs that have no end yet, pnmc/mcc/batch/tasks, which counts missing
// ones, and pnmc/mcc/batch/grading.
//
//	run.go       a job, its run, how that ended, and whether it counts
//	answer.go    a line in which a tool answers, and values that mean the same
//	journal.go   the journal as it is written
//	read.go      runs from the lines of journals, and from several journals
//	ends.go      how runs ended, without reading answers
//	folder.go    the journals in a folder of results
package history
