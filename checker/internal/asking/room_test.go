package asking

import (
	"testing"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/properties"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// TestBytesOfQuestions: what a question takes on an unfolded net grows with the nodes that those of the coloured net stand for;
// on a net without colours nothing is asked for.
func TestBytesOfQuestions(t *testing.T) {
	const many = 10_000
	u := &symmetric.Unfolding{Places: [][]petri.Place{make([]petri.Place, many)}, Transitions: [][]petri.Transition{make([]petri.Transition, many)}}
	sum := logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}
	marked := &logic.Predicate{Operator: logic.AtMost, Sum: sum}
	fires := &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{{Operator: logic.Fireable, Transitions: []uint32{0}}}}
	s := ltl.NewFormulas()
	for name, q := range map[string]inquiry.Question{
		"reachable": inquiry.Reachable{Predicate: marked}, "invariant": inquiry.Invariant{Predicate: fires}, "bound": inquiry.Bound{Sum: sum},
		"CTL":       inquiry.Branching{Formula: ctl.New(ctl.ExistsFinally, ctl.Of(fires))},
		"LTL":       inquiry.Linear{Formulas: s, Formula: s.Atom("a"), Predicates: []*logic.Predicate{marked}},
		"automaton": inquiry.Automaton{Property: properties.Property{Automaton: new(automata.Automaton), Predicates: []*logic.Predicate{marked}}},
	} {
		if bytes := bytesOf(rephrase.UnfoldedNodes(u), q); bytes < 16*many {
			t.Errorf("%s: %d bytes over %d nodes", name, bytes, many)
		}
		if bytes := bytesOf(rephrase.SameNodes(1, 1), q); bytes != 0 {
			t.Errorf("%s: %d bytes on the net itself", name, bytes)
		}
	}
}
