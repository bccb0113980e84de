package branching_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/diagram"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// itself returns what a transition of a net that is not reduced stands for.
func itself(run []petri.Transition, t petri.Transition, _ int) ([]petri.Transition, bool) {
	return append(run, t), true
}

// leaves returns the state formulas of f with what they say.
func leaves(f *ctl.Formula, predicates map[*ctl.Formula]*logic.Predicate) map[*ctl.Formula]*logic.Predicate {
	if f.Operator == ctl.State {
		predicates[f] = f.Predicate
	}
	for _, g := range f.Operands {
		leaves(g, predicates)
	}
	return predicates
}

// TestCTLReplay: what a search finds replays, and what it did not find mostly
// does not.
func TestCTLReplay(t *testing.T) {
	refuted := 0
	if !petritest.CheckUntil(t, func() bool { return refuted > 0 }, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		k := kripkeOf(net)
		for range 4 {
			f := checkertest.CTL(t, net, 4)
			replay := branching.Replay{Net: net, Predicates: leaves(f, map[*ctl.Formula]*logic.Predicate{}),
				Sequence: itself}
			s := branching.NewSearch(k, rapid.Bool().Draw(t, "deep"), 1)
			s.BeginsWith(rapid.IntRange(1, 40).Draw(t, "markings"))
			value, err := s.Decide(context.Background(), f)
			if err != nil {
				t.Fatal(err)
			}
			text := f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) })
			if err := replay.Confirm(s, value); err != nil {
				t.Fatalf("%s is %t: %v", text, value, err)
			}
			if replay.Confirm(s, !value) != nil {
				refuted++
			}
		}
	}) {
		t.Error("no mistake is ever noticed")
	}
}

// TestSymbolicCTLReplay: what sets of markings decide replays on the net, the
// opposite does not where a run decides, and without time the value comes alone.
func TestSymbolicCTLReplay(t *testing.T) {
	runs, cycles, late := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return runs > 0 && cycles > 0 && late > 0 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		s, err := diagram.Explore(context.Background(), net, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			f := checkertest.CTL(t, net, 4)
			want := checkertest.Truth(net, g, f)[0]
			replay := branching.Replay{Net: net, Predicates: leaves(f, map[*ctl.Formula]*logic.Predicate{}),
				Sequence: itself}
			value, unshown, err := s.DecideAndReplay(context.Background(), f, &replay, always)
			text := f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) })
			if err != nil || unshown != nil || value != want {
				t.Fatalf("%s is %t, should be %t: %v, %v", text, value, want, unshown, err)
			}
			for i, run := range replay.Runs {
				if i == 0 {
					m, err := witness.ReplayRun(net, singles(run.Prefix))
					if err != nil {
						t.Fatalf("%s: %v: %v", text, run, err)
					}
					for _, u := range run.Cycle {
						if !net.Fire(m, u) {
							t.Fatalf("%s: the cycle of %v does not fire", text, run)
						}
					}
				}
				runs++
				if len(run.Cycle) > 0 {
					cycles++
				}
			}
			value, unshown, err = s.DecideAndReplay(context.Background(), f, &replay, never)
			if err != nil || value != want {
				t.Fatalf("%s without time for a run: %t, %v, %v", text, value, unshown, err)
			}
			if unshown != nil {
				late++
			}
		}
	}) {
		t.Errorf("%d runs, %d cycles, %d times without a run", runs, cycles, late)
	}
}

func singles(run []petri.Transition) []witness.Burst {
	var list []witness.Burst
	for _, t := range run {
		list = append(list, witness.Burst{Transition: t, Times: 1})
	}
	return list
}

