package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Desk hands out tasks, and knows what became of them.
type Desk struct {
	// Folder has the records. All nodes see it under this name.
	Folder string
	Slurm  Slurm
}

// Order is what is to be handed out.
type Order struct {
	// Name is what the scheduler calls the jobs.
	Name     string
	Tasks    []Task
	Parallel int
	// Work is what Command needs to know to run a job, beside its name.
	Work any
	// Command runs a task: it is called with these words, the path of the record, and the
	// number of the task.
	Command []string
	Wishes
}

// StandingTask is a task that Slurm knows.
type StandingTask struct {
	Queued
	Record *Record
	// Number is that of the task in the record.
	Number int
}

// Standing is how all that was handed out stands.
type Standing struct {
	Records []*Record
	// Tasks are those that Slurm knows.
	Tasks []StandingTask
}

// Active returns the jobs of tasks that wait or run: they are not to be handed out again.
func (s *Standing) Active() map[string]bool {
	active := make(map[string]bool)
	for _, t := range s.Tasks {
		if t.Over() {
			continue
		}
		for _, j := range t.Record.Tasks[t.Number].Jobs {
			active[j] = true
		}
	}
	return active
}

// Jobs returns the numbers of the arrays that have tasks which wait or run.
func (s *Standing) Jobs() []int64 {
	var list []int64
	for _, t := range s.Tasks {
		if !t.Over() && !slices.Contains(list, t.Job) {
			list = append(list, t.Job)
		}
	}
	return list
}

// Held reports whether all tasks that are not over wait for somebody to let them run.
func (s *Standing) Held() bool {
	held := false
	for _, t := range s.Tasks {
		if t.Over() {
			continue
		}
		if held = t.State == "PENDING" && (strings.HasPrefix(t.Reason, "JobHeld") || strings.HasSuffix(t.Reason, "held")); !held {
			return false
		}
	}
	return held
}

// Look reads the records, and asks Slurm what it knows of their tasks. It asks by the
// token in the comment, so it also finds tasks whose number was not noted. Where nothing
// was submitted to Slurm, it is not asked.
func (d Desk) Look(ctx context.Context) (*Standing, error) {
	records, err := ReadRecords(d.Folder)
	s := &Standing{Records: records}
	if err != nil {
		return s, err
	}
	type place struct {
		record *Record
		array  int
	}
	byComment := make(map[string]place)
	type queueName struct{ cluster, name string }
	var queues []queueName
	for _, r := range records {
		for i := range r.Arrays {
			byComment[r.Comment(i)] = place{r, i}
			if q := (queueName{r.Cluster, r.Name}); !slices.Contains(queues, q) {
				queues = append(queues, q)
			}
		}
	}
	for _, asked := range queues {
		queue, err := d.Slurm.Queue(ctx, asked.cluster, asked.name)
		if err != nil {
			return s, err
		}
		for _, q := range queue {
			p, ok := byComment[q.Comment]
			if !ok || q.Index < 0 || q.Index >= p.record.Arrays[p.array].Count {
				continue
			}
			p.record.Arrays[p.array].Job = q.Job
			s.Tasks = append(s.Tasks, StandingTask{q, p.record, p.record.Arrays[p.array].First + q.Index})
		}
	}
	return s, nil
}

// begin puts the record of an order on the disk.
func (d Desk) begin(o Order, cluster string, arrays []Array) (*Record, error) {
	if err := os.MkdirAll(filepath.Join(d.Folder, "logs"), 0o755); err != nil {
		return nil, err
	}
	earlier, err := ReadRecords(d.Folder)
	if err != nil {
		return nil, err
	}
	work, err := json.Marshal(o.Work)
	if err != nil {
		return nil, err
	}
	r := &Record{Number: 1, Token: newToken(), Name: o.Name, Cluster: cluster, Cores: o.Cores, Parallel: o.Parallel, Arrays: arrays, Work: work, Tasks: o.Tasks, folder: d.Folder}
	if n := len(earlier); n > 0 {
		r.Number = earlier[n-1].Number + 1
	}
	return r, r.write()
}

