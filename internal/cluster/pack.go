package cluster

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Job is something to run.
type Job struct {
	Name string
	// Expected is how many seconds it is expected to take.
	Expected float64
	// Lost is how often it was begun, and neither ended nor was interrupted. Its node
	// failed, or all jobs of its task were killed because one of them had too much memory.
	Lost int
}

// Task is what the scheduler starts as one: jobs, one after the other, or some side by side.
type Task struct {
	Jobs []string `json:"jobs"`
	// Expected are the seconds that it is expected to take.
	Expected float64 `json:"expected"`
	// Seconds is the time that it has: it begins no job that might not end by then.
	Seconds int64 `json:"seconds"`
	// MemoryBytes is what it has for its jobs and itself.
	MemoryBytes int64 `json:"memory_bytes"`
}

// Needs are what jobs, and tasks of them, have.
type Needs struct {
	// JobSeconds is the longest that a job takes, as it is ended then.
	JobSeconds int64
	// JobBytes is the most memory that a job takes.
	JobBytes int64
	// Parallel is the number of jobs side by side in a task.
	Parallel int
	// TaskSeconds is how long tasks are expected to take that have more than one job.
	TaskSeconds float64
	// MostBytes is the memory that a node has; 0: not known. Jobs that were lost have no more.
	MostBytes int64
	// MostTasks is how many there may be; tasks take longer where there would be more. 0: any.
	MostTasks int
}

const (
	// aside are the seconds that a task has beyond those of its jobs: to begin, to unpack, and
	// to end.
	aside = 60
	// perJob are the seconds that may pass between two jobs of a task.
	perJob = 2
	// surprise is how much longer jobs may take than is expected before their task leaves
	// some of them for the next submission.
	surprise = 3
	// mostJobs bounds the jobs of a task.
	mostJobs = 2000
	// reserveBytes and reservePart are the memory of a task beyond that of its jobs. A job is
	// ended when it is seen to have more than its memory, which is a moment after it has.
	reserveBytes = 256 << 20
	reservePart  = 8
	// mostMemory bounds the factor by which a job that was lost gets more memory than
	// others.
	mostMemory = 4
)

// Pack makes tasks of jobs, the longest first. A job that was lost has a task of its own, and more
// memory if that happened again.
//
// A scheduler takes seconds to start a task, and a contest has thousands of jobs that take less
// than that. So short jobs share a task, as many as fill TaskSeconds. The longest come first
// because a long job that begins last runs alone at the end. For example, jobs of 60, 30, 20 and
// 10 seconds take 60 seconds on two machines if they begin in this order. In the opposite order
// they take 80. That is the rule "longest processing time first", which is known to be at most a
// third worse than the best.
//
// If there would be more than MostTasks, tasks of twice the seconds are tried, and so on.
func Pack(jobs []Job, n Needs) []Task {
	jobs = slices.Clone(jobs)
	slices.SortStableFunc(jobs, func(a, b Job) int { return cmp.Compare(b.Expected, a.Expected) })
	for seconds := n.TaskSeconds; ; seconds *= 2 {
		tasks := pack(jobs, n, seconds)
		if n.MostTasks <= 0 || len(tasks) <= n.MostTasks || seconds <= 0 || seconds > math.MaxInt32 {
			return tasks
		}
	}
}

// pack packs jobs as Pack does, into tasks of so many seconds.
func pack(jobs []Job, n Needs, taskSeconds float64) []Task {
	parallel := max(1, n.Parallel)
	var tasks []Task
	var open []Job
	spent := 0.0
	end := func() {
		if len(open) > 0 {
			tasks = append(tasks, n.task(open))
		}
		open, spent = nil, 0
	}
	for _, j := range jobs {
		if j.Lost > 0 {
			tasks = append(tasks, n.task([]Job{j}))
			continue
		}
		if spent+j.Expected > taskSeconds*float64(parallel) || len(open) >= mostJobs*parallel {
			end()
		}
		open = append(open, j)
		spent += j.Expected
	}
	end()
	slices.SortStableFunc(tasks, func(a, b Task) int { return cmp.Compare(b.Expected, a.Expected) })
	return tasks
}

// withReserve returns the memory of a task whose jobs have so much.
func withReserve(bytes int64) int64 { return bytes + max(bytes/reservePart, reserveBytes) }

// lostBytes returns the memory of a task for a job that was lost more than once: as many times that of
// other jobs as it was lost, up to mostMemory times.
func (n Needs) lostBytes(j Job) int64 {
	return withReserve(n.JobBytes * int64(min(j.Lost, mostMemory)))
}

// IsCapped reports whether a job would have more memory if a node had it.
func (n Needs) IsCapped(j Job) bool {
	return j.Lost > 1 && n.MostBytes > 0 && n.lostBytes(j) > n.MostBytes
}

// task makes a task of these jobs, with the time and the memory that they need together. Its time
// is what they may take, not what they are expected to take, as some take longer. Jobs for which
// a task has no time are left for the next submission.
func (n Needs) task(jobs []Job) Task {
	parallel := max(1, min(n.Parallel, len(jobs)))
	t := Task{MemoryBytes: withReserve(int64(parallel) * n.JobBytes)}
	most, longest := 0.0, 0.0
	for _, j := range jobs {
		t.Jobs = append(t.Jobs, j.Name)
		t.Expected += j.Expected
		longest = max(longest, j.Expected)
		most += min(float64(n.JobSeconds), surprise*j.Expected) + perJob
		if j.Lost > 1 {
			more := n.lostBytes(j)
			if n.IsCapped(j) {
				more = n.MostBytes
			}
			t.MemoryBytes = max(t.MemoryBytes, more)
		}
	}
	t.Expected = max(t.Expected/float64(parallel), longest)
	t.Seconds = int64(math.Ceil(max(most/float64(parallel), t.Expected))) + n.JobSeconds + aside
	return t
}

// Limit returns the time that a task has.
func (t Task) Limit() time.Duration { return time.Duration(t.Seconds) * time.Second }
