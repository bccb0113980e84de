package batch

import (
	"os"
	"path/filepath"

	"pnmc/internal/cluster"
)

// Expectation estimates how long runs will take. The best estimate is the time of an earlier run of
// the same job. If there is none, it is the mean of earlier runs of the same family and
// examination. If there is none either, the size of the net has to do, which says little. For
// example, Kanban-PT-0050's liveness may be known to have taken 12 s; if not, other instances of
// Kanban took 3 s and 9 s for it, so that 6 s are expected; if not, a model of 50 kB is expected to
// take about half a second.
//
// A run that came to its limit would have taken longer. Under a larger limit it is expected to take
// all of that.
type Expectation struct {
	limit  float64
	jobs   map[Job]float64
	family map[Job]average // with the family instead of the instance
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
	// packing is how much larger a model is than what is left of its archive without the
	// property files, which take about formulaBytes of it.
	packing      = 6
	formulaBytes = 20_000
)

// NewExpectation returns one of runs with limits of seconds, with those that earlier runs took
// under limits of their own.
func NewExpectation(seconds int) *Expectation {
	return &Expectation{limit: float64(seconds), jobs: make(map[Job]float64), family: make(map[Job]average)}
}

// Learn takes in earlier runs, which had limits of seconds.
func (e *Expectation) Learn(runs []*Run, seconds int) {
	for _, r := range runs {
		if r.toRepeat() {
			continue
		}
		took := r.Seconds
		if took >= atLimit*float64(seconds) {
			took = e.limit // it would have taken more
		}
		took = min(max(took, leastSeconds), e.limit)
		e.jobs[r.Job] = took
		f := Job{Family(r.Instance), r.Examination}
		a := e.family[f]
		e.family[f] = average{a.sum + took, a.n + 1}
	}
}

// LearnFrom takes in the runs that journals tell of, whatever limits they had.
func (e *Expectation) LearnFrom(paths []string) error {
	for _, path := range paths {
		runs, settings, err := readOne(path)
		if err != nil {
			return err
		}
		e.Learn(runs, settings.Seconds)
	}
	return nil
}

// Known counts jobs by how their expected time is known.
func (p *Plan) Known(jobs []cluster.Job, e *Expectation) (known [ByRun + 1]int) {
	for _, j := range jobs {
		_, source := e.Seconds(parseJob(j.Name), 0)
		known[source]++
	}
	return known
}

// Seconds returns how long a job is expected to take, with the size of its net in bytes, and how
// that is known.
func (e *Expectation) Seconds(job Job, size int64) (float64, Source) {
	if s, ok := e.jobs[job]; ok {
		return s, ByRun
	}
	if a, ok := e.family[Job{Family(job.Instance), job.Examination}]; ok {
		return a.sum / a.n, ByFamily
	}
	return min(leastSeconds+float64(size)/bytesPerSecond, e.limit), BySize
}

// Size returns about how many bytes the model of an instance has; 0 if that is not known.
func (i Instance) Size() int64 {
	if i.Packed {
		return packing * max(0, size(i.Path)-formulaBytes)
	}
	path := filepath.Join(i.Path, modelFile)
	return max(size(path), packing*size(path+".gz"))
}

// size returns that of a file, or 0.
func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}
