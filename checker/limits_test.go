package checker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/checker/branching"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// toggles returns a net of n independent transitions, all enabled at first: 2^n markings, and n
// successors of the first one.
func toggles(t *testing.T, n int) *petri.Net {
	t.Helper()
	var b petri.Builder
	for i := range n {
		off, err1 := b.AddPlace(fmt.Sprint("off", i), "", 1)
		on, err2 := b.AddPlace(fmt.Sprint("on", i), "", 0)
		toggle, err3 := b.AddTransition(fmt.Sprint("u", i), "")
		if err := errors.Join(err1, err2, err3, b.AddInput(off, toggle, 1), b.AddOutput(toggle, on, 1)); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// marked returns the predicate that a place has a token.
func marked(place uint32) *logic.Predicate {
	return &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{
		{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: place, Coefficient: 1}}}},
	}}
}

// neverBoth returns an automaton for runs on which a and b come together and then b alone, with
// this condition of two sets, and its last edges in those: on the net above, where nothing
// is ever taken back, no run is accepted, and all have to be looked at.
func neverBoth(t *testing.T, condition *automata.Condition, last ...int) *automata.Automaton {
	t.Helper()
	b := automata.NewBuilder([]string{"a", "b"}, automata.Acceptance{Sets: 2, Condition: condition})
	b.AddStates(3)
	b.AddInitial(0)
	cube := func(a, other bool) automata.Label {
		return automata.Label{automata.NewCube(2).With(0, a).With(1, other)}
	}
	for _, l := range []automata.Label{cube(false, false), cube(true, false), cube(false, true)} {
		b.AddEdge(0, l, automata.NewMarks(2), 0)
	}
	b.AddEdge(0, cube(true, true), automata.NewMarks(2), 1)
	b.AddEdge(1, cube(true, true), automata.NewMarks(2), 1)
	b.AddEdge(1, cube(false, true), automata.NewMarks(2), 2)
	b.AddEdge(2, cube(false, true), automata.NewMarks(2, last...), 2)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// peakOf returns the most memory that the process has while f runs.
func peakOf(f func()) int64 {
	var peak, stop atomic.Int64
	done := make(chan bool)
	go func() {
		for ; stop.Load() == 0; time.Sleep(time.Millisecond) {
			peak.Store(max(peak.Load(), account.InUse()))
		}
		close(done)
	}()
	f()
	stop.Store(1)
	<-done
	return peak.Load()
}

// However many transitions are enabled at once, engines keep within the memory, and say that
// it was spent.
func TestEnginesKeepWithinMemory(t *testing.T) {
	net := toggles(t, 2000)
	facts := invariant.Prove(t.Context(), net, 0)
	predicates := []*logic.Predicate{marked(1), marked(3)}
	inf := func(set int) *automata.Condition { return &automata.Condition{Operator: automata.Inf, Set: set} }
	both := &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{inf(0), inf(1)}}
	rabin := &automata.Condition{Operator: automata.ConditionAnd, Operands: []*automata.Condition{inf(0), {Operator: automata.Fin, Set: 1}}}
	by := func(approach product.Approach, condition *automata.Condition, last ...int) func(*petri.Kripke) error {
		return func(k *petri.Kripke) error {
			r, err := product.CheckBy(t.Context(), k, properties.Property{Automaton: neverBoth(t, condition, last...), Predicates: predicates}, product.Settings{Approach: approach})
			switch {
			case err != nil:
				return err
			case r.Verdict != properties.Unknown || !r.MemoryFull:
				return fmt.Errorf("verdict %v: %s", r.Verdict, r.Reason)
			}
			return &petri.MemoryError{}
		}
	}
	together := &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{marked(1), {Operator: logic.Not, Operands: []*logic.Predicate{marked(1)}}}}
	eventually := ctl.New(ctl.ExistsFinally, ctl.Of(together))
	for name, run := range map[string]func(*petri.Kripke) error{
		"tgba": by(product.ByTGBA, both, 0, 1), "ba": by(product.ByBA, both, 0, 1), "ta": by(product.ByTA, both, 0, 1), "tgta": by(product.ByTGTA, both, 0, 1),
		"fin":                by(product.ByTGBA, rabin, 0),
		"ctl graph":          func(k *petri.Kripke) error { _, err := branching.ExploreGraph(t.Context(), k, 1, 0); return err },
		"ctl graph, threads": func(k *petri.Kripke) error { _, err := branching.ExploreGraph(t.Context(), k, 3, 0); return err },
		"ctl search": func(k *petri.Kripke) error {
			_, err := branching.NewSearch(k, false, 1).Decide(t.Context(), eventually)
			return err
		},
		"ctl deep": func(k *petri.Kripke) error {
			_, err := branching.NewSearch(k, true, 1).Decide(t.Context(), eventually)
			return err
		},
		"liveness": func(k *petri.Kripke) error { _, err := reachability.CheckLiveness(t.Context(), k, nil); return err },
		"liveness, threads": func(k *petri.Kripke) error {
			_, _, err := reachability.CheckLivenessTogether(t.Context(), k, nil, 3, 0)
			return err
		},
		"goals": func(k *petri.Kripke) error {
			g := reachability.GoalSearch{Net: net, Facts: facts, Budget: k.Account().Budget(), Goals: []walk.Goal{{Predicate: together}},
				Open: func(int) bool { return true }, Found: func(int, int64, []witness.Burst) {}}
			return g.Run(t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			debug.FreeOSMemory()
			limit := account.InUse() + 100<<20
			k := petri.NewKripke(net, facts, petri.Budget{MemoryBytes: limit})
			var err error
			peak := peakOf(func() { err = run(k) })
			if !errors.As(err, new(*petri.MemoryError)) {
				t.Errorf("%v, expected that memory was spent", err)
			}
			if peak > limit+30<<20 {
				t.Errorf("%d MB of %d MB", peak>>20, limit>>20)
			}
			if peak < limit-30<<20 {
				t.Errorf("only %d MB of %d MB were used", peak>>20, limit>>20)
			}
		})
	}
}

