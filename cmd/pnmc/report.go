package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"time"

	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/process"
	"pnmc/petri"
)

// report is what is told of a check: the object that --format json prints.
type report struct {
	Name                string  `json:"name"`
	Verdict             string  `json:"verdict"`
	Reason              string  `json:"reason"`
	States              count   `json:"states"`
	Transitions         count   `json:"transitions"`
	ProductStates       count   `json:"product_states"`
	ProductTransitions  int64   `json:"product_transitions"`
	ExploredStates      int64   `json:"explored_states"`
	ExploredTransitions int64   `json:"explored_transitions"`
	LabelCacheHits      int64   `json:"label_cache_hits"`
	LabelCacheLastHits  int64   `json:"label_cache_last_hits"` // of the hits, those of the marking asked about last
	LabelCacheMisses    int64   `json:"label_cache_misses"`
	Seconds             float64 `json:"seconds"`
	PeakRSSBytes        int64   `json:"peak_rss_bytes"`
	Rounds              int     `json:"rounds,omitempty"`
	PeakNodes           int     `json:"peak_nodes,omitempty"`
	Trace               *trace  `json:"trace"`

	techniques string
}

// count is a number that may be too large for 64 bits; nil is zero.
type count struct{ *big.Int }

func whole(n int64) count { return count{big.NewInt(n)} }

// MarshalJSON is the number.
func (n count) MarshalJSON() ([]byte, error) {
	if n.Int == nil {
		return []byte("0"), nil
	}
	return n.Int.MarshalJSON()
}

// UnmarshalJSON reads the number again.
func (n *count) UnmarshalJSON(text []byte) error {
	n.Int = new(big.Int)
	return n.Int.UnmarshalJSON(text)
}

func (s *session) report(name string, result properties.Result, spent time.Duration) report {
	t := result.Statistics
	r := report{
		Name: name, Verdict: result.Verdict.String(), Reason: result.Reason,
		States: whole(t.States), Transitions: whole(t.Transitions),
		ProductStates: whole(t.ProductStates), ProductTransitions: t.ProductTransitions,
		ExploredStates: t.ExploredStates, ExploredTransitions: t.ExploredTransitions,
		LabelCacheHits: t.LabelHits, LabelCacheLastHits: t.LabelLastHits, LabelCacheMisses: t.LabelMisses,
		Seconds: spent.Seconds(), PeakRSSBytes: process.Peak(), techniques: explicitTechniques,
	}
	if result.Counterexample != nil {
		r.Trace = newTrace(s.label, result.Counterexample)
	}
	return r
}

// notUsable is the report on an automaton that can't be checked.
func (s *session) notUsable(name string, reason error) report {
	return report{Name: name, Verdict: properties.Unknown.String(), Reason: reason.Error(), PeakRSSBytes: process.Peak()}
}

// notBegun is the report on a property whose check an interruption forestalled, or the end
// of the whole time.
func (s *session) notBegun(name string, reason error) report {
	s.unknown = true
	s.tooLate(reason)
	return s.notUsable(name, reason)
}

// tooLate counts a property that is not begun as the whole time is over, and reports whether
// that is the reason: all of them are told together.
func (s *session) tooLate(reason error) bool {
	over := reason == s.late() && s.c.Context.Err() == nil
	if over {
		s.notBegunCount++
	}
	return over
}

// tellTooLate tells how many properties were not begun.
func (s *session) tellTooLate() {
	if s.notBegunCount > 0 {
		s.Say("%s not begun: %v", wording.Counted(s.notBegunCount, "property was", "properties were"), s.late())
	}
}

// print writes the report's line, and behind it the counterexample where --trace wants it.
func (s *session) print(r report) error {
	if r.Verdict != properties.Unknown.String() {
		s.decided++
	}
	err := s.printLine(r)
	if err == nil && s.trace != nil && s.trace.page == nil && r.Trace != nil {
		err = s.trace.add(r.Name, r.Trace)
	}
	return err
}

func (s *session) printLine(r report) (err error) {
	if s.c.String("format") == "json" {
		return encodeJSON(s.c.App.Writer, r)
	}
	switch r.Verdict {
	case properties.Holds.String():
		_, err = fmt.Fprintf(s.c.App.Writer, "FORMULA %s TRUE TECHNIQUES %s\n", r.Name, r.techniques)
	case properties.Violated.String():
		_, err = fmt.Fprintf(s.c.App.Writer, "FORMULA %s FALSE TECHNIQUES %s\n", r.Name, r.techniques)
	default:
		_, err = fmt.Fprintf(s.c.App.Writer, "FORMULA %s CANNOT_COMPUTE\n", r.Name)
	}
	return err
}

// trace is a run in terms of the document: after Prefix, Cycle repeats for ever, unless
// it is empty.
type trace struct {
	Prefix   []traceStep `json:"prefix"`
	Cycle    []traceStep `json:"cycle"`
	Dead     string      `json:"dead,omitempty"` // a transition that never fires again then
	Branches []branch    `json:"branches,omitempty"`
}

// branch is one of the runs that show a formula of CTL. It begins where the one numbered
// From is after At firings, or in the initial marking if there is no From.
type branch struct {
	From   *int        `json:"from,omitempty"`
	At     *int        `json:"at,omitempty"`
	Prefix []traceStep `json:"prefix"`
	Cycle  []traceStep `json:"cycle"`
}

// traceStep fires a transition, told by identifier and, if that is another, name,
// perhaps several times in a row; or stays in a deadlock.
type traceStep struct {
	Transition string            `json:"transition,omitempty"`
	Name       string            `json:"name,omitempty"`
	Binding    map[string]string `json:"binding,omitempty"` // colours by variable
	Times      int64             `json:"times,omitempty"`   // if not once
	Deadlock   bool              `json:"deadlock,omitempty"`
}

func newTrace(label func(petri.Transition) petri.Label, c *witness.Counterexample) *trace {
	steps := func(from []witness.Step) []traceStep {
		to := make([]traceStep, len(from))
		for i, s := range from {
			if s.Stutter {
				to[i].Deadlock = true
				continue
			}
			named := label(s.Transition)
			to[i].Transition = named.ID
			if named.Name != named.ID {
				to[i].Name = named.Name
			}
		}
		return to
	}
	return &trace{Prefix: steps(c.Prefix), Cycle: steps(c.Cycle)}
}

// encodeJSON writes v on a line, with formulas as they are: not escaped for a web
// page.
func encodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// tellInterrupted tells who interrupted what there is, and what is missing.
func (s *session) tellInterrupted() {
	missing := ""
	if !s.restUnread && s.decided == s.count {
		interrupt.NoteWayTold(s.c.Context) // nothing is missing
	}
	if s.restUnread {
		missing = "; the rest of the input was not read"
	} else if s.decided < s.count {
		missing = "; the others have a line without a verdict, and are to be checked again"
	}
	found := ""
	switch {
	case s.trace == nil || s.trace.File == nil:
	case s.decided == 0 && s.bad:
		found = fmt.Sprintf("; %s is not written", s.trace.Path)
	case s.decided == 0:
		found = fmt.Sprintf("; %s has no run", s.trace.Path)
	default:
		found = fmt.Sprintf("; %s has the runs found so far", s.trace.Path)
	}
	s.Say("interrupted: %d of %s decided%s%s", s.decided, wording.Counted(s.count, "property", "properties"), found, missing)
}
