package measure

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/scheduler"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/experiment"
	"pnmc/internal/cluster"
)

// tasksEnding is what the folder has behind the name of the file of measurements in which
// tasks are on record, and have files of their own.
const tasksEnding = ".tasks"

// waitedKey is where an app notes that it has waited: nothing is submitted then.
const waitedKey = "waited for measurements"

// handsOut reports whether a scheduler is to measure.
func handsOut(c *cli.Context) bool { return c.Bool("slurm") || c.IsSet("emit-jobs") }

// checkHandOut refuses what tasks could not do: each has limits that are known before, and
// files that it can read again.
func checkHandOut(c *cli.Context) error {
	if _, err := scheduler.Wishes(c); err != nil {
		return err
	}
	switch {
	case c.Bool("wait") && !c.Bool("slurm"):
		return exit.UsageError("--wait: expected --slurm beside it")
	case !handsOut(c):
		return nil
	case c.Bool("slurm") && c.IsSet("emit-jobs"):
		return exit.UsageError("--slurm, --emit-jobs: expected one of them")
	}
	for _, name := range []string{"output", "timeout", "max-memory"} {
		if !c.IsSet(name) {
			return exit.UsageError("--%s is missing: a scheduler must know it", name)
		}
	}
	for _, path := range append(c.StringSlice("formulas"), c.String("pnml"), c.String("ap")) {
		if path == "-" {
			return exit.UsageError("-: tasks cannot read standard input: expected a file")
		}
	}
	return nil
}

// jobName returns a measurement as tasks name it.
//
// For example, line 12 of the file ltl, checked by a TGBA, is "ltl", 12 and "tgba" with tabs
// between them, which names of files hardly have.
func jobName(k experiment.Key) string {
	return k.Set + "\t" + strconv.Itoa(k.Line) + "\t" + k.Approach
}

// lineOf returns the line of a file of properties that a name of jobName has.
func lineOf(name string) int {
	if parts := strings.Split(name, "\t"); len(parts) == 3 {
		line, _ := strconv.Atoi(parts[1]) // or none
		return line
	}
	return 0
}

// deskOf returns where tasks of a file of measurements are on record.
func deskOf(path string) (cluster.Desk, error) {
	folder, err := filepath.Abs(path + tasksEnding)
	if err != nil {
		return cluster.Desk{}, exit.InputError(err)
	}
	return cluster.Desk{Folder: folder}, nil
}

// handOut hands the measurements that are missing to a scheduler. Longest is the most seconds
// that one takes, and seconds is what a record took. It reports whether there is nothing more to
// do than to report what there is.
func handOut[R experiment.AnyRecord[R]](m *measurements[R], keys []experiment.Key, plan experiment.Plan, longest float64, seconds func(R) float64) (report bool, err error) {
	s := m.s
	c := s.c
	closed := false
	defer func() {
		if !report && !closed {
			m.discard()
		}
	}()
	desk, err := deskOf(m.path)
	if err != nil {
		return false, err
	}
	standing := m.standing
	active := standing.Active()
	missing, err := missingJobs(m, desk, keys, active, longest, seconds)
	if err != nil {
		return false, exit.InputError(err)
	}
	_, waited := c.App.Metadata[waitedKey]
	if waited || len(missing) == 0 && len(active) == 0 {
		s.unknown = s.unknown || len(missing) > 0
		return true, (&scheduler.HandOut{Messenger: s.Messenger, Context: c}).ListNothing()
	}
	wishes, err := scheduler.Wishes(c)
	if err != nil {
		return false, err
	}
	folder, err := os.Getwd()
	if err != nil {
		return false, exit.InputError(err)
	}
	arguments, _ := c.App.Metadata[usage.ArgumentsKey].([]string)
	h := &scheduler.HandOut{
		Messenger: s.Messenger, Context: c, Desk: desk, Name: cluster.NameOf(m.path), Things: "measurements", Wishes: wishes,
		Needs:   cluster.Needs{JobSeconds: int64(math.Ceil(longest)), JobBytes: plan.Budget.MemoryBytes, Parallel: plan.Parallel},
		Work:    work{Folder: folder},
		InHand:  len(active),
		Command: append(append([]string{}, arguments[1:]...), "--"+taskFlag),
		Look:    "pnmc bench --status --output " + cluster.ShellQuoted(m.path),
	}
	switch {
	case c.IsSet("emit-jobs"):
		return false, h.List(missing, c.String("emit-jobs"))
	case len(missing) == 0:
		s.Say("nothing is to be submitted: what is missing waits or runs; tasks: %s", scheduler.Tasks(standing))
	default:
		if err := h.Submit(missing); err != nil {
			return false, err
		}
	}
	if !c.Bool("wait") {
		return false, nil
	}
	// Who else looks need not wait for this process to end.
	m.discard()
	closed = true
	if err := scheduler.Wait(c.Context, s.Messenger, desk, nil); err != nil {
		return false, err
	}
	c.App.Metadata[waitedKey] = true
	return false, Bench(c)
}

// standingOf returns how the tasks of a file stand.
func standingOf(s *measuring, path string) (*cluster.Standing, error) {
	desk, err := deskOf(path)
	if err != nil {
		return nil, err
	}
	return scheduler.Look(s.c, s.Messenger, desk)
}

// refuseBesideTasks refuses to measure here what Slurm measures, or will, for the same file.
func refuseBesideTasks(s *measuring, path string) error {
	if s.task != nil || path == "" || path == "-" {
		return nil
	}
	desk, err := deskOf(path)
	if err != nil {
		return err
	}
	return scheduler.RefuseBesideTasks(s.c.Context, s.Messenger, desk, path, "file")
}

