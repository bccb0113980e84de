package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker"
	"pnmc/experiment"
	"pnmc/hoa"
	"pnmc/logic"
	"pnmc/petri/invariant"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure how kinds of automata compare on the same properties",
		Description: "Checks each formula by each approach, and writes a line of comma-separated values for\n" +
			"each as soon as it is done; a file that has lines already is gone on with. Then prints\n" +
			"averages and maxima, verified and violated properties apart, and draws, if --plots names\n" +
			"a directory, what the emptiness checks explored and what whole products have, the last\n" +
			"approach against each other one. Formulas are negated, automata in HOA are of negations.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "pnml", Aliases: []string{"model"}, Usage: "read the net from `FILE`", TakesFile: true},
			&cli.StringFlag{Name: "net", Usage: "of several nets in the file, choose the one with this `ID`"},
			&cli.StringSliceFlag{Name: "formulas", Usage: "take the formulas, one a line, or if it ends in .hoa automata, in `FILE`; may be repeated", TakesFile: true},
			&cli.StringFlag{Name: "ltl-syntax", Value: "spot", Usage: "read formulas in this `SYNTAX`: spot, spin or lbt"},
			&cli.StringFlag{Name: "ap", Usage: "read from `FILE` what names of propositions mean", TakesFile: true},
			&cli.StringFlag{Name: "approaches", Value: "ba,tgba,ta,tgta", Usage: "compare these `KINDS` of automata"},
			distrustFlag(),
			&cli.BoolFlag{Name: "built", Usage: "make testing automata as a whole and reduce them, not on the fly"},
			&cli.StringFlag{Name: "lines", Usage: "of each file, take the formulas with these `NUMBERS` only, such as 1,4,10-20"},
			&cli.BoolFlag{Name: "graph-first", Usage: "explore the whole state graph before the first check, so that times are those of the products alone"},
			&cli.BoolFlag{Name: "full", Usage: "also count the whole product of violated properties"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write measurements to `FILE`, or go on with those it has", TakesFile: true},
			&cli.StringFlag{Name: "plots", Usage: "draw scatter plots, as SVG, into `DIRECTORY`", TakesFile: true},
			&cli.IntFlag{Name: "jobs", Usage: "run this `NUMBER` of checks side by side", Value: runtime.NumCPU(), DefaultText: "one a core"},
		}, append(append(append(symbolicBenchFlags(), translatorFlags()...), budgetFlags()...), messageFlags()...)...),
		Action: benchAction,
	}
}

func benchAction(c *cli.Context) error {
	if c.Args().Present() {
		return usageError("unexpected argument %q", c.Args().First())
	}
	if len(c.StringSlice("formulas")) == 0 {
		return usageError("--formulas is missing: which properties?")
	}
	plan, err := benchPlan(c)
	if err != nil {
		return err
	}
	if onDiagrams, err := benchesSymbolically(plan.Approaches); onDiagrams || err != nil {
		if err == nil {
			err = benchSymbolically(c, plan)
		}
		return err
	}
	records, log, closeLog, err := benchLog(c, &plan)
	if err != nil {
		return err
	}
	err = experiment.Run(c.Context, plan, func(r experiment.Record) error {
		records = append(records, r)
		return log.Add(r)
	})
	if err := errors.Join(err, closeLog()); err != nil && c.Context.Err() == nil {
		return err
	}
	if err := writeTables(c.App.Writer, plan.Approaches, records); err != nil {
		return err
	}
	if directory := c.String("plots"); directory != "" {
		err = drawPlots(directory, plan.Approaches, records)
	}
	if c.Context.Err() != nil {
		return &failure{exitUnknown, err}
	}
	return err
}

// benchPlan is what the flags ask to measure.
func benchPlan(c *cli.Context) (experiment.Plan, error) {
	plan := experiment.Plan{
		GraphFirst: c.Bool("graph-first"), Full: c.Bool("full"), Limit: c.Duration("timeout"), Parallel: c.Int("jobs"),
		Settings: checker.Settings{Distrust: c.Bool("distrust"), Built: c.Bool("built")},
	}
	for _, name := range strings.Split(c.String("approaches"), ",") {
		a, err := checker.ParseApproach(strings.TrimSpace(name))
		if err != nil {
			return plan, usageError("--approaches: %w", err)
		}
		plan.Approaches = append(plan.Approaches, a)
	}
	s := &session{c: c, messenger: newMessenger(c)}
	var err error
	if plan.Budget, err = memoryBudget(c); err != nil {
		return plan, err
	}
	plan.Budget.MemoryBytes /= int64(max(1, plan.Parallel))
	if plan.Net, s.vocabulary, err = readNet(c); err != nil {
		return plan, err
	}
	if plan.Model = plan.Net.Name; plan.Model == "" {
		plan.Model = strings.TrimSuffix(filepath.Base(c.String("pnml")), ".pnml")
	}
	plan.Facts = invariant.Prove(c.Context, plan.Net, 0)
	s.net = plan.Net
	if s.defined, err = readDefinitions(c, s.vocabulary); err != nil {
		return plan, err
	}
	for _, path := range c.StringSlice("formulas") {
		read := s.benchFormulas
		if strings.HasSuffix(path, ".hoa") {
			read = s.benchAutomata
		}
		properties, err := read(path)
		if err != nil {
			return plan, err
		}
		set := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if slices.ContainsFunc(plan.Properties, func(p experiment.Property) bool { return p.Set == set }) {
			return plan, usageError("--formulas: two files called %s, which tables could not tell apart", set)
		}
		for i := range properties {
			properties[i].Set = set
		}
		plan.Properties = append(plan.Properties, properties...)
	}
	plan.Properties, err = chosenLines(plan.Properties, c.String("lines"))
	return plan, err
}

