package batch

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"pnmc/mcc/batch/history"
)

// Plan is what a batch runs.
type Plan struct {
	Instances    []Instance
	Examinations []string
	// Only, unless nil, are the jobs of the plan that are run, in this order.
	Only     []history.Job
	Settings history.Settings
	// Command is the program that answers, and its arguments; it is called as the
	// contest calls a tool.
	Command []string
	// UnreadCode is the exit code by which Command says that it could not read its
	// input, or some of it. If it is 0, there is no such code.
	UnreadCode int
	// LimitCode is the exit code by which Command says that a limit ended it before it could
	// answer. With a last word on standard error, it says that Command was interrupted. If it is
	// 0, there is no such code.
	LimitCode int
	// Parallel is the number of processes at a time.
	Parallel int
	// Clock is the time since some moment, for the seconds in the journal; nil: that of
	// the system, which goes on evenly when the time of day is set anew.
	Clock func() time.Duration
	// Scratch is a folder to unpack archives in, which is emptied first.
	Scratch string
	// NoRoom, unless nil, is why there is no such folder.
	NoRoom error
	// MayBegin, unless nil, reports whether there is time to begin another run; from several
	// goroutines. Runs that were not begun are no error.
	MayBegin func() bool
	// Begin, unless nil, is called before each run, from several goroutines.
	Begin func(history.Job)
	// Tell, unless nil, is called after each run with the number of jobs that are
	// over, of those of the plan. Calls do not overlap.
	Tell func(over, of int, run *history.Run)
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

// Jobs returns those of the plan, instance by instance.
func (p *Plan) Jobs() []Planned {
	var list []Planned
	if p.Only != nil {
		instances := make(map[string]Instance, len(p.Instances))
		for _, i := range p.Instances {
			instances[i.Name] = i
		}
		for _, j := range p.Only {
			if i, ok := instances[j.Instance]; ok {
				list = append(list, Planned{i, j})
			}
		}
		return list
	}
	for _, i := range p.Instances {
		for _, e := range p.Examinations {
			list = append(list, Planned{i, history.Job{Instance: i.Name, Examination: e}})
		}
	}
	return list
}

// Over lists the runs of the plan that are over, as the journal has them, and says how
// many the plan has. Not to be called while Execute runs.
func (p *Plan) Over(j *history.Journal) (over []*history.Run, of int) {
	jobs := p.Jobs()
	for _, planned := range jobs {
		if r := j.Run(planned.Job); r != nil && r.Ended {
			over = append(over, r)
		}
	}
	return over, len(jobs)
}

// Planned is a job of a plan, with where its files are.
type Planned struct {
	Instance Instance
	Job      history.Job
}

// Execute runs the jobs of the plan that need a run, as many at a time as the plan says, until all
// are over or ctx ends. If a job cannot be run, because its instance has no property file or a
// model that cannot be read, it ends with the reason in the journal. The next batch tries it
// again. The error is that of the journal, or of ctx: a run that fails is no error of the batch.
func Execute(ctx context.Context, plan Plan, journal *history.Journal) error {
	if plan.NoRoom == nil {
		if err := os.RemoveAll(plan.Scratch); err != nil {
			return err
		}
		if err := os.MkdirAll(plan.Scratch, 0o755); err != nil {
			return err
		}
	}
	jobs := plan.Jobs()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mutex sync.Mutex // of what follows
	over := 0
	done := func(job history.Job) {
		mutex.Lock()
		defer mutex.Unlock()
		over++
		if plan.Tell != nil {
			plan.Tell(over, len(jobs), journal.Run(job))
		}
	}
	queue := make(chan Planned)
	var workers sync.WaitGroup
	for range min(max(1, plan.Parallel), len(jobs)) {
		workers.Go(func() {
			for j := range queue {
				if plan.MayBegin != nil && !plan.MayBegin() {
					continue
				}
				if err := plan.run(ctx, j, journal); err != nil {
					stop(err)
					continue
				}
				done(j.Job)
			}
		})
	}
	for _, j := range jobs {
		if !j.NeedsRun(journal.Run(j.Job)) {
			done(j.Job)
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
func (p *Plan) run(ctx context.Context, j Planned, journal *history.Journal) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if p.Begin != nil {
		p.Begin(j.Job)
	}
	begun := sinceEpoch(time.Now())
	fault := history.Unread
	var asked []string
	preparing, ready := p.preparing(ctx)
	folder, remove, err := j.Instance.Path, func() error { return nil }, p.NoRoom
	if err == nil || !j.Instance.Packed {
		folder, remove, err = j.Instance.open(preparing, p.Scratch)
	}
	if err == nil {
		defer remove() // emptied anyway when the next batch starts
		err = modelIn(folder)
	}
	if err == nil {
		asked, err = questions(preparing, folder, j.Job.Examination)
		fault = faultOfFiles(err)
	}
	ready()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := journal.Start(j.Job, asked, begun); err != nil {
		return err
	}
	if err != nil {
		var run history.Run
		run.CouldNotRun(err, fault)
		return journal.End(j.Job, run)
	}
	run, err := p.process(ctx, j.Job, folder, func(a history.Answer) error {
		return journal.Answer(j.Job, a)
	})
	if ctx.Err() != nil {
		return errors.Join(err, journal.Interrupt(j.Job, run.Seconds))
	}
	if err != nil {
		return err
	}
	return journal.End(j.Job, run)
}

// Longest returns how long a run takes at most: up to its limit, and until its output is closed.
func (p *Plan) Longest() time.Duration {
	return time.Duration(p.Settings.Seconds)*time.Second + pipesLeft
}

// sinceEpoch returns a time in seconds since 1970.
func sinceEpoch(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }
