package told

import (
	"context"
	"slices"
	"strings"
	"time"

	"pnmc/checker"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric/replay"
)

// Decided is a question with its answer, as it was found.
type Decided struct {
	Name     string
	Kind     Kind
	Question checker.Question
	Opposite bool  // the property holds if the answer is no
	Err      error // why the question can't be used, or nil

	Problem    *checker.Problem // that the question is about, or nil where it can't be used
	Vocabulary logic.Vocabulary // by which it speaks of Problem

	Answer checker.Answer
	Spent  time.Duration

	Context context.Context // carries the limits within which a run is told; nil: none
}

// Of returns what is printed about a question. The memory that it took is not known
// here.
//
// Engines answer a question, and the document has asked a property; three things lie between
// them. A question may be the opposite of the property: some run satisfies f is asked as all runs
// satisfy !f, so that the truth is turned round. A number is a value, not a verdict. A run is
// given only if it shows the verdict. For a property that holds because some run satisfies it,
// that is this run. For one that is violated, it is the run that violates it.
func Of(d Decided) *Answer {
	r := &Answer{
		Name: d.Name, Kind: d.Kind, Verdict: Unknown, Techniques: strings.Fields(d.Answer.By.String()),
		Seconds: d.Spent.Seconds(),
	}
	switch v := d.Answer.Value; {
	case v.IsTrue() != d.Opposite && (v.IsTrue() || v.IsFalse()):
		r.Verdict = Holds
	case v.IsTrue() || v.IsFalse():
		r.Verdict = Violated
	case v.IsInfinite():
		r.Verdict, r.Value = Value, "infinite"
	case v.IsKnown():
		n, _ := v.Number()
		r.Verdict, r.Value = Value, Count{Int: n}
	default:
		if d.Answer.Reason != nil {
			r.Reason = d.Answer.Reason.Error()
		}
		return r
	}
	w := &d.Answer.Witness
	r.Ground = grounds.Get()[w.Ground]
	switch w.Ground {
	case checker.ReachedMarking:
		if d.Kind == QuasiLive || d.Kind == Stable || d.Kind == Live && d.Answer.Value.IsTrue() {
			r.Ground = grounds.Get()[checker.Branches] // of which the last is at hand
		}
	case checker.Branches:
		if !w.HasRun() {
			r.Ground = withoutRuns(d.Answer.By)
		}
	case checker.AllMarkings, checker.TerminalStates:
		r.States = w.Count
	case checker.AllProductStates:
		r.ProductStates = w.Count
	}
	if w.Unshown != nil {
		r.Reason = noRun + w.Unshown.Error()
	}
	if (w.HasRun() || w.Ground == checker.InitialMarking && d.isShownInitially()) && r.IsShown(d.Opposite) {
		steps := len(w.Run) + len(w.Cycle) + len(w.Bindings) + len(w.BindingsCycle)
		for _, b := range w.Branches {
			steps += len(b.Prefix) + len(b.Cycle) + len(b.Bindings)
		}
		if err := roomForSteps(d.Context, steps); err != nil {
			r = r.WithoutRun(err)
			r.NoRoom = err
			return r
		}
		r.Trace = tellWitness(w, d)
	}
	return r
}

// noRun begins the reason why no run is shown.
const noRun = "no run is shown: "

// WithoutRun returns the answer without its run, and with the reason why that is not shown.
func (r *Answer) WithoutRun(reason error) *Answer {
	short := *r
	short.Trace, short.Reason = nil, noRun+reason.Error()
	return &short
}

// WithoutRun returns the report without its run, and with the reason why that is not shown.
func (r *Report) WithoutRun(reason error) *Report {
	short := *r
	short.Trace, short.Reason = nil, noRun+reason.Error()
	return &short
}

// tellWitness puts a witness into the terms of the document.
func tellWitness(w *checker.Witness, d Decided) *Run {
	t := &Run{Prefix: []Step{}, Cycle: []Step{}}
	if !w.HasRun() {
		if (d.Kind == LTL || d.Kind == Automaton) && startsDead(*d.Problem) {
			t.Cycle = append(t.Cycle, Step{Deadlock: true})
		}
		return t
	}
	if w.Coloured {
		coloured := d.Problem.Coloured
		t.Prefix, t.Cycle = Firings(coloured, w.Bindings), Firings(coloured, w.BindingsCycle)
	} else {
		t.Prefix, t.Cycle = Bursts(w.Net, w.Run), Bursts(w.Net, w.Cycle)
	}
	if w.Ends || d.Kind == Deadlock {
		stays := Step{Deadlock: true}
		if d.Kind == LTL || d.Kind == Automaton {
			t.Cycle = append(t.Cycle, stays)
		} else {
			t.Prefix = append(t.Prefix, stays)
		}
	}
	if w.Ground == checker.DeadTransition {
		t.Dead = d.transition(w.Dead)
	}
	for _, b := range w.Branches {
		branch := Branch{Prefix: Transitions(w.Net, b.Prefix), Cycle: Transitions(w.Net, b.Cycle)}
		if w.Coloured {
			branch.Prefix = Firings(d.Problem.Coloured, b.Bindings)
		}
		if from := slices.Index(w.Branches, b.From); b.From != nil && from >= 0 {
			branch.From, branch.At = &from, &b.At
		}
		t.Branches = append(t.Branches, branch)
	}
	return t
}

// transition returns the identifier of a transition of the problem, by its number.
func (d Decided) transition(number int) string {
	if c := d.Problem.Coloured; c != nil {
		return c.Transitions[number].ID
	}
	return d.Problem.Net.TransitionLabel(petri.Transition(number)).ID
}

// startsDead reports whether the initial marking of the net, as far as that is soon found
// out, is a deadlock: then it is all there is to a run.
func startsDead(p checker.Problem) bool {
	if net := p.Net; net != nil {
		return net.Deadlock(net.Initial())
	}
	if p.Coloured == nil {
		return false
	}
	ctx, stop := account.Within(context.Background(), petri.Budget{MemoryBytes: account.InUse() + startBytes})
	defer stop(nil)
	start, err := replay.Start(ctx, p.Coloured)
	if err != nil {
		return false
	}
	return noneEnabled(len(p.Coloured.Transitions), start.Enabled)
}

// noneEnabled reports whether no transition is enabled, as far as that is found out in startSteps. enabled
// tries one for some steps, and also reports whether it is certain. All are tried for a few steps, which is mostly enough;
// those that were not enough for get more.
func noneEnabled(transitions int, enabled func(transition, steps int) (enabled, certain bool)) bool {
	open := make([]int, transitions)
	for t := range open {
		open[t] = t
	}
	left := startSteps
	for steps := startFirst; len(open) > 0; steps *= startAgain {
		if steps > startFirst && steps*len(open) > left {
			return false
		}
		left -= steps * len(open)
		uncertain := open[:0]
		for _, t := range open {
			is, certain := enabled(t, steps)
			if is {
				return false
			}
			if !certain {
				uncertain = append(uncertain, t)
			}
		}
		open = uncertain
	}
	return true
}

// startSteps bounds the search for a binding that is enabled at first, of all transitions together: some tenths of a second. Each is tried for
// startFirst of them, and then for startAgain times as many. startBytes is what the initial marking may take.
const (
	startSteps = 1 << 22
	startFirst = 64
	startAgain = 8
	startBytes = 8 << 20
)
