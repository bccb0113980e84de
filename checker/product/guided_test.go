package product_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/exchange"
	"pnmc/hoa"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/petri/invariant"
)

// waiting are formulas whose violations wait for something, with next and without.
var waiting = []string{
	"G (a0 -> F a1)", "G (a0 -> X a1)", "G (a0 -> (a1 U a2))", "F (a0 & X X a1)", "a0 U (a1 & X a2)", "G (a0 -> X (!a1 U a2))",
	"G ((a0 & X a1) -> X F a2)", "F (a0 & F (a1 & F a2))", "!((a0 U a1) U X a2)", "G F a0 -> G F a1", "G (a0 | X G a1)",
}

// drawWaiting draws a property whose automaton may have states that wait: of a formula, or a random
// automaton, some states of which get loops that others of theirs agree with.
func drawWaiting(t *rapid.T, net *petri.Net) (x properties.Property) {
	names := []string{"a0", "a1", "a2"}
	for range names {
		x.Predicates = append(x.Predicates, checkertest.Predicate(t, net))
	}
	if rapid.Bool().Draw(t, "random") {
		a := checkertest.Automaton(t, names)
		b := automata.NewBuilder(a.Propositions, a.Acceptance)
		b.AddStates(a.States())
		for _, q := range a.Initial() {
			b.AddInitial(q)
		}
		loops := make([]bool, a.States())
		for q := range loops {
			loops[q] = rapid.Bool().Draw(t, "waits")
		}
		for e := range automata.Edge(a.Edges()) {
			if q := a.Source(e); !loops[q] || a.Destination(e) != q {
				b.AddEdge(q, a.Label(e), a.Marks(e), a.Destination(e))
			}
		}
		for q, has := range loops {
			if has {
				label := automata.Label{automata.NewCube(len(names))}
				for range rapid.IntRange(0, 2).Draw(t, "literals") {
					label[0] = label[0].With(rapid.IntRange(0, 2).Draw(t, "proposition"), rapid.Bool().Draw(t, "positive"))
				}
				b.AddEdge(automata.State(q), label, make(automata.Marks, automata.MarkWordsFor(a.Acceptance.Sets)), automata.State(q))
			}
		}
		var err error
		if x.Automaton, err = b.Build(); err != nil {
			t.Fatal(err)
		}
		return x
	}
	return drawFormula(t, x.Predicates, waiting)
}

// Products of which states wait give the verdict that the definitions give on all markings, from
// no more product states than there are; what is found replays, which CheckBy makes sure of.
func TestGuidedProductsAgreeWithNaiveTwin(t *testing.T) {
	left, saved, verdicts := int64(0), int64(0), map[properties.Verdict]int{}
	if !petritest.CheckManyUntil(t, 1000, func() bool {
		return left > 100 && saved > 0 && verdicts[properties.Holds] > 10 && verdicts[properties.Violated] > 10
	}, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(true), petritest.Loose(), petritest.Loose()).Draw(t, "net")
		g, finite := petritest.Explore(net, 100)
		if !finite || net.Places() == 0 || net.Transitions() == 0 {
			t.Skip("too large or unbounded")
		}
		x := drawWaiting(t, net)
		want := naiveVerdict(net, g, x)
		facts := petri.Facts{}
		if rapid.Bool().Draw(t, "facts") {
			facts = invariant.Prove(context.Background(), net, 0)
		}
		budget := petri.Budget{EdgeBytes: rapid.SampledFrom([]int64{0, 0, 16, 100}).Draw(t, "edges")}
		check := func(guided bool) properties.Result {
			k := petri.NewKripke(net, facts, budget)
			got, err := product.CheckBy(context.Background(), k, x, product.Settings{Approach: product.ByTGBA, Guided: guided})
			if err != nil {
				t.Fatal(err)
			}
			if got.Verdict != want {
				t.Fatalf("guided %v: %v, expected %v (%s)", guided, got.Verdict, want, got.Reason)
			}
			if guided {
				left += k.Savings().Left
			}
			return got
		}
		part, all := check(true), check(false)
		if want == properties.Holds {
			if saved += all.Statistics.ProductStates - part.Statistics.ProductStates; part.Statistics.ProductStates > all.Statistics.ProductStates {
				t.Fatalf("%d product states of %d", part.Statistics.ProductStates, all.Statistics.ProductStates)
			}
		}
		verdicts[want]++
	}) {
		t.Errorf("too little was left out: %d firings, %d states; %v", left, saved, verdicts)
	}
}