// TestLongWalksKeepWithinMemory: after a violation that every run shows, the walk to a cycle that is
// millions of steps away takes no more memory than there is.
func TestLongWalksKeepWithinMemory(t *testing.T) {
	b := &petri.Builder{ID: "long"}
	p, err := b.AddPlace("p", "", 1<<53)
	if err != nil {
		t.Fatal(err)
	}
	step, err := b.AddTransition("t", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.AddInput(p, step, 1); err != nil {
		t.Fatal(err)
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, approach := range []product.Approach{product.ByTGBA, product.ByBA} {
		debug.FreeOSMemory()
		limit := account.InUse() + 16<<20
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{MemoryBytes: limit})
		var r properties.Result
		var err error
		peak := peakOf(func() {
			r, err = product.CheckBy(t.Context(), k, properties.Property{Automaton: automata.EveryWord()}, product.Settings{Approach: approach})
		})
		if err != nil || r.Verdict != properties.Unknown {
			t.Errorf("%v: %v, %v", approach, r.Verdict, err)
		}
		if peak > limit+30<<20 {
			t.Errorf("%v: %d MB of %d MB", approach, peak>>20, limit>>20)
		}
	}
}

// TestDearLabelsKeepTheTime: where the labels of successors take long to find, and no step of the
// automaton goes to them, time is looked at all the same.
func TestDearLabelsKeepTheTime(t *testing.T) {
	const successors, terms = 500, 1 << 15
	dear := &logic.Predicate{Operator: logic.Or}
	for i := range uint32(terms) {
		dear.Operands = append(dear.Operands, marked(2*(i%successors)))
	}
	cube := func(holds bool) automata.Label { return automata.Label{automata.NewCube(1).With(0, holds)} }
	b := automata.NewBuilder([]string{"dear"}, automata.GeneralizedBuchi(1))
	b.AddStates(3)
	b.AddInitial(0)
	b.AddEdge(0, cube(true), automata.NewMarks(1), 1)
	b.AddEdge(1, cube(false), automata.NewMarks(1), 2)
	b.AddEdge(2, cube(false), automata.NewMarks(1, 0), 2)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, approach := range []product.Approach{product.ByTA, product.ByTGTA} {
		k := petri.NewKripke(toggles(t, successors), petri.Facts{}, petri.Budget{})
		r, err := product.CheckBy(account.EndsAfter(100), k, properties.Property{Automaton: a, Predicates: []*logic.Predicate{dear}}, product.Settings{Approach: approach})
		if r.Verdict != properties.Unknown || r.Statistics.LabelMisses > 200 {
			t.Errorf("%v: %v, %v, %d labels", approach, r.Verdict, err, r.Statistics.LabelMisses)
		}
	}
}

// An engine whose context has ended says so before it has looked at many states, however
// much each of them costs.
func TestEnginesEndWithContext(t *testing.T) {
	net := toggles(t, 3000)
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("no more time")
	cancel(reason)
	for name, run := range map[string]func(*petri.Kripke) error{
		"ctl graph": func(k *petri.Kripke) error { _, err := branching.ExploreGraph(ctx, k, 1, 0); return err },
		"liveness":  func(k *petri.Kripke) error { _, err := reachability.CheckLiveness(ctx, k, nil); return err },
		"goals": func(k *petri.Kripke) error {
			g := reachability.GoalSearch{Net: net, Goals: []walk.Goal{{Predicate: marked(1)}}, Open: func(int) bool { return true }, Found: func(int, int64, []witness.Burst) {}}
			return g.Run(ctx)
		},
	} {
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		if err := run(k); !errors.Is(err, reason) {
			t.Errorf("%s: error %v, expected that of the context", name, err)
		}
		if k.Len() > 3001 {
			t.Errorf("%s: %d states after the end", name, k.Len())
		}
	}
}
