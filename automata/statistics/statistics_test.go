package statistics

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/automatatest"
)

func statisticsExample(t testing.TB) *automata.Automaton {
	t.Helper()
	b := automata.NewBuilder([]string{"a", "b", "c"}, automata.GeneralizedBuchi(2))
	b.Name = "100% sure"
	b.AddStates(3)
	b.AddInitial(0)
	a, c := automata.NewCube(3).With(0, true), automata.NewCube(3).With(2, false)
	b.AddEdge(0, automata.Label{a}, automata.NewMarks(2), 1)
	b.AddEdge(1, automata.Label{a, c}, automata.NewMarks(2, 1), 0)
	b.AddEdge(1, automata.Label{automata.NewCube(3)}, automata.NewMarks(2), 2)
	b.AddEdge(2, automata.Label{}, automata.NewMarks(2), 0)
	automaton, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return automaton
}

func TestStats(t *testing.T) {
	a := statisticsExample(t)
	for _, c := range []struct{ format, want string }{
		{"%s %e %a", "3 4 2"},
		{"%t", "18"}, // 4 + 6 + 8 + 0
		{"%c,%i,%x,%k,%d,%p", "2,1,3,plain,0,0"},
		{"%g [%m] %f 5%%", "Inf(0)&Inf(1) [100% sure] 100% sure 5%"},
		{"", ""},
		{"none", "none"},
	} {
		if got, err := Format(context.Background(), c.format, a); err != nil || got != c.want {
			t.Errorf("%q: %q, %v, want %q", c.format, got, err, c.want)
		}
	}
	for format, want := range map[string]string{
		"%s %y": `statistics "%s %y": unknown sequence %y, expected one of %s %e %t %a %g %c %d %p %i %x %k %m %f %%`,
		"%s %":  `statistics "%s %": a letter is missing after the last %`,
	} {
		if _, err := Format(context.Background(), format, a); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", format, err, want)
		}
	}
}

func TestValuationsAgreeWithTruthTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "propositions")
		l := automatatest.DrawLabel(t, n)
		f := bdd.New(n, 1000)
		want := 0
		for v := range uint64(1) << n {
			if l.Matches(automata.Valuation{v}) {
				want++
			}
		}
		if got := f.Valuations(f.Of(l)); got.Cmp(big.NewInt(int64(want))) != 0 {
			t.Fatalf("%v, want %d", got, want)
		}
	})
}

func TestTransitionsOfManyPropositions(t *testing.T) {
	names := make([]string, 100)
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddEdge(0, automata.Label{automata.NewCube(100).With(0, true), automata.NewCube(100).With(99, true)}, automata.NewMarks(0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	want := new(big.Int).Mul(big.NewInt(3), new(big.Int).Lsh(big.NewInt(1), 98))
	if n, err := Transitions(a); err != nil || n.Cmp(want) != 0 {
		t.Errorf("%v, %v, want %v", n, err, want)
	}
	label := make(automata.Label, 0, 40)
	for i := range 40 { // pairs far apart: too large a diagram
		label = append(label, automata.NewCube(100).With(i, true).With(50+i, true))
	}
	b = automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.AddStates(1)
	b.AddEdge(0, label, automata.NewMarks(0), 0)
	if a, err = b.Build(); err != nil {
		t.Fatal(err)
	}
	if _, err := Format(context.Background(), "%t", a); !errors.Is(err, bdd.ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestConditionString(t *testing.T) {
	inf := func(i int) *automata.Condition { return &automata.Condition{Operator: automata.Inf, Set: i} }
	fin := func(i int) *automata.Condition { return &automata.Condition{Operator: automata.Fin, Set: i} }
	for _, c := range []struct {
		condition *automata.Condition
		want      string
	}{
		{&automata.Condition{Operator: automata.ConditionTrue}, "t"},
		{&automata.Condition{Operator: automata.ConditionFalse}, "f"},
		{automata.GeneralizedBuchi(3).Condition, "Inf(0)&Inf(1)&Inf(2)"},
		{&automata.Condition{Operator: automata.ConditionOr, Operands: []*automata.Condition{fin(0), fin(1)}}, "Fin(0)|Fin(1)"},
		{&automata.Condition{Operator: automata.ConditionOr, Operands: []*automata.Condition{inf(0), {Operator: automata.ConditionAnd, Operands: []*automata.Condition{fin(2), inf(1)}}}},
			"Inf(0) | (Fin(2) & Inf(1))"},
		{&automata.Condition{Operator: automata.Fin, Set: 7, Negated: true}, "Fin(!7)"},
	} {
		if got := c.condition.String(); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func ExampleFormat() {
	text, err := Format(context.Background(), "%s states, %e edges, %t transitions", statisticsExample(&testing.T{}))
	fmt.Println(text, err)
	// Output: 3 states, 4 edges, 18 transitions <nil>
}
