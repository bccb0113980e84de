package scheduler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/cluster"
)

// HandOut hands out jobs of a command.
//
// The command that began something is also the one that goes on with it. It looks what is missing,
// packs that into tasks, and either submits them or lists commands for another engine. Called
// again, it does the same with the jobs that are missing then. A job is not missing if its result
// is there, or if a task of an earlier submission has it in hand (Look). So a user who does not
// know what became of a submission calls the command again, whatever happened.
type HandOut struct {
	*progress.Messenger
	Context *cli.Context
	Desk    cluster.Desk
	// Name is that of the jobs.
	Name string
	// Things are what the jobs are, in the plural.
	Things string
	Needs  cluster.Needs
	cluster.Wishes
	// Work is what Command, words for this program, needs to know to run a job.
	Work    any
	Command []string
	// Look is the command that says how far it is.
	Look string
	// InHand is how many jobs Slurm has in hand.
	InHand int
}

// Look returns how tasks stand that were handed out. Where jobs are to be submitted, or listed,
// and Slurm does not tell what it has in hand, it is an error: they might be run twice.
func Look(c *cli.Context, m *progress.Messenger, desk cluster.Desk) (*cluster.Standing, error) {
	standing, err := desk.Look(c.Context)
	switch {
	case errors.Is(err, cluster.ErrNoSlurm) && !c.Bool("slurm"):
		m.Say("tasks were submitted to Slurm, which is not here to be asked: what they run may be listed too, and counts once")
	case err != nil:
		return nil, exit.InputError(fmt.Errorf("what is in the queue is not known, and nothing is submitted: %w", err))
	}
	return standing, nil
}

// things returns what n jobs are.
func (h *HandOut) things(n int) string {
	if n == 1 {
		return strings.TrimSuffix(h.Things, "s")
	}
	return h.Things
}

// order packs jobs.
func (h *HandOut) order(jobs []cluster.Job) (cluster.Order, error) {
	program, err := os.Executable()
	h.Needs.TaskSeconds = h.Context.Duration("task-time").Seconds()
	return cluster.Order{
		Name: h.Name, Tasks: cluster.Pack(jobs, h.Needs), Parallel: h.Needs.Parallel, Work: h.Work, Command: append([]string{program}, h.Command...), Wishes: h.Wishes,
	}, err
}

// mostOfQueue is the part of all jobs that a Slurm takes in which one submission may fill.
const mostOfQueue = 2

// Submit submits jobs to Slurm, and reports what was submitted.
func (h *HandOut) Submit(jobs []cluster.Job) error {
	ctx := h.Context.Context
	room, err := h.Desk.Slurm.Room(ctx)
	if err != nil {
		return exit.InputError(err)
	}
	h.Needs.MostTasks = max(1, room.Jobs/mostOfQueue)
	most, err := h.Desk.Slurm.Most(ctx, h.Wishes)
	if err != nil {
		h.Say("how much memory nodes have is not known: %v", err)
	}
	h.Needs.MostBytes = most.Bytes
	order, err := h.order(jobs)
	if err != nil {
		return exit.InputError(err)
	}
	h.tellMemory(jobs, order.Tasks)
	if most.Cores > 0 && h.Cores > most.Cores {
		h.Say("a task has %d cores, and no node has more than %d: it may wait for ever", h.Cores, most.Cores)
	}
	record, err := h.Desk.Submit(ctx, order)
	if record != nil {
		if told := h.tellArrays(record); told != nil {
			return told
		}
	}
	if err != nil {
		h.Say("not all is submitted; the same command submits what is missing")
		return exit.InputError(err)
	}
	h.Say("%s tells how far it is; the same command submits what is missing then, or writes the report", h.Look)
	return nil
}

