package branching_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker"
	"pnmc/checker/branching"
	"pnmc/checker/diagram"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/reachability"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

func kripkeOf(net *petri.Net) *petri.Kripke {
	return petri.NewKripke(net, invariant.Prove(context.Background(), net, 0), petri.Budget{})
}

func TestCTLEnginesAgreeWithNaiveTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		ctx := context.Background()
		graph, err := branching.ExploreGraph(ctx, kripkeOf(net), 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		symbolic, err := diagram.Explore(ctx, net, 0)
		if err != nil {
			t.Fatal(err)
		}
		broad := branching.NewSearch(kripkeOf(net), false, 1)
		deep := branching.NewSearch(kripkeOf(net), true, rapid.Uint64().Draw(t, "seed"))
		for range 6 {
			f := checkertest.CTL(t, net, 4)
			want := checkertest.Truth(net, g, f)[0]
			text := f.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) })
			simple := branching.Simplify(f, net, net.Initial())
			if checkertest.Truth(net, g, simple)[0] != want {
				t.Fatalf("%s simplified to %s", text, simple.Text(func(p *logic.Predicate) string { return p.Text(checker.Vocabulary(net)) }))
			}
			for name, decide := range map[string]func(context.Context, *ctl.Formula) (bool, error){
				"graph": graph.Decide, "broad search": broad.Decide, "deep search": deep.Decide, "diagrams": symbolic.Decide,
			} {
				if got, err := decide(ctx, f); err != nil || got != want {
					t.Fatalf("%s: %s says %v, %v, should be %v", text, name, got, err, want)
				}
				if got, err := decide(ctx, simple); err != nil || got != want {
					t.Fatalf("%s simplified: %s says %v, %v, should be %v", text, name, got, err, want)
				}
			}
		}
	})
}

func TestCTLOfUnboundedNets(t *testing.T) {
	// A source fills p; whether a token ever comes is found without end.
	b := &petri.Builder{}
	p, err := b.AddPlace("p", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	source, err := b.AddTransition("source", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.AddOutput(source, p, 1); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	two := ctl.Of(&logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}})
	never := ctl.Of(&logic.Predicate{Operator: logic.Deadlocked})
	s := branching.NewSearch(kripkeOf(net), false, 1)
	if value, err := s.Decide(context.Background(), ctl.New(ctl.ExistsFinally, two)); err != nil || !value {
		t.Errorf("EF p>=2: %v, %v", value, err)
	}
	if value, err := s.Decide(context.Background(), ctl.New(ctl.ExistsFinally, never)); err == nil {
		t.Errorf("EF deadlock: %v, without a reason to be unknown", value)
	}
	if _, err := branching.ExploreGraph(context.Background(), kripkeOf(net), 1, 0); err == nil {
		t.Error("the state graph of an unbounded net was explored")
	}
}

// always and never are times in which runs are looked for.
func always() (context.Context, context.CancelFunc) { return context.Background(), func() {} }

func never() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx, cancel
}

func TestLivenessAgreesWithNaiveTwin(t *testing.T) {
	live, dead, explored := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return live > 0 && dead > 0 && explored > 0 }, func(t *rapid.T) {
		net, g := checkertest.AnyNet(t)
		want := true
		for tr := range uint32(net.Transitions()) {
			fireable := ctl.Of(&logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{tr}})
			f := ctl.New(ctl.AllGlobally, ctl.New(ctl.ExistsFinally, fireable))
			want = want && checkertest.Truth(net, g, f)[0]
		}
		result, err := reachability.CheckLiveness(context.Background(), kripkeOf(net), nil)
		if err != nil || !result.Decided || result.Live != want {
			t.Fatalf("%+v, %v, should be %v", result, err, want)
		}
		threads, first := rapid.IntRange(2, 8).Draw(t, "threads"), rapid.IntRange(0, 20).Draw(t, "first")
		found, together, err := reachability.CheckLivenessTogether(context.Background(), kripkeOf(net), nil, threads, first)
		if err != nil || !found.Decided || found.Live != want || together && found.States != len(g.Markings) {
			t.Fatalf("%d threads, explored together: %v: %+v, %v, should be %v in %d states", threads, together, found, err, want, len(g.Markings))
		}
		if together {
			explored++
		}
		for tr := range uint32(net.Transitions()) {
			fireable := ctl.Of(&logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{tr}})
			again := checkertest.Truth(net, g, ctl.New(ctl.ExistsFinally, fireable))[0]
			if confirmed, refuted := reachability.NeverAgain(t.Context(), net, nil, []uint32{tr}, 1000); confirmed == again || refuted != again {
				t.Fatalf("transition %d: never again %v, not so %v, should be %v", tr, confirmed, refuted, !again)
			}
		}
		if !want {
			if confirmed, _ := reachability.NeverAgain(t.Context(), net, result.Run, []uint32{uint32(result.Transition)}, 1000); !confirmed {
				t.Fatalf("after %v, transition %d is not dead", result.Run, result.Transition)
			}
			if confirmed, _ := reachability.NeverAgain(t.Context(), net, found.Run, []uint32{uint32(found.Transition)}, 1000); !confirmed {
				t.Fatalf("%d threads: after %v, transition %d is not dead", threads, found.Run, found.Transition)
			}
		}
		symbolic, err := diagram.Explore(context.Background(), net, 0)
		if err != nil {
			t.Fatal(err)
		}
		var groups [][]uint32
		for tr := range uint32(net.Transitions()) {
			groups = append(groups, []uint32{tr})
		}
		got, culprit, run, err := symbolic.Live(context.Background(), always, groups)
		if err != nil || got != want || got != (culprit < 0) {
			t.Fatalf("diagrams: %v by %d, %v, should be %v", got, culprit, err, want)
		}
		if !got {
			var single []petri.Transition
			for _, b := range run {
				single = append(single, b.Transition)
			}
			if confirmed, _ := reachability.NeverAgain(t.Context(), net, single, groups[culprit], 1000); !confirmed {
				t.Fatalf("diagrams: after %v, transition %d is not dead", run, culprit)
			}
			got, _, run, err = symbolic.Live(context.Background(), never, groups)
			if got || err != nil || len(run) > 0 {
				t.Fatalf("diagrams without time for a run: %v, %v, %v", got, run, err)
			}
		}
		if want {
			live++
		} else {
			dead++
		}
	}) {
		t.Errorf("%d live nets, %d others", live, dead)
	}
}
