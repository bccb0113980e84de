package main

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/checker"
	"pnmc/checker/witness"
	"pnmc/internal/process"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// Verdicts as JSON has them. That of a number is verdictValue.
const (
	verdictHolds    = "holds"
	verdictViolated = "violated"
	verdictUnknown  = "unknown"
	verdictValue    = "value"
)

// answer is what is told of a property that the portfolio decided: the object that
// --format json prints.
type answer struct {
	Name       string   `json:"name"`
	Kind       kind     `json:"kind"`
	Verdict    string   `json:"verdict"`
	Value      any      `json:"value,omitempty"` // a count, or "infinite"
	Reason     string   `json:"reason"`
	Techniques []string `json:"techniques"`
	Ground     string   `json:"ground,omitempty"`
	// What was explored of the reduced net where the verdict rests on all of it.
	States        int64   `json:"states,omitempty"`
	ProductStates int64   `json:"product_states,omitempty"`
	Seconds       float64 `json:"seconds"`
	PeakRSSBytes  int64   `json:"peak_rss_bytes"`
	Trace         *trace  `json:"trace"`
}

// reportOf is what is told of a property.
func (s *session) reportOf(d decided) *answer {
	r := &answer{
		Name: d.name, Kind: d.kind, Verdict: verdictUnknown, Techniques: strings.Fields(d.answer.By.String()),
		Seconds: d.spent.Seconds(),
	}
	if s.c.String("format") == "json" { // to find it out takes longer than to tell the rest
		r.PeakRSSBytes = process.Peak()
	}
	switch v := d.answer.Value; {
	case v.IsTrue() != d.opposite && (v.IsTrue() || v.IsFalse()):
		r.Verdict = verdictHolds
	case v.IsTrue() || v.IsFalse():
		r.Verdict = verdictViolated
	case v.IsInfinite():
		r.Verdict, r.Value = verdictValue, "infinite"
	case v.IsKnown():
		n, _ := v.Number()
		r.Verdict, r.Value = verdictValue, count{n}
	default:
		if d.answer.Reason != nil {
			r.Reason = d.answer.Reason.Error()
		}
		return r
	}
	w := &d.answer.Witness
	r.Ground = grounds[w.Ground]
	switch w.Ground {
	case checker.AllMarkings, checker.TerminalStates:
		r.States = w.Count
	case checker.AllProductStates:
		r.ProductStates = w.Count
	}
	if w.Unshown != nil {
		r.Reason = "no run is shown: " + w.Unshown.Error()
	}
	if (w.HasRun() || w.Ground == checker.InitialMarking) && r.isShown(d.opposite) {
		r.Trace = tellWitness(w, d)
	}
	return r
}

// isShown reports whether a run can show the answer: not, for example, that each transition
// can fire, for which the run of the last one stands, nor that all runs are as they should
// be. One of no steps does if it is the initial marking.
func (r *answer) isShown(opposite bool) bool {
	switch r.Kind {
	case kindLTL, kindAutomaton:
		return (r.Verdict == verdictViolated) != opposite
	case kindDeadlock, kindReachable:
		return r.Verdict == verdictHolds
	case kindLive, kindSafe, kindInvariant:
		return r.Verdict == verdictViolated
	case kindQuasiLive, kindStable:
		return false
	}
	return true
}

// grounds are what answers rest on, as JSON has them.
var grounds = map[checker.Ground]string{
	checker.InitialMarking: "initial marking", checker.ReachedMarking: "run", checker.InfiniteRun: "infinite run",
	checker.Pump: "run that adds tokens", checker.Branches: "runs", checker.DeadTransition: "dead transition",
	checker.NetStructure: "structure", checker.Invariants: "invariants", checker.Equation: "state equation",
	checker.AllMarkings: "all markings", checker.AllProductStates: "product", checker.TerminalStates: "terminal components",
	checker.DiagramMarkings: "decision diagram", checker.DiagramProduct: "product of decision diagrams",
}

