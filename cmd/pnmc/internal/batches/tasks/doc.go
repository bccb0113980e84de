// Package tasks has a batch run elsewhere. It lists the missing runs, with how long they will
// take, for a scheduler to hand out. There it runs them task by task, and it counts how far all
// is.
//
// In come a plan, and what journals tell; out go jobs for pnmc/internal/cluster, which packs them
// into tasks, and from each start of a task a journal of its own. Next is the command batch.
//
//	work.go       what a batch is of, as tasks and folders of results have it
//	missing.go    the jobs that need a run
//	expected.go   how long they will take
//	run.go        a task of them
//	journals.go   the journals in a folder of results
//	far.go        how far the batch is
package tasks
