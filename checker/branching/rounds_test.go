package branching_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/internal/checkertest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// TestRoundsAgreeWithNaiveTwin: searches that are cut off after a marking or two leave much unknown, and
// the result is right all the same. It is asked of a formula and of its parts, on one graph, so that
// searches meet what others have explored.
func TestRoundsAgreeWithNaiveTwin(t *testing.T) {
	held, failed := 0, 0
	if !petritest.CheckUntil(t, func() bool { return held > 0 && failed > 0 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		s := branching.NewSearch(kripkeOf(net), rapid.Bool().Draw(t, "deep"), rapid.Uint64().Draw(t, "seed"))
		s.BeginsWith(rapid.IntRange(1, 4).Draw(t, "markings"))
		for range 6 {
			f := checkertest.CTL(t, net, 5)
			want := checkertest.Truth(net, g, f)[0]
			if got, err := s.Decide(context.Background(), f); err != nil || got != want {
				t.Fatalf("%s: %v, %v, should be %v", f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }), got, err, want)
			}
			if want {
				held++
			} else {
				failed++
			}
		}
	}) {
		t.Errorf("%d formulas hold, %d fail", held, failed)
	}
}

// TestRoundsOnUnboundedNets: what some runs show is found, though a place grows for ever.
func TestRoundsOnUnboundedNets(t *testing.T) {
	b := &petri.Builder{}
	place := func(id string, tokens int64) petri.Place {
		p, err := b.AddPlace(id, "", tokens)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, once := place("p", 0), place("once", 1)
	source, err := b.AddTransition("source", "")
	if err != nil {
		t.Fatal(err)
	}
	stop, err := b.AddTransition("stop", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{b.AddInput(once, source, 1), b.AddOutput(source, once, 1), b.AddOutput(source, p, 1), b.AddInput(once, stop, 1)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	atLeast := func(n int64) *ctl.Formula {
		return ctl.Of(&logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: n, Terms: []logic.Term{{Place: uint32(p), Coefficient: -1}}}})
	}
	dead := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	for _, test := range []struct {
		name string
		f    *ctl.Formula
		want bool
	}{
		{"EF p>=5000", ctl.New(ctl.ExistsFinally, atLeast(5000)), true},
		{"EF (p>=3 & EF dead)", ctl.New(ctl.ExistsFinally, ctl.New(logic.And, atLeast(3), ctl.New(ctl.ExistsFinally, dead))), true},
		{"AG p<3", ctl.New(ctl.AllGlobally, ctl.New(logic.Not, atLeast(3))), false},
		{"EG p<3", ctl.New(ctl.ExistsGlobally, ctl.New(logic.Not, atLeast(3))), true},
		{"EG (p<3 & not dead)", ctl.New(ctl.ExistsGlobally, ctl.New(logic.And, ctl.New(logic.Not, atLeast(3)), ctl.New(logic.Not, dead))), false},
		{"AF (p>=3 | dead)", ctl.New(ctl.AllFinally, ctl.New(logic.Or, atLeast(3), dead)), true},
	} {
		s := branching.NewSearch(kripkeOf(net), true, 1)
		if got, err := s.Decide(context.Background(), test.f); err != nil || got != test.want || !s.FollowsGrowth() && test.name == "EF p>=5000" {
			t.Errorf("%s: %v, %v, should be %v; follows growth: %v", test.name, got, err, test.want, s.FollowsGrowth())
		}
	}
}

// TestDoubtGoesDown: where EG's operand is unknown further on, nothing before fails. All markings of the
// chain lead to its end, but the first rounds do not see that.
func TestDoubtGoesDown(t *testing.T) {
	const links = 200
	b := &petri.Builder{}
	places := make([]petri.Place, links+1)
	for i := range places {
		var err error
		if places[i], err = b.AddPlace(fmt.Sprint("p", i), "", int64(min(1, max(0, 1-i)))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range links {
		step, err := b.AddTransition(fmt.Sprint("t", i), "")
		if err := errors.Join(err, b.AddInput(places[i], step, 1), b.AddOutput(step, places[i+1], 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	marked := func(i int) *ctl.Formula {
		return ctl.Of(&logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 1, Terms: []logic.Term{{Place: uint32(places[i]), Coefficient: -1}}}})
	}
	end := ctl.New(ctl.ExistsFinally, marked(links))
	for _, n := range []int{1, 2, 3, 5} { // so many markings are known to have the operand
		known := []*ctl.Formula{marked(0)}
		for i := range n {
			known = append(known, marked(i))
		}
		for _, deep := range []bool{false, true} {
			s := branching.NewSearch(kripkeOf(net), deep, 1)
			s.BeginsWith(10)
			f := ctl.New(ctl.ExistsGlobally, ctl.New(logic.Or, append(known, end)...))
			if got, err := s.Decide(context.Background(), f); err != nil || !got {
				t.Errorf("deep %v, %d known: %v, %v", deep, n, got, err)
			}
			g := ctl.New(ctl.ExistsNext, end)
			if got, err := s.Decide(context.Background(), g); err != nil || !got {
				t.Errorf("deep %v, next: %v, %v", deep, got, err)
			}
		}
	}
}
