package automata

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// pollsUntil is a context that ends when its error was asked for a number of times.
type pollsUntil struct {
	context.Context
	left int
}

func (c *pollsUntil) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// loops returns an automaton of one state, with an edge for each of the sets given.
func loops(t *testing.T, sets int, condition *Condition, marks ...[]int) *Automaton {
	t.Helper()
	b := NewBuilder([]string{"a"}, Acceptance{Sets: sets, Condition: condition})
	b.AddStates(1)
	b.AddInitial(0)
	for _, m := range marks {
		b.AddEdge(0, Label{NewCube(1)}, NewMarks(sets, m...), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func conditionOf(operator ConditionOperator, operands ...*Condition) *Condition {
	return &Condition{Operator: operator, Operands: operands}
}

// pigeons returns a condition that puts holes+1 pigeons into holes, which no run fulfils.
func pigeons(t *testing.T, holes int) *Automaton {
	t.Helper()
	set := func(pigeon, hole int) int { return pigeon*holes + hole }
	all := conditionOf(ConditionAnd)
	var marks [][]int
	for p := range holes + 1 {
		somewhere := conditionOf(ConditionOr)
		for h := range holes {
			marks = append(marks, []int{set(p, h)})
			somewhere.Operands = append(somewhere.Operands, &Condition{Operator: Inf, Set: set(p, h)})
			for q := range p {
				all.Operands = append(all.Operands, conditionOf(ConditionOr,
					&Condition{Operator: Fin, Set: set(p, h)}, &Condition{Operator: Fin, Set: set(q, h)}))
			}
		}
		all.Operands = append(all.Operands, somewhere)
	}
	return loops(t, len(marks), all, marks...)
}

// A conjunction of many disjunctions of Inf is strong, and that is found out soon: its
// negation has a part for each conjunct.
func TestStrengthsOfManyConjuncts(t *testing.T) {
	const conjuncts, edges = 60, 4000
	random := rand.New(rand.NewPCG(1, 2))
	all := conditionOf(ConditionAnd)
	for i := range conjuncts {
		all.Operands = append(all.Operands, conditionOf(ConditionOr,
			&Condition{Operator: Inf, Set: 2 * i}, &Condition{Operator: Inf, Set: 2*i + 1}))
	}
	var marks [][]int
	for range edges {
		var m []int
		for i := range 2 * conjuncts {
			if random.IntN(2) == 0 {
				m = append(m, i)
			}
		}
		marks = append(marks, m)
	}
	if got := StrengthOf(context.Background(), loops(t, 2*conjuncts, all, marks...)); got != Strong {
		t.Errorf("strength %d, expected strong", got)
	}
}

// What is too hard to find out, or not finished in time, counts as strong, and no cycle
// counts as known.
func TestHardConditionsEndWithContextAndBound(t *testing.T) {
	hard := pigeons(t, 12)
	for name, ctx := range map[string]context.Context{
		"ended": &pollsUntil{context.Background(), 0}, "ends": &pollsUntil{context.Background(), 20}, "bound": context.Background(),
	} {
		c := FindComponents(hard)
		if got := Strengths(ctx, hard, c); got[0] != Strong {
			t.Errorf("%s: strength %d, expected strong", name, got[0])
		}
		for what, f := range map[string]func() error{
			"cycle":           func() error { _, err := HasAcceptingCycle(ctx, hard); return err },
			"components":      func() error { _, err := AcceptingComponents(ctx, hard, c); return err },
			"inherently weak": func() error { _, err := InherentlyWeak(ctx, hard, c); return err },
		} {
			if err := f(); err == nil || name != "bound" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %s: error %v", name, what, err)
			}
		}
	}
	if got := StrengthOf(context.Background(), pigeons(t, 3)); got != Rejecting {
		t.Errorf("three holes: strength %d, expected rejecting", got)
	}
}

// A component of which a cycle is soon found that is accepted, and for which the bound or the context
// ends the search for one that is not, counts as strong: weaker would say that all cycles are accepted.
func TestStrongWhereRejectionIsNotFoundOut(t *testing.T) {
	positive := pigeons(t, 12)
	hard := *positive
	hard.Acceptance.Condition = positive.Acceptance.Condition.Negation()
	for name, ctx := range map[string]context.Context{"ends": &pollsUntil{context.Background(), 20}, "bound": context.Background()} {
		c := FindComponents(&hard)
		if accepted, err := HasAcceptingCycle(context.Background(), &hard); !accepted || err != nil {
			t.Fatalf("an accepted cycle is hard to find: %v, %v", accepted, err)
		}
		if got := Strengths(ctx, &hard, c); got[0] != Strong {
			t.Errorf("%s: strength %d, expected strong", name, got[0])
		}
	}
	for name, ctx := range map[string]context.Context{"ended": &pollsUntil{context.Background(), 0}, "ends": &pollsUntil{context.Background(), 20}, "bound": context.Background()} {
		if weak, err := InherentlyWeak(ctx, &hard, FindComponents(&hard)); err == nil {
			t.Errorf("%s: inherently weak: %v, without an error", name, weak)
		}
	}
	easy := *pigeons(t, 3)
	easy.Acceptance.Condition = easy.Acceptance.Condition.Negation()
	if got := StrengthOf(context.Background(), &easy); got != Terminal {
		t.Errorf("three holes: strength %d, expected terminal", got)
	}
}

// pigeonLabel returns the label that all valuations match if no valuation puts each of holes+1
// pigeons into a hole of its own: it says what may be wrong with one.
func pigeonLabel(holes int) (Label, int) {
	propositions := (holes + 1) * holes
	at := func(pigeon, hole int) int { return pigeon*holes + hole }
	var l Label
	for p := range holes + 1 {
		nowhere := NewCube(propositions)
		for h := range holes {
			nowhere = nowhere.With(at(p, h), false)
			for q := range p {
				l = append(l, NewCube(propositions).With(at(p, h), true).With(at(q, h), true))
			}
		}
		l = append(l, nowhere)
	}
	return l, propositions
}

func TestHardLabelsEndWithContextAndBound(t *testing.T) {
	for holes := 1; holes <= 3; holes++ {
		if l, _ := pigeonLabel(holes); !l.Valid(context.Background()) {
			t.Errorf("%d holes: not valid", holes)
		} else if l[:len(l)-1].Valid(context.Background()) {
			t.Errorf("%d holes: valid without its last cube", holes)
		}
	}
	hard, _ := pigeonLabel(12)
	for _, ctx := range []context.Context{context.Background(), &pollsUntil{context.Background(), 3}} {
		if hard.Valid(ctx) {
			t.Error("found out that a hard label is valid: the bound does not hold")
		}
	}
}

// TestValidLooksAtItsContext: a label whose cubes are only counted takes time, too, and the answer is no where
// the context has ended.
func TestValidLooksAtItsContext(t *testing.T) {
	l := Label{NewCube(20)}
	for n := range 1 << 14 {
		c := NewCube(20)
		for p := range 14 {
			c = c.With(p, n>>p&1 == 1)
		}
		l = append(l, c)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if !l.Valid(t.Context()) || l.Valid(ended) {
		t.Errorf("valid %v; %v when the context has ended", l.Valid(t.Context()), l.Valid(ended))
	}
}
