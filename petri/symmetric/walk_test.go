package symmetric

import (
	"context"
	"errors"
	"math"
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
		replay, err := net.Replay(t.Context())
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
			domain.split(tuple, colours)
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

// TestReplayRefuses fires what the definition forbids.
func TestReplayRefuses(t *testing.T) {
	net := squares(3) // p has a token of each colour; t[x,y] with x < y takes two
	for _, c := range []struct {
		run  []Firing
		want string
	}{
		{[]Firing{{0, []int64{0, 1}}}, ""},
		{[]Firing{{0, []int64{0, 1}}, {0, []int64{0, 2}}}, `"t"[x=0,y=2]: "p" lacks a token of colour [0]`},
		{[]Firing{{0, []int64{1, 0}}}, `the guard of "t"[x=1,y=0] does not hold`},
		{[]Firing{{0, []int64{0, 3}}}, `"C" has no colour 3`},
		{[]Firing{{0, []int64{0}}}, `1 colours for the 2 variables of "t"`},
		{[]Firing{{1, nil}}, `no transition has number 1`},
	} {
		r, err := net.Replay(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range c.run {
			if err := r.Fire(f); err != nil {
				got = err.Error()
			}
		}
		if got != c.want {
			t.Errorf("%v: got %q, want %q", c.run, got, c.want)
		}
	}
	net.Places[0].Initial = Expression{{-1, []Term{{}}}}
	if _, err := net.Replay(t.Context()); err == nil {
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

// TestReplayLooksBetweenLimits looks for bindings of a variable in a range too large to
// try all its colours: comparisons with what is bound leave few.
func TestReplayLooksBetweenLimits(t *testing.T) {
	class := &Class{Name: "R", Size: 1 << 40}
	x, y, last := Term{Variable, 0, 0}, Term{Variable, 1, 0}, class.Size-1
	compare := func(operator Operator, l, r Term) *Guard {
		return &Guard{Operator: operator, Left: Operand{Term: l, Class: class}, Right: Operand{Term: r, Class: class}}
	}
	for i, c := range []struct {
		guard   *Guard
		enabled bool
	}{
		{compare(Less, x, y), false},
		{negated(compare(AtMost, y, x)), false},
		{compare(AtMost, x, y), true},
		{negated(compare(Less, y, x)), true},
		{&Guard{Operator: And, Operands: []*Guard{negated(compare(Equal, x, y)), compare(AtMost, x, y)}}, false},
		{negated(&Guard{Operator: Or, Operands: []*Guard{compare(Equal, x, y), compare(Less, y, x)}}), false},
		{&Guard{Operator: Or, Operands: []*Guard{compare(Less, x, y), compare(Equal, y, x)}}, true},
		{&Guard{Operator: And, Operands: []*Guard{compare(Less, Term{Value: last - 3}, y), compare(Less, y, Term{Value: last - 2})}}, false},
	} {
		net := &Net{
			Places: []Place{{ID: "p", Domain: Domain{class}, Initial: Expression{{1, []Term{{Value: last}}}}}},
			Transitions: []Transition{{ID: "t", Guard: c.guard, Pre: []Arc{{0, Expression{{1, []Term{x}}}}},
				Variables: []VariableDeclaration{{"x", class}, {"y", class}}}},
		}
		r, err := net.Replay(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if enabled, certain := r.Enabled(0, 100); enabled != c.enabled || !certain {
			t.Errorf("%d: enabled %v, certain %v, want %v and true", i, enabled, certain, c.enabled)
		}
	}
}

// TestReplayEnds: the search for an enabled binding ends with its context, and is then not
// certain.
func TestReplayEnds(t *testing.T) {
	net := squares(5000) // whose guard no binding satisfies
	net.Transitions[0].Guard = &Guard{Operator: And, Operands: []*Guard{
		net.Transitions[0].Guard, {Operator: Not, Operands: []*Guard{net.Transitions[0].Guard}}}}
	r, err := net.Replay(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	r.Context = over
	if enabled, certain := r.Enabled(0, math.MaxInt); enabled || certain {
		t.Errorf("enabled %v, certain %v", enabled, certain)
	}
}
