package testingautomata

import (
	"context"
	"errors"
	"testing"
	"time"

	"pnmc/automata"
	"pnmc/automata/stutter"
	"pnmc/internal/account"
)

// chain returns an automaton of so many states, each of which leads to the next whatever p is; whether
// p holds matters, since it sets a mark.
func chain(t *testing.T, states int) *automata.Automaton {
	t.Helper()
	b := automata.NewBuilder([]string{"p"}, automata.GeneralizedBuchi(1))
	b.AddStates(states)
	b.AddInitial(0)
	for s := range automata.State(states) {
		to := min(s+1, automata.State(states-1))
		b.AddEdge(s, automata.Label{automata.NewCube(1).With(0, true)}, automata.NewMarks(1, 0), to)
		b.AddEdge(s, automata.Label{automata.NewCube(1).With(0, false)}, automata.NewMarks(1), to)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestEntriesAreCharged: from each state of a long chain that stutters it is found out where edges
// lead. That takes the square of its length, and ends with the account.
func TestEntriesAreCharged(t *testing.T) {
	for states, want := range map[int]error{20: nil, 1000: context.DeadlineExceeded} {
		a := chain(t, states)
		x, err := newExpansion(t.Context(), a, stutter.Invariance{Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		x.account.Begin(account.EndsAfter(10))
		if _, err := x.testing(); !errors.Is(err, want) {
			t.Errorf("%d states: error %v, expected %v", states, err, want)
		}
	}
}

// TestLettersOfLongChains: a new letter takes time in the edges of the automaton, also where from each
// state all others are reached by stuttering.
func TestLettersOfLongChains(t *testing.T) {
	a := chain(t, 300_000)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f, err := NewOnTheFly(t.Context(), automata.TGTA, a, stutter.Invariance{Whole: true})
		if err != nil {
			t.Error(err)
			return
		}
		low, high := f.Letter(automata.Valuation{0}), f.Letter(automata.Valuation{1})
		if n := len(f.Initial(low)); n != 1 {
			t.Errorf("%d initial states", n)
		}
		if n := len(f.Steps(f.Initial(high)[0], high, low)); n == 0 {
			t.Error("no step of a change")
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it goes on and on")
	}
}
