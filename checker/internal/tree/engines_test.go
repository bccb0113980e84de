package tree_test

import (
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/linear"
	"pnmc/checker/internal/tree"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestEnginesAgreeWithNaiveTwin: each engine alone, on the nets that it reduces for itself,
// answers as the definitions do, and replays what it found on the original net.
func TestEnginesAgreeWithNaiveTwin(t *testing.T) {
	engines := []struct {
		name   string
		engine core.Engine
		all    bool // answers all there is
	}{
		{"graph", tree.Graph, true}, {"search", tree.Search, true}, {"deep search", tree.SearchDeep, true},
		{"diagrams", tree.Diagrams, true}, {"implied", tree.OfImplied(linear.Products), false},
	}
	rapid.Check(t, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		var questions []inquiry.Question
		var want []bool
		var texts []string
		for range 4 {
			f := checkertest.CTL(t, net, 4)
			questions = append(questions, inquiry.Branching{Formula: f})
			want = append(want, checkertest.Truth(net, g, f)[0])
			texts = append(texts, f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }))
		}
		for _, e := range engines {
			answers := coretest.Decide(e.engine, net, questions...)
			for _, a := range answers {
				if a.Value != inquiry.Truth(want[a.Question]) {
					t.Fatalf("%s: %s is %v, should be %t, by %v", e.name, texts[a.Question], a.Value, want[a.Question], a.By)
				}
				if a.Witness.Unshown != nil {
					t.Fatalf("%s: %s is not shown: %v", e.name, texts[a.Question], a.Witness.Unshown)
				}
			}
			if e.all && len(answers) < len(questions) {
				t.Fatalf("%s: %d answers to %d questions %q", e.name, len(answers), len(questions), texts)
			}
		}
	})
}

// TestWhatIsImpliedDecides: philosophers who all take their left fork refute that one will
// always eat again, without a look at what other runs do.
func TestWhatIsImpliedDecides(t *testing.T) {
	net := petritest.Philosophers(3)
	fires := ctl.Of(&logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{0}})
	formula := ctl.New(ctl.AllGlobally, ctl.New(ctl.AllFinally, fires))
	answers := coretest.Decide(tree.OfImplied(linear.Products), net, inquiry.Branching{Formula: formula})
	if len(answers) != 1 || answers[0].Value != inquiry.Truth(false) || answers[0].By&inquiry.QueryReduction == 0 {
		t.Fatalf("%+v, want one answer, false, by what the formula implies", answers)
	}
	w := answers[0].Witness
	if w.Ground != inquiry.Branches || len(w.Branches) != 1 || len(w.Branches[0].Prefix) == 0 {
		t.Errorf("shown by %+v, want a run", w)
	}
}

// TestWithoutNextOnSmallerNet: a formula that looks at next steps is refuted by what it implies without,
// on a net that agglomerates to two places.
func TestWithoutNextOnSmallerNet(t *testing.T) {
	net := petritest.BackwardChain(12)
	first, err := logic.ParsePredicate("p0 >= 1", checker.Vocabulary(net))
	if err != nil {
		t.Fatal(err)
	}
	formula := ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, ctl.New(ctl.ExistsNext, ctl.New(ctl.AllGlobally, ctl.Of(first)))))
	for name, engine := range map[string]core.Engine{"graph": tree.Graph, "diagrams": tree.Diagrams} {
		for negated, f := range map[bool]*ctl.Formula{false: formula, true: ctl.New(logic.Not, formula)} {
			answers := coretest.Decide(engine, net, inquiry.Branching{Formula: f})
			if len(answers) != 1 || answers[0].Value != inquiry.Truth(negated) || answers[0].By&inquiry.QueryReduction == 0 {
				t.Errorf("%s, negated %t: %+v, want one answer, by what the formula implies", name, negated, answers)
			}
		}
	}
}
