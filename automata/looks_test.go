package automata_test

import (
	"context"
	"slices"
	"testing"

	"pnmc/automata"
	"pnmc/automata/complement"
	"pnmc/automata/degeneralize"
	"pnmc/automata/emptiness"
	"pnmc/automata/inclusion"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/internal/automatatest"
)

// looks counts how often a context is asked whether it has ended.
type looks struct {
	context.Context
	count int
}

func (l *looks) Err() error {
	l.count++
	return nil
}

// TestOperationsAskTheirContext: each operation on automata that may take long asks its context, again and
// again on input that is large for it. The numbers are those of operations that ask everywhere: a look that is
// missing makes them less.
func TestOperationsAskTheirContext(t *testing.T) {
	random := func(settings automatatest.RandomSettings) *automata.Automaton {
		settings.Propositions, settings.LiteralProbability, settings.MarkProbability = []string{"p", "q", "r"}, 0.4, 0.4
		return automatatest.Random(settings, 1)
	}
	large := random(automatatest.RandomSettings{States: 200, Density: 0.04, Sets: 3, Condition: automatatest.RandomGeneralizedBuchi})
	medium := random(automatatest.RandomSettings{States: 30, Density: 0.1, Sets: 3, Condition: automatatest.RandomGeneralizedBuchi})
	small := random(automatatest.RandomSettings{States: 7, Density: 0.3, Sets: 2, Condition: automatatest.RandomGeneralizedBuchi})
	mixed := random(automatatest.RandomSettings{States: 60, Density: 0.05, Sets: 6, Condition: automatatest.RandomEmersonLei})
	hard := automatatest.Pigeonhole(t, 5)
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
	wideWith := func(destinations func(i int) []automata.State) *automata.Automaton {
		b := automata.NewBuilder(names, automata.GeneralizedBuchi(0))
		b.AddStates(2)
		b.AddInitial(0)
		for i := range 1500 {
			cube := automata.NewCube(len(names))
			for n := range names {
				cube = cube.With(n, i>>n&1 == 1)
			}
			for _, to := range destinations(i) {
				b.AddEdge(0, automata.Label{cube}, automata.NewMarks(0), to)
			}
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	wide := wideWith(func(i int) []automata.State { return []automata.State{automata.State(i % 2)} })
	ambiguous := wideWith(func(int) []automata.State { return []automata.State{0, 1} })
	all := func(a *automata.Automaton) []bool { return slices.Repeat([]bool{true}, a.States()) }
	inputs := map[string]*automata.Automaton{"large": large, "medium": medium, "small": small, "mixed": mixed, "hard": hard, "wide": wide, "ambiguous": ambiguous}
	for _, x := range []struct {
		name, input string
		least       int
		do          func(context.Context, *automata.Automaton)
	}{
		{"strengths", "hard", 21, func(ctx context.Context, a *automata.Automaton) {
			automata.Strengths(ctx, a, automata.FindComponents(a))
		}},
		{"accepting components", "hard", 21, func(ctx context.Context, a *automata.Automaton) {
			automata.AcceptingComponents(ctx, a, automata.FindComponents(a))
		}},
		{"accepting cycle", "hard", 21, func(ctx context.Context, a *automata.Automaton) { automata.HasAcceptingCycle(ctx, a) }},
		{"terminal states", "hard", 21, func(ctx context.Context, a *automata.Automaton) { automata.TerminalStates(ctx, a) }},
		{"unambiguous", "ambiguous", 36, func(ctx context.Context, a *automata.Automaton) { automata.Unambiguous(ctx, a) }},
		{"claims", "wide", 1, func(ctx context.Context, a *automata.Automaton) { automata.DetectClaims(ctx, a) }},
		{"deterministic", "wide", 1, func(ctx context.Context, a *automata.Automaton) { automata.IsDeterministic(ctx, a) }},
		{"product", "medium", 2, func(ctx context.Context, a *automata.Automaton) { automata.Product(ctx, a, a) }},
		{"empty", "hard", 6, func(ctx context.Context, a *automata.Automaton) { emptiness.Empty(ctx, a) }},
		{"nonempty states", "hard", 6, func(ctx context.Context, a *automata.Automaton) { emptiness.NonemptyStates(ctx, a) }},
		{"generalized Büchi", "mixed", 5, func(ctx context.Context, a *automata.Automaton) { complement.WithGeneralizedBuchi(ctx, a) }},
		{"complement", "small", 859, func(ctx context.Context, a *automata.Automaton) { complement.Complement(ctx, a, 3000) }},
		{"fair simulation", "small", 32, func(ctx context.Context, a *automata.Automaton) { complement.FairSimulations(ctx, a, a, all(a)) }},
		{"degeneralize", "small", 524, func(ctx context.Context, a *automata.Automaton) { degeneralize.Degeneralize(ctx, a) }},
		{"prune", "large", 1771, func(ctx context.Context, a *automata.Automaton) { reduce.Prune(ctx, a) }},
		{"simulation", "medium", 134, func(ctx context.Context, a *automata.Automaton) { reduce.BySimulation(ctx, a) }},
		{"obligation", "small", 51, func(ctx context.Context, a *automata.Automaton) { reduce.MinimizeObligation(ctx, a, 3000) }},
		{"acceptance", "large", 1771, func(ctx context.Context, a *automata.Automaton) { reduce.SimplifyAcceptance(ctx, a) }},
		{"marks", "large", 1771, func(ctx context.Context, a *automata.Automaton) { reduce.SpreadMarks(ctx, a, 0) }},
		{"stutter invariance", "small", 3505, func(ctx context.Context, a *automata.Automaton) { stutter.DecideInvariance(ctx, a) }},
		{"stutter invariance of states", "small", 3505, func(ctx context.Context, a *automata.Automaton) { stutter.DecideStatesInvariance(ctx, a) }},
		{"refuted invariance", "small", 899, func(ctx context.Context, a *automata.Automaton) { stutter.RefutesInvariance(ctx, a) }},
		{"TGTA", "medium", 166, func(ctx context.Context, a *automata.Automaton) {
			testingautomata.NewTGTA(ctx, a, stutter.ClaimedInvariance(a))
		}},
		{"inclusion", "small", 131, func(ctx context.Context, a *automata.Automaton) {
			inclusion.Included(a, a, inclusion.Options{Context: ctx})
		}},
		{"inclusion", "hard", 9, func(ctx context.Context, a *automata.Automaton) {
			inclusion.Included(automata.EveryWord(), a, inclusion.Options{Context: ctx})
		}},
	} {
		ctx := &looks{Context: context.Background()}
		x.do(ctx, inputs[x.input])
		if ctx.count < x.least {
			t.Errorf("%s of the %s automaton: %d looks, expected %d", x.name, x.input, ctx.count, x.least)
		}
	}
}
