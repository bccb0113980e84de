package batches

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/scheduler"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// usualWeather is what --plan supposes of a cluster: one time in six is off by a factor of
// two or more; nodes differ by a tenth; a node fails once in a hundred days.
var usualWeather = cluster.Weather{Spread: 0.5, Slower: 0.1, Failures: 0.01}

// simulations is how often --plan simulates.
const simulations = 21

// tellPlan prints what there is to run, in how many tasks, and how long that takes. It writes
// nothing into the folder.
//
// The time for which a cluster is busy can't be computed from sums: the last task counts, and it is
// late for reasons that nobody knows before. So the schedule is simulated, 21 times with times drawn
// around what is expected, and the median, the least and the greatest are told. The same random
// numbers are drawn each time, so that two plans can be compared.
func tellPlan(c *cli.Context, plan *batch.Plan) error {
	slots := c.Int("nodes") * c.Int("tasks-per-node")
	if c.Int("nodes") < 1 || slots < 1 {
		return exit.UsageError("--nodes, --tasks-per-node: expected numbers from 1 on")
	}
	paths, err := tasks.Journals(c.String("out"))
	if err != nil {
		return exit.InputError(err)
	}
	runs, err := history.ReadRuns(paths, &plan.Settings)
	if err != nil {
		return exit.InputError(err)
	}
	e, err := expectationOf(c, plan, runs)
	if err != nil {
		return err
	}
	missing := tasks.Missing(plan, runs, nil, e)
	needs := needsOf(plan)
	needs.TaskSeconds = c.Duration("task-time").Seconds()
	packed := cluster.Pack(missing, needs)
	cores := max(1, c.Int("cores"))
	if !c.IsSet("cores") {
		cores = scheduler.Cores
	}
	expected := make(map[string]float64, len(missing))
	sum := 0.0
	for _, j := range missing {
		expected[j.Name] = j.Expected
		sum += j.Expected
	}
	weather := usualWeather
	weather.JobSeconds = float64(plan.Settings.Seconds)
	chance := rand.New(rand.NewPCG(1, 2))
	var ends, spent []float64
	for range simulations {
		end, s := cluster.Simulate(packed, func(job string) float64 { return expected[job] }, slots, weather, chance)
		ends, spent = append(ends, end), append(spent, s)
	}
	slices.Sort(ends)
	slices.Sort(spent)
	known := e.Known(missing)
	of := len(plan.Instances) * len(plan.Examinations)
	lasting := func(seconds float64) string {
		if seconds < (2 * time.Hour).Seconds() {
			return wording.Duration(time.Duration(seconds * float64(time.Second)))
		}
		return fmt.Sprintf("%.1f hours", seconds/time.Hour.Seconds())
	}
	hours := func(seconds float64) string { return fmt.Sprintf("%.1f", seconds/time.Hour.Seconds()) }
	_, err = fmt.Fprintf(c.App.Writer, `jobs: %s of %s instances and %s examinations, %s over, %s to run
expected: from the same run %s, from its family %s, from the size of the net %s
tasks: %s of %s expected, %d cores and up to %d MB each
core hours: %s expected, %s at most
makespan on %s: %s expected; simulated %s (%s to %s, %s core hours)
`,
		wording.Grouped(int64(of)), wording.Grouped(int64(len(plan.Instances))), wording.Grouped(int64(len(plan.Examinations))),
		wording.Grouped(int64(of-len(missing))), wording.Grouped(int64(len(missing))),
		wording.Grouped(int64(known[tasks.ByRun])), wording.Grouped(int64(known[tasks.ByFamily])), wording.Grouped(int64(known[tasks.BySize])),
		wording.Grouped(int64(len(packed))), wording.Duration(c.Duration("task-time")), cores, mostMegabytes(packed),
		hours(sum/float64(plan.Parallel)*float64(cores)), hours(float64(len(missing))*float64(plan.Settings.Seconds)/float64(plan.Parallel)*float64(cores)),
		wording.Counted(c.Int("nodes"), "node", "nodes")+" with "+wording.Counted(c.Int("tasks-per-node"), "task", "tasks")+" each",
		lasting(cluster.Makespan(packed, slots)), lasting(ends[len(ends)/2]), lasting(ends[0]), lasting(ends[len(ends)-1]),
		hours(spent[len(spent)/2]*float64(cores)))
	return err
}

// mostMegabytes returns the most memory of a task.
func mostMegabytes(tasks []cluster.Task) int64 {
	most := int64(0)
	for _, t := range tasks {
		most = max(most, t.MemoryBytes)
	}
	return most >> 20
}
