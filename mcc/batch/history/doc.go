// Package history has what was run of a batch: each run with its answers and its end, as journals
// tell it.
//
// In come the starts, answers and ends of runs, as they happen; out go lines of a journal, each on
// the disk before anything else happens, and from one journal or many the runs again. Next are
// pnmc/mcc/batch, which runs what has no end yet, and the command batch, which counts what is
// missing, and grades the answers.
//
//	run.go       a job, its run, how that ended, and whether it counts
//	answer.go    a line in which a tool answers, and values that mean the same
//	given.go     where the answer to a question is among those of a run
//	journal.go   the journal as it is written
//	read.go      runs from the lines of journals, and from several journals
//	ends.go      how runs ended, without reading answers
//	line.go      a line of a journal, and whether one that was cut off may be of one
package history
