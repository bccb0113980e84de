package measure

import (
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v2"

	"pnmc/checker/diagram"
	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/experiment"
	"pnmc/symbolic"
)

// slowSeconds is from when on a check counts in the table of times.
const slowSeconds = 0.1

// DiagramFlags returns the flags that say in which further ways approaches on decision
// diagrams are compared.
func DiagramFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "saturation", Value: "both", Usage: "compare approaches on decision diagrams with saturation on, off or `both`"},
		&cli.StringFlag{Name: "state-variable", Value: symbolic.DefaultStateVariable.String(), Usage: "for sym-tgba and sym-tgta, `PLACE` the automaton's state, as for checks"},
		approach.EncodingFlag(),
	}
}

// benchesSymbolically reports whether the approaches are those on decision diagrams.
func benchesSymbolically(approaches []product.Approach) (bool, error) {
	isSymbolic := product.Approach.Symbolic
	switch {
	case !slices.ContainsFunc(approaches, isSymbolic):
		return false, nil
	case slices.ContainsFunc(approaches, func(a product.Approach) bool { return !isSymbolic(a) }):
		return false, exit.UsageError("--approaches: sym-tgba, sym-tgta and sym-slap are compared with each other only")
	}
	return true, nil
}

// benchSymbolically measures products on decision diagrams.
//
// The reachable states are computed once, and all checks share them, so that times are those of
// the products. With saturation and without are two settings of each approach, and each table
// compares two approaches of the same setting. A command that only hands tasks out explores
// nothing; each task does on its own node.
func (s *measuring) benchSymbolically(plan experiment.Plan) error {
	c := s.c
	settings, err := symbolicBenchSettings(c, plan)
	if err != nil {
		return err
	}
	encoding, err := approach.EncodingOf(c)
	if err != nil {
		return err
	}
	plots, directory := matrices(settings), c.String("plots")
	if directory != "" {
		if len(settings) < 2 {
			return exit.UsageError("--plots: %s is compared with nothing", settings[0].Name)
		}
		if err := tryPlots(directory, plots); err != nil {
			return err
		}
	}
	p := experiment.SymbolicPlan{
		Model: plan.Model, Encoding: encoding, Properties: plan.Properties, Settings: settings, Limit: plan.Limit, Clock: processorTime,
	}
	resume := func(records []experiment.SymbolicRecord) (experiment.Resumption, error) {
		return p.Resume(records, c.Bool("retry"))
	}
	longest := 2*plan.Limit.Seconds() + aside // the reachable states come first
	begin := func() (*measurements[experiment.SymbolicRecord], error) {
		return goOn(s, p.Keys(), resume)
	}
	var m *measurements[experiment.SymbolicRecord]
	var measured error
	if handsOut(c) && s.task == nil {
		if m, err = begin(); err != nil {
			return err
		}
		if report, err := handOut(m, p.Keys(), plan, longest, func(r experiment.SymbolicRecord) float64 { return r.Seconds }); !report {
			return err
		}
	} else {
		if err := refuseBesideTasks(s, c.String("output")); err != nil {
			return err
		}
		if p.Space, err = s.explore(plan, encoding); err != nil {
			return err
		}
		if m, err = begin(); err != nil {
			return err
		}
		p.Done, p.Begin = m.done, m.begin
		if s.task != nil {
			p.MayBegin = func() bool { return s.task.mayBegin(longest) }
		}
		measured = p.Run(c.Context, func(r experiment.SymbolicRecord) error { return m.add(r, r.Key()) })
	}
	failed := m.end(measured)
	if s.task != nil {
		return failed
	}
	tables := func() error { return writeSymbolicTables(c.App.Writer, settings, m.records) }
	if err := m.show(c.App.Writer, tables, directory, plots); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	s.unknown = s.unknown || !slices.ContainsFunc(m.records, func(r experiment.SymbolicRecord) bool { return r.Reason == "" })
	return s.outcome()
}

// explore finds the reachable states, which all checks share.
func (s *measuring) explore(plan experiment.Plan, encoding symbolic.Encoding) (*symbolic.StateSpace, error) {
	ctx, cancel := limits.WithTimeout(s.c)
	defer cancel()
	end := s.During(plan.Model, "decision diagrams")
	space, err := symbolic.Explore(ctx, plan.Net, symbolic.Options{Memory: plan.Budget.MemoryBytes / 4, Process: s.budget, Encoding: encoding})
	end()
	if err != nil {
		return nil, exit.With(exit.Unknown, fmt.Errorf("the reachable states, which all checks share, are not known: %w", err))
	}
	return space, nil
}

// writeSymbolicTables compares each approach with those before it, with saturation
// and without.
func writeSymbolicTables(w io.Writer, settings []experiment.NamedSettings, records []experiment.SymbolicRecord) error {
	for j, y := range settings {
		for _, x := range settings[:j] {
			if x.NoSaturation != y.NoSaturation {
				continue
			}
			if err := experiment.WriteSymbolicTables(w, records, x.Name, y.Name, slowSeconds); err != nil {
				return err
			}
		}
	}
	return nil
}

// symbolicBenchSettings returns the approaches with saturation, then those without.
func symbolicBenchSettings(c *cli.Context, plan experiment.Plan) ([]experiment.NamedSettings, error) {
	place, err := symbolic.ParseStateVariable(c.String("state-variable"))
	if err != nil {
		return nil, exit.UsageError("--state-variable: %w", err)
	}
	without := []bool{false, true}
	switch c.String("saturation") {
	case "on":
		without = without[:1]
	case "off":
		without = without[1:]
	case "both":
	default:
		return nil, exit.UsageError("--saturation: expected on, off or both, found %q", c.String("saturation"))
	}
	var list []experiment.NamedSettings
	for _, off := range without {
		for _, a := range plan.Approaches {
			name := a.String() + " (sat)"
			if off {
				name = a.String() + " (nosat)"
			}
			list = append(list, experiment.NamedSettings{Name: name, Settings: diagram.Settings{
				Approach: a, NoSaturation: off, StateVariable: place, Distrust: plan.Settings.Distrust, Built: plan.Settings.Built,
				Memory: plan.Budget.MemoryBytes / 2,
			}})
		}
	}
	return list, nil
}