// Where an automaton waits, order matters in two ways. All these properties are violated, but not by runs
// that begin with the firing that brings leaving nearer.
func TestWaitingSeesWhatItStaysFor(t *testing.T) {
	for name, c := range map[string]struct{ net, automaton string }{
		"staying": { // t takes the only token of p, unless w comes first
			"tr w src -> p\ntr t p -> d\npl src (1)\npl p (1)\n", `HOA: v1
States: 2
Start: 0
AP: 2 "p >= 1" "d >= 1"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0
[0 & 1] 1
State: 1
[t] 1 {0}
--END--
`},
		"marks": { // only between w and t is there a loop with mark 0 and then a way on
			"tr w src -> a\ntr t s -> d\ntr x a d c -> e\ntr y e -> src s c\npl src (1)\npl s (1)\npl c (1)\n", `HOA: v1
States: 2
Start: 0
AP: 3 "d >= 1" "a >= 1" "c >= 1"
Acceptance: 2 Inf(0) & Inf(1)
--BODY--
State: 0
[1 & 2] 0 {0}
[!1 & 2] 0
[0 & 1] 1
State: 1
[t] 0 {1}
--END--
`},
	} {
		net, err := exchange.ReadTina(strings.NewReader(c.net), "waiting.net", nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := hoa.NewReader(strings.NewReader(c.automaton), "waiting.hoa").Read()
		if err != nil {
			t.Fatal(err)
		}
		x, err := properties.Bind(a, inquiry.Vocabulary(net), nil)
		if err != nil {
			t.Fatal(err)
		}
		k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
		if got, err := product.CheckBy(context.Background(), k, x, product.Settings{Guided: true}); err != nil || got.Verdict != properties.Violated {
			t.Errorf("%s: %v, %v", name, got.Verdict, err)
		}
	}
}

// A guided search that gives up as a place has no bound is followed by one that leaves nothing out.
func TestGuidedSearchWithoutBounds(t *testing.T) {
	net, err := exchange.ReadTina(strings.NewReader("tr request -> a r\ntr more -> r\ntr answer -> b r\ntr use b r -> c\ntr end c r ->\npl r (2)\n"), "growing.net", nil)
	if err != nil {
		t.Fatal(err)
	}
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	got, err := product.CheckBy(context.Background(), k, checkertest.Negated(t, net, `G ("a >= 1" -> X X "b >= 1")`), product.Settings{Guided: true})
	if err != nil || got.Verdict != properties.Violated {
		t.Errorf("%v, %s, %v", got.Verdict, got.Reason, err)
	}
}

// What waits for a place of one chain leaves another chain alone, where a language is not closed under
// stuttering, too.
func TestWaitingLeavesOthersAlone(t *testing.T) {
	var b petri.Builder
	const length = 30
	for _, name := range []string{"left", "right"} {
		before, err := b.AddPlace(name+"0", "", 1)
		for i := range length {
			if err != nil {
				t.Fatal(err)
			}
			to, _ := b.AddPlace(fmt.Sprint(name, i+1), "", 0)
			step, _ := b.AddTransition(fmt.Sprint(name, "_step", i), "")
			_, _ = b.AddInput(before, step, 1), b.AddOutput(step, to, 1)
			before = to
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	x := checkertest.Negated(t, net, `G ("left30 = 1" -> X X "left30 = 1")`)
	k := petri.NewKripke(net, petri.Facts{}, petri.Budget{})
	got, err := product.CheckBy(context.Background(), k, x, product.Settings{Guided: true})
	if err != nil || got.Verdict != properties.Holds {
		t.Fatal(got.Verdict, err)
	}
	// 31 markings with the right chain at rest, and then those of the right chain alone.
	if k.Len() != 2*length+1 {
		t.Errorf("%d markings", k.Len())
	}
}
