package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/experiment"
	"pnmc/petri"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:        "bench",
		Usage:       "measure how kinds of automata compare on the same properties",
		Description: benchDescription,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "pnml", Aliases: []string{"model"}, Usage: "read the net from `FILE`", TakesFile: true},
			&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
			&cli.StringSliceFlag{Name: "formulas", Usage: "take the formulas, one a line, or if it ends in .hoa or .dot automata, in `FILE`; may be repeated", TakesFile: true},
			&cli.StringFlag{Name: "ltl-syntax", Value: "spot", Usage: "read formulas in this `SYNTAX`: spot, spin or lbt"},
			&cli.StringFlag{Name: "ap", Usage: "read from `FILE` what names of propositions mean", TakesFile: true},
			&cli.StringFlag{Name: "approaches", Value: "ba,tgba,ta,tgta", Usage: "compare these `KINDS` of automata"},
			approach.DistrustFlag(),
			&cli.BoolFlag{Name: "built", Usage: "make testing automata as a whole and reduce them, not on the fly, so that their whole sizes are measured"},
			&cli.StringFlag{Name: "lines", Usage: "of each file, take the formulas with these `NUMBERS` only, such as 1,4,10-20"},
			&cli.BoolFlag{Name: "graph-first", Usage: "explore the whole state graph before the first check, so that times are those of the products alone"},
			&cli.BoolFlag{Name: "full", Value: true, Usage: "also explore the whole product of violated properties, which may take much longer than to find them violated; --full=false does not"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write measurements to `FILE`, or go on with those it has", TakesFile: true},
			&cli.BoolFlag{Name: "retry", Usage: "measure again what ended without a verdict, whatever the limits were"},
			&cli.StringFlag{Name: "plots", Usage: "draw scatter plots into `DIRECTORY`", TakesFile: true},
			&cli.StringFlag{Name: "report", Usage: "write the measurements as a page that sorts and filters, and beside it one that plays runs of violated properties, to `FILE.html`", TakesFile: true},
			&cli.IntFlag{Name: "jobs", Usage: "run this `NUMBER` of checks side by side, each in a process of its own with a share of the memory", Value: runtime.NumCPU(), DefaultText: "one a core"},
		}, append(append(append(symbolicBenchFlags(), input.TranslatorFlags()...), limits.Flags(" (each check has it anew)")...), progress.Flags()...)...),
		Action: benchAction,
	}
}

const benchDescription = `Checks each formula by each approach, and prints averages and maxima of states and
transitions of automata, whole products and emptiness checks, verified and violated
properties apart. A table has the properties that all approaches decided; those to which
some do not apply, as TA do to properties that are not stutter-invariant, have a table of
the others; who is left out, and why, is below each. Automata of ta and tgta are made on
the fly unless --built is given: their sizes are then those of the parts that checks met.
If --plots names a directory, what emptiness checks explored and what whole products have
is drawn, the last approach against each other one. Formulas are negated, automata in HOA
are of negations.

Each measurement is written to the file that --output names as soon as it is made: a line
of comma-separated values. Lines that are there are kept, and what they have is not
measured again, but where a limit of time or memory ended it that is larger now, or where
it lacks the whole product that is asked for now; then the last line with a verdict counts.
Lines for another net, another formula of the same number, or testing automata made
otherwise (--built, --distrust) are refused: they need another file. A last line that an
interruption cut off is cut away. The columns settings, time_limit (seconds), memory_limit
(bytes a job; 0 is none) and input (a fingerprint of net and property) tell what a
measurement was made for; files of earlier versions lack them, and are taken as they are.

Without --output, measurements are written to a new file in the folder for temporary files,
which is told. --report writes a page with the table, each violated property leading to a
run that violates it, which all engines look for anew, for ten seconds at most.

If bench is interrupted, it says how many are missing, and the tables say that
they are partial: the same command with the same file goes on. A second bench that would
write to the same file at the same time is refused. Files and plots that can't be
written are told before anything is measured.

With more than one of --jobs each measures in a process of its own, so that neither the time
nor the memory of a check depends on its neighbours: of the memory 24 MB are for the process
that hands out measurements, the rest is divided between the others. As many run as can have
40 MB. A process that ends without its measurement leaves it without a verdict, and why.

Approaches on decision diagrams share the reachable states: they are explored once, before
the first check, within the time that a check has.

Formulas that are wrong are told and left out; the exit code is then 4.`

