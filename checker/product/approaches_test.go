package product_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// stutterClosed accepts all words that differ from words of a by stuttering:
// after each letter it may read that letter again, and for one letter it may take
// several edges of a for it.
func stutterClosed(t *rapid.T, a *automata.Automaton) *automata.Automaton {
	n := len(a.Propositions)
	letters := 1 << n
	b := automata.NewBuilder(a.Propositions, automata.GeneralizedBuchi(a.Acceptance.Sets+1))
	b.AddStates(a.States() * (1 + letters))
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	// One set more than those of a: all edges that are not repetition.
	moved := uint64(1) << a.Acceptance.Sets
	type move struct {
		to    automata.State
		marks uint64
	}
	for s := range automata.State(a.States()) {
		for l := range letters {
			cube := automata.NewCube(n)
			for p := range n {
				cube = cube.With(p, l>>p&1 == 1)
			}
			matching := func(q automata.State, marks uint64) (list []move) {
				for e, end := a.Out(q); e < end; e++ {
					if a.Matches(e, automata.Valuation{uint64(l)}) {
						list = append(list, move{a.Destination(e), marks | a.Marks(e)[0]})
					}
				}
				return list
			}
			at := func(q automata.State, l int) automata.State {
				return automata.State(a.States() + int(q)*letters + l)
			}
			b.AddEdge(at(s, l), automata.Label{cube}, automata.Marks{0}, at(s, l))
			seen := map[move]bool{}
			for todo := matching(s, 0); len(todo) > 0; todo = todo[1:] {
				m := todo[0]
				if seen[m] {
					continue
				}
				seen[m] = true
				todo = append(todo, matching(m.to, m.marks)...)
				b.AddEdge(s, automata.Label{cube}, automata.Marks{m.marks | moved}, at(m.to, l))
				for k := range letters {
					b.AddEdge(at(s, k), automata.Label{cube}, automata.Marks{m.marks | moved}, at(m.to, l))
				}
			}
		}
	}
	b.Claims = automata.ClaimStutterInvariant
	c, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := reduce.BySimulation(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// netAndProperty is a small net and a random automaton over it.
type netAndProperty struct {
	net      *petri.Net
	property properties.Property
	closed   bool // under stuttering
}

// drawNetAndProperty draws automata of that many propositions and states at most.
func drawNetAndProperty(propositions, states int) *rapid.Generator[netAndProperty] {
	return rapid.Custom(func(t *rapid.T) netAndProperty {
		x := netAndProperty{net: rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true)).Draw(t, "net")}
		var names []string
		for i := range rapid.IntRange(0, propositions).Draw(t, "propositions") {
			names = append(names, fmt.Sprintf("a%d", i))
			x.property.Predicates = append(x.property.Predicates, checkertest.Predicate(t, x.net))
		}
		x.property.Automaton = automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, states).Draw(t, "states"), Propositions: names,
			Density:            rapid.Float64Range(0.05, 0.5).Draw(t, "density"),
			LiteralProbability: rapid.Float64Range(0.3, 1).Draw(t, "literals"),
			Sets:               rapid.IntRange(0, 3).Draw(t, "sets"), MarkProbability: 0.4,
		}, rapid.Uint64().Draw(t, "seed"))
		if x.closed = rapid.Bool().Draw(t, "closed"); x.closed {
			x.property.Automaton = stutterClosed(t, x.property.Automaton)
		}
		return x
	})
}

// outcome is a verdict by an approach.
type outcome struct {
	approach product.Approach
	verdict  properties.Verdict
}

// agree checks by all approaches, with the settings that draw gives, and counts
// the outcomes.
func (x netAndProperty) agree(t interface{ Fatalf(string, ...any) }, want properties.Verdict, budget petri.Budget, draw func(string) bool, count map[outcome]int) {
	k := petri.NewKripke(x.net, invariant.Prove(context.Background(), x.net, 0), budget)
	for _, approach := range []product.Approach{product.Auto, product.ByTGBA, product.ByBA, product.ByTA, product.ByTGTA} {
		settings := product.Settings{Approach: approach, Distrust: draw("distrust"), Built: draw("built")}
		got, err := product.CheckBy(context.Background(), k, x.property, settings)
		var unsupported *product.UnsupportedError
		if errors.As(err, &unsupported) && approach == product.ByTA && !x.closed {
			continue
		}
		if err != nil {
			t.Fatalf("%v: %v", approach, err)
		}
		if approach == product.ByTA && !x.closed && got.Reason == testingautomata.ErrStutterUnknown.Error() {
			continue
		}
		if got.Verdict != want {
			t.Fatalf("%v: %v, expected %v (%s)", approach, got.Verdict, want, got.Reason)
		}
		count[outcome{approach, want}]++
	}
}

// bothVerdicts reports whether each approach has given each verdict that often at least.
func bothVerdicts(count map[outcome]int, least int) bool {
	for _, approach := range []product.Approach{product.ByTGBA, product.ByBA, product.ByTA, product.ByTGTA} {
		if count[outcome{approach, properties.Holds}] < least || count[outcome{approach, properties.Violated}] < least {
			return false
		}
	}
	return true
}