// tellArrays prints a line for each array that has a number.
func (h *HandOut) tellArrays(r *cluster.Record) error {
	for _, a := range r.Arrays {
		if a.Job == 0 {
			continue
		}
		jobs, most := 0, cluster.Task{}
		for _, t := range r.Tasks[a.First : a.First+a.Count] {
			jobs += len(t.Jobs)
			most.Seconds, most.MemoryBytes = max(most.Seconds, t.Seconds), max(most.MemoryBytes, t.MemoryBytes)
		}
		if _, err := fmt.Fprintf(h.Context.App.Writer, "submitted job %d: %s %s in %s of up to %s and %d MB\n", a.Job,
			wording.Grouped(int64(jobs)), h.things(jobs), wording.Counted(a.Count, "task", "tasks"), wording.Duration(most.Limit()), most.MemoryBytes>>20); err != nil {
			return err
		}
	}
	return nil
}

// tellMemory reports where jobs would have more memory if a node had it, and tasks of them ask
// for more than any has.
func (h *HandOut) tellMemory(jobs []cluster.Job, tasks []cluster.Task) {
	most := h.Needs.MostBytes
	lost := 0
	for _, j := range jobs {
		if most > 0 && h.Needs.IsCapped(j) {
			lost++
		}
	}
	if lost > 0 {
		h.Say("%s of %s would have more memory after being lost twice, but no node has more than %s MB", wording.Grouped(int64(lost)),
			wording.Counted(len(jobs), "job", "jobs"), wording.Grouped(most>>20))
	}
	asked := int64(0)
	for _, t := range tasks {
		asked = max(asked, t.MemoryBytes)
	}
	if most > 0 && asked > most {
		h.Say("a task has %s MB, and no node has more than %s MB: it may wait for ever", wording.Grouped(asked>>20), wording.Grouped(most>>20))
	}
}

// ListNothing empties the list of commands, if there is to be one: nothing is missing.
func (h *HandOut) ListNothing() error {
	if !h.Context.IsSet("emit-jobs") {
		return nil
	}
	path := h.Context.String("emit-jobs")
	if path == "-" {
		return nil
	}
	if err := output.Write(path, nil); err != nil {
		return err
	}
	h.Say("nothing is missing: %s is empty", path)
	return nil
}

// List writes a command for each task of jobs to a file, for another engine; - is standard
// output. Jobs that Slurm has in hand are not among them.
func (h *HandOut) List(jobs []cluster.Job, path string) error {
	if h.InHand > 0 {
		h.Say("%s %s are not listed, as Slurm has them in hand; %s tells how far it is", wording.Grouped(int64(h.InHand)), h.Things, h.Look)
	}
	if len(jobs) == 0 {
		return h.ListNothing()
	}
	order, err := h.order(jobs)
	if err != nil {
		return exit.InputError(err)
	}
	record, commands, err := h.Desk.List(order)
	if err != nil {
		return exit.InputError(err)
	}
	text := strings.Join(commands, "\n")
	if text != "" {
		text += "\n"
	}
	if path == "-" {
		_, err = io.WriteString(h.Context.App.Writer, text)
	} else {
		err = output.Write(path, []byte(text))
	}
	if err != nil {
		return err
	}
	h.Say("%s in %s, the record is %s; %s tells how far it is; the same command lists what is missing then",
		wording.Grouped(int64(len(jobs)))+" "+h.things(len(jobs)), wording.Counted(len(commands), "task", "tasks"), record.Path(), h.Look)
	return nil
}

// RefuseBesideTasks refuses to do here what Slurm does, or will, for results of a name, which
// are of a kind such as "folder".
func RefuseBesideTasks(ctx context.Context, m *progress.Messenger, desk cluster.Desk, name, kind string) error {
	standing, err := desk.Look(ctx)
	switch {
	case errors.Is(err, cluster.ErrNoSlurm):
		m.Say("tasks were submitted to Slurm, which is not here to be asked: what they run may be run twice, and counts once")
	case err != nil:
		return exit.InputError(err)
	case len(standing.Jobs()) > 0:
		return exit.InputError(fmt.Errorf("%s: tasks of it are in Slurm: wait for them (--wait), end them (--cancel), or choose another %s", name, kind))
	}
	return nil
}