// tellWitness tells a witness in terms of the document.
func tellWitness(w *checker.Witness, d decided) *trace {
	t := &trace{Prefix: []traceStep{}, Cycle: []traceStep{}}
	if !w.HasRun() {
		if (d.kind == kindLTL || d.kind == kindAutomaton) && d.model.startsDead() {
			t.Cycle = append(t.Cycle, traceStep{Deadlock: true})
		}
		return t
	}
	if w.Coloured {
		coloured := d.model.problem.Coloured
		t.Prefix, t.Cycle = tellFirings(coloured, w.Bindings), tellFirings(coloured, w.BindingsCycle)
	} else {
		t.Prefix, t.Cycle = tellBursts(w.Net, w.Run), tellBursts(w.Net, w.Cycle)
	}
	if w.Ends || d.kind == kindDeadlock {
		stays := traceStep{Deadlock: true}
		if d.kind == kindLTL || d.kind == kindAutomaton {
			t.Cycle = append(t.Cycle, stays)
		} else {
			t.Prefix = append(t.Prefix, stays)
		}
	}
	if w.Ground == checker.DeadTransition {
		t.Dead = d.transition(w.Dead)
	}
	for _, b := range w.Branches {
		told := branch{Prefix: tellTransitions(w.Net, b.Prefix), Cycle: tellTransitions(w.Net, b.Cycle)}
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

// tellStep is a transition by identifier and, if that is another, name.
func tellStep(net *petri.Net, t petri.Transition) traceStep {
	label := net.TransitionLabel(t)
	step := traceStep{Transition: label.ID}
	if label.Name != label.ID {
		step.Name = label.Name
	}
	return step
}

func tellBursts(net *petri.Net, run []witness.Burst) []traceStep {
	steps := make([]traceStep, 0, len(run))
	for _, b := range run {
		step := tellStep(net, b.Transition)
		if n := len(steps); n > 0 && steps[n-1].Transition == step.Transition {
			steps[n-1].Times = max(steps[n-1].Times, 1) + b.Times
			continue
		}
		if b.Times > 1 {
			step.Times = b.Times
		}
		steps = append(steps, step)
	}
	return steps
}

func tellTransitions(net *petri.Net, run []petri.Transition) []traceStep {
	bursts := make([]witness.Burst, len(run))
	for i, t := range run {
		bursts[i] = witness.Burst{Transition: t, Times: 1}
	}
	return tellBursts(net, bursts)
}

// tellFirings tells bindings of a coloured net as its unfolding would call them.
func tellFirings(net *symmetric.Net, run []symmetric.Firing) []traceStep {
	steps := make([]traceStep, len(run))
	for i, f := range run {
		t := &net.Transitions[f.Transition]
		steps[i].Transition = t.ID
		if len(t.Variables) == 0 {
			continue
		}
		steps[i].Binding = make(map[string]string, len(t.Variables))
		for k, v := range t.Variables {
			steps[i].Binding[v.Name] = v.Class.Colour(f.Binding[k])
		}
		steps[i].Name = t.ID + "[" + t.Binding(f.Binding) + "]"
	}
	return steps
}

// line is the answer as text has it.
func (r *answer) line() string {
	value := "CANNOT_COMPUTE"
	switch r.Verdict {
	case verdictHolds:
		value = "TRUE"
	case verdictViolated:
		value = "FALSE"
	case verdictValue:
		value = fmt.Sprint(r.Value)
		if r.Value == "infinite" {
			value = "+inf"
		}
	default:
		return fmt.Sprintf("FORMULA %s %s\n", r.Name, value)
	}
	return fmt.Sprintf("FORMULA %s %s TECHNIQUES %s\n", r.Name, value, strings.Join(r.Techniques, " "))
}

// printAnswer writes the answer's line.
func (s *session) printAnswer(r *answer) error {
	if s.c.String("format") == "json" {
		return encodeJSON(s.c.App.Writer, r)
	}
	_, err := fmt.Fprint(s.c.App.Writer, r.line())
	return err
}
