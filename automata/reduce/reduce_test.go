package reduce_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/reduce"
	"pnmc/internal/automatatest"
)

// reduction is a change that keeps the language of generalized Büchi automata.
var reductions = []struct {
	name  string
	apply func(context.Context, *automata.Automaton) (*automata.Automaton, error)
}{
	{"Prune", reduce.Prune},
	{"SimplifyAcceptance", reduce.SimplifyAcceptance},
	{"ReduceBySimulation", reduce.BySimulation},
	{"SpreadMarks", func(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
		return reduce.SpreadMarks(ctx, a, 1)
	}},
}

func randomGeneralizedBuchi(seed uint64) *automata.Automaton {
	r := rand.New(rand.NewPCG(seed, 7))
	return automatatest.Random(automatatest.RandomSettings{
		States: 1 + r.IntN(8), Propositions: []string{"a", "b"}, Density: 0.1 + 0.3*r.Float64(),
		LiteralProbability: 0.2 + 0.7*r.Float64(), Sets: r.IntN(4), MarkProbability: 0.2 + 0.6*r.Float64(),
	}, seed)
}

func randomLasso(r *rand.Rand, propositions []string) automata.Lasso {
	letters := func(n int) []automata.Valuation {
		word := make([]automata.Valuation, n)
		for i := range word {
			word[i] = automata.Valuation{r.Uint64N(1 << len(propositions))}
		}
		return word
	}
	return automata.Lasso{Propositions: propositions, Prefix: letters(r.IntN(4)), Cycle: letters(1 + r.IntN(4))}
}

func accepts(t *testing.T, a *automata.Automaton, word automata.Lasso) bool {
	t.Helper()
	accepted, err := automata.Accepts(a, word)
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// Each reduction keeps the language, on random words, and the size where it says
// so; each is idempotent in size.
func TestReductionsKeepTheLanguage(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(11, 12))
	accepted, smaller := 0, map[string]int{}
	for seed := range uint64(700) {
		a := randomGeneralizedBuchi(seed)
		for _, reduction := range reductions {
			b, err := reduction.apply(ctx, a)
			if err != nil {
				t.Fatal(err)
			}
			if b.States() > max(1, a.States()) || b.Edges() > a.Edges() {
				t.Errorf("seed %d, %s: from %d states, %d edges to %d, %d", seed, reduction.name,
					a.States(), a.Edges(), b.States(), b.Edges())
			}
			if b.States() < a.States() || b.Edges() < a.Edges() {
				smaller[reduction.name]++
			}
			again, err := reduction.apply(ctx, b)
			if err != nil || again.States() > b.States() || again.Edges() > b.Edges() {
				t.Errorf("seed %d, %s: applied again: %v", seed, reduction.name, err)
			}
			for range 8 {
				word := randomLasso(r, a.Propositions)
				want := accepts(t, a, word)
				if accepts(t, b, word) != want {
					t.Fatalf("seed %d, %s: %s accepted by one is %v", seed, reduction.name, word, want)
				}
				if want {
					accepted++
				}
			}
		}
	}
	if accepted < 1000 {
		t.Errorf("only %d words were accepted: the test shows little", accepted)
	}
	for _, reduction := range reductions {
		if smaller[reduction.name] == 0 {
			t.Errorf("%s never made an automaton smaller", reduction.name)
		}
	}
}

// For automata whose components accept all cycles or none, and whose language is
// therefore an obligation once they are deterministic, the minimal weak automaton
// has the same language, and its complement the others.
func TestMinimizeObligation(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(13, 14))
	both := [2]int{}
	for seed := range uint64(600) {
		a := deterministicWeak(t, r)
		m, err := reduce.MinimizeObligation(ctx, a, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if deterministic, err := automata.IsDeterministic(t.Context(), m); !deterministic || m.States() > a.States() {
			t.Fatalf("seed %d: from %d states to %d, deterministic %v, %v", seed, a.States(), m.States(), deterministic, err)
		}
		complement, err := reduce.ComplementWeak(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			word := randomLasso(r, a.Propositions)
			want := accepts(t, a, word)
			if accepts(t, m, word) != want || accepts(t, complement, word) == want {
				t.Fatalf("seed %d: %s accepted is %v", seed, word, want)
			}
			if want {
				both[1]++
			} else {
				both[0]++
			}
		}
	}
	if both[0] < 100 || both[1] < 100 {
		t.Errorf("words rejected and accepted: %v", both)
	}
}

