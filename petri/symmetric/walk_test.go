package symmetric

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
)

// TestWalkFollowsNaive walks through random nets: at each step transitions are
// enabled as the naive interpreter says, and firing leads where it leads.
func TestWalkFollowsNaive(t *testing.T) {
	steps, deadlocks := 0, 0
	if !petritest.CheckUntil(t, func() bool { return steps >= 1200 && deadlocks >= 50 }, func(t *rapid.T) {
		net := randomNet(t)
		twin := naive{net}
		firings, sound := twin.firings()
		if !sound {
			return
		}
		seed := rapid.Uint64().Draw(t, "seed")
		w, err := net.Walk(t.Context(), rand.New(rand.NewPCG(seed, 1)), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		marking := twin.initial()
		replay, err := StartReplay(t.Context(), net)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			w.compare(t, twin, marking)
			if !slices.Equal(replay.Sums(), w.Sums()) {
				t.Fatalf("the walk has %v tokens, its replay %v", w.Sums(), replay.Sums())
			}
			enabled := map[string]firing{}
			for _, f := range firings {
				if twin.enables(marking, f) {
					enabled[f.name] = f
				}
			}
			step, err := w.Step()
			if len(enabled) == 0 {
				if !errors.Is(err, ErrDeadlock) {
					t.Fatalf("got %v, expected a deadlock", err)
				}
				deadlocks++
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			steps++
			if err := replay.Fire(step); err != nil {
				t.Fatal(err)
			}
			tr := &net.Transitions[step.Transition]
			f, ok := enabled[title(tr.ID, tr.Name, tr.Binding(step.Binding))]
			if !ok {
				t.Fatalf("%s[%s] fired, which is not enabled", tr.ID, tr.Binding(step.Binding))
			}
			for key, count := range f.pre {
				marking[key] -= count
			}
			for key, count := range f.post {
				marking[key] += count
			}
			for i := range net.Transitions {
				got, certain := w.Enabled(i)
				want := slices.ContainsFunc(firings, func(f firing) bool {
					return f.transition == i && twin.enables(marking, f)
				})
				if got != want || !certain {
					t.Fatalf("%q enabled: got %v, want %v", net.Transitions[i].ID, got, want)
				}
				if got, certain := replay.Enabled(i, 1<<20); got != want || !certain {
					t.Fatalf("%q enabled in the replay: got %v, want %v", net.Transitions[i].ID, got, want)
				}
				if got, certain := replay.Enabled(i, 1+i%3); certain && got != want {
					t.Fatalf("%q enabled in the replay given up: got %v, want %v", net.Transitions[i].ID, got, want)
				}
			}
		}
	}) {
		t.Errorf("%d steps and %d deadlocks: nothing was tested", steps, deadlocks)
	}
}

// compare reports where the walk's marking differs from the naive one.
func (w *Walk) compare(t *rapid.T, n naive, want bag) {
	got := bag{}
	for p := range w.net.Places {
		domain := w.net.Places[p].Domain
		sum := int64(0)
		for tuple, count := range w.marking[p] {
			colours := make([]int64, len(domain))
			domain.Split(tuple, colours)
			got[n.key(p, colours)] = count
			sum += count
		}
		if sum != w.Sums()[p] {
			t.Fatalf("place %d has %d tokens, told as %d", p, sum, w.Sums()[p])
		}
	}
	if got.text() != want.text() {
		t.Fatalf("marking %s, expected %s", got.text(), want.text())
	}
}

// TestWalkGivesUp looks for a binding among more than it may.
func TestWalkGivesUp(t *testing.T) {
	net := squares(1000)
	net.Transitions[0].Guard = &Guard{Operator: And, Operands: []*Guard{
		net.Transitions[0].Guard, {Operator: Not, Operands: []*Guard{net.Transitions[0].Guard}}}}
	w, err := net.Walk(t.Context(), rand.New(rand.NewPCG(1, 1)), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if enabled, certain := w.Enabled(0); enabled || certain {
		t.Errorf("enabled %v, certain %v", enabled, certain)
	}
	if _, err := w.Step(); !errors.Is(err, ErrSearchLimit) {
		t.Errorf("got %v", err)
	}
}

// TestWalkErrors checks arcs that cannot be honoured.
func TestWalkErrors(t *testing.T) {
	class := &Class{Name: "C", Size: 2}
	negative := Expression{{-1, []Term{{}}}}
	place := Place{ID: "p", Domain: Domain{class}, Initial: Expression{{1, []Term{{}}}}}
	for name, net := range map[string]*Net{
		"pre":  {Places: []Place{place}, Transitions: []Transition{{ID: "t", Pre: []Arc{{0, negative}}}}},
		"post": {Places: []Place{place}, Transitions: []Transition{{ID: "t", Post: []Arc{{0, negative}}}}},
	} {
		w, err := net.Walk(t.Context(), rand.New(rand.NewPCG(1, 1)), 1000)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Step(); err == nil || errors.Is(err, ErrDeadlock) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	place.Initial = negative
	if _, err := (&Net{Places: []Place{place}}).Walk(t.Context(), rand.New(rand.NewPCG(1, 1)), 1000); err == nil {
		t.Error("no error for a negative marking")
	}
}

// TestStepBy fires by preference: of two transitions the first in order that
// can.
func TestStepBy(t *testing.T) {
	one := Expression{{1, nil}}
	net := &Net{
		Places:      []Place{{ID: "p", Initial: one}, {ID: "q"}},
		Transitions: []Transition{{ID: "t", Pre: []Arc{{1, one}}}, {ID: "u", Pre: []Arc{{0, one}}, Post: []Arc{{1, one}}}},
	}
	w, err := net.Walk(t.Context(), rand.New(rand.NewPCG(1, 1)), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		transition int
		err        error
	}{{1, nil}, {0, nil}, {0, ErrDeadlock}} {
		if f, err := w.StepBy([]int{0, 1}); f.Transition != want.transition || err != want.err {
			t.Errorf("got %v, %v, want %v", f, err, want)
		}
	}
	if _, err := w.StepBy([]int{0}); err != ErrSearchLimit {
		t.Errorf("got %v where not all transitions were tried", err)
	}
}
