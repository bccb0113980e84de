package measure

import (
	"io"
	"slices"
	"strings"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/experiment"
)

// aside are seconds that a measurement may take beyond its limit.
const aside = 5

// benchExplicitly measures searches of state spaces, state by state.
//
// What can fail for reasons that are known before, such as a folder for plots that cannot be
// written to, is tried first: measurements may take days. With several checks side by side each
// measurement is made by a process of its own. What is measured is in the file at once; tables,
// plots and the report are made from all records of the file in the end, also after an
// interruption. Two approaches that contradict each other are an internal error: one of them is
// wrong.
func (s *measuring) benchExplicitly(plan experiment.Plan) error {
	c := s.c
	plots := explicitPlots(plan.Approaches)
	directory := c.String("plots")
	if directory != "" {
		if err := tryPlots(directory, plots); err != nil {
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
	m, err := goOn(s, plan.Keys(), resume)
	if err != nil {
		return err
	}
	plan.Done, plan.Begin = m.done, m.begin
	if plan.Parallel > 1 {
		complaints := output.SharedWriter(c.App.ErrWriter)
		plan.Measurer = func() experiment.Measurer { return &measuringProcess{complaints: complaints, plan: &plan} }
	}
	longest := plan.Limit.Seconds() + aside
	var measured error
	if handsOut(c) && s.task == nil {
		if report, err := handOut(m, plan.Keys(), plan, longest, func(r experiment.Record) float64 { return r.Seconds }); !report {
			return err
		}
	} else {
		if s.task != nil {
			plan.MayBegin = func() bool { return s.task.mayBegin(longest) }
		}
		measured = plan.Run(c.Context, func(r experiment.Record) error {
			s.bug = s.bug || strings.HasPrefix(r.Reason, experiment.Crashed)
			return m.add(r, r.Key())
		})

	}
	failed := m.end(measured)
	if s.task != nil {
		return failed
	}
	tables := func() error { return writeTables(c.App.Writer, plan.Approaches, m.records) }
	if err := m.show(c.App.Writer, tables, directory, plots); err != nil {
		return err
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

// writeTables prints all that the records tell, the last approach compared with
// the others.
func writeTables(w io.Writer, approaches []product.Approach, records []experiment.Record) error {
	if err := experiment.WriteTables(w, records); err != nil {
		return err
	}
	return experiment.WriteComparison(w, records, approaches[len(approaches)-1].String())
}
