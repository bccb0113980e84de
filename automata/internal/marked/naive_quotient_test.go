package marked

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/automatatest"
)

// naiveQuotient merges as Quotient does, with a relation found by looking at all pairs again
// until none is removed.
func naiveQuotient(d *Reducible, by equivalence, rooted bool) error {
	n := len(d.Out)
	related := make([][]bool, n)
	for p := range related {
		related[p] = make([]bool, n)
		for q := range related[p] {
			root := rooted && (automata.State(p) == d.Initial[0] || automata.State(q) == d.Initial[0])
			related[p][q] = p == q || !root
		}
	}
	matches := func(p, q int) bool {
		return !slices.ContainsFunc(d.Out[p], func(e Link) bool {
			rest := e.Label
			for _, f := range d.Out[q] {
				if e.Marks&^f.Marks == 0 && related[e.To][f.To] {
					rest = d.Functions.Minus(rest, f.Label)
				}
			}
			return rest != bdd.FalseFunction
		})
	}
	for changed := true; changed; {
		changed = false
		for p := range n {
			for q := range n {
				if related[p][q] && (!matches(p, q) || by == Bisimilar && !matches(q, p)) {
					related[p][q] = false
					changed = true
				}
			}
		}
	}
	s := newSignatures(d, make([]uint32, n))
	var leaders []int
	for p := range n {
		at := slices.IndexFunc(leaders, func(q int) bool { return related[p][q] && related[q][p] })
		if at < 0 {
			at = len(leaders)
			leaders = append(leaders, p)
		}
		s.class[p] = uint32(at)
	}
	for _, p := range leaders {
		var above []uint32
		for i, q := range leaders {
			if related[p][q] {
				above = append(above, uint32(i))
			}
		}
		s.above = append(s.above, above)
	}
	return s.rebuild()
}

// blurred returns an automaton with several copies of each state of a, of which edges lead to any.
func blurred(t *testing.T, a *automata.Automaton, copies int, seed uint64) *automata.Automaton {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	b := automata.NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(copies * a.States())
	b.AddInitial(a.Initial()[0])
	for i := range copies {
		for e := range automata.Edge(a.Edges()) {
			from := automata.State(i*a.States()) + a.Source(e)
			b.AddEdge(from, a.Label(e), a.Marks(e), a.Destination(e)+automata.State(random.IntN(copies)*a.States()))
		}
	}
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// TestQuotientIsThatOfPairs compares quotients edge by edge, also of automata in which
// many states are bisimilar, and of those whose initial state is a root.
func TestQuotientIsThatOfPairs(t *testing.T) {
	outer := t
	merged := 0
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 20).Draw(t, "states"), Propositions: []string{"a", "b"},
			Density:            rapid.Float64Range(0, 0.2).Draw(t, "density"),
			LiteralProbability: rapid.Float64Range(0, 0.6).Draw(t, "literals"),
			Sets:               rapid.IntRange(0, 2).Draw(t, "sets"), MarkProbability: 0.3,
		}, rapid.Uint64().Draw(t, "seed"))
		a = blurred(outer, a, rapid.IntRange(1, 4).Draw(t, "copies"), rapid.Uint64().Draw(t, "copied"))
		by := equivalence(rapid.IntRange(0, 1).Draw(t, "by"))
		rooted := rapid.Bool().Draw(t, "rooted")
		read := func() *Reducible {
			r, err := NewReducible(outer.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			if rooted {
				r.Initial[0] = automata.State(len(r.Out))
				r.Out = append(r.Out, slices.Clone(r.Out[0]))
			}
			return r
		}
		got, want := read(), read()
		if err := got.Quotient(by, rooted); err != nil {
			t.Fatal(err)
		}
		if err := naiveQuotient(want, by, rooted); err != nil {
			t.Fatal(err)
		}
		if len(got.Out) < a.States() {
			merged++
		}
		if !slices.Equal(got.Initial, want.Initial) || len(got.Out) != len(want.Out) {
			t.Fatalf("%d states, initial %v; pairs give %d, initial %v", len(got.Out), got.Initial, len(want.Out), want.Initial)
		}
		for s := range got.Out {
			if len(got.Out[s]) != len(want.Out[s]) {
				t.Fatalf("state %d: edges %v, pairs give %v", s, got.Out[s], want.Out[s])
			}
			for i, e := range got.Out[s] {
				f := want.Out[s][i]
				if e.To != f.To || e.Marks != f.Marks || !sameLabel(got, e.Label, want, f.Label) {
					t.Fatalf("state %d: edge %v, pairs give %v", s, e, f)
				}
			}
		}
	})
	if merged == 0 {
		t.Error("no states were merged in any automaton")
	}
}

