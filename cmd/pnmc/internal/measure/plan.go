// Package measure compares approaches on the same properties, or explorations of state spaces, for
// the command bench.
//
// In come a net, files of properties and approaches; out go measurements in a file that a
// later bench goes on with, tables, pictures, and a report with runs. What is measured, and
// how tables are made, is in pnmc/experiment; here are flags, files, and the processes that
// measure one property each.
//
// The files:
//
//	plan, input                what is to be measured: nets, properties, approaches
//	measure, process, sent_net one measurement a process, and the net sent to it
//	explicit, diagrams         approaches state by state, and by decision diagrams
//	growth                     explorations of state spaces, instead of properties
//	log                        the file of measurements, and the tables from it
//	report, plots              a page with runs, and pictures
//	task, handout              measurements made by the tasks of a scheduler
//	rusage_unix, rusage_other  processor time
package measure

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/experiment"
	"pnmc/logic"
	"pnmc/petri"
)

// measuring is what a bench has read, and what has come out of it.
type measuring struct {
	*progress.Messenger
	c          *cli.Context
	net        *petri.Net
	vocabulary logic.Vocabulary
	defined    map[string]*logic.Predicate
	budget     petri.Budget
	limit      logic.Limit // of what is made of the text of the file that is read, or nil
	hidden     input.Hidden
	task       *task // if a scheduler runs a part of the bench

	bug, bad, unknown bool
}

// outcome returns the exit code.
func (s *measuring) outcome() error {
	return exit.Outcome{Bug: s.bug, Bad: s.bad, Unknown: s.unknown}.Err()
}

// Bench measures what the flags of bench ask for.
func Bench(c *cli.Context) error {
	var elsewhere []string
	for _, name := range []string{"slurm", "emit-jobs", "status", "wait", "cancel", taskFlag} {
		if c.IsSet(name) {
			elsewhere = append(elsewhere, "--"+name)
		}
	}
	if err := limits.RefuseTotal(c, elsewhere...); err != nil {
		return err
	}
	defer limits.WithTotal(c)()
	if of, err := OfTasks(c); of || err != nil {
		return err
	}
	var part *task
	if c.IsSet(taskFlag) {
		var err error
		if part, err = readTask(c); err != nil {
			return err
		}
	} else if c.Args().Present() {
		return usage.UnexpectedArgument(c.Args().First())
	}
	if c.IsSet(statesFlag) {
		return benchStates(c)
	}
	for _, name := range []string{"threads", "runs"} {
		if c.IsSet(name) {
			return exit.UsageError("--%s: it is for explorations: expected --%s beside it", name, statesFlag)
		}
	}
	if len(c.StringSlice("formulas")) == 0 {
		return exit.UsageError("--formulas is missing: which properties?")
	}
	if c.Int("jobs") < 1 {
		return exit.UsageError("--jobs: expected a number from 1 on, found %d", c.Int("jobs"))
	}
	if err := checkHandOut(c); err != nil {
		return err
	}
	s, plan, err := benchPlan(c, part)
	if err != nil {
		return err
	}
	defer s.TellClaim(plan.Net)
	if len(plan.Properties) == 0 {
		err := s.outcome()
		if err == nil && c.IsSet("lines") {
			return exit.UsageError("--lines: no formula has the number %s", c.String("lines"))
		}
		s.Say("no property to measure")
		return err
	}
	if onDiagrams, err := benchesSymbolically(plan.Approaches); onDiagrams || err != nil {
		if err == nil && c.IsSet("report") {
			err = exit.UsageError("--report: there is none for approaches on decision diagrams")
		}
		if err == nil {
			err = s.benchSymbolically(plan)
		}
		return err
	}
	return s.benchExplicitly(plan)
}

// benchPlan returns what the flags ask to measure.
func benchPlan(c *cli.Context, part *task) (*measuring, experiment.Plan, error) {
	s := &measuring{c: c, Messenger: progress.NewMessenger(c), task: part}
	defer s.TellRepeated() // warnings are about what is read
	plan, err := s.benchPlan()
	return s, plan, err
}