// Cancel ends all tasks that wait or run, and reports which.
func Cancel(c *cli.Context, m *progress.Messenger, desk cluster.Desk) error {
	tasks, jobs, err := desk.Cancel(c.Context)
	if err != nil {
		return exit.InputError(err)
	}
	for _, j := range jobs {
		if _, err := fmt.Fprintf(c.App.Writer, "canceled job %d\n", j); err != nil {
			return err
		}
	}
	m.Say("%s canceled; what is known is kept, and the command that began it goes on", wording.Counted(tasks, "task is", "tasks are"))
	return nil
}

// The pauses between two looks at the queue while somebody waits: each is longer by a part, so
// that the end is told soon, and a controller with much to do is left alone.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 30 * time.Second
	longerPart = 4
)

// Wait waits until Slurm has no task any more. Again and again it calls show, unless that is nil,
// with how things stand. A Slurm that does not answer for a while is waited for, too. If nothing
// runs, it says why, once, unless the reason is a usual one. It ends with an error where waiting
// would never end: all tasks are held, or there is no Slurm or no record.
func Wait(ctx context.Context, m *progress.Messenger, desk cluster.Desk, show func(*cluster.Standing)) error {
	silent, told := false, ""
	for pause := firstPause; ; pause = min(pause+pause/longerPart, lastPause) {
		standing, err := desk.Look(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, cluster.ErrNoSlurm), errors.Is(err, cluster.ErrNoRecord):
			return exit.InputError(err)
		case err != nil:
			if !silent {
				m.Say("waiting for an answer: %v", err)
			}
			silent = true
		case len(standing.Jobs()) == 0:
			return nil
		case standing.Held():
			return exit.InputError(fmt.Errorf("all tasks that are left are held, and will not run by themselves: %s; scontrol release lets them run, --cancel ends them", Tasks(standing)))
		default:
			silent = false
			if why := unusual(standing); why != told {
				if told = why; why != "" {
					m.Say("no task runs: %s; --cancel ends them", Tasks(standing))
				}
			}
			if show != nil {
				show(standing)
			}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// usualReasons are those for which a task waits that will run in time.
var usualReasons = []string{"None", "Priority", "Resources", "JobArrayTaskLimit", "BeginTime", "Cleaning", "Prolog"}

// unusual returns the reasons for which tasks wait, if none runs and none of them is usual.
func unusual(s *cluster.Standing) string {
	reasons := map[string]int{}
	for _, t := range s.Tasks {
		switch {
		case t.Over():
		case t.State != "PENDING" || slices.Contains(usualReasons, t.Reason):
			return ""
		default:
			reasons[t.Reason]++
		}
	}
	return strings.Join(sortedKeys(reasons), ", ")
}

// Tasks reports in words how tasks stand: how many run, and why others wait.
func Tasks(s *cluster.Standing) string {
	states, reasons := map[string]int{}, map[string]int{}
	for _, t := range s.Tasks {
		switch {
		case t.Over():
		case t.State == "PENDING":
			states["waiting"]++
			reasons[t.Reason]++
		default:
			states["running"]++
		}
	}
	text := fmt.Sprintf("%s running, %s waiting", wording.Grouped(int64(states["running"])), wording.Grouped(int64(states["waiting"])))
	var why []string
	for _, reason := range sortedKeys(reasons) {
		why = append(why, fmt.Sprintf("%s for %s", wording.Grouped(int64(reasons[reason])), reason))
	}
	if len(why) > 0 {
		text += " (" + strings.Join(why, ", ") + ")"
	}
	return text
}

// sortedKeys returns the words of a count, in their order.
func sortedKeys(counts map[string]int) []string { return slices.Sorted(maps.Keys(counts)) }