// TestPairsGoOnAfterRounds: wherever rounds end, pairs find what more rounds would have.
func TestPairsGoOnAfterRounds(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 20).Draw(t, "states"), Propositions: []string{"a", "b"},
			Density:            rapid.Float64Range(0, 0.2).Draw(t, "density"),
			LiteralProbability: rapid.Float64Range(0, 0.6).Draw(t, "literals"),
			Sets:               rapid.IntRange(0, 2).Draw(t, "sets"), MarkProbability: 0.3,
		}, rapid.Uint64().Draw(t, "seed"))
		r, err := NewReducible(outer.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		rooted := len(r.predecessors()[r.Initial[0]]) == 0
		class, above, err := r.similar(rooted, 1000, mostSpent)
		if err != nil || class == nil {
			t.Fatalf("%v, %v", class, err)
		}
		rounds := rapid.IntRange(1, 4).Draw(t, "rounds")
		c, b, err := r.similar(rooted, rounds, mostSpent)
		if err != nil || !slices.Equal(c, class) || !slices.EqualFunc(b, above, slices.Equal) {
			t.Fatalf("after %d rounds classes %v in the relation %v, %v; want %v, %v", rounds, c, b, err, class, above)
		}
	})
}

// sameLabel reports whether g of r and h of other are the same function of two propositions.
func sameLabel(r *Reducible, g bdd.Function, other *Reducible, h bdd.Function) bool {
	for v := range uint64(4) {
		if r.Functions.Holds(g, v) != other.Functions.Holds(h, v) {
			return false
		}
	}
	return true
}

// TestMergeWeakIsThatOfRounds compares minimal deterministic weak automata with what Moore's
// rounds find, in numbers of states.
func TestMergeWeakIsThatOfRounds(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 7).Draw(t, "states"), Propositions: []string{"a", "b"},
			Density: rapid.Float64Range(0, 0.3).Draw(t, "density"), LiteralProbability: 0.7,
			Sets: 1, MarkProbability: 0.3,
		}, rapid.Uint64().Draw(t, "seed"))
		a = blurred(outer, a, rapid.IntRange(1, 3).Draw(t, "copies"), rapid.Uint64().Draw(t, "copied"))
		r, err := NewReducible(outer.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		r.Prune()
		p, err := NewSubsets(outer.Context(), r, 300)
		if err != nil {
			t.Skip()
		}
		p.Accept()
		d := p.Deterministic
		d.Prune()
		want := naiveWeakClasses(d)
		if err := d.MergeWeak(); err != nil {
			t.Fatal(err)
		}
		if len(d.Out) != want {
			t.Fatalf("%d states, rounds find %d", len(d.Out), want)
		}
	})
}

// naiveWeakClasses returns the number of classes of states with the same words.
func naiveWeakClasses(d *Reducible) int {
	class := d.weakColours()
	count := 0
	for {
		type signature struct {
			class uint32
			steps bdd.Function
		}
		number, next := map[signature]uint32{}, make([]uint32, len(class))
		for s := range d.Out {
			key := signature{class[s], (&steps{Reducible: d, class: class}).sign(automata.State(s))}
			if _, known := number[key]; !known {
				number[key] = uint32(len(number))
			}
			next[s] = number[key]
		}
		if len(number) == count {
			return count
		}
		class, count = next, len(number)
	}
}