// chosenLines are the properties with the numbers that a text such as 1,4,10-20
// has, all if it is empty.
func chosenLines(properties []experiment.Property, text string) ([]experiment.Property, error) {
	if text == "" {
		return properties, nil
	}
	type span struct{ first, last int }
	var spans []span
	for _, part := range strings.Split(text, ",") {
		first, last, isSpan := strings.Cut(strings.TrimSpace(part), "-")
		if !isSpan {
			last = first
		}
		from, errFrom := strconv.Atoi(first)
		to, errTo := strconv.Atoi(last)
		if errFrom != nil || errTo != nil || from < 1 || to < from {
			return nil, usageError("--lines: expected numbers from 1 on and spans of them, such as 1,4,10-20, found %q", part)
		}
		spans = append(spans, span{from, to})
	}
	return slices.DeleteFunc(properties, func(p experiment.Property) bool {
		return !slices.ContainsFunc(spans, func(s span) bool { return s.first <= p.Line && p.Line <= s.last })
	}), nil
}

// benchAutomata reads properties as automata. What can't be used is said, and
// left out.
func (s *session) benchAutomata(path string) (list []experiment.Property, err error) {
	err = withInput(s.c, path, func(r io.Reader, file string) error {
		reader := hoa.NewReader(r, file)
		for line := 1; ; line++ {
			a, err := reader.Read()
			switch {
			case err == io.EOF:
				return nil
			case err != nil && skippable(err):
				s.say("%v", err)
				continue
			case err != nil:
				return err
			}
			p, err := checker.Bind(a, s.vocabulary, s.defined)
			if err != nil {
				s.say("%s:%d: %v", file, line, err)
				continue
			}
			list = append(list, experiment.Property{Name: oneLine(a.Name), Line: line, Property: p})
		}
	})
	return list, err
}

// benchFormulas reads properties as formulas, and translates their negations.
func (s *session) benchFormulas(path string) (list []experiment.Property, err error) {
	syntax, err := formulaSyntax(s.c)
	if err != nil {
		return nil, err
	}
	parser := logic.FormulaParser{Formulas: logic.NewFormulas(), Syntax: syntax, Check: s.propositionCheck}
	t, err := s.newTranslator(parser.Formulas)
	if err != nil {
		return nil, err
	}
	err = withInput(s.c, path, func(r io.Reader, file string) error {
		formulas, err := readFormulas(r, file, parser)
		if err != nil {
			return err
		}
		for _, f := range formulas {
			if f.err != nil {
				s.say("%v", f.err)
				continue
			}
			a, err := t.negation(s.c.Context, f.formula, f.name)
			if err == nil {
				var p checker.Property
				if p, err = checker.Bind(a, s.vocabulary, s.defined); err == nil {
					list = append(list, experiment.Property{Name: f.name, Line: f.line, Property: p})
				}
			}
			if err != nil {
				s.say("%s:%d: %v", file, f.line, err)
			}
		}
		return nil
	})
	return list, err
}

// benchLog opens the file of measurements, and notes in the plan what it has.
func benchLog(c *cli.Context, plan *experiment.Plan) ([]experiment.Record, *experiment.Log, func() error, error) {
	path := c.String("output")
	if path == "" {
		log, err := experiment.NewLog(io.Discard, true)
		return nil, log, func() error { return nil }, err
	}
	var records []experiment.Record
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, nil, err
	}
	if records, err = experiment.ReadLog(file, path); err != nil {
		file.Close()
		return nil, nil, nil, inputError(err)
	}
	plan.Done = map[experiment.Key]bool{}
	for _, r := range records {
		plan.Done[r.Key()] = true
	}
	// Written anew, so that a line that was cut off is gone.
	if _, err = file.Seek(0, io.SeekStart); err == nil {
		err = file.Truncate(0)
	}
	var log *experiment.Log
	if err == nil {
		log, err = experiment.NewLog(file, true)
	}
	for i := 0; i < len(records) && err == nil; i++ {
		err = log.Add(records[i])
	}
	return records, log, file.Close, err
}

// writeTables prints all that the records tell, the last approach compared with
// the others.
func writeTables(w io.Writer, approaches []checker.Approach, records []experiment.Record) error {
	if err := experiment.WriteTables(w, records); err != nil {
		return err
	}
	if err := experiment.WriteComparison(w, records, approaches[len(approaches)-1].String()); err != nil {
		return err
	}
	return experiment.WriteBest(w, records)
}

// drawPlots draws the last approach against each other one.
func drawPlots(directory string, approaches []checker.Approach, records []experiment.Record) error {
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	last := approaches[len(approaches)-1].String()
	for _, figure := range []struct {
		name, text string
		of         func(experiment.Record) int64
	}{
		{"explored", "transitions explored", func(r experiment.Record) int64 { return r.ExploredTransitions }},
		{"product", "states of the product", func(r experiment.Record) int64 { return r.FullStates }},
	} {
		for _, other := range approaches[:len(approaches)-1] {
			path := filepath.Join(directory, fmt.Sprintf("%s-%s-%s.svg", figure.name, last, other))
			file, err := os.Create(path)
			if err != nil {
				return err
			}
			err = experiment.Scatter(file, records, other.String(), last, figure.text, figure.of)
			if err := errors.Join(err, file.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}
