package tasks

import (
	"pnmc/internal/cluster"
	"pnmc/mcc/batch/history"
)

// Expectation estimates how long runs will take. The best estimate is the time of an earlier run of
// the same job. If there is none, it is the mean of earlier runs of the same family and
// examination. If there is none either, the size of the net has to do, which says little. For
// example, the liveness of Kanban-PT-0050 may be known to have taken 12 s. If not, other instances
// of Kanban may have taken 3 s and 9 s for it, so 6 s are expected. If not, a model of 50 kB is
// expected to take about half a second.
//
// A run that came to its limit would have taken longer. Under a larger limit it is expected to take
// all of that.
type Expectation struct {
	limit  float64
	jobs   map[history.Job]float64
	family map[history.Job]average // with the family instead of the instance
}

// average is a sum of so many times.
type average struct{ sum, n float64 }

// Source is how the time of a job is known.
type Source uint8

// The sources of an expected time.
const (
	// BySize: the size of the net, which says little.
	BySize Source = iota
	// ByFamily: runs of the same examination of the same family.
	ByFamily
	// ByRun: a run of the same job.
	ByRun
)

const (
	// atLimit is the part of its limit from which on a run counts as ended by it.
	atLimit = 0.9
	// leastSeconds is what a run takes at least, to start and to read.
	leastSeconds = 0.05
	// bytesPerSecond turns the size of a model into time, crudely.
	bytesPerSecond = 100_000
)

// NewExpectation returns one of runs with limits of seconds, with those that earlier runs took
// under limits of their own.
func NewExpectation(seconds int) *Expectation {
	return &Expectation{limit: float64(seconds), jobs: make(map[history.Job]float64), family: make(map[history.Job]average)}
}

// Learn takes in earlier runs, which had limits of seconds.
func (e *Expectation) Learn(runs []*history.Run, seconds int) {
	for _, r := range runs {
		if r.ToRepeat() {
			continue
		}
		took := r.Seconds
		if took >= atLimit*float64(seconds) {
			took = e.limit // it would have taken more
		}
		took = min(max(took, leastSeconds), e.limit)
		e.jobs[r.Job] = took
		f := history.Job{Instance: r.Family(), Examination: r.Examination}
		a := e.family[f]
		e.family[f] = average{a.sum + took, a.n + 1}
	}
}

// LearnFrom takes in the runs that journals tell of, whatever limits they had.
func (e *Expectation) LearnFrom(paths []string) error {
	for _, path := range paths {
		runs, settings, err := history.Read(path)
		if err != nil {
			return err
		}
		e.Learn(runs, settings.Seconds)
	}
	return nil
}

// Known counts jobs by how their expected time is known.
func (e *Expectation) Known(jobs []cluster.Job) (known [ByRun + 1]int) {
	for _, j := range jobs {
		_, source := e.Seconds(history.ParseJob(j.Name), 0)
		known[source]++
	}
	return known
}

// Seconds returns how long a job is expected to take, with the size of its net in bytes, and how
// that is known.
func (e *Expectation) Seconds(job history.Job, size int64) (float64, Source) {
	if s, ok := e.jobs[job]; ok {
		return s, ByRun
	}
	if a, ok := e.family[history.Job{Instance: job.Family(), Examination: job.Examination}]; ok {
		return a.sum / a.n, ByFamily
	}
	return min(leastSeconds+float64(size)/bytesPerSecond, e.limit), BySize
}