// All approaches agree with the definitions; what they find replays, which
// CheckBy makes sure of.
func TestApproachesAgreeWithNaiveTwin(t *testing.T) {
	count := map[outcome]int{}
	if !petritest.CheckUntil(t, func() bool { return bothVerdicts(count, 5) }, func(t *rapid.T) {
		x := drawNetAndProperty(3, 4).Draw(t, "net and property")
		g, finite := petritest.Explore(x.net, 40)
		if !finite {
			t.Skip("too large or unbounded")
		}
		budget := petri.Budget{EdgeBytes: rapid.SampledFrom([]int64{0, 16, 100}).Draw(t, "edges")}
		draw := func(what string) bool { return rapid.Bool().Draw(t, what) }
		x.agree(t, naiveVerdict(x.net, g, x.property), budget, draw, count)
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}

// The same on 2000 pairs that are always the same ones.
func TestApproachesOnTwoThousandPairs(t *testing.T) {
	pairs := 2000
	if testing.Short() {
		pairs = 200
	}
	count := map[outcome]int{}
	draws := rand.New(rand.NewPCG(1, 2))
	source := drawNetAndProperty(2, 3)
	for seed, checked := 0, 0; checked < pairs; seed++ {
		x := source.Example(seed)
		g, finite := petritest.Explore(x.net, 40)
		if !finite {
			continue
		}
		checked++
		draw := func(string) bool { return draws.IntN(2) == 0 }
		x.agree(t, naiveVerdict(x.net, g, x.property), petri.Budget{}, draw, count)
	}
	if !bothVerdicts(count, pairs/40) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
}

// A testing automaton is a property too: what NewTGTA and NewTA make gives the
// verdict of what they were made of.
func TestCheckTestingAutomata(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true)).Draw(t, "net")
		g, finite := petritest.Explore(net, 40)
		if !finite {
			t.Skip("too large or unbounded")
		}
		var property properties.Property
		var names []string
		for i := range rapid.IntRange(1, 2).Draw(t, "propositions") {
			names = append(names, fmt.Sprintf("a%d", i))
			property.Predicates = append(property.Predicates, checkertest.Predicate(t, net))
		}
		property.Automaton = stutterClosed(t, automatatest.Random(automatatest.RandomSettings{
			States: rapid.IntRange(1, 3).Draw(t, "states"), Propositions: names, Density: 0.4, LiteralProbability: 0.6,
			Sets: rapid.IntRange(0, 2).Draw(t, "sets"), MarkProbability: 0.4,
		}, rapid.Uint64().Draw(t, "seed")))
		want := naiveVerdict(net, g, property)
		ctx := context.Background()
		v := stutter.Invariance{Whole: true, States: make([]bool, property.Automaton.States())}
		tgta, err := testingautomata.NewTGTA(ctx, property.Automaton, v)
		if err != nil {
			t.Fatal(err)
		}
		ta, err := testingautomata.NewTA(ctx, property.Automaton, v)
		if err != nil {
			t.Fatal(err)
		}
		k := petri.NewKripke(net, invariant.Prove(ctx, net, 0), petri.Budget{})
		for _, a := range []*automata.Automaton{tgta, ta} {
			got, err := product.CheckBy(ctx, k, properties.Property{Automaton: a, Predicates: property.Predicates}, product.Settings{})
			if err != nil {
				t.Fatalf("%v: %v", a.Kind, err)
			}
			if got.Verdict != want {
				t.Fatalf("%v: %v, expected %v (%s)", a.Kind, got.Verdict, want, got.Reason)
			}
		}
	})
}

func TestParseApproach(t *testing.T) {
	for a := product.Auto; a <= product.ByTGTA; a++ {
		if b, err := product.ParseApproach(a.String()); err != nil || a != b {
			t.Errorf("%v: read back as %v, %v", a, b, err)
		}
	}
	if _, err := product.ParseApproach("tgbta"); err == nil {
		t.Error("no error")
	}
}

// manyPropositions returns a property with 16 propositions: each is true infinitely
// often.
func manyPropositions(net *petri.Net) properties.Property {
	const n = 16
	var property properties.Property
	var names []string
	for p := range n {
		names = append(names, fmt.Sprintf("a%d", p))
		property.Predicates = append(property.Predicates, &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{uint32(p % net.Transitions())}})
	}
	b := automata.NewBuilder(names, automata.GeneralizedBuchi(n))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, automata.Label{automata.NewCube(n)}, automata.NewMarks(n), 0)
	for p := range n {
		b.AddEdge(0, automata.Label{automata.NewCube(n).With(p, true)}, automata.NewMarks(n, p), 0)
	}
	b.Claims = automata.ClaimStutterInvariant
	property.Automaton, _ = b.Build()
	return property
}

// With 16 propositions the TGTA can't be built as a whole, but on the fly.
func TestSixteenPropositions(t *testing.T) {
	net := petritest.Philosophers(8)
	ctx := context.Background()
	k := petri.NewKripke(net, invariant.Prove(ctx, net, 0), petri.Budget{})
	property := manyPropositions(net)
	want, err := product.CheckBy(ctx, k, property, product.Settings{Approach: product.ByTGBA})
	if err != nil {
		t.Fatal(err)
	}
	got, err := product.CheckBy(ctx, k, property, product.Settings{Approach: product.ByTGTA})
	if err != nil || got.Verdict != want.Verdict {
		t.Fatalf("%v, expected %v: %v %s", got.Verdict, want.Verdict, err, got.Reason)
	}
	built, err := product.CheckBy(ctx, k, property, product.Settings{Approach: product.ByTGTA, Built: true})
	if err != nil || built.Verdict != properties.Unknown || built.Reason == "" {
		t.Fatalf("built as a whole: %v: %v %s", built.Verdict, err, built.Reason)
	}
}
