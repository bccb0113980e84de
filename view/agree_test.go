package view

import (
	"io"
	"strings"
	"testing"

	"pnmc/logic"
	"pnmc/petri"
)

// TestContradictions: a page whose run contradicts the verdict, or does not fire, is not
// written.
func TestContradictions(t *testing.T) {
	b := &petri.Builder{ID: "two"}
	p, _ := b.AddPlace("p", "", 1)
	q, _ := b.AddPlace("q", "", 0)
	move, _ := b.AddTransition("move", "")
	b.AddInput(p, move, 1)
	b.AddOutput(move, q, 1)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	marked := Atom{"q = 0", &logic.Predicate{Operator: logic.Equal, Sum: logic.Sum{Terms: []logic.Term{{Place: uint32(q), Coefficient: 1}}}}}
	formula := &Formula{Operator: "AG", Operands: []*Formula{{}}}
	for _, c := range []struct {
		verdict  string
		opposite bool
		times    int64
		want     string
	}{
		{"violated", false, 1, ""},
		{"holds", true, 1, ""},
		{"holds", false, 1, "contradicts the verdict"},
		{"violated", true, 1, "contradicts the verdict"},
		{"violated", false, 2, "is not enabled"},
		{"holds", false, 0, ""}, // a run of no step tells neither
	} {
		var steps []Step
		if c.times > 0 {
			steps = []Step{{Transition: move, Times: c.times}}
		}
		a := &Answer{Name: "a", Kind: "invariant", Verdict: c.verdict, Opposite: c.opposite, Atoms: []Atom{marked}, Formula: formula, Runs: []Run{{Prefix: steps, From: -1}}}
		err := NewPage(io.Discard, &Net{Net: net}).Add(a)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, opposite %t, %d times: %v, expected %q", c.verdict, c.opposite, c.times, err, c.want)
		}
	}
}
