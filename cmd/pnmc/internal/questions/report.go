package questions

import (
	"context"
	"fmt"
	"time"

	"pnmc/checker/properties"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/process"
)

// report returns what is told of the check of one property by a named approach, its run in terms
// of the document.
func (s *session) report(ctx context.Context, name string, result properties.Result, spent time.Duration) told.Report {
	t := result.Statistics
	r := told.Report{
		Name: name, Verdict: result.Verdict.String(), Reason: result.Reason,
		States: told.Whole(t.States), Transitions: told.Whole(t.Transitions),
		ProductStates: told.Whole(t.ProductStates), ProductTransitions: t.ProductTransitions,
		ExploredStates: t.ExploredStates, ExploredTransitions: t.ExploredTransitions,
		LabelCacheHits: t.LabelHits, LabelCacheLastHits: t.LabelLastHits, LabelCacheMisses: t.LabelMisses,
		Threads: t.Threads, Seconds: spent.Seconds(), PeakRSSBytes: process.Peak(), Techniques: told.ExplicitTechniques,
	}
	if result.Counterexample != nil {
		telling, end := s.telling(ctx)
		defer end()
		var err error
		if r.Trace, err = told.RunOf(telling, s.label, result.Counterexample); err != nil {
			r = *r.WithoutRun(err)
			r.NoRoom = err
		}
	}
	return r
}

// notUsable returns the report on an automaton that can't be checked.
func (s *session) notUsable(name string, reason error) told.Report {
	return told.Report{Name: name, Verdict: properties.Unknown.String(), Reason: reason.Error(), PeakRSSBytes: process.Peak()}
}

// notBegun returns the report on a property whose check an interruption forestalled, the end of the
// whole time, or a limit that its text met before. The last is told at once.
func (s *session) notBegun(name string, reason error) told.Report {
	s.unknown = true
	if !s.tooLate(reason) && reason != s.late() {
		s.Say("%s: unknown: %v", name, reason)
	}
	return s.notUsable(name, reason)
}

// tooLate counts a property that is not begun as the whole time is over, and reports whether
// that is the reason: all of them are printed together.
func (s *session) tooLate(reason error) bool {
	over := reason == s.late() && s.c.Context.Err() == nil
	if over {
		s.notBegunCount++
	}
	return over
}

// tellTooLate reports how many properties were not begun.
func (s *session) tellTooLate() {
	if s.notBegunCount > 0 {
		s.Say("%s not begun: %v", wording.Counted(s.notBegunCount, "property was", "properties were"), s.late())
	}
}

// print writes the report's line, and behind it the counterexample where --trace wants it, within
// what is left of the limits.
func (s *session) print(ctx context.Context, r told.Report) error {
	ctx, end := s.telling(ctx)
	defer end()
	if r.Verdict != properties.Unknown.String() {
		s.decided++
	}
	s.tellNoRoom(r.Name, r.NoRoom)
	err := s.printLine(ctx, &r)
	if err == nil && s.trace != nil && s.trace.page == nil && r.Trace != nil {
		err = s.trace.add(ctx, r.Name, r.Trace)
		if reason, leftOut := s.leftOut(r.Name, s.trace.where(), err); leftOut {
			r, err = *r.WithoutRun(reason), nil
		}
	}
	if err == nil && r.Verdict != properties.Unknown.String() && s.wordy() {
		s.Say("%s", r.InWords(s.c.String("trace")))
	}
	return err
}

// explainReport reports what a named approach decided, and when, where --explain asks for
// it.
func (s *session) explainReport(r *told.Report) {
	if !s.c.Bool("explain") {
		return
	}
	text := "not decided: " + r.Name + ": " + r.Reason
	if r.Verdict != properties.Unknown.String() {
		text = "decided by " + r.Techniques + ": " + r.InWords(s.c.String("trace"))
	}
	if r.Threads > 0 {
		text += fmt.Sprintf(" (%d threads)", r.Threads)
	}
	s.Explain("%8.3fs %s", time.Since(s.Start).Seconds(), text)
}

// printLine writes the line of a report, in the form that the contest has, or as an object of
// JSON.
func (s *session) printLine(ctx context.Context, r *told.Report) (err error) {
	if s.c.String("format") == "json" {
		err := limits.WholeText(ctx, s.c.App.Writer, r.WriteJSON)
		if reason, leftOut := s.leftOut(r.Name, onItsLine, err); leftOut {
			return r.WithoutRun(reason).WriteJSON(s.c.App.Writer)
		}
		return err
	}
	switch r.Verdict {
	case properties.Holds.String():
		_, err = fmt.Fprintf(s.c.App.Writer, "FORMULA %s TRUE TECHNIQUES %s\n", r.Name, r.Techniques)
	case properties.Violated.String():
		_, err = fmt.Fprintf(s.c.App.Writer, "FORMULA %s FALSE TECHNIQUES %s\n", r.Name, r.Techniques)
	default:
		_, err = fmt.Fprintf(s.c.App.Writer, "FORMULA %s CANNOT_COMPUTE\n", r.Name)
	}
	return err
}

// onItsLine is where an object of JSON has its run.
const onItsLine = "on standard output"

// printAnswer writes the answer's line.
func (s *session) printAnswer(ctx context.Context, r *told.Answer) error {
	if s.c.String("format") == "json" {
		err := limits.WholeText(ctx, s.c.App.Writer, r.WriteJSON)
		if reason, leftOut := s.leftOut(r.Name, onItsLine, err); leftOut {
			return r.WithoutRun(reason).WriteJSON(s.c.App.Writer)
		}
		return err
	}
	_, err := fmt.Fprint(s.c.App.Writer, r.Line())
	return err
}

// wordy reports whether verdicts are printed in words: where standard error is a terminal,
// somebody sits there. Standard output stays for programs.
func (s *session) wordy() bool { return s.Terminal && !s.Quiet }

// inWords returns an answer in words.
func (s *session) inWords(r *told.Answer) {
	if s.wordy() {
		s.Say("%s", r.InWords(s.c.String("trace")))
	}
}
