package testingautomata

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// Whatever is known of stuttering, and that must be true, a TGTA has the language
// of the automaton that it is made of.
func TestTGTAKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.SmallAutomaton(t)
		if rapid.Bool().Draw(t, "closed") {
			a = stutterClosed(t, a)
		}
		v, err := stutter.DecideInvariance(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		switch rapid.IntRange(0, 2).Draw(t, "known") {
		case 0:
			v = stutter.Invariance{Whole: v.Whole, States: make([]bool, a.States())}
		case 1:
			v = stutter.Invariance{States: v.States}
		}
		b, err := NewTGTA(context.Background(), a, v)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			l := automatatest.SmallWord(t, a)
			if automatatest.Accepts(t, a, l) != automatatest.Accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, by the TGTA %v", l, automatatest.Accepts(t, a, l), automatatest.Accepts(t, b, l))
			}
		}
	})
}

// States that are simplified in some runs and not in others are two, and a run
// starts in one of them only.
func TestTGTAStartsInExactStates(t *testing.T) {
	a := automatatest.Random(automatatest.RandomSettings{States: 4, Propositions: []string{"a", "b"}, Density: 0.5, LiteralProbability: 0.4375, MarkProbability: 0.4}, 0x82ee9e3d)
	ctx := context.Background()
	v, err := stutter.DecideInvariance(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewTGTA(ctx, a, v)
	if err != nil {
		t.Fatal(err)
	}
	b.Kind = automata.Plain
	l := automata.Lasso{Propositions: a.Propositions, Cycle: []automata.Valuation{{2}}}
	if accepted, err := automata.Accepts(b, l.Changes()); err != nil || accepted {
		t.Fatalf("accepts %v, which %v does not: %v", l, a.Name, err)
	}
}

func TestTAKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := stutterClosed(t, automatatest.SmallAutomaton(t))
		v := stutter.Invariance{Whole: true, States: make([]bool, a.States())}
		if rapid.Bool().Draw(t, "decide") {
			var err error
			if v, err = stutter.DecideInvariance(context.Background(), a); err != nil {
				t.Fatal(err)
			}
			v.Whole = true
		}
		b, err := NewTA(context.Background(), a, v)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			l := automatatest.SmallWord(t, a)
			if automatatest.Accepts(t, a, l) != automatatest.Accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, by the TA %v", l, automatatest.Accepts(t, a, l), automatatest.Accepts(t, b, l))
			}
		}
	})
}

// A GTA keeps the acceptance sets and the language.
func TestGTAKeepsTheLanguage(t *testing.T) {
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		a := stutterClosed(t, automatatest.SmallAutomaton(t))
		v := stutter.Invariance{Whole: true, States: make([]bool, a.States())}
		b, err := NewGTA(context.Background(), a, v)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := b.Acceptance.LivelockSets(); !ok || n != max(1, a.Acceptance.Sets) {
			t.Fatalf("%d sets became %d, %t", a.Acceptance.Sets, n, ok)
		}
		if a.Acceptance.Sets > 1 {
			several++
		}
		for range 10 {
			l := automatatest.SmallWord(t, a)
			if automatatest.Accepts(t, a, l) != automatatest.Accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, by the GTA %v", l, automatatest.Accepts(t, a, l), automatatest.Accepts(t, b, l))
			}
		}
	})
	if several < 3 {
		t.Errorf("only %d automata with several sets", several)
	}
}

func TestTANeedsStutterInvariance(t *testing.T) {
	every := automata.NewCube(1)
	b := automata.NewBuilder([]string{"p0"}, automata.GeneralizedBuchi(0))
	b.AddStates(3)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{every}, automata.NewMarks(0), 1)
	b.AddEdge(1, automata.Label{every.With(0, true)}, automata.NewMarks(0), 2)
	b.AddEdge(2, automata.Label{every}, automata.NewMarks(0), 2)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTA(context.Background(), a, stutter.Invariance{States: make([]bool, 3)}); !errors.Is(err, ErrStutterUnknown) {
		t.Errorf("error %v", err)
	}
	v, err := stutter.DecideInvariance(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTA(context.Background(), a, v); !errors.Is(err, ErrNotStutterInvariant) {
		t.Errorf("error %v", err)
	}
}

// TestExpansionEnds: the valuations of many propositions are gone through within the limits, even
// if most of them lead nowhere.
func TestExpansionEnds(t *testing.T) {
	const propositions = 24
	var names []string
	all := automata.NewCube(propositions)
	for p := range propositions {
		names = append(names, fmt.Sprint("p", p))
		all = all.With(p, true)
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
	b.AddStates(2)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{all}, automata.NewMarks(0), 1)
	b.AddEdge(1, automata.Label{automata.NewCube(propositions)}, automata.NewMarks(0), 1)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTA(account.EndsAfter(1000), a, stutter.Invariance{Whole: true, States: []bool{true, true}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("2^%d valuations with a thousand looks: %v", propositions, err)
	}
}
