package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"pnmc/internal/cluster"
	"pnmc/internal/process"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// scratchName begins the names of folders in which tasks unpack archives.
const scratchName = "pnmc-task-"

// Run runs a task of a record with a program, into a journal of its own in the folder of
// results. It goes on where an earlier start of the same task was ended. It begins no run that
// might not be over within the time of the task: what it leaves is for the next submission. tell is
// called as that of a Plan.
//
// Jobs that an earlier start began and lost come last, and one at a time. One of them may have
// brought the task down, by taking all memory of the computer, say. So all others have their turn
// first.
func Run(ctx context.Context, record *cluster.Record, number int, results, program string, tell func(over, of int, run *history.Run)) error {
	begun := time.Now()
	task, err := record.Task(number)
	if err != nil {
		return err
	}
	var work Work
	if err := json.Unmarshal(record.Work, &work); err != nil {
		return fmt.Errorf("%s: expected a batch: %w", record.Path(), err)
	}
	journal, err := openJournal(results, record.Number, number, work.Settings)
	if err != nil {
		return err
	}
	// Without room to unpack, folders are run, and of archives it is noted that they were not.
	scratch, remove, noRoom := process.Scratch(scratchName)
	plan := batch.Plan{
		Instances: work.Instances, Settings: work.Settings, Command: append([]string{program}, work.Arguments...), UnreadCode: work.UnreadCode, LimitCode: work.LimitCode,
		Parallel: record.Parallel, Scratch: scratch, NoRoom: noRoom,
	}
	plan.MayBegin = func() bool { return time.Since(begun)+plan.Longest() < task.Limit() }
	var first, lost []history.Job
	for _, name := range task.Jobs {
		j := history.ParseJob(name)
		if r := journal.Run(j); r != nil && r.ToRepeat() && r.Losses() > 0 {
			lost = append(lost, j)
		} else {
			first = append(first, j)
		}
	}
	// What an earlier start of the task began and lost may have ended it: it comes last, alone,
	// so that all others have their turn.
	over := 0
	for _, jobs := range [][]history.Job{first, lost} {
		if err != nil || len(jobs) == 0 {
			continue
		}
		if plan.Only = jobs; over > 0 || len(first) == 0 {
			plan.Parallel = 1
		}
		plan.Tell = func(_, _ int, run *history.Run) {
			if over++; tell != nil {
				tell(over, len(task.Jobs), run)
			}
		}
		err = batch.Execute(ctx, plan, journal)
	}
	return errors.Join(err, remove(), journal.Close())
}
