package checker

import (
	"context"
	"errors"
	"testing"

	"pnmc/automata"
)

// pigeonhole is an automaton whose condition puts holes+1 pigeons into holes, each into
// one at least, and no two into the same. No word is accepted, and it takes time
// exponential in holes to find that out.
func pigeonhole(t *testing.T, holes int) *automata.Automaton {
	t.Helper()
	set := func(pigeon, hole int) int { return pigeon*holes + hole }
	c := &automata.Condition{Operator: automata.ConditionAnd}
	or := func(operands ...*automata.Condition) {
		c.Operands = append(c.Operands, &automata.Condition{Operator: automata.ConditionOr, Operands: operands})
	}
	for p := range holes + 1 {
		var somewhere []*automata.Condition
		for h := range holes {
			somewhere = append(somewhere, &automata.Condition{Operator: automata.Inf, Set: set(p, h)})
			for q := range p {
				or(&automata.Condition{Operator: automata.Fin, Set: set(p, h)}, &automata.Condition{Operator: automata.Fin, Set: set(q, h)})
			}
		}
		or(somewhere...)
	}
	sets := (holes + 1) * holes
	b := automata.NewBuilder([]string{"a"}, automata.Acceptance{Sets: sets, Condition: c})
	b.AddStates(1)
	b.AddInitial(0)
	for s := range sets {
		b.AddEdge(0, automata.Label{automata.NewCube(1)}, automata.NewMarks(sets, s), 0)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

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

func TestAHardConditionLeavesOffWithTheContext(t *testing.T) {
	hard := pigeonhole(t, 9)
	every := automata.EveryWord()
	soon := func() context.Context { return &pollsUntil{context.Background(), 20} }
	for name, decide := range map[string]func() error{
		"intersect": func() error {
			_, err := Intersect(Explicit(hard), Explicit(every), IntersectOptions{Context: soon()})
			return err
		},
		"intersect, analysed first": func() error {
			_, err := Intersect(Explicit(hard), Explicit(hard), IntersectOptions{Context: soon(), eager: true})
			return err
		},
		"states": func() error { _, err := NonemptyStates(soon(), hard); return err },
		"include": func() error {
			_, err := Included(hard, hard, InclusionOptions{Context: soon()})
			return err
		},
		"equivalent": func() error {
			_, err := Equivalent(every, hard, InclusionOptions{Context: soon(), Complement: hard, FirstComplement: hard})
			return err
		},
	} {
		if err := decide(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v, want that of the context", name, err)
		}
	}
	easy := pigeonhole(t, 3)
	if r, err := Intersect(Explicit(easy), Explicit(every), IntersectOptions{}); err != nil || r.Nonempty {
		t.Errorf("three holes: nonempty %v, error %v", r.Nonempty, err)
	}
}
