package measure

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/output"
	"pnmc/cmd/pnmc/internal/page"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/experiment"
)

// runTime bounds how long a run is looked for that a report shows, as --timeout does.
const runTime = 10 * time.Second

// runsPage returns the page with runs beside a report.
func runsPage(report string) string {
	return strings.TrimSuffix(report, ".html") + "-runs.html"
}

// tryReport finds out whether the files of a report can be written.
func tryReport(report string) error { return output.TryAll(report, runsPage(report)) }

// writeReport writes the report that --report names: the measurements, and beside it a page
// that plays a run for each violated property. The runs are looked for anew, by all
// engines: what is measured has no part in it.
func (s *measuring) writeReport(report string, plan experiment.Plan, records []experiment.Record) error {
	violated := make(map[experiment.Key]bool)
	for _, r := range records {
		if r.Verdict == "violated" && r.Model == plan.Model {
			violated[experiment.Key{Set: r.Set, Line: r.Line}] = true
		}
	}
	links := make(map[experiment.Key]string)
	if len(violated) > 0 {
		if err := s.writeRuns(report, plan, violated, links); err != nil {
			return err
		}
	}
	var tables, text bytes.Buffer
	if err := writeTables(&tables, plan.Approaches, records); err != nil {
		return err
	}
	err := experiment.WriteReport(&text, records, tables.String(), func(r experiment.Record) string {
		if r.Model != plan.Model {
			return ""
		}
		return links[experiment.Key{Set: r.Set, Line: r.Line}]
	})
	if err != nil {
		return err
	}
	return output.Write(report, text.Bytes())
}

// writeRuns writes the page with runs, and notes where each is.
func (s *measuring) writeRuns(report string, plan experiment.Plan, violated map[experiment.Key]bool, links map[experiment.Key]string) error {
	o, err := output.Create(runsPage(report))
	if err != nil {
		return err
	}
	output.NoteUnfinished(s.c.Context, o, false)
	problem := checker.Problem{Net: plan.Net}
	solver, err := checker.New(problem, checker.Options{MemoryBytes: s.budget.MemoryBytes})
	if err != nil {
		o.Discard()
		return err
	}
	defer solver.Close()
	runs, of := page.New(s.c, o), page.Subject{Net: s.net}
	for _, p := range plan.Properties {
		key := experiment.Key{Set: p.Set, Line: p.Line}
		if !violated[key] || s.c.Context.Err() != nil {
			continue
		}
		d := told.Decided{
			Name: fmt.Sprintf("%s %d: %s", p.Set, p.Line, p.Name), Kind: told.Automaton,
			Question: checker.Automaton{Property: p.Property}, Problem: &problem, Vocabulary: s.vocabulary,
		}
		begun := time.Now()
		limit := runTime
		if d := s.c.Duration("timeout"); d > 0 {
			limit = min(limit, d)
		}
		ctx, cancel := context.WithTimeout(s.c.Context, limit)
		err := solver.Decide(ctx, []checker.Question{d.Question}, func(a checker.Answer) { d.Answer = a })
		cancel()
		d.Spent = time.Since(begun)
		if err != nil {
			continue // it can't be put to the portfolio: there is no run to show
		}
		found := told.Of(d)
		if found.Verdict == told.Holds {
			s.bug = true
			s.Fail("%s: measured as violated, and holds: one is wrong", d.Name)
		}
		if found.Trace == nil {
			continue
		}
		if err := runs.Add(of, page.AnswerOf(s.c, d, found)); err != nil {
			o.Discard()
			return err
		}
		links[key] = "./" + url.PathEscape(filepath.Base(runsPage(report))) + "#" + url.PathEscape(d.Name)
	}
	if err := runs.Finish(of); err != nil {
		o.Discard()
		return err
	}
	return o.Keep()
}
