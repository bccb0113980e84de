package diagram_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker/diagram"
	"pnmc/checker/internal/checkertest"
	"pnmc/checker/product"
	"pnmc/checker/properties"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/symbolic"
)

// symbolicWays returns all ways to check symbolically.
func symbolicWays() []diagram.Settings {
	var ways []diagram.Settings
	for _, off := range []bool{false, true} {
		ways = append(ways, diagram.Settings{Approach: product.BySelfLoops, NoSaturation: off})
		for where := symbolic.LogTop; where <= symbolic.Bottom; where++ {
			s := diagram.Settings{Approach: product.BySymbolicTGBA, NoSaturation: off, StateVariable: where}
			ways = append(ways, s)
			s.Approach = product.BySymbolicTGTA
			ways = append(ways, s)
			s.Built = true
			ways = append(ways, s)
		}
	}
	return ways
}

// TestCheckSymbolically checks formulas in all ways; counterexamples are replayed
// before they are returned, and again here.
func TestCheckSymbolically(t *testing.T) {
	net := petritest.Philosophers(4)
	for _, encoding := range []symbolic.Encoding{symbolic.PerPlace, symbolic.PerGroup} {
		space, err := symbolic.Explore(t.Context(), net, symbolic.Options{Encoding: encoding, Heuristic: "declared"})
		if err != nil {
			t.Fatal(err)
		}
		if groups := len(space.System.Names) < net.Places(); groups != (encoding == symbolic.PerGroup) {
			t.Fatalf("%d variables for %d places with %v", len(space.System.Names), net.Places(), encoding)
		}
		t.Run(encoding.String(), func(t *testing.T) { checkAllWays(t, net, space) })
	}
}

func checkAllWays(t *testing.T, net *petri.Net, space *symbolic.StateSpace) {
	for text, holds := range map[string]bool{
		`G !deadlock`:                              false,
		`F deadlock | G F fireable(leave1)`:        false,
		`G(fireable(leave0) -> !fireable(leave1))`: true,
		`G(fireable(leave0) -> (fireable(leave0) U !fireable(leave0))) | F G fireable(leave0)`: true,
		`G(fireable(leave0) -> X !fireable(leave0))`:                                           false,
		`X X X !fireable(leave0) | !fireable(takeLeft0)`:                                       false,
		`X(fireable(leave0) -> F deadlock)`:                                                    true,
	} {
		property := checkertest.Negated(t, net, text)
		for _, way := range symbolicWays() {
			got, err := diagram.Check(t.Context(), space, net, property, way)
			if err != nil {
				t.Fatalf("%s, %+v: %v", text, way, err)
			}
			if want := map[bool]properties.Verdict{true: properties.Holds, false: properties.Violated}[holds]; got.Verdict != want {
				t.Errorf("%s, %+v: %v, want %v (%s)", text, way, got.Verdict, want, got.Reason)
			}
			if c := got.Counterexample; (c != nil) == holds {
				t.Errorf("%s, %+v: counterexample %+v", text, way, c)
			} else if c != nil {
				if err := witness.Replay(net, property.Automaton, property.Predicates, c); err != nil {
					t.Errorf("%s, %+v: %v", text, way, err)
				}
				if err := diagram.ReplaySystem(space.System, property, c); err != nil {
					t.Errorf("%s, %+v, on the system: %v", text, way, err)
				}
			}
		}
	}
}

// TestSymbolicAgainstExplicit compares verdicts on random nets, those with groups of
// places of which one is marked, or is said to be, among them.
func TestSymbolicAgainstExplicit(t *testing.T) {
	texts := []string{`G F a`, `F G a`, `a U b`, `G(a -> F b)`, `G F a -> G F b`, `X(a U b)`, `(a U b) R !a`, `F(a & X a)`}
	rapid.Check(t, func(t *rapid.T) {
		net := rapid.OneOf(petritest.AnyNet(), petritest.StateMachines(false), petritest.StateMachines(true)).Draw(t, "net")
		ctx := context.Background()
		if _, finished := petritest.Explore(net, 300); !finished || net.Places() == 0 {
			t.Skip("too many markings")
		}
		encoding := rapid.SampledFrom([]symbolic.Encoding{symbolic.PerPlace, symbolic.PerGroup}).Draw(t, "encoding")
		space, err := symbolic.Explore(ctx, net, symbolic.Options{Encoding: encoding})
		if err != nil {
			t.Skip(err)
		}
		parser := ltl.Parser{Formulas: ltl.NewFormulas()}
		f, err := parser.Parse(rapid.SampledFrom(texts).Draw(t, "formula"))
		if err != nil {
			t.Fatal(err)
		}
		a, err := translate.ToAutomaton(ctx, parser.Formulas, f, translate.Options{Negate: true})
		if err != nil {
			t.Fatal(err)
		}
		property := properties.Property{Automaton: a}
		for range a.Propositions {
			terms := []logic.Term{{Place: uint32(rapid.IntRange(0, net.Places()-1).Draw(t, "place")), Coefficient: 1}}
			property.Predicates = append(property.Predicates, &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: -rapid.Int64Range(0, 2).Draw(t, "bound"), Terms: terms}})
			if rapid.Bool().Draw(t, "another") {
				property.Predicates[len(property.Predicates)-1] = drawProposition(t, net)
			}
		}
		want, err := product.Check(ctx, petri.NewKripke(net, petri.Facts{}, petri.Budget{}), property, nil)
		if err != nil {
			t.Fatal(err)
		}
		way := rapid.SampledFrom(symbolicWays()).Draw(t, "way")
		got, err := diagram.Check(ctx, space, net, property, way)
		if err != nil || got.Verdict != want.Verdict {
			t.Fatalf("%+v: %v, %v; explicit %v", way, got.Verdict, err, want.Verdict)
		}
	})
}