func benchAction(c *cli.Context) error {
	if c.Args().Present() {
		return usage.UnexpectedArgument(c.Args().First())
	}
	if len(c.StringSlice("formulas")) == 0 {
		return exit.UsageError("--formulas is missing: which properties?")
	}
	if c.Int("jobs") < 1 {
		return exit.UsageError("--jobs: expected a number from 1 on, found %d", c.Int("jobs"))
	}
	s, plan, err := benchPlan(c)
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
	plots := explicitPlots(plan.Approaches)
	directory := c.String("plots")
	if directory != "" {
		if err := tryPlots(directory, slices.Sorted(maps.Keys(plots))); err != nil {
			return err
		}
	}
	if report := c.String("report"); report != "" {
		if err := tryReport(report); err != nil {
			return err
		}
	}
	resume := func(records []experiment.Record) (experiment.Resumption, error) {
		return plan.Resume(records, c.Bool("retry"))
	}
	m, err := goOn(s, plan.Planned(), experiment.ReadRecords, experiment.WriteRecords, resume)
	if err != nil {
		return err
	}
	plan.Done, plan.Begin = m.done, m.begin
	if plan.Parallel > 1 {
		complaints := output.SharedWriter(c.App.ErrWriter)
		plan.Measurer = func() experiment.Measurer { return &measuringProcess{complaints: complaints, plan: &plan} }
	}
	failed := m.end(experiment.Run(c.Context, plan, func(r experiment.Record) error {
		s.bug = s.bug || strings.HasPrefix(r.Reason, experiment.Crashed)
		return m.add(r, r.Key())
	}))
	if err := m.tellPartial(c.App.Writer); err != nil {
		return err
	}
	if err := writeTables(c.App.Writer, plan.Approaches, m.records); err != nil {
		return err
	}
	if directory != "" {
		if err := drawPlots(directory, plots, m.records); err != nil {
			return exit.InputError(err)
		}
	}
	if report := c.String("report"); report != "" {
		if err := s.writeReport(report, plan, m.records); err != nil {
			return err
		}
	}
	for _, pair := range experiment.Contradictions(m.records) {
		s.bug = true
		s.Fail("line %d of %s for %s: %s by %s, %s by %s: one is wrong", pair[0].Line, pair[0].Set, pair[0].Model,
			pair[0].Verdict, pair[0].Approach, pair[1].Verdict, pair[1].Approach)
	}
	if failed != nil {
		return failed
	}
	s.unknown = s.unknown || !slices.ContainsFunc(m.records, func(r experiment.Record) bool { return r.Reason == "" })
	return s.outcome()
}

// benchPlan is what the flags ask to measure.
func benchPlan(c *cli.Context) (*session, experiment.Plan, error) {
	s := &session{c: c, Messenger: progress.NewMessenger(c)}
	defer s.TellRepeated() // warnings are about what is read
	plan, err := s.benchPlan()
	return s, plan, err
}

func (s *session) benchPlan() (experiment.Plan, error) {
	c := s.c
	plan := experiment.Plan{
		GraphFirst: c.Bool("graph-first"), Full: c.Bool("full"), Limit: c.Duration("timeout"), Parallel: c.Int("jobs"),
		Settings: product.Settings{Distrust: c.Bool("distrust"), Built: c.Bool("built")},
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
	plan.Parallel, plan.Budget = benchShares(plan.Parallel, plan.Budget)
	if plan.Net, s.vocabulary, err = input.Net(c); err != nil {
		return plan, err
	}
	plan.Model = input.NetName(c, plan.Net)
	reading := benchInput{session: s}
	if reading.isChosen, err = chosenLines(c.String("lines")); err != nil {
		return plan, err
	}
	if reading.net, err = hashOfNet(plan.Net); err != nil {
		return plan, err
	}
	end := s.During(plan.Model, "looking for invariants")
	plan.Facts = limits.Prove(c.Context, plan.Net, plan.Budget)
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

// handOutMemory is what a process takes that hands out jobs to others.
const handOutMemory = 24 << 20

// benchShares divides a budget: with several jobs each is a process with a budget of its
// own, and this one, which hands them out, keeps what a program takes. As many jobs run as
// the least that a process needs allows.
func benchShares(jobs int, whole petri.Budget) (int, petri.Budget) {
	if whole.MemoryBytes == 0 {
		return max(1, jobs), whole
	}
	jobs = int(max(1, min(int64(jobs), (whole.MemoryBytes-handOutMemory)/limits.LeastMemory)))
	if jobs == 1 {
		return 1, whole
	}
	return jobs, petri.Budget{MemoryBytes: (whole.MemoryBytes - handOutMemory) / int64(jobs)}
}

// writeTables prints all that the records tell, the last approach compared with
// the others.
func writeTables(w io.Writer, approaches []product.Approach, records []experiment.Record) error {
	if err := experiment.WriteTables(w, records); err != nil {
		return err
	}
	if err := experiment.WriteComparison(w, records, approaches[len(approaches)-1].String()); err != nil {
		return err
	}
	return experiment.WriteBest(w, records)
}

// A drawing draws records.
type drawing func(w io.Writer, records []experiment.Record) error

// explicitPlots are the plots of the last approach against each other one, by the names of
// their files.
func explicitPlots(approaches []product.Approach) map[string]drawing {
	plots := map[string]drawing{}
	last := approaches[len(approaches)-1].String()
	for _, figure := range []struct {
		name, text string
		of         func(experiment.Record) int64
	}{
		{"explored", "transitions explored", func(r experiment.Record) int64 { return r.ExploredTransitions }},
		{"product", "states of the product", func(r experiment.Record) int64 { return r.FullStates }},
	} {
		for _, other := range approaches[:len(approaches)-1] {
			plots[fmt.Sprintf("%s-%s-%s.svg", figure.name, last, other)] = func(w io.Writer, records []experiment.Record) error {
				return experiment.Scatter(w, records, other.String(), last, figure.text, figure.of)
			}
		}
	}
	return plots
}

// drawPlots makes each plot appear whole or not at all.
func drawPlots(directory string, plots map[string]drawing, records []experiment.Record) error {
	for _, name := range slices.Sorted(maps.Keys(plots)) {
		var text bytes.Buffer
		if err := plots[name](&text, records); err != nil {
			return err
		}
		if err := output.Write(filepath.Join(directory, name), text.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
