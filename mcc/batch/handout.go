package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"pnmc/internal/cluster"
)

// Work is what a task needs to know of a batch whose jobs run elsewhere.
type Work struct {
	Settings     Settings   `json:"settings"`
	Instances    []Instance `json:"instances"`
	Examinations []string   `json:"examinations"`
	// Arguments are those of the program that runs a job: the same program as runs the task.
	Arguments  []string `json:"arguments"`
	UnreadCode int      `json:"unread_code"`
	LimitCode  int      `json:"limit_code,omitempty"`
	// Named says that examinations were asked for by name, so that files for them are expected.
	Named bool `json:"named,omitempty"`
}

// String returns the name of a job: no examination has a space.
func (j Job) String() string { return j.Instance + " " + j.Examination }

// parseJob returns the job that String names.
func parseJob(name string) Job {
	i := max(0, strings.LastIndexByte(name, ' '))
	return Job{name[:i], strings.TrimPrefix(name[i:], " ")}
}

// Missing returns the jobs of the plan that need a run and are not active, each with the time that
// it is expected to take and the number of its losses.
func (p *Plan) Missing(runs []*Run, active map[string]bool, e *Expectation) []cluster.Job {
	byJob := make(map[Job]*Run, len(runs))
	for _, r := range runs {
		byJob[r.Job] = r
	}
	sizes := make(map[string]int64, len(p.Instances))
	for _, i := range p.Instances {
		sizes[i.Name] = i.Size()
	}
	var list []cluster.Job
	for _, planned := range p.jobs() {
		j, r := planned.job, byJob[planned.job]
		if active[j.String()] || !planned.needsRun(r) {
			continue
		}
		missing := cluster.Job{Name: j.String(), Expected: leastSeconds}
		if !planned.isAbsent() {
			missing.Expected, _ = e.Seconds(j, sizes[j.Instance])
		}
		if r != nil {
			missing.Lost = r.Losses()
		}
		list = append(list, missing)
	}
	return list
}

// taskJournals returns a pattern of the journals that starts of a task wrote.
func taskJournals(record, task int) string {
	return fmt.Sprintf("journal-%04d-%04d*.jsonl", record, task)
}

// createTaskJournal begins a journal that no other process writes: each start of a task has
// one of its own, so that nothing depends on locks of a shared file system.
func createTaskJournal(folder string, record, task int, settings Settings) (j *Journal, path string, err error) {
	for start := 0; ; start++ {
		name := fmt.Sprintf("journal-%04d-%04d", record, task)
		if start > 0 {
			name += fmt.Sprintf(".%d", start)
		}
		path = filepath.Join(folder, name+".jsonl")
		if j, err = CreateJournal(path, settings); !errors.Is(err, fs.ErrExist) {
			return j, path, err
		}
	}
}

// RunTask runs a task of a record with a program, into a journal of its own in the folder of
// results. It goes on where an earlier start of the same task was ended. It begins no run that
// might not be over within the time of the task: what it leaves is for the next submission. tell is
// called as that of a Plan.
//
// Jobs that an earlier start began and lost come last, and one at a time. One of them may have
// brought the task down, by taking all memory of the computer, say. So all others have their turn
// first.
func RunTask(ctx context.Context, record *cluster.Record, number int, results, program string, tell func(over, of int, run *Run)) error {
	begun := time.Now()
	task, err := record.Task(number)
	if err != nil {
		return err
	}
	var work Work
	if err := json.Unmarshal(record.Work, &work); err != nil {
		return fmt.Errorf("%s: expected a batch: %w", record.Path(), err)
	}
	earlier, err := filepath.Glob(cluster.Pattern(results, taskJournals(record.Number, number)))
	if err != nil {
		return err
	}
	journal, _, err := createTaskJournal(results, record.Number, number, work.Settings)
	if err != nil {
		return err
	}
	if err := journal.Join(earlier, work.Settings); err != nil {
		return errors.Join(err, journal.Close())
	}
	// Without room to unpack, folders are run, and of archives it is noted that they were not.
	scratch, remove, noRoom := makeScratch()
	plan := Plan{
		Instances: work.Instances, Settings: work.Settings, Command: append([]string{program}, work.Arguments...), UnreadCode: work.UnreadCode, LimitCode: work.LimitCode,
		Parallel: record.Parallel, Scratch: scratch, noRoom: noRoom,
	}
	longest := time.Duration(work.Settings.Seconds) * time.Second
	plan.MayBegin = func() bool { return time.Since(begun)+longest+pipesLeft < task.Limit() }
	var first, lost []Job
	for _, name := range task.Jobs {
		j := parseJob(name)
		if r := journal.byJob[j]; r != nil && r.toRepeat() && r.Losses() > 0 {
			lost = append(lost, j)
		} else {
			first = append(first, j)
		}
	}
	// What an earlier start of the task began and lost may have ended it: it comes last, alone,
	// so that all others have their turn.
	over := 0
	for _, jobs := range [][]Job{first, lost} {
		if err != nil || len(jobs) == 0 {
			continue
		}
		if plan.Only = jobs; over > 0 || len(first) == 0 {
			plan.Parallel = 1
		}
		plan.Tell = func(_, _ int, run *Run) {
			if over++; tell != nil {
				tell(over, len(task.Jobs), run)
			}
		}
		err = Execute(ctx, plan, journal)
	}
	return errors.Join(err, remove(), journal.Close())
}