// deterministicWeak returns a random deterministic automaton over one proposition in
// which states in the same component agree in acceptance: components are sets of
// neighbours, and edges lead to the same one or later ones.
func deterministicWeak(t *testing.T, r *rand.Rand) *automata.Automaton {
	n := 2 + r.IntN(6)
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(n)
	b.AddInitial(0)
	for s := range n {
		block := s / 2
		for _, positive := range []bool{false, true} {
			to := 2*block + r.IntN(n-2*block)
			marks := automata.NewMarks(1)
			if block%2 == 0 {
				marks = automata.NewMarks(1, 0)
			}
			b.AddEdge(automata.State(s), automata.Label{automata.NewCube(1).With(0, positive)}, marks, automata.State(to))
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Suspend is the intersection.
func TestSuspend(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(15, 16))
	infinitelyOften := func(p int) *automata.Automaton {
		b := automata.NewBuilder([]string{"a", "b"}, automata.GeneralizedBuchi(1))
		b.AddStates(1)
		b.AddInitial(0)
		b.AddEdge(0, automata.Label{automata.NewCube(2).With(p, true)}, automata.NewMarks(1, 0), 0)
		b.AddEdge(0, automata.Label{automata.NewCube(2)}, automata.NewMarks(1), 0)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	conditions := []*automata.Automaton{infinitelyOften(0), infinitelyOften(1)}
	seen := map[bool]int{}
	for seed := range uint64(500) {
		a := randomGeneralizedBuchi(seed)
		s, err := reduce.Suspend(ctx, a, conditions)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			word := randomLasso(r, a.Propositions)
			want := accepts(t, a, word) && accepts(t, conditions[0], word) && accepts(t, conditions[1], word)
			seen[want]++
			if accepts(t, s, word) != want {
				t.Fatalf("seed %d: %s accepted is %v", seed, word, want)
			}
		}
	}
	if seen[true] < 100 || seen[false] < 100 {
		t.Errorf("words accepted and rejected: %v", seen)
	}
	if _, err := reduce.Suspend(ctx, conditions[0], []*automata.Automaton{randomGeneralizedBuchi(3)}); err == nil {
		t.Error("a condition of several states was taken")
	}
}

// Cubes are valid together if and only if every valuation matches one.
func TestLabelValid(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	seen := map[bool]int{}
	for range 6000 {
		var l automata.Label
		for range r.IntN(9) {
			c, most := automata.NewCube(3), 2+r.IntN(3)
			for p := range 3 {
				if r.IntN(most) == 0 {
					c = c.With(p, r.IntN(2) == 0)
				}
			}
			l = append(l, c)
		}
		want := true
		for v := range uint64(8) {
			want = want && l.Matches(automata.Valuation{v})
		}
		seen[want]++
		if l.Valid(context.Background()) != want {
			t.Fatalf("%v: valid is %v", l, want)
		}
	}
	if seen[true] < 50 {
		t.Errorf("%v", seen)
	}
}

// A clause of thousands of literals has a small diagram, and so do its parts: diagrams
// are not copied for each literal, and nothing is tried.
func TestLongClauses(t *testing.T) {
	const n = 5000
	var clause automata.Label
	negation := automata.NewCube(n)
	for p := range n {
		clause = append(clause, automata.NewCube(n).With(p, p%2 == 0))
		negation = negation.With(p, p%2 != 0)
	}
	if clause.Valid(context.Background()) || !append(clause, negation).Valid(context.Background()) {
		t.Error("a clause is valid, or it and its negation are not")
	}
	f := bdd.New(n+2, 40*n)
	g := f.Of(clause)
	h := f.Or(f.And(g, f.Proposition(n)), f.And(f.Not(g), f.Proposition(n+1)))
	classes := f.Classes(h, n, 2)
	if f.Err() != nil || len(classes) != 2 || classes[0].Condition != g && classes[1].Condition != g {
		t.Errorf("%d classes in %d nodes: %v", len(classes), f.Nodes(), f.Err())
	}
	back, err := f.LabelOver(g, n)
	if err != nil || len(back) != n || f.All(g, f.Not(f.Of(back))) != bdd.FalseFunction {
		t.Errorf("%d cubes, %v", len(back), err)
	}
}

// Classes partition the valuations where the function is not false.
func TestClasses(t *testing.T) {
	f := bdd.New(4, 1000)
	a, b, x, y := f.Proposition(0), f.Proposition(1), f.Proposition(2), f.Proposition(3)
	g := f.Or(f.And(a, x), f.And(b, y))
	classes := f.Classes(g, 2, 10)
	union := bdd.FalseFunction
	for i, c := range classes {
		if f.And(union, c.Condition) != bdd.FalseFunction {
			t.Error("classes overlap")
		}
		union = f.Or(union, c.Condition)
		if f.And(g, c.Condition) != f.And(c.Rest, c.Condition) {
			t.Errorf("class %d is not the function under its condition", i)
		}
	}
	if len(classes) != 3 || union != f.Or(a, b) {
		t.Errorf("%d classes", len(classes))
	}
	if f.Classes(g, 2, 2) != nil {
		t.Error("more classes than the limit")
	}
}

func ExampleBySimulation() {
	// Two states that wait for a in the same way.
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
	b.AddStates(3)
	b.AddInitial(0)
	a, any := automata.NewCube(1).With(0, true), automata.NewCube(1)
	for s := range automata.State(2) {
		b.AddEdge(s, automata.Label{any}, automata.NewMarks(1), 1-s)
		b.AddEdge(s, automata.Label{a}, automata.NewMarks(1), 2)
	}
	b.AddEdge(2, automata.Label{any}, automata.NewMarks(1, 0), 2)
	eventually, _ := b.Build()
	reduced, _ := reduce.BySimulation(context.Background(), eventually)
	fmt.Println(reduced.States(), slices.Equal(reduced.Propositions, eventually.Propositions))
	// Output: 2 true
}