// missingJobs returns the measurements that are neither done nor active. They are expected to take
// as long as those by the same approach did on average, or else a tenth of the longest. A
// measurement that a task began, and that is not done, was lost. Its job says how often; so it gets
// a task of its own with more memory.
func missingJobs[R experiment.AnyRecord[R]](m *measurements[R], desk cluster.Desk, keys []experiment.Key, active map[string]bool, longest float64, seconds func(R) float64) ([]cluster.Job, error) {
	lost, err := lostIn(desk.Folder, m.done)
	if err != nil {
		return nil, err
	}
	sums, counts := map[string]float64{}, map[string]float64{}
	for _, r := range m.records {
		k := r.Key()
		sums[k.Approach] += seconds(r)
		counts[k.Approach]++
	}
	var missing []cluster.Job
	for _, k := range keys {
		name := jobName(k)
		if m.done[k] || active[name] {
			continue
		}
		j := cluster.Job{Name: name, Expected: longest / 10, Lost: lost[name]}
		if n := counts[k.Approach]; n > 0 {
			j.Expected = min(longest, sums[k.Approach]/n+leastMeasuring)
		}
		missing = append(missing, j)
	}
	return missing, nil
}

// leastMeasuring is what a measurement takes at least, in seconds.
const leastMeasuring = 0.05

// lostIn counts how often measurements were begun by tasks and nothing came of it.
func lostIn(folder string, done map[experiment.Key]bool) (map[string]int, error) {
	lost := map[string]int{}
	paths, err := filepath.Glob(cluster.Pattern(folder, "measured-*"+begunEnding))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		begun, err := begunIn(path)
		if err != nil {
			return nil, err
		}
		for name, n := range begun {
			lost[name] += n
		}
	}
	for k := range done {
		delete(lost, jobName(k))
	}
	return lost, nil
}

// OfTasks does what flags of bench ask for that only need the file of measurements: it says how
// tasks stand, or ends them. It reports whether there was such a flag.
func OfTasks(c *cli.Context) (bool, error) {
	if !c.Bool("status") && !c.Bool("cancel") {
		return false, nil
	}
	var chosen []string
	for _, name := range []string{"status", "cancel", "wait"} {
		if c.Bool(name) {
			chosen = append(chosen, "--"+name)
		}
	}
	if len(chosen) > 1 {
		return true, exit.UsageError("%s: expected one of them", strings.Join(chosen, ", "))
	}
	path := c.String("output")
	if path == "" {
		return true, exit.UsageError("--output is missing: which measurements?")
	}
	desk, err := deskOf(path)
	if err != nil {
		return true, err
	}
	m := progress.NewMessenger(c)
	if records, err := cluster.ReadRecords(desk.Folder); err != nil || len(records) == 0 {
		if err == nil {
			err = fmt.Errorf("%s: expected measurements that were handed to a scheduler, found none", path)
		}
		return true, exit.InputError(err)
	}
	if c.Bool("cancel") {
		return true, scheduler.Cancel(c, m, desk)
	}
	standing, silent := desk.Look(c.Context)
	measured, err := measuredNames(c, path, desk.Folder)
	if err != nil {
		return true, notRead(err)
	}
	jobs, over, inHand := map[string]bool{}, 0, 0
	active := standing.Active()
	for _, r := range standing.Records {
		for _, t := range r.Tasks {
			for _, j := range t.Jobs {
				if jobs[j] {
					continue
				}
				jobs[j] = true
				if measured[j] {
					over++
				} else if active[j] {
					inHand++
				}
			}
		}
	}
	if bar := m.Bar(over, len(jobs)); bar != "" {
		fmt.Fprintln(c.App.Writer, bar)
	}
	grouped := func(n int) string { return wording.Grouped(int64(n)) }
	rest := fmt.Sprintf("%s in hand, %s missing", grouped(inHand), grouped(len(jobs)-over-inHand))
	if silent != nil {
		rest = grouped(len(jobs)-over) + " in hand or missing"
	}
	_, err = fmt.Fprintf(c.App.Writer, "measurements: %s of %s over, %s\n", grouped(over), grouped(len(jobs)), rest)
	if err == nil && len(standing.Tasks) > 0 {
		_, err = fmt.Fprintf(c.App.Writer, "tasks: %s\n", scheduler.Tasks(standing))
	}
	switch {
	case err != nil:
		return true, err
	case silent != nil:
		m.Say("what is in the queue is not known: %v", silent)
	}
	if over < len(jobs) {
		return true, exit.With(exit.Unknown, nil)
	}
	m.Say("all is over: the command that began it prints the tables")
	return true, nil
}

// measuredNames returns those of measurements in a file and in those of its tasks.
func measuredNames(c *cli.Context, path, folder string) (map[string]bool, error) {
	paths, err := taskFiles(folder)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, p := range append(paths, path) {
		keys, err := keysIn(c, p)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			names[jobName(k)] = true
		}
	}
	return names, nil
}

// keysIn returns the measurements in a file, of whichever columns; none if there is no file.
func keysIn(c *cli.Context, path string) (keys []experiment.Key, err error) {
	past, _, err := pastMeasurements[experiment.Record](c, path)
	if err == nil {
		for _, r := range past.Records {
			keys = append(keys, r.Key())
		}
		return keys, nil
	}
	symbolic, _, failed := pastMeasurements[experiment.SymbolicRecord](c, path)
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	for _, r := range symbolic.Records {
		keys = append(keys, r.Key())
	}
	return keys, nil
}
