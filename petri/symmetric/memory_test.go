package symmetric

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// TestLargeRunsAreNotUnfolded: the part of an unfolding that a run needs has a bound, and
// ends with the context.
func TestLargeRunsAreNotUnfolded(t *testing.T) {
	d := &Class{Name: "d", Size: 1 << 16}
	all := Expression{{Coefficient: 1, Terms: []Term{{Kind: All}}}}
	net := &Net{Places: []Place{{ID: "p", Domain: Domain{d}, Initial: all}, {ID: "q", Domain: Domain{d}, Initial: all}}}
	for most, large := range map[int]bool{1 << 15: true, 1<<17 - 1: true, 1 << 17: false} {
		if _, err := net.UnfoldRun(t.Context(), nil, most); errors.Is(err, ErrTooLarge) != large || !large && err != nil {
			t.Errorf("of at most %d nodes: %v", most, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := net.UnfoldRun(ctx, nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context has ended: %v", err)
	}
}

// TestLargeMarkingsAskForMemory: a marking with a token of each of a million colours is not
// begun where there is no room for it, by unfolding, by a walk and by a replay.
func TestLargeMarkingsAskForMemory(t *testing.T) {
	d := &Class{Name: "d", Size: 1 << 20}
	all := Expression{{Coefficient: 1, Terms: []Term{{Kind: All}}}}
	net := &Net{Places: []Place{{ID: "p", Domain: Domain{d}, Initial: all}}}
	for name, begin := range map[string]func() error{
		"unfolding": func() error {
			ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 8<<20})
			defer stop(nil)
			_, err := net.Unfold(ctx, Options{})
			if ctx.Err() == nil {
				t.Error("unfolding: the context goes on")
			}
			return errors.Join(err, account.Reason(ctx))
		},
		"walk": func() error {
			ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 8<<20})
			defer stop(nil)
			_, err := net.Walk(ctx, rand.New(rand.NewPCG(1, 1)), 1000)
			return err
		},
		"replay": func() error {
			ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 8<<20})
			defer stop(nil)
			_, err := StartReplay(ctx, net)
			return err
		},
	} {
		before := account.InUse()
		var reason *petri.MemoryError
		if err := begin(); !errors.As(err, &reason) {
			t.Errorf("%s: %v, expected that there is no memory", name, err)
		}
		if made := account.InUse() - before; made > 8<<20 {
			t.Errorf("%s: %d MB were taken before", name, made>>20)
		}
	}
}

// TestArcsAskForMemory: arcs to all of many colours are not collected where there is no room for
// them.
func TestArcsAskForMemory(t *testing.T) {
	few, many := &Class{Name: "few", Size: 1 << 8}, &Class{Name: "many", Size: 1 << 15}
	one := Expression{{Coefficient: 1, Terms: []Term{{Kind: Variable}}}}
	all := Expression{{Coefficient: 1, Terms: []Term{{Kind: All}}}}
	net := &Net{
		Places: []Place{{ID: "p", Domain: Domain{few}, Initial: all}, {ID: "q", Domain: Domain{many}}},
		Transitions: []Transition{{ID: "t", Variables: []VariableDeclaration{{Name: "x", Class: few}},
			Pre: []Arc{{Place: 0, Expression: one}}, Post: []Arc{{Place: 1, Expression: all}}}},
	}
	debug.FreeOSMemory()
	before := account.InUse()
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: before + 100<<20})
	defer stop(nil)
	_, err := net.Unfold(ctx, Options{MaxArcs: 1 << 30})
	if made := account.InUse() - before; !errors.As(context.Cause(ctx), new(*petri.MemoryError)) || err == nil || made > 80<<20 {
		t.Errorf("%v: %d MB were taken", err, made>>20)
	}
}

// TestBindingsAskForMemory: a list of bindings that has no room to grow stays as it is,
// whether they were found or wait for a token.
func TestBindingsAskForMemory(t *testing.T) {
	const width = 1 << 10
	c := &Class{Name: "c", Size: 2}
	one := Expression{{Coefficient: 1, Terms: []Term{{Kind: Variable}}}}
	all := Expression{{Coefficient: 1, Terms: []Term{{Kind: All}}}}
	net := &Net{Places: []Place{{ID: "p", Domain: Domain{c}}, {ID: "q", Domain: Domain{c}}}}
	transition := Transition{ID: "t", Pre: []Arc{{Place: 0, Expression: one}}}
	for range width {
		transition.Variables = append(transition.Variables, VariableDeclaration{Name: "x", Class: c})
	}
	waits := transition
	waits.Pre = append(waits.Pre, Arc{Place: 1, Expression: all})
	net.Transitions = []Transition{transition, waits}
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 256<<20})
	defer stop(nil)
	u := newUnfolder(ctx, net, Options{})
	if u.err != nil {
		t.Fatal(u.err)
	}
	u.account = account.New(petri.Budget{MemoryBytes: 1})
	u.bindings[0] = make([]int64, 1<<17)
	before := cap(u.bindings[0])
	if u.found(0, make([]int64, width)) || cap(u.bindings[0]) != before {
		t.Errorf("%d numbers grew to %d (%v)", before, cap(u.bindings[0]), u.err)
	}
	u.err = nil
	needed := fact{1, 0}
	u.waiting[needed] = make([]suspended, 1<<16)
	before = cap(u.waiting[needed])
	if u.found(1, make([]int64, width)) || cap(u.waiting[needed]) != before {
		t.Errorf("%d that wait grew to %d (%v)", before, cap(u.waiting[needed]), u.err)
	}
}

// TestLargeGuardsEndWithTheContext: a guard of thousands of comparisons counts as many steps, where a
// token begins a binding and where further variables are bound.
func TestLargeGuardsEndWithTheContext(t *testing.T) {
	const colours, comparisons, looks = 256, 1 << 13, 30
	d := &Class{Name: "d", Size: colours}
	all := Expression{{Coefficient: 1, Terms: []Term{{Kind: All}}}}
	variable := func(v int) Expression {
		return Expression{{Coefficient: 1, Terms: []Term{{Kind: Variable, Variable: v}}}}
	}
	p, q := Place{ID: "p", Domain: Domain{d}, Initial: all}, Place{ID: "q", Domain: Domain{d}, Initial: oneToken(0)}
	for name, test := range map[string]struct {
		places []Place // the tokens of the first are taken first
		of     func(i int) int
	}{
		"at the trigger": {[]Place{q, p}, func(int) int { return 1 }},
		"behind it":      {[]Place{p, q}, func(i int) int { return i % 2 }},
	} {
		guard := &Guard{Operator: Or}
		for i := range comparisons {
			guard.Operands = append(guard.Operands, &Guard{Operator: Less,
				Left: Operand{Term: Term{Kind: Variable, Variable: test.of(i)}, Class: d}, Right: Operand{Term: Term{Kind: Constant}, Class: d}})
		}
		net := &Net{
			Places: test.places,
			Transitions: []Transition{{ID: "t", Variables: []VariableDeclaration{{Name: "x", Class: d}, {Name: "y", Class: d}}, Guard: guard,
				Pre: []Arc{{Place: 0, Expression: variable(0)}, {Place: 1, Expression: variable(1)}}}},
		}
		if _, err := net.Unfold(account.EndsAfter(looks), Options{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: after %d looks: %v", name, looks, err)
		}
	}
}

// oneToken returns an expression of one token of a colour.
func oneToken(colour int64) Expression {
	return Expression{{Coefficient: 1, Terms: []Term{{Kind: Constant, Value: colour}}}}
}
