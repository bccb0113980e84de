package walk_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// corridor returns a chain of places with a way back to the first one from each: a walk
// that does not look ahead hardly ever gets to its end. The second token of the
// last place needs another walk, while the first one stays.
func corridor(t *testing.T, length int) *petri.Net {
	t.Helper()
	var b petri.Builder
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var places []petri.Place
	for i := range length {
		tokens := int64(0)
		if i == 0 {
			tokens = 2
		}
		p, err := b.AddPlace(fmt.Sprintf("p%d", i), "", tokens)
		check(err)
		places = append(places, p)
	}
	for i := range length {
		for name, to := range map[string]int{"on": i + 1, "back": 0} {
			if to == length || i == 0 && to == 0 {
				continue
			}
			for copies := range 3*(1-min(to, 1))*min(i, 1) + 1 { // many ways back
				u, err := b.AddTransition(fmt.Sprintf("%s%d.%d", name, i, copies), "")
				check(err)
				check(b.AddInput(places[i], u, 1))
				check(b.AddOutput(u, places[to], 1))
			}
		}
	}
	net, err := b.Build()
	check(err)
	return net
}

func TestWalkAlongPlan(t *testing.T) {
	const length = 40
	net := corridor(t, length)
	last := logic.Term{Place: length - 1, Coefficient: -1}
	atLeast := func(n int64) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: n, Terms: []logic.Term{last}}}
	}
	first := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}
	var back []uint32
	for u := range petri.Transition(net.Transitions()) {
		if net.TransitionLabel(u).ID == fmt.Sprintf("back%d.0", length-1) {
			back = append(back, uint32(u))
		}
	}
	for name, goal := range map[string]walk.Goal{
		"a token":      {Predicate: atLeast(1)},
		"both tokens":  {Predicate: atLeast(2)},
		"fireable":     {Predicate: &logic.Predicate{Operator: logic.Fireable, Transitions: back}},
		"disjunction":  {Predicate: &logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{atLeast(3), atLeast(2)}}},
		"conjunction":  {Predicate: &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{first, atLeast(1)}}},
		"largest":      {Maximum: &logic.Sum{Terms: []logic.Term{{Place: length - 1, Coefficient: 1}}}},
		"not so few":   {Predicate: &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{{Operator: logic.AtMost, Sum: logic.Sum{Constant: -1, Terms: []logic.Term{{Place: length - 1, Coefficient: 1}}}}}}},
		"exactly both": {Predicate: &logic.Predicate{Operator: logic.Equal, Sum: logic.Sum{Constant: -2, Terms: []logic.Term{{Place: length - 1, Coefficient: 1}}}}},
	} {
		w := walk.WalksOn(net, []walk.Goal{goal}, 1)
		w.Found = func(_ int, value int64, run []witness.Burst) bool {
			m, err := witness.ReplayRun(net, run)
			if err != nil || goal.Predicate != nil && !witness.Satisfies(net, m, goal.Predicate) {
				t.Errorf("%s: the run does not replay, %v", name, err)
			}
			return goal.Predicate != nil || value == 2
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		w.Run(ctx)
		cancel()
		if w.Open() > 0 {
			t.Errorf("%s: not found in %d steps", name, w.Steps)
		}
	}
}
