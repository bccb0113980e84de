package experiment

import (
	"context"
	"os"
	"testing"

	"pnmc/automata"
	"pnmc/automata/inclusion"
	"pnmc/automata/translate"
	"pnmc/checker"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic/ltl"
	"pnmc/petri/invariant"
	"pnmc/pnml"
)

// passThrough is the paper's Φ₂ as it is printed, where a proposition is that the
// place has a token: to get to ERKPP, MAPK 8 passes through the others.
const passThrough = `!(!"RafP>=1" U "MEKP>=1") & !(!"MEKP>=1" U "MEKPP>=1") &` +
	` !(!"MEKPP>=1" U "ERKPP>=1") & !(!"ERKP>=1" U "ERKPP>=1")`

// The sizes of products are those of the paper's Table 2.
func TestCaseStudyOfThePaper(t *testing.T) {
	ctx := context.Background()
	file, err := os.Open(petritest.ContestModel(t, "MAPK-PT-00008"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	net, err := pnml.Reader{}.Read(file, file.Name())
	if err != nil {
		t.Fatal(err)
	}
	formulas := ltl.NewFormulas()
	formula, err := ltl.Parser{Formulas: formulas}.Parse(passThrough)
	if err != nil {
		t.Fatal(err)
	}
	a, err := translate.ToAutomaton(ctx, formulas, formula, translate.Options{Negate: true})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := properties.Bind(a, checker.Vocabulary(net), nil)
	if err != nil {
		t.Fatal(err)
	}
	type size struct{ states, transitions int64 }
	want := map[string]size{"tgba": {46494, 302350}, "ta": {33376, 289235}, "tgta": {33376, 289235}}
	p := Plan{
		Net: net, Facts: invariant.Prove(ctx, net, 0), Properties: []Property{{Line: 1, Property: bound}},
		Approaches: []product.Approach{product.ByTGBA, product.ByTA, product.ByTGTA}, Settings: product.Settings{Built: true},
	}
	measured := 0
	err = p.Run(ctx, func(r Record) error {
		measured++
		if got := (size{r.FullStates, r.FullTransitions}); r.Verdict != verified || got != want[r.Approach] {
			t.Errorf("%s: %s, product %v, the paper has %v", r.Approach, r.Verdict, got, want[r.Approach])
		}
		return nil
	})

	if err != nil || measured != len(want) {
		t.Errorf("%d measurements, %v", measured, err)
	}
}

// No two states of the paper's testing automaton accept the same words, so that none
// of the nine can be merged.
func TestCaseStudyStatesDiffer(t *testing.T) {
	formulas := ltl.NewFormulas()
	formula, err := ltl.Parser{Formulas: formulas}.Parse(passThrough)
	if err != nil {
		t.Fatal(err)
	}
	a, err := translate.ToTGTA(context.Background(), formulas, formula, translate.Options{Negate: true}, translate.Smaller)
	if err != nil {
		t.Fatal(err)
	}
	if a.States() != 10 {
		t.Errorf("%d states, want nine and the initial one", a.States())
	}
	for p := range automata.State(a.States()) {
		for q := range p {
			if q == 0 { // its labels are valuations
				continue
			}
			same, err := inclusion.Equivalent(startingIn(t, a, p), startingIn(t, a, q), inclusion.Options{})
			if err != nil || same.Holds {
				t.Errorf("states %d and %d accept the same changes: %v, %v", p, q, same.Holds, err)
			}
		}
	}
}

// startingIn returns a testing automaton as a plain automaton on changes that starts in s.
func startingIn(t *testing.T, a *automata.Automaton, s automata.State) *automata.Automaton {
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(a.States())
	b.AddInitial(s)
	for e := range automata.Edge(a.Edges()) {
		b.AddEdge(a.Source(e), a.Label(e), a.Marks(e), a.Destination(e))
	}
	plain, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return plain
}