// TestSymbolicLimits expects unknown verdicts where something runs short, and an
// UnsupportedError for automata that no product takes.
func TestSymbolicLimits(t *testing.T) {
	net := petritest.Philosophers(12)
	space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	property := checkertest.Negated(t, net, `G(fireable(leave0) -> F fireable(leave5)) & G F fireable(leave3)`)
	for _, a := range []product.Approach{product.BySymbolicTGBA, product.BySymbolicTGTA, product.BySelfLoops} {
		got, err := diagram.Check(t.Context(), space, net, property, diagram.Settings{Approach: a, Memory: 1 << 17})
		if err != nil || got.Verdict != properties.Unknown || !strings.Contains(got.Reason, "memory") {
			t.Errorf("%v with little memory: %v (%s), %v", a, got.Verdict, got.Reason, err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("enough"))
		if got, err = diagram.Check(ctx, space, net, property, diagram.Settings{Approach: a}); err != nil || got.Verdict == properties.Holds {
			t.Errorf("%v without time: %v (%s), %v", a, got.Verdict, got.Reason, err)
		}
	}
	b := automata.NewBuilder(nil, automata.Acceptance{Sets: 1, Condition: &automata.Condition{Operator: automata.Fin}})
	b.AddStates(1)
	b.AddInitial(0)
	fin, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	// What is not generalized Büchi is made so.
	got, err := diagram.Check(t.Context(), space, net, properties.Property{Automaton: fin}, diagram.Settings{Approach: product.BySymbolicTGTA})
	if err != nil || got.Verdict != properties.Holds { // it has no edge, hence no run
		t.Errorf("with Fin: %v (%s), %v", got.Verdict, got.Reason, err)
	}
	var unsupported *product.UnsupportedError
	if _, err := diagram.Check(t.Context(), space, net, property, diagram.Settings{Approach: product.ByTGBA}); !errors.As(err, &unsupported) {
		t.Errorf("approach tgba: %v", err)
	}
}

// TestReplaySystemRejects spoils a counterexample in every way that the replay looks
// at.
func TestReplaySystemRejects(t *testing.T) {
	net := petritest.Philosophers(3)
	space, err := symbolic.Explore(t.Context(), net, symbolic.Options{})
	if err != nil {
		t.Fatal(err)
	}
	property := checkertest.Negated(t, net, `G F fireable(leave0) | F deadlock`)
	result, err := diagram.Check(t.Context(), space, nil, property, diagram.Settings{Approach: product.BySymbolicTGTA})
	if err != nil || result.Verdict != properties.Violated {
		t.Fatalf("%v, %v", result.Verdict, err)
	}
	good := result.Counterexample
	clone := func() *witness.Counterexample {
		return &witness.Counterexample{
			Start: good.Start, Prefix: append([]witness.Step(nil), good.Prefix...), Cycle: append([]witness.Step(nil), good.Cycle...),
		}
	}
	for name, spoil := range map[string]func(c *witness.Counterexample){
		"no cycle":             func(c *witness.Counterexample) { c.Cycle = nil },
		"not initial":          func(c *witness.Counterexample) { c.Start = 1000 },
		"no such edge":         func(c *witness.Counterexample) { c.Cycle[0].Edge = 1000 },
		"no such event":        func(c *witness.Counterexample) { c.Cycle[0].Transition = 1000 },
		"stays without reason": func(c *witness.Counterexample) { c.Cycle[0].Stutter = true },
		"does not return":      func(c *witness.Counterexample) { c.Cycle = c.Cycle[:len(c.Cycle)-1] },
	} {
		c := clone()
		if spoil(c); diagram.ReplaySystem(space.System, property, c) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := diagram.ReplaySystem(space.System, property, good); err != nil {
		t.Error(err)
	}
}
