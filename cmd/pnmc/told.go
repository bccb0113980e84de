package main

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/checker"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/internal/process"
	"pnmc/petri"
)

// reportOf is what is told of a property.
func (s *session) reportOf(d decided) *told.Answer {
	r := &told.Answer{
		Name: d.name, Kind: d.kind, Verdict: told.Unknown, Techniques: strings.Fields(d.answer.By.String()),
		Seconds: d.spent.Seconds(),
	}
	if s.c.String("format") == "json" { // to find it out takes longer than to tell the rest
		r.PeakRSSBytes = process.Peak()
	}
	switch v := d.answer.Value; {
	case v.IsTrue() != d.opposite && (v.IsTrue() || v.IsFalse()):
		r.Verdict = told.Holds
	case v.IsTrue() || v.IsFalse():
		r.Verdict = told.Violated
	case v.IsInfinite():
		r.Verdict, r.Value = told.Value, "infinite"
	case v.IsKnown():
		n, _ := v.Number()
		r.Verdict, r.Value = told.Value, told.Count{Int: n}
	default:
		if d.answer.Reason != nil {
			r.Reason = d.answer.Reason.Error()
		}
		return r
	}
	w := &d.answer.Witness
	r.Ground = told.Grounds[w.Ground]
	switch w.Ground {
	case checker.AllMarkings, checker.TerminalStates:
		r.States = w.Count
	case checker.AllProductStates:
		r.ProductStates = w.Count
	}
	if w.Unshown != nil {
		r.Reason = "no run is shown: " + w.Unshown.Error()
	}
	if (w.HasRun() || w.Ground == checker.InitialMarking) && r.IsShown(d.opposite) {
		r.Trace = tellWitness(w, d)
	}
	return r
}

// tellWitness tells a witness in terms of the document.
func tellWitness(w *checker.Witness, d decided) *told.Run {
	t := &told.Run{Prefix: []told.Step{}, Cycle: []told.Step{}}
	if !w.HasRun() {
		if (d.kind == told.LTL || d.kind == told.Automaton) && d.model.startsDead() {
			t.Cycle = append(t.Cycle, told.Step{Deadlock: true})
		}
		return t
	}
	if w.Coloured {
		coloured := d.model.problem.Coloured
		t.Prefix, t.Cycle = told.Firings(coloured, w.Bindings), told.Firings(coloured, w.BindingsCycle)
	} else {
		t.Prefix, t.Cycle = told.Bursts(w.Net, w.Run), told.Bursts(w.Net, w.Cycle)
	}
	if w.Ends || d.kind == told.Deadlock {
		stays := told.Step{Deadlock: true}
		if d.kind == told.LTL || d.kind == told.Automaton {
			t.Cycle = append(t.Cycle, stays)
		} else {
			t.Prefix = append(t.Prefix, stays)
		}
	}
	if w.Ground == checker.DeadTransition {
		t.Dead = d.transition(w.Dead)
	}
	for _, b := range w.Branches {
		told := told.Branch{Prefix: told.Transitions(w.Net, b.Prefix), Cycle: told.Transitions(w.Net, b.Cycle)}
		if from := slices.Index(w.Branches, b.From); b.From != nil && from >= 0 {
			told.From, told.At = &from, &b.At
		}
		t.Branches = append(t.Branches, told)
	}
	return t
}

// transition is the identifier of a transition of the problem, by its number.
func (d decided) transition(number int) string {
	if c := d.model.problem.Coloured; c != nil {
		return c.Transitions[number].ID
	}
	return d.model.problem.Net.TransitionLabel(petri.Transition(number)).ID
}

// printAnswer writes the answer's line.
func (s *session) printAnswer(r *told.Answer) error {
	if s.c.String("format") == "json" {
		return told.WriteJSON(s.c.App.Writer, r)
	}
	_, err := fmt.Fprint(s.c.App.Writer, r.Line())
	return err
}
