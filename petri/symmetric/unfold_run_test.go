package symmetric

import (
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// TestUnfoldRun: a random walk fires in what is unfolded of it as in the whole unfolding,
// with the same tokens after each step.
func TestUnfoldRun(t *testing.T) {
	steps := 0
	rapid.Check(t, func(t *rapid.T) {
		net := randomNet(t)
		whole, err := net.Unfold(context.Background(), Options{})
		if err != nil {
			t.Skip(err)
		}
		walk, err := net.Walk(t.Context(), rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed"))), 1000)
		if err != nil {
			t.Skip(err)
		}
		var run []Firing
		for range 12 {
			f, err := walk.Step()
			if err != nil {
				break
			}
			run = append(run, f)
		}
		part, err := net.UnfoldRun(t.Context(), run, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, n := whole.Net.Initial(), part.Net.Initial()
		name := func(f Firing) string {
			transition := &net.Transitions[f.Transition]
			return title(transition.ID, transition.Name, transition.Binding(f.Binding))
		}
		for _, f := range run {
			fired := 0
			for _, transition := range whole.Transitions[f.Transition] {
				if whole.Net.TransitionLabel(transition).Name == name(f) && whole.Net.Fire(m, transition) {
					fired++
				}
			}
			for _, transition := range part.Transitions[f.Transition] {
				if part.Net.TransitionLabel(transition).Name == name(f) && part.Net.Fire(n, transition) {
					fired++
				}
			}
			if fired != 2 {
				t.Fatalf("%s fires in %d of two unfoldings", name(f), fired)
			}
			steps++
			for p := range net.Places {
				tokens := map[string]int64{}
				for _, q := range whole.Places[p] {
					tokens[whole.Net.PlaceLabel(q).Name] += m[q]
				}
				for _, q := range part.Places[p] {
					tokens[part.Net.PlaceLabel(q).Name] -= n[q]
				}
				for name, difference := range tokens {
					if difference != 0 {
						t.Fatalf("%s differs by %d", name, difference)
					}
				}
			}
		}
	})
	if steps < 10 {
		t.Errorf("only %d steps were compared", steps)
	}
}
