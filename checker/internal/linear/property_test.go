package linear

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/runs"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// TestOtherTranslator: another translator is asked for what the own one gives up,
// and for nothing else.
func TestOtherTranslator(t *testing.T) {
	var hard []string
	for i := range 14 {
		hard = append(hard, fmt.Sprintf("(G F a%d <-> G F b%d)", i, i))
	}
	for text, want := range map[string]int{"G F a": 0, strings.Join(hard, " | "): 1} {
		s := ltl.NewFormulas()
		f, err := ltl.Parse(text, s)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		other := &automata.Automaton{}
		r := &core.Task{Shared: core.NewShared(core.Settings{Translator: func(_ context.Context, in *ltl.Formulas, negated *ltl.Formula) (*automata.Automaton, error) {
			if asked++; in != s || negated != s.Not(f) {
				t.Errorf("%s: asked for %v", text, negated)
			}
			return other, nil
		}}, 0)}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		a, err := negation(ctx, r, &runs.Question{Formulas: s, Formula: f})
		if err != nil || asked != want || (a == other) != (want == 1) {
			t.Errorf("%s: asked %d times, expected %d, %v", text, asked, want, err)
		}
	}
}

// TestDiagramsWaitForTranslations: a formula whose automaton is not there in the first
// slice of time is tried again, since another lane may be about to have it.
func TestDiagramsWaitForTranslations(t *testing.T) {
	b := &petri.Builder{ID: "step"}
	p, _ := b.AddPlace("p", "", 1)
	q, _ := b.AddPlace("q", "", 0)
	u, _ := b.AddTransition("t", "")
	if err := errors.Join(b.AddInput(p, u, 1), b.AddOutput(u, q, 1)); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, record := coretest.NewTask(t, net, 1, time.Minute)
	l := &runs.Question{Formulas: ltl.NewFormulas(), Predicates: []*logic.Predicate{
		{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(q), Coefficient: -1}}}},
	}}
	l.Formula = l.Formulas.Finally(l.Formulas.Atom("q has a token"))
	r.Ledger.Ask(&ledger.Question{LTL: l})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	l.Translation.Lock()
	time.AfterFunc(core.FirstDiagramSlice+core.FirstDiagramSlice/5, l.Translation.Unlock)
	Diagrams(ctx, r)
	if got := record.Value(0); !got.IsTrue() {
		t.Errorf("answer %v", got)
	}
}
