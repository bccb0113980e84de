package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"pnmc/internal/unpack"
	"pnmc/mcc"
	"pnmc/query"
)

// Plan is what a batch runs.
type Plan struct {
	Instances    []Instance
	Examinations []string
	// Only, unless nil, are the jobs of the plan that are run, in this order.
	Only     []Job
	Settings Settings
	// Command is the program that answers, and its arguments; it is called as the
	// contest calls a tool.
	Command []string
	// UnreadCode is the exit code by which Command says that it could not read its
	// input, or some of it; 0: there is none.
	UnreadCode int
	// LimitCode is the exit code by which Command says that a limit ended it before it could
	// answer, or, with a last word on standard error, that it was interrupted; 0: there is none.
	LimitCode int
	// Parallel is the number of processes at a time.
	Parallel int
	// Clock is the time since some moment, for the seconds in the journal; nil: that of
	// the system, which goes on evenly when the time of day is set anew.
	Clock func() time.Duration
	// Scratch is a folder to unpack archives in, which is emptied first.
	Scratch string
	// noRoom, unless nil, is why there is no such folder.
	noRoom error
	// MayBegin, unless nil, reports whether there is time to begin another run; from several
	// goroutines. What was not begun is no error.
	MayBegin func() bool
	// Begin, unless nil, is called before each run, from several goroutines.
	Begin func(Job)
	// Tell, unless nil, is called after each run with the number of jobs that are
	// over, of those of the plan. Calls do not overlap.
	Tell func(over, of int, run *Run)
}

// loaded is when the program began. It has a monotonic reading, which time.Since uses.
var loaded = time.Now()

// now returns what the clock shows.
func (p *Plan) now() time.Duration {
	if p.Clock != nil {
		return p.Clock()
	}
	return time.Since(loaded)
}

// jobs returns those of the plan, instance by instance.
func (p *Plan) jobs() []plannedJob {
	var list []plannedJob
	if p.Only != nil {
		instances := make(map[string]Instance, len(p.Instances))
		for _, i := range p.Instances {
			instances[i.Name] = i
		}
		for _, j := range p.Only {
			if i, ok := instances[j.Instance]; ok {
				list = append(list, plannedJob{i, j})
			}
		}
		return list
	}
	for _, i := range p.Instances {
		for _, e := range p.Examinations {
			list = append(list, plannedJob{i, Job{i.Name, e}})
		}
	}
	return list
}

// Over lists the runs of the plan that are over, as the journal has them, and says how
// many the plan has. Not to be called while Execute runs.
func (p *Plan) Over(j *Journal) (over []*Run, of int) {
	jobs := p.jobs()
	for _, planned := range jobs {
		if r := j.byJob[planned.job]; r != nil && r.Ended {
			over = append(over, r)
		}
	}
	return over, len(jobs)
}

// plannedJob is a job with where its files are.
type plannedJob struct {
	instance Instance
	job      Job
}

// Execute runs the jobs of the plan that need a run, as many at a time as the plan says, until all
// are over or ctx ends. A job that cannot be run, as its instance has no property file or a model
// that cannot be read, ends with the reason in the journal, and is tried again by the next batch.
// The error is that of the journal, or of ctx: a run that fails is no error of the batch.
func Execute(ctx context.Context, plan Plan, journal *Journal) error {
	if plan.noRoom == nil {
		if err := os.RemoveAll(plan.Scratch); err != nil {
			return err
		}
		if err := os.MkdirAll(plan.Scratch, 0o755); err != nil {
			return err
		}
	}
	jobs := plan.jobs()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mutex sync.Mutex // of what follows
	over := 0
	done := func(job Job) {
		mutex.Lock()
		defer mutex.Unlock()
		over++
		if plan.Tell != nil {
			journal.mutex.Lock()
			run := *journal.byJob[job]
			journal.mutex.Unlock()
			plan.Tell(over, len(jobs), &run)
		}
	}
	queue := make(chan plannedJob)
	var workers sync.WaitGroup
	for range max(1, plan.Parallel) {
		workers.Go(func() {
			for j := range queue {
				if plan.MayBegin != nil && !plan.MayBegin() {
					continue
				}
				if err := plan.run(ctx, j, journal); err != nil {
					stop(err)
					continue
				}
				done(j.job)
			}
		})
	}
	for _, j := range jobs {
		if journal.ran(j) {
			done(j.job)
			continue
		}
		select {
		case queue <- j:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
	}
	close(queue)
	workers.Wait()
	return errors.Join(context.Cause(ctx), os.RemoveAll(plan.Scratch))
}

// run runs a job and writes what comes of it into the journal.
func (p *Plan) run(ctx context.Context, j plannedJob, journal *Journal) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if p.Begin != nil {
		p.Begin(j.job)
	}
	at := entry{Instance: j.job.Instance, Examination: j.job.Examination}
	start, end := at, at
	start.Kind, end.Kind = startEntry, endEntry
	start.Begun = sinceEpoch(time.Now())
	fault := Unread
	folder, remove, err := j.instance.Path, func() error { return nil }, p.noRoom
	if err == nil || !j.instance.Packed {
		folder, remove, err = j.instance.open(p.Scratch)
	}
	if err == nil {
		defer remove() // emptied anyway when the next batch starts
		err = modelIn(folder)
	}
	if err == nil {
		start.Questions, err = questions(folder, j.job.Examination)
		fault = faultOfFiles(err)
	}
	if err := journal.add(start); err != nil {
		return err
	}
	if err != nil {
		end.End, end.Fault = notRun+unpack.Words(err), fault
		return journal.add(end)
	}
	run, err := p.process(ctx, j.job, folder, func(a Answer) error {
		e := at
		e.Kind, e.Question, e.Value, e.Techniques, e.Seconds = answerEntry, a.Question, a.Value, a.Techniques, a.Seconds
		return journal.add(e)
	})
	if ctx.Err() != nil {
		interrupted := at
		interrupted.Kind, interrupted.Seconds = interruptedEntry, run.Seconds
		return errors.Join(err, journal.add(interrupted))
	}
	if err != nil {
		return err
	}
	end.End, end.Fault, end.Seconds, end.PeakBytes = run.End, run.Fault, run.Seconds, run.PeakBytes
	return journal.add(end)
}

// sinceEpoch returns a time in seconds since 1970.
func sinceEpoch(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

// questions returns what the examination of the files in folder asks.
func questions(folder, examination string) ([]string, error) {
	switch {
	case examination == "StateSpace":
		return mcc.Measures(), nil
	case !mcc.HasPropertyFile(examination):
		return []string{examination}, nil
	}
	source, path, err := unpack.ReadFile(filepath.Join(folder, examination+".xml"), mostUnpacked)
	if err != nil {
		return nil, err
	}
	properties, err := query.ReadContest(path, source)
	if len(properties) == 0 {
		return nil, err
	}
	var list []string
	for _, p := range properties {
		list = append(list, p.ID)
	}
	return list, nil
}
