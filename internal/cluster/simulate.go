package cluster

import (
	"container/heap"
	"math"
	"math/rand/v2"
)

// Makespan returns the seconds after which tasks are over that so many slots run in their order,
// each taking the next when it is free, if all is as expected. A heap finds the slot that is free
// first, so that it takes tasks × log(slots).
func Makespan(tasks []Task, slots int) float64 {
	free := newSlots(slots, len(tasks))
	end := 0.0
	for _, t := range tasks {
		end = max(end, free.run(t.Expected+startSeconds))
	}
	return end
}

// startSeconds pass before a task begins its first job.
const startSeconds = 2

// Weather is the difference between a real cluster and an ideal one.
type Weather struct {
	// Spread is the standard deviation of the logarithm of how much longer a job takes than is
	// expected, and Slower that of how much slower one node is than another.
	Spread, Slower float64
	// Failures is how often a day a slot fails: the job that it runs is lost and run again.
	Failures float64
	// JobSeconds ends a job.
	JobSeconds float64
}

const day = 24 * 60 * 60

// Simulate runs the tasks once on so many slots, in their order, where jobs take the seconds that
// expected says, changed as the weather does. It returns when the last is over, and how many
// seconds of slots that took. A job takes its expected seconds, times a factor whose logarithm is
// normally distributed, times the slowness of its slot, but no more than its limit. After a failure
// in between it begins again.
func Simulate(tasks []Task, expected func(job string) float64, slots int, w Weather, chance *rand.Rand) (makespan, spent float64) {
	free := newSlots(slots, len(tasks))
	for i := range free {
		free[i].slowness = math.Exp(w.Slower * chance.NormFloat64())
	}
	for _, t := range tasks {
		took := float64(startSeconds)
		for _, j := range t.Jobs {
			s := w.JobSeconds // also of jobs that are expected to be ended by their limit
			if e := expected(j); e < s {
				s = min(e*math.Exp(w.Spread*chance.NormFloat64())*free[0].slowness, s)
			}
			for chance.Float64() < 1-math.Exp(-s*w.Failures/day) {
				took += s * chance.Float64()
			}
			took += s
		}
		spent += took
		makespan = max(makespan, free.run(took))
	}
	return makespan, spent
}

// slot runs one task after the other.
type slot struct{ free, slowness float64 }

// slots are a heap by the time when they are free.
type slots []slot

// newSlots returns so many slots, but no more than there are tasks.
func newSlots(n, tasks int) slots { return make(slots, max(1, min(n, tasks))) }

// run gives the slot that is free first so much to do, and returns when it is over.
func (s slots) run(seconds float64) float64 {
	s[0].free += seconds
	end := s[0].free
	heap.Fix(&s, 0)
	return end
}

// Len, Less, Swap, Push and Pop are those of a heap that neither grows nor shrinks.
func (s slots) Len() int           { return len(s) }
func (s slots) Less(i, j int) bool { return s[i].free < s[j].free }
func (s slots) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push does nothing: the number of slots never changes. Nor does Pop.
func (s *slots) Push(any) {}
func (s *slots) Pop() any { return nil }