// benchPlan makes a plan as the function benchPlan does, without messages. It reads the net and
// the formulas, computes invariants, and divides the memory among the checks side by side.
// Two files of formulas must not have the same name without folder and ending, which is
// their name in the tables.
func (s *measuring) benchPlan() (experiment.Plan, error) {
	c := s.c
	plan := experiment.Plan{
		GraphFirst: c.Bool("graph-first"), Full: c.Bool("full"), Limit: c.Duration("timeout"), Parallel: c.Int("jobs"),
		Settings: product.Settings{Distrust: c.Bool("distrust"), Built: c.Bool("built")},
	}
	if !c.IsSet("jobs") && (handsOut(c) || s.task != nil) {
		plan.Parallel = 1 // the cores of this computer say nothing
	}
	for _, name := range strings.Split(c.String("approaches"), ",") {
		a, err := product.ParseApproach(strings.TrimSpace(name))
		if err != nil {
			return plan, exit.UsageError("--approaches: %w", err)
		}
		if slices.Contains(plan.Approaches, a) {
			return plan, exit.UsageError("--approaches: %v twice", a)
		}
		plan.Approaches = append(plan.Approaches, a)
	}
	var err error
	if plan.Budget, err = limits.Budget(c); err != nil {
		return plan, err
	}
	s.budget = plan.Budget
	if plan.Net, s.vocabulary, err = input.Net(c); err != nil {
		return plan, err
	}
	plan.Parallel, plan.Budget = shares(plan.Parallel, plan.Budget, sizeOfNet(plan.Net))
	plan.Model = input.NetName(c, plan.Net)
	reading := propertyInput{measuring: s}
	if reading.isChosen, err = chosenLines(c.String("lines")); err != nil {
		return plan, err
	}
	if chosen := reading.isChosen; s.task != nil {
		reading.isChosen = func(line int) bool { return chosen(line) && s.task.lines[line] }
	}
	if reading.net, err = hashOfNet(plan.Net); err != nil {
		return plan, err
	}
	end := s.During(plan.Model, "looking for invariants")
	plan.Facts = s.prove(plan)
	end()
	s.net = plan.Net
	if s.defined, err = input.Definitions(c, s.vocabulary); err != nil {
		return plan, err
	}
	for _, path := range c.StringSlice("formulas") {
		read := reading.formulas
		base := strings.TrimSuffix(path, ".gz") // compressed or not
		if strings.HasSuffix(base, ".hoa") || strings.HasSuffix(base, ".dot") {
			read = reading.automata
		}
		properties, err := read(path)
		if err != nil {
			return plan, err
		}
		set := strings.TrimSuffix(filepath.Base(base), filepath.Ext(base))
		if slices.ContainsFunc(plan.Properties, func(p experiment.Property) bool { return p.Set == set }) {
			return plan, exit.UsageError("--formulas: two files called %s, which tables could not tell apart", set)
		}
		for i := range properties {
			properties[i].Set = set
		}
		plan.Properties = append(plan.Properties, properties...)
	}
	return plan, nil
}

// HandOutMemory is what a process takes that hands out jobs to others.
const HandOutMemory = 24 << 20

// shares divides a budget: with several jobs each is a process with a budget of its own, and
// this one, which hands them out, keeps what a program and the net take. The number of jobs
// follows from the least memory that a process needs. For a large net that is more: the net
// arrives as a message, and is built from that.
func shares(jobs int, whole petri.Budget, net int64) (int, petri.Budget) {
	const arriving = 3 // times the net: the message, its parts, and the net
	if whole.MemoryBytes == 0 {
		return max(1, jobs), whole
	}
	room := whole.MemoryBytes - HandOutMemory - net
	jobs = int(max(1, min(int64(jobs), room/(limits.LeastMemory+arriving*net))))
	if jobs == 1 {
		return 1, whole
	}
	return jobs, petri.Budget{MemoryBytes: room / int64(jobs)}
}

// sizeOfNet returns about what a net takes in memory, in whole mebibytes.
func sizeOfNet(net *petri.Net) int64 {
	const (
		arc  = 24  // bytes: a row's, a column's, and what the garbage collector leaves
		node = 250 // its identifier, its entry in an index
	)
	return (arc*int64(net.Arcs()) + node*int64(net.Places()+net.Transitions())) &^ (1<<20 - 1)
}

// prove finds out what it can about the net in the time of a measurement.
func (s *measuring) prove(plan experiment.Plan) petri.Facts {
	ctx := s.c.Context
	if plan.Limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, plan.Limit)
		defer cancel()
	}
	return limits.Prove(ctx, plan.Net, plan.Budget)
}
