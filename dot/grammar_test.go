package dot

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
)

// TestDrawingsAreWellFormed draws automata with any names, and reads the drawing
// as a graph again: each state and edge must be there, with its name.
func TestDrawingsAreWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		propositions := rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "propositions")
		sets := rapid.IntRange(0, 3).Draw(t, "sets")
		b := automata.NewBuilder(propositions, automata.GeneralizedBuchi(sets))
		b.Name = rapid.String().Draw(t, "name")
		b.Kind = rapid.SampledFrom([]automata.Kind{automata.Plain, automata.TGTA, automata.TA}).Draw(t, "kind")
		states := rapid.IntRange(1, 4).Draw(t, "states")
		for range states {
			b.AddState(rapid.String().Draw(t, "state"))
		}
		b.AddInitial(0)
		edges := rapid.IntRange(0, 6).Draw(t, "edges")
		for range edges {
			label := make(automata.Label, rapid.IntRange(0, 2).Draw(t, "cubes"))
			for i := range label {
				label[i] = automata.NewCube(len(propositions))
				for p := range propositions {
					if k := rapid.IntRange(0, 2).Draw(t, "literal"); k > 0 {
						label[i] = label[i].With(p, k == 1)
					}
				}
			}
			marks := automata.NewMarks(sets)
			marks[0] = rapid.Uint64Range(0, 1<<sets-1).Draw(t, "marks")
			b.AddEdge(automata.State(rapid.IntRange(0, states-1).Draw(t, "from")), label, marks, automata.State(rapid.IntRange(0, states-1).Draw(t, "to")))
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := Write(&text, a); err != nil {
			t.Fatal(err)
		}
		g, err := graphParser.ParseBytes("", text.Bytes())
		if err != nil {
			t.Fatalf("%v in\n%s", err, text.String())
		}
		arrows, nodes := 0, map[string]string{}
		for _, s := range g.Statements {
			switch {
			case s.To != "":
				arrows++
			case s.Value == "" && s.From != "node" && !strings.HasPrefix(s.From, "I"):
				nodes[s.From] = unquote(s.Attributes[0].Value)
			}
		}
		if arrows != edges+1 || len(nodes) != states {
			t.Fatalf("%d arrows and %d nodes of %d edges and %d states", arrows, len(nodes), edges, states)
		}
		for s := range states {
			want := fmt.Sprint(s)
			if a.StateNames != nil && a.StateNames[s] != "" {
				want = a.StateNames[s]
			}
			if got := nodes[fmt.Sprint(s)]; !strings.HasPrefix(got, want) {
				t.Fatalf("state %d is drawn as %q, want %q", s, got, want)
			}
		}
	})
}

func TestFormulas(t *testing.T) {
	for text, want := range map[string]func(a, b bool) bool{
		"a & !b":                 func(a, b bool) bool { return a && !b },
		"!a & b | a & !b":        func(a, b bool) bool { return a != b },
		"¬a ∧ b ∨ a":             func(a, b bool) bool { return a || b },
		"!(a || b) && 1":         func(a, b bool) bool { return !a && !b },
		"0 | a&(b|!b)&!!a":       func(a, _ bool) bool { return a },
		`"a" & "b" | !"a"`:       func(a, b bool) bool { return !a || b },
		"((((a)))) | !((((b))))": func(a, b bool) bool { return a || !b },
	} {
		d := drawn{names: []string{"a", "b"}, numbers: map[string]int{"a": 0, "b": 1}}
		f, err := d.valuations(drawnEdge{label: text})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		functions := automata.NewFunctions(2, 100)
		label, err := functions.Label(d.function(functions, f))
		if err != nil {
			t.Fatal(err)
		}
		for v := range uint64(4) {
			if got := label.Matches(automata.Valuation{v}); got != want(v&1 == 1, v&2 == 2) {
				t.Errorf("%s: valuation %02b: %t", text, v, got)
			}
		}
	}
}

func TestChangesets(t *testing.T) {
	d := drawn{names: []string{"a", "b c", "d"}, numbers: map[string]int{"a": 0, "b c": 1, "d": 2}}
	for text, want := range map[string]uint64{"{}": 0, "{ a }": 1, `{"b c", d}`: 6, `{d,a,"b c"}`: 7} {
		cube, empty, err := d.changeset(drawnEdge{label: text})
		if err != nil || empty != (want == 0) || cube[0] != 7 || cube[1] != want {
			t.Errorf("%s: %v, empty %t, %v", text, cube, empty, err)
		}
	}
	for _, text := range []string{"", "{", "{a", "a}", "{a b}", "{a,}", "{,}", "{e}", "{a}{d}"} {
		if cube, _, err := d.changeset(drawnEdge{label: text}); err == nil {
			t.Errorf("%q: %v", text, cube)
		}
	}
}
