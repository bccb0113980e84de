package tasks

import (
	"fmt"

	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// Far is how far a batch is: each of its jobs is counted once, as over, as active, or by why it
// needs a run.
type Far struct {
	// Of is the number of jobs of the batch, Over those of them that need no run any more.
	Of, Over int
	// Active are those that need a run whose name was given to HowFar.
	Active int
	// Untried and the counts below are the others that need a run, by why. Untried were not
	// begun. Begun have no end: they run now, or were lost with their task. Interrupted were
	// ended by a signal to their task. Killed were killed by somebody else. NotRun had files that
	// could not be read or written, or no program.
	Untried, Begun, Interrupted, Killed, NotRun int
	// Example is one of NotRun, in words.
	Example string
	// Absent are those of Over that lack a property file. Failed are those that did not do what
	// was asked for another reason.
	Absent, Failed int
	// Seconds are those of the runs that are over.
	Seconds float64
}

// Left returns the number of jobs that need a run.
func (f Far) Left() int { return f.Of - f.Over }

// Missing returns the number of jobs that need a run and are not active.
func (f Far) Missing() int { return f.Left() - f.Active }

// HowFar returns how far a batch of these jobs is by the starts and ends in journals. Active are
// names of jobs that are waiting or running.
func (w *Work) HowFar(paths []string, active map[string]bool) (Far, error) {
	ends, err := history.ReadEnds(paths)
	if err != nil {
		return Far{}, err
	}
	far := Far{Of: len(w.Instances) * len(w.Examinations)}
	for _, i := range w.Instances {
		for _, e := range w.Examinations {
			j := batch.Planned{Instance: i, Job: history.Job{Instance: i.Name, Examination: e}}
			if k, known := ends[j.Job]; known {
				far.add(j, k, active[j.Job.String()])
			} else if active[j.Job.String()] {
				far.Active++
			} else {
				far.Untried++
			}
		}
	}
	return far, nil
}

// add counts a job that was begun.
func (f *Far) add(j batch.Planned, r *history.Run, active bool) {
	switch {
	case !j.NeedsRun(r):
		f.Over++
		f.Seconds += r.Seconds
		if r.Fault == history.Absent {
			f.Absent++
		} else if r.Fault != history.NoFault {
			f.Failed++
		}
	case active:
		f.Active++
	case r.IsOpen():
		f.Begun++
	case !r.Ended:
		f.Interrupted++
	case r.Fault == history.Killed:
		f.Killed++
	default:
		if f.NotRun++; f.Example == "" {
			f.Example = fmt.Sprintf("%s on %s: %s", j.Job, r.Host, r.WhyNotRun())
		}
	}
}