// Submit submits an order to Slurm. What it returns beside an error is the record, if
// there is one: some of it may have been submitted, which the next Look finds. Only one
// process may submit in a folder at a time.
//
// The order of steps is what makes it safe to be killed at any moment. The record with its token is
// on the disk before the first array is submitted. The script of each array has the token in its
// comment. If the process ends between sbatch and note, Slurm has tasks whose number is not in the
// record; Look finds them by the comment, and their jobs count as active. So no job is handed out
// twice, and none is forgotten: what is in no standing task is handed out by the next order.
//
// An array has tasks of one size of memory, as Slurm gives all tasks of an array the same.
func (d Desk) Submit(ctx context.Context, o Order) (*Record, error) {
	room, err := d.Slurm.Room(ctx)
	if err != nil {
		return nil, err
	}
	o.Tasks = slices.Clone(o.Tasks)
	slices.SortStableFunc(o.Tasks, func(a, b Task) int { return int((a.MemoryBytes - b.MemoryBytes) >> 20) })
	var arrays []Array
	for i, t := range o.Tasks {
		last := len(arrays) - 1
		if i == 0 || arrays[last].Count == room.Array || t.MemoryBytes>>20 != o.Tasks[i-1].MemoryBytes>>20 {
			arrays = append(arrays, Array{First: i})
			last++
		}
		arrays[last].Count++
	}
	r, err := d.begin(o, chosenCluster(), arrays)
	if err != nil {
		return nil, err
	}
	for i := range r.Arrays {
		text, err := r.Script(i, o.Wishes, o.Command)
		if err != nil {
			return r, err
		}
		script := filepath.Join(d.Folder, fileOf(r.Number, fmt.Sprintf("-%d.sh", i)))
		if err := writeDurably(script, []byte(text)); err != nil {
			return r, err
		}
		job, err := d.Slurm.Submit(ctx, r.Cluster, script)
		if err == nil {
			err = r.note(i, job)
		}
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// List puts an order on record for another engine, and returns a command for each task, in
// words of a shell, each in one line.
func (d Desk) List(o Order) (*Record, []string, error) {
	for _, word := range append(slices.Clone(o.Command), d.Folder) {
		if strings.Contains(word, "\n") {
			return nil, nil, fmt.Errorf("%q: expected a name without the end of a line in it: a list has a command in each line", word)
		}
	}
	r, err := d.begin(o, "", nil)
	if err != nil {
		return nil, nil, err
	}
	var list []string
	for i := range r.Tasks {
		list = append(list, ShellQuoted(append(slices.Clone(o.Command), r.Path(), fmt.Sprint(i))...))
	}
	return r, list, nil
}

// Cancel ends all tasks that wait or run, and reports how many these were.
func (d Desk) Cancel(ctx context.Context) (tasks int, jobs []int64, err error) {
	s, err := d.Look(ctx)
	if err != nil {
		return 0, nil, err
	}
	byCluster := make(map[string][]int64)
	for _, t := range s.Tasks {
		if t.Over() {
			continue
		}
		tasks++
		if list := byCluster[t.Record.Cluster]; !slices.Contains(list, t.Job) {
			byCluster[t.Record.Cluster] = append(list, t.Job)
		}
	}
	for _, cluster := range slices.Sorted(maps.Keys(byCluster)) {
		err = errors.Join(err, d.Slurm.Cancel(ctx, cluster, byCluster[cluster]))
	}
	return tasks, s.Jobs(), err
}

// NameOf returns a name for the jobs of what is written to path.
func NameOf(path string) string {
	base := filepath.Base(path)
	return "pnmc-" + strings.Map(func(c rune) rune {
		if strings.ContainsRune(plain, c) && !strings.ContainsRune(",%/", c) {
			return c
		}
		return '-'
	}, base)
}

// ErrNoTask is that a record has no task of a number.
var ErrNoTask = errors.New("there is no such task")

// Task returns a task of the record.
func (r *Record) Task(number int) (Task, error) {
	if number < 0 || number >= len(r.Tasks) {
		return Task{}, fmt.Errorf("%s: task %d of %d: %w", r.Path(), number, len(r.Tasks), ErrNoTask)
	}
	return r.Tasks[number], nil
}
