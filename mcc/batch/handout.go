package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pnmc/internal/cluster"
	"pnmc/mcc"
)

// Work is what a task needs to know of a batch whose jobs run elsewhere.
type Work struct {
	Settings     Settings   `json:"settings"`
	Instances    []Instance `json:"instances"`
	Examinations []string   `json:"examinations"`
	// Arguments are those of the program, which is that which runs the task.
	Arguments  []string `json:"arguments"`
	UnreadCode int      `json:"unread_code"`
}

// String is the name of a job: no examination has a space.
func (j Job) String() string { return j.Instance + " " + j.Examination }

// parseJob is the job that String names.
func parseJob(name string) Job {
	i := max(0, strings.LastIndexByte(name, ' '))
	return Job{name[:i], strings.TrimPrefix(name[i:], " ")}
}

// Missing are the jobs of the plan that need a run, but for those that are active: each with
// the time that it is expected to take. What could not be run is only tried again once its
// files were changed.
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
		if active[j.String()] || r != nil && (!r.toRepeat() || r.Ended && r.Fault != Killed && !planned.changedSince(r)) {
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

// isAbsent reports whether a folder lacks the property file of an examination. Of an archive
// that is not known.
func (j plannedJob) isAbsent() bool {
	if j.instance.Packed || !mcc.HasPropertyFile(j.job.Examination) {
		return false
	}
	for _, ending := range []string{".xml", ".xml.gz"} {
		if _, err := os.Stat(filepath.Join(j.instance.Path, j.job.Examination+ending)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// timeOfFiles is by how many seconds the time of a file may lag behind: systems tell it by ticks.
const timeOfFiles = 0.02

// changedSince reports whether the files of a job were changed after a run began that could
// not read them.
func (j plannedJob) changedSince(r *Run) bool {
	paths := []string{j.instance.Path}
	if !j.instance.Packed {
		for _, name := range []string{modelFile, j.job.Examination + ".xml"} {
			paths = append(paths, filepath.Join(j.instance.Path, name), filepath.Join(j.instance.Path, name+".gz"))
		}
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && sinceEpoch(info.ModTime()) >= r.Begun-timeOfFiles {
			return true
		}
	}
	return false
}

// taskJournals is a pattern of the journals that starts of a task wrote.
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

// RunTask runs a task of a record with a program, into a journal in the folder of results,
// and goes on where an earlier start of it was ended. It begins no run that might not be over
// within the time of the task: what it leaves is for the next submission. Tell is called as
// that of a Plan.
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
	scratch, err := os.MkdirTemp("", "pnmc-task-*")
	if err != nil {
		return errors.Join(err, journal.Close())
	}
	plan := Plan{
		Instances: work.Instances, Settings: work.Settings, Command: append([]string{program}, work.Arguments...), UnreadCode: work.UnreadCode,
		Parallel: record.Parallel, Scratch: scratch, Tell: tell,
	}
	for _, name := range task.Jobs {
		plan.Only = append(plan.Only, parseJob(name))
	}
	longest := time.Duration(work.Settings.Seconds) * time.Second
	plan.MayBegin = func() bool { return time.Since(begun)+longest+pipesLeft < task.Limit() }
	return errors.Join(Execute(ctx, plan, journal), journal.Close())
}
