package dot

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
)

// TestDrawingsAreWellFormed draws plain automata with any names, and reads the
// drawing as a graph again: each state and edge must be there, with its name.
func TestDrawingsAreWellFormed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		propositions := rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "propositions")
		sets := rapid.IntRange(0, 3).Draw(t, "sets")
		b := automata.NewBuilder(propositions, automata.GeneralizedBuchi(sets))
		b.Name = rapid.String().Draw(t, "name")
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
		if err := (Style{}).Write(context.Background(), &text, a); err != nil {
			t.Fatal(err)
		}
		arrows, nodes := 0, map[string]string{}
		p := parser{scanner: scanner{lines: bufio.NewReader(&text)}}
		if err := p.begin(); err != nil {
			t.Fatal(err)
		}
		for {
			s, ok, err := p.next()
			switch {
			case err != nil:
				t.Fatal(err)
			case s.to != "":
				arrows++
			case s.value == "" && s.from != "node" && !strings.HasPrefix(s.from, "I") && ok:
				nodes[s.from] = s.attributes[0].value
			}
			if !ok {
				break
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
		"a\u0305∧b∨\"a\"":        func(a, b bool) bool { return a || b },
		"!a\u0305 & b":           func(a, b bool) bool { return a && b },
		"¬a ∧ b ∨ a":             func(a, b bool) bool { return a || b },
		"!(a || b) && 1":         func(a, b bool) bool { return !a && !b },
		"0 | a&(b|!b)&!!a":       func(a, _ bool) bool { return a },
		`"a" & "b" | !"a"`:       func(a, b bool) bool { return !a || b },
		"((((a)))) | !((((b))))": func(a, b bool) bool { return a || !b },
	} {
		p := propositions{[]string{"a", "b"}, map[string]int{"a": 0, "b": 1}}
		f, err := p.parseFormula(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		functions := bdd.New(2, 100)
		label, err := f.letters(functions, 2)
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
	p := propositions{[]string{"a", "b c", "d"}, map[string]int{"a": 0, "b c": 1, "d": 2}}
	for text, want := range map[string][]int{"{}": nil, "{ a }": {0}, `{"b c", d}`: {1, 2}, `{d,a,"b c"}`: {2, 0, 1}} {
		if changes, err := p.parseChanges(text); err != nil || !slices.Equal(changes, want) {
			t.Errorf("%s: %v, %v", text, changes, err)
		}
	}
	for _, text := range []string{"", "{", "{a", "a}", "{a b}", "{a,}", "{,}", "{e}", "{a}{d}", "{a, a}", `{"a}`} {
		if changes, err := p.parseChanges(text); err == nil {
			t.Errorf("%q: %v", text, changes)
		}
	}
}

func TestSets(t *testing.T) {
	for text, want := range map[string][]int{"": nil, "{}": nil, "{ }": nil, "{0}": {0}, "{0,1, 7}": {0, 1, 7}} {
		if sets, err := parseSets(text); err != nil || !slices.Equal(sets, want) {
			t.Errorf("%s: %v, %v", text, sets, err)
		}
	}
	for _, text := range []string{"{", "}", "0", "{a}", "{0,}", "{1,0}", "{0,0}", "{-1}", "{9999}", "{}{}"} {
		if sets, err := parseSets(text); err == nil {
			t.Errorf("%q: %v", text, sets)
		}
	}
}