// TestSymbolicCTLReplayRefutes: where the original net does not do what the net with
// the sets does, nothing is answered, even if there was no time to notice more.
func TestSymbolicCTLReplayRefutes(t *testing.T) {
	net := func(tokens int64) *petri.Net {
		b := &petri.Builder{}
		p, _ := b.AddPlace("p", "", tokens)
		q, _ := b.AddPlace("q", "", 0)
		move, _ := b.AddTransition("move", "")
		b.AddInput(p, move, 1)
		b.AddOutput(move, q, 1)
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	s, err := diagram.Explore(t.Context(), net(2), 0)
	if err != nil {
		t.Fatal(err)
	}
	two := ctl.Of(&logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 1, Coefficient: -1}}}})
	reaches := ctl.New(ctl.ExistsFinally, two)
	stays := ctl.New(ctl.ExistsGlobally, ctl.New(logic.Not, ctl.New(ctl.ExistsFinally, two)))
	for _, test := range []struct {
		f    *ctl.Formula
		want bool
	}{
		{reaches, true},
		{ctl.New(ctl.AllGlobally, ctl.New(logic.Not, two)), false},
		{ctl.New(ctl.ExistsUntil, ctl.New(logic.Not, two), two), true},
		{ctl.New(ctl.ExistsNext, reaches), true},
		{ctl.New(logic.Not, stays), true}, // no run shows that there is none
	} {
		for tokens, wantError := range map[int64]bool{2: false, 1: test.f.Operator != logic.Not} {
			replay := branching.Replay{Net: net(tokens), Predicates: leaves(test.f, map[*ctl.Formula]*logic.Predicate{}),
				Sequence: itself}
			value, unshown, err := s.DecideAndReplay(t.Context(), test.f, &replay, always)
			if value != test.want || unshown != nil || (err != nil) != wantError {
				t.Errorf("%d tokens, operator %v: %t, %v, %v", tokens, test.f.Operator, value, unshown, err)
			}
		}
	}
}

// TestReplayWithSpecialArcs: a cycle that puts tokens where they disable something in the end
// does not return, and what a transition empties is seen by who looks there.
func TestReplayWithSpecialArcs(t *testing.T) {
	b := &petri.Builder{}
	seen, _ := b.AddPlace("seen", "", 1)
	counted, _ := b.AddPlace("counted", "", 0)
	free, _ := b.AddPlace("free", "", 0)
	count, _ := b.AddTransition("count", "")
	b.AddOutput(count, counted, 1)
	b.AddInhibitor(counted, count, 3)
	fill, _ := b.AddTransition("fill", "")
	b.AddOutput(fill, free, 1)
	b.AddInhibitor(seen, fill, 1)
	empty, _ := b.AddTransition("empty", "")
	b.AddReset(seen, empty)
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	look := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: uint32(seen), Coefficient: 1}}}}
	replay := branching.Replay{Net: net, Predicates: map[*ctl.Formula]*logic.Predicate{ctl.Of(look): look}}
	for _, test := range []struct {
		after   petri.Marking
		returns bool
	}{
		{petri.Marking{1, 0, 0}, true},
		{petri.Marking{1, 0, 5}, true},
		{petri.Marking{1, 1, 0}, false}, // the third time is the last
		{petri.Marking{0, 0, 0}, false},
	} {
		before, err := replay.Start()
		if err != nil {
			t.Fatal(err)
		}
		if err := replay.Returns(before, test.after); (err == nil) != test.returns {
			t.Errorf("%v: %v", test.after, err)
		}
	}
	replay.Initially = func(limit int) ([]petri.Transition, bool) { return nil, limit > 1<<30 }
	if _, err := replay.Start(); !errors.Is(err, branching.ErrLongReplay) {
		t.Errorf("a run of more than %d: %v", 1<<30, err)
	}
	for u, ok := range map[petri.Transition]bool{count: true, empty: false} {
		replay.Initially = func(int) ([]petri.Transition, bool) { return []petri.Transition{u}, true }
		if _, err := replay.Start(); (err == nil) != ok {
			t.Errorf("%s: %v", net.TransitionLabel(u).ID, err)
		}
	}
}
