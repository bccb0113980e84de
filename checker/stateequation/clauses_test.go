package stateequation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestClausesAgreeWithMarkings: what contradicts clauses is satisfied by none of the reachable markings, in
// whichever round opposites are added. Nets have weights, loops, read, inhibitor and reset arcs and
// capacities. Where a net has no bounds, the markings are some of those there are.
func TestClausesAgreeWithMarkings(t *testing.T) {
	deadlocks, others, special, unbounded, dead := 0, 0, 0, 0, 0
	if !petritest.CheckUntil(t, func() bool {
		return deadlocks > 100 && others > 100 && special > 50 && unbounded > 50 && dead > 100
	}, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.Net(), petritest.Loose(), petritest.Chains()).Draw(t, "net")
		g, all := petritest.Explore(net, 300)
		e := New(context.Background(), net)
		if e == nil {
			return
		}
		e.afresh = rapid.Bool().Draw(t, "afresh")
		for i := range 4 {
			p := &logic.Predicate{Operator: logic.Deadlocked}
			if i == 1 && net.Transitions() > 0 {
				p = &logic.Predicate{Operator: logic.Fireable, Transitions: rapid.SliceOfN(rapid.Uint32Range(0, uint32(net.Transitions()-1)), 1, 3).Draw(t, "transitions")}
				if rapid.Bool().Draw(t, "disabled") {
					p = &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{p}}
				}
			} else if i > 0 {
				p = checkertest.Goal(t, net, 3)
			}
			refuted := e.contradictsByClauses(context.Background(), p, rapid.SampledFrom([]int{0, 1, exactRound}).Draw(t, "exact"))
			reached := slices.IndexFunc(g.Markings, func(m petri.Marking) bool { return witness.Satisfies(net, m, p) })
			if refuted && reached >= 0 {
				t.Fatalf("%+v holds in %v", p, g.Markings[reached])
			}
			if i == 0 && reached >= 0 {
				dead++
			}
			if !refuted {
				continue
			}
			if i == 0 {
				deadlocks++
			} else {
				others++
			}
			if !all {
				unbounded++
			}
			if slices.ContainsFunc(places(net), net.Watched) {
				special++
			}
		}
	}) {
		t.Errorf("%d deadlocks refuted, %d other predicates, %d in special nets, %d in nets without bounds; %d have deadlocks", deadlocks, others, special, unbounded, dead)
	}
}

// places returns the places of net.
func places(net *petri.Net) (list []petri.Place) {
	for p := range petri.Place(net.Places()) {
		list = append(list, p)
	}
	return list
}

// TestClausesRefuteAsMuch: few predicates are refuted by one of the two searches only. The two find different
// solutions, and so different traps.
func TestClausesRefuteAsMuch(t *testing.T) {
	both, first, second := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		p := &logic.Predicate{Operator: logic.Deadlocked}
		if rapid.Bool().Draw(t, "other") {
			p = checkertest.Goal(t, net, 3)
		}
		a, b := New(context.Background(), net).Contradicts(context.Background(), p), New(context.Background(), net).ContradictsByClauses(context.Background(), p)
		switch {
		case a && b:
			both++
		case a:
			first++
		case b:
			second++
		}
	})
	if t.Logf("%d by both, %d by branches only, %d by clauses only", both, first, second); both < 10 || (first+second)*20 > both {
		t.Errorf("%d by both, %d by branches only, %d by clauses only", both, first, second)
	}
}

// TestClausesLookOften: a long search looks at its context often, and proves nothing if a look finds that
// it has ended. In each of some rings a token goes round, and a goal wants the token of each at places of
// its own, in more rings than there may be: there are many combinations.
func TestClausesLookOften(t *testing.T) {
	const rings, places, wanted = 7, 4, 3
	var b petri.Builder
	goal := &logic.Predicate{Operator: logic.And}
	sum := logic.Sum{Constant: 1}
	for r := range rings {
		some := &logic.Predicate{Operator: logic.Or}
		for p := range places {
			place, err := b.AddPlace(fmt.Sprint("p", r, "_", p), "", int64(1-min(p, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if p >= places-wanted {
				some.Operands = append(some.Operands, least(int(place), 1))
				sum.Terms = append(sum.Terms, logic.Term{Place: uint32(place), Coefficient: 1})
			}
		}
		goal.Operands = append(goal.Operands, some)
		for p := range places {
			u, err := b.AddTransition(fmt.Sprint("t", r, "_", p), "")
			if err = errors.Join(err, b.AddInput(petri.Place(r*places+p), u, 1), b.AddOutput(u, petri.Place(r*places+(p+1)%places), 1)); err != nil {
				t.Fatal(err)
			}
		}
	}
	sum.Constant = 1 - rings
	goal.Operands = append(goal.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: sum})
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	ctx := &counted{Context: t.Context()}
	if !New(context.Background(), net).ContradictsByClauses(ctx, goal) {
		t.Fatal("all rings are where they are wanted, or one is not")
	}
	t.Logf("%d looks", ctx.looks)
	if ctx.looks < 50 {
		t.Errorf("%d looks", ctx.looks)
	}
	for _, looks := range []int{0, 1, 10, ctx.looks / 2, ctx.looks - 1} {
		if New(context.Background(), net).ContradictsByClauses(account.EndsAfter(looks), goal) {
			t.Errorf("proven within %d looks", looks)
		}
	}
	e, slices := New(context.Background(), net), 1
	for ; slices < 100 && !e.ContradictsByClauses(account.EndsAfter(ctx.looks/10), goal); slices++ {
	}
	if slices < 5 || slices == 100 {
		t.Errorf("proven in %d slices of a tenth", slices)
	}
}
