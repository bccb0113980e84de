// Package told has what is told of a question, in text, in words and as JSON: verdicts and
// runs.
//
// In come answers of pnmc/checker and counterexamples, out go lines and objects. The objects
// are described in docs/json.md and docs/traces.md. Next is the room questions, which prints
// them.
package told

import (
	"fmt"
	"strings"
	"time"

	"pnmc/checker"
	"pnmc/internal/lazy"
)

// Answer is what is told of a property that the portfolio decided: the object that
// --format json prints.
type Answer struct {
	Name       string   `json:"name"`
	Kind       Kind     `json:"kind"`
	Verdict    string   `json:"verdict"`
	Value      any      `json:"value,omitempty"` // a count, or "infinite"
	Reason     string   `json:"reason"`
	Techniques []string `json:"techniques"`
	Ground     string   `json:"ground,omitempty"`
	// States and ProductStates count what was explored of the reduced net, if the verdict
	// rests on all of it.
	States        int64   `json:"states,omitempty"`
	ProductStates int64   `json:"product_states,omitempty"`
	Seconds       float64 `json:"seconds"`
	PeakRSSBytes  int64   `json:"peak_rss_bytes"`
	Trace         *Run    `json:"trace"`

	NoRoom error `json:"-"` // why the limits have no room for the run, or nil
}

// IsShown reports whether a run can show the answer. No run shows, for example, that all
// runs satisfy a formula. Nor does one show that each transition can fire, though the run
// of the last one is given. One of no steps does if it is the initial marking.
func (r *Answer) IsShown(opposite bool) bool {
	switch r.Kind {
	case LTL, Automaton:
		return (r.Verdict == Violated) != opposite
	case Deadlock, Reachable:
		return r.Verdict == Holds
	case Live, Safe, Invariant:
		return r.Verdict == Violated
	case QuasiLive, Stable:
		return false
	}
	return true
}

// grounds are what answers rest on, as JSON has them.
var grounds = lazy.Value[map[checker.Ground]string]{Make: func() map[checker.Ground]string {
	return map[checker.Ground]string{
		checker.InitialMarking: "initial marking", checker.ReachedMarking: "run", checker.InfiniteRun: "infinite run",
		checker.Pump: "run that adds tokens", checker.Branches: "runs", checker.DeadTransition: "dead transition",
		checker.NetStructure: "structure", checker.Invariants: "invariants", checker.Equation: "state equation",
		checker.Induction:   "inductive invariant",
		checker.AllMarkings: "all markings", checker.AllProductStates: "product", checker.TerminalStates: "terminal components",
		checker.DiagramMarkings: "decision diagram", checker.DiagramProduct: "product of decision diagrams",
	}
}}

// Line returns the answer as text has it.
func (r *Answer) Line() string {
	value := "CANNOT_COMPUTE"
	switch r.Verdict {
	case Holds:
		value = "TRUE"
	case Violated:
		value = "FALSE"
	case Value:
		value = fmt.Sprint(r.Value)
		if r.Value == "infinite" {
			value = "+inf"
		}
	default:
		return fmt.Sprintf("FORMULA %s %s\n", r.Name, value)
	}
	return fmt.Sprintf("FORMULA %s %s TECHNIQUES %s\n", r.Name, value, strings.Join(r.Techniques, " "))
}

// InWords returns an answer as a sentence: the verdict, what decided it, how long it took, and a
// run, or where it is.
func (r *Answer) InWords(file string) string {
	verdict := map[string]string{Holds: "holds", Violated: "does not hold"}[r.Verdict]
	if r.Kind != LTL && r.Kind != Automaton && r.Kind != CTL && r.Kind != Invariant {
		verdict = map[string]string{Holds: "yes", Violated: "no"}[r.Verdict]
	}
	if r.Verdict == Value {
		verdict = fmt.Sprint(r.Value)
	}
	by := r.Ground
	if by == "" {
		by = strings.ToLower(strings.ReplaceAll(strings.Join(r.Techniques, ", "), "_", " "))
	}
	spent := time.Duration(r.Seconds * float64(time.Second)).Round(10 * time.Millisecond)
	text := fmt.Sprintf("%s: %s, by %s, in %s", r.Name, verdict, by, spent)
	if r.Trace == nil {
		return text
	}
	return text + ": " + r.Trace.words(file)
}
