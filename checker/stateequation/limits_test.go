package stateequation

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// counted is a context that counts looks at it.
type counted struct {
	context.Context
	looks int
}

func (c *counted) Err() error {
	c.looks++
	return nil
}

// made returns a net of empty places. Each transition takes a token from each of its inputs, and gives
// one to its output, unless that is negative.
func made(t *testing.T, places int, transitions ...transition) *petri.Net {
	var b petri.Builder
	for p := range places {
		if _, err := b.AddPlace(fmt.Sprint("p", p), "", 0); err != nil {
			t.Fatal(err)
		}
	}
	for i, u := range transitions {
		id, err := b.AddTransition(fmt.Sprint("t", i), "")
		for _, p := range u.inputs {
			err = errors.Join(err, b.AddInput(petri.Place(p), id, 1))
		}
		if u.output >= 0 {
			err = errors.Join(err, b.AddOutput(id, petri.Place(u.output), 1))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

type transition struct {
	inputs []int
	output int
}

// spread returns a net of places, each with a transition that gives to it and some that take from it.
func spread(t *testing.T, places, takers int) *petri.Net {
	var transitions []transition
	for p := range places {
		transitions = append(transitions, transition{nil, p})
		for range takers {
			transitions = append(transitions, transition{[]int{p}, -1})
		}
	}
	return made(t, places, transitions...)
}

// least says that a place has at least some tokens.
func least(place int, tokens int64) *logic.Predicate {
	return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: tokens, Terms: []logic.Term{{Place: uint32(place), Coefficient: -1}}}}
}

// TestSumsLookOften: to make the row of a sum of many places, whose columns are basic by then, the
// simplex looks at its context; without time for it there is no row, and no bound.
func TestSumsLookOften(t *testing.T) {
	const places = 1500
	e := New(context.Background(), spread(t, places, 6)) // with more takers columns would be absent at first, and there would be less to do
	all := &logic.Predicate{Operator: logic.And}
	sum := logic.Sum{}
	for p := range places {
		all.Operands = append(all.Operands, least(p, 1))
		sum.Terms = append(sum.Terms, logic.Term{Place: uint32(p), Coefficient: int64(p + 2)})
	}
	if e.Contradicts(t.Context(), all) {
		t.Fatal("each place can have a token")
	}
	forms := len(e.simplex.forms)
	if _, ok := e.UpperBound(account.EndsAfter(10), sum); ok || len(e.simplex.forms) != forms {
		t.Errorf("bounded: %t; %d forms where there were %d", ok, len(e.simplex.forms), forms)
	}
	ctx := &counted{Context: t.Context()}
	if _, ok := e.UpperBound(ctx, sum); ok {
		t.Error("nothing bounds the sum")
	}
	if ctx.looks < 50 {
		t.Errorf("%d looks", ctx.looks)
	}
}

// TestSolutionsLookOften: whether a solution satisfies a predicate that asks about all transitions
// again and again is told with looks at the context.
func TestSolutionsLookOften(t *testing.T) {
	const times = 400
	net := spread(t, 100, 20)
	isolated := &logic.Predicate{Operator: logic.Fireable}
	for u := range petri.Transition(net.Transitions()) {
		if len(net.Pre(u)) > 0 {
			isolated.Transitions = append(isolated.Transitions, uint32(u))
		}
	}
	p := &logic.Predicate{Operator: logic.Or}
	for i := range times {
		p.Operands = append(p.Operands, &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{
			{Operator: logic.Not, Operands: []*logic.Predicate{isolated}}, least(i%100, 1)}})
	}
	ctx := &counted{Context: t.Context()}
	s := &refutation{equation: New(context.Background(), net), ctx: ctx, budget: maxBranches}
	if !s.assert(p, true) || s.violated() != 0 {
		t.Error("no place has a token in the first solution")
	}
	if ctx.looks < 10 {
		t.Errorf("%d looks", ctx.looks)
	}
	s.ctx = account.EndsAfter(3)
	if s.violated(); !s.failed {
		t.Error("the search goes on after its context")
	}
}

// TestAssertionsLookOften: so it is while predicates are asserted.
func TestAssertionsLookOften(t *testing.T) {
	const places = 30
	net := spread(t, places, 2)
	p := &logic.Predicate{Operator: logic.And}
	for i := range 4000 {
		p.Operands = append(p.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -int64(i), Terms: []logic.Term{
			{Place: uint32(i % places), Coefficient: 1}, {Place: uint32(i / places % places), Coefficient: int64(i + 1)}}}})
	}
	ctx := &counted{Context: t.Context()}
	s := &refutation{equation: New(context.Background(), net), ctx: ctx, budget: maxBranches}
	s.assert(p, true)
	if ctx.looks < 3 {
		t.Errorf("%d looks", ctx.looks)
	}
	s = &refutation{equation: New(context.Background(), net), ctx: account.EndsAfter(1), budget: maxBranches}
	if s.assert(p, true); !s.failed || len(s.equation.simplex.forms) > 3000 {
		t.Errorf("failed: %t, after %d forms", s.failed, len(s.equation.simplex.forms))
	}
}

// TestSplitsHaveNoCopies: splits that lie in each other have one list of what is to be split. Each
// had two copies of it.
func TestSplitsHaveNoCopies(t *testing.T) {
	const splits, transitions = 150, 12_000
	var list []transition
	for i := range splits {
		list = append(list, transition{nil, 2 + i})
	}
	for range transitions {
		list = append(list, transition{[]int{0, 1}, -1})
	}
	e := New(context.Background(), made(t, 2+splits, list...))
	disabled := &logic.Predicate{Operator: logic.Fireable}
	for u := range transitions {
		disabled.Transitions = append(disabled.Transitions, uint32(splits+u))
	}
	p := &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{{Operator: logic.Not, Operands: []*logic.Predicate{disabled}}}}
	for i := range splits {
		p.Operands = append(p.Operands, &logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{least(2+i, 1), least(2+i, 2)}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if e.Contradicts(t.Context(), p) {
		t.Error("all of this can be so")
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 20 {
		t.Errorf("%d MB for %d splits with %d disjunctions", mb, splits, transitions)
	}
}

// TestSettingUpLooks: an equation is not set up where the context has ended, or where there is no room for it.
func TestSettingUpLooks(t *testing.T) {
	net := petritest.Philosophers(2000)
	if New(context.Background(), net) == nil {
		t.Fatal("no equation without a limit")
	}
	if New(account.EndsAfter(0), net) != nil {
		t.Error("an equation after the end")
	}
	small, stop := account.Within(context.Background(), petri.Budget{MemoryBytes: 1 << 20})
	defer stop(nil)
	if New(small, net) != nil {
		t.Error("an equation in a megabyte")
	}
}
