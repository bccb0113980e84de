package cluster

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawJobs draws jobs.
func drawJobs(c *rapid.T) []Job {
	jobs := make([]Job, rapid.IntRange(0, 60).Draw(c, "jobs"))
	for i := range jobs {
		jobs[i] = Job{Name: fmt.Sprint("job ", i), Expected: rapid.Float64Range(0.05, 100).Draw(c, "expected"), Lost: rapid.SampledFrom([]int{0, 0, 0, 1, 2, 9}).Draw(c, "lost")}
	}
	return jobs
}

// TestPack: each job is in one task, tasks are as long as they should be, or have one job,
// have time for what is expected and for one job that takes its limit, and come the longest
// first. What was lost has a task of its own, with more memory the second time.
func TestPack(t *testing.T) {
	rapid.Check(t, func(c *rapid.T) {
		jobs := drawJobs(c)
		n := Needs{JobSeconds: 100, JobBytes: 1 << 30, Parallel: rapid.IntRange(0, 4).Draw(c, "parallel"), TaskSeconds: rapid.Float64Range(0, 500).Draw(c, "task"),
			MostTasks: rapid.SampledFrom([]int{0, 0, 70}).Draw(c, "most")}
		tasks := Pack(jobs, n)
		byName := map[string]Job{}
		for _, j := range jobs {
			byName[j.Name] = j
		}
		seen := 0
		for i, task := range tasks {
			sum := 0.0
			for _, name := range task.Jobs {
				j, ok := byName[name]
				if !ok {
					c.Fatalf("%q is in two tasks, or no job", name)
				}
				delete(byName, name)
				seen++
				sum += j.Expected
				memory := n.JobBytes * int64(max(1, min(n.Parallel, len(task.Jobs))))
				if j.Lost > 0 {
					memory = n.JobBytes * int64(max(1, min(j.Lost, mostMemory)))
				}
				if j.Lost > 0 && len(task.Jobs) > 1 || task.MemoryBytes != memory+max(memory/reservePart, reserveBytes) {
					c.Fatalf("%+v in a task of %d with %d bytes", j, len(task.Jobs), task.MemoryBytes)
				}
			}
			if len(task.Jobs) > 1 && sum > n.TaskSeconds*float64(max(1, n.Parallel))+1e-9 {
				c.Fatalf("task %d has %v s of %v", i, sum, n.TaskSeconds)
			}
			if float64(task.Seconds) < task.Expected+float64(n.JobSeconds) {
				c.Fatalf("task %d has %d s, %v are expected", i, task.Seconds, task.Expected)
			}
			if i > 0 && task.Expected > tasks[i-1].Expected {
				c.Fatalf("task %d is longer than the one before", i)
			}
		}
		if seen != len(jobs) {
			c.Fatalf("%d of %d jobs are in tasks", seen, len(jobs))
		}
	})
}

// TestPackFewTasks: tasks get longer where there would be too many.
func TestPackFewTasks(t *testing.T) {
	jobs := make([]Job, 21_800)
	for i := range jobs {
		jobs[i] = Job{Name: fmt.Sprint(i), Expected: 10}
	}
	n := Needs{JobSeconds: 3600, JobBytes: 1, Parallel: 1, TaskSeconds: 10, MostTasks: 5000}
	if tasks := Pack(jobs, n); len(tasks) > 5000 || len(tasks) < 2500 {
		t.Errorf("%d tasks", len(tasks))
	}
}

// naiveMakespan computes Makespan by looking at all slots for each task.
func naiveMakespan(tasks []Task, slots int) float64 {
	free := make([]float64, max(1, slots))
	for _, t := range tasks {
		i := slices.Index(free, slices.Min(free))
		free[i] += t.Expected + startSeconds
	}
	return slices.Max(free)
}

// TestMakespan agrees with its naive twin, and with a simulation in fair weather.
func TestMakespan(t *testing.T) {
	rapid.Check(t, func(c *rapid.T) {
		jobs := drawJobs(c)
		tasks := Pack(jobs, Needs{JobSeconds: 100, Parallel: 1, TaskSeconds: 50})
		slots := rapid.IntRange(1, 70).Draw(c, "slots")
		expected := map[string]float64{}
		for _, j := range jobs {
			expected[j.Name] = j.Expected
		}
		makespan := Makespan(tasks, slots)
		simulated, spent := Simulate(tasks, func(j string) float64 { return expected[j] }, slots, Weather{JobSeconds: 100}, rand.New(rand.NewPCG(1, 2)))
		near := func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }
		if !near(makespan, naiveMakespan(tasks, slots)) || !near(makespan, simulated) || spent+1e-6 < makespan {
			c.Fatalf("%v, naively %v, simulated %v (%v s spent)", makespan, naiveMakespan(tasks, slots), simulated, spent)
		}
	})
}

// TestWeather: jobs that take longer than expected end at their limit, and failures cost time.
func TestWeather(t *testing.T) {
	tasks := Pack([]Job{{Name: "a", Expected: 50}, {Name: "b", Expected: 50}}, Needs{JobSeconds: 60, Parallel: 1, TaskSeconds: 1})
	expected := func(string) float64 { return 50 }
	for _, test := range []struct {
		weather   Weather
		low, high float64
	}{
		{Weather{Spread: 3, JobSeconds: 60}, 2 * startSeconds, 2 * (60 + startSeconds)},
		{Weather{Spread: 3, JobSeconds: 50}, 2 * (50 + startSeconds), 2 * (50 + startSeconds)}, // at their limit
		{Weather{Failures: 1e4, JobSeconds: 60}, 2*(50+startSeconds) + 1e-9, 1e12},
	} {
		if _, spent := Simulate(tasks, expected, 2, test.weather, rand.New(rand.NewPCG(1, 2))); spent < test.low || spent > test.high {
			t.Errorf("%+v: %v s", test.weather, spent)
		}
	}
}
