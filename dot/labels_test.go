package dot

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
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

// TestReadingBackIsCharged: a drawing that is read back costs more than the drawing, and its reading ends with the work.
func TestReadingBackIsCharged(t *testing.T) {
	var pairs []string
	for i := range 7 {
		pairs = append(pairs, fmt.Sprintf("(p%d | q%d)", i, i))
	}
	label := strings.Join(pairs, " & ")
	text := "digraph G {\n 0 [label=\"\", style=invis, height=0]\n 0 -> 1\n 1 [label=\"init\"]\n 2 [label=\"2\"]\n" +
		" 1 -> 2 [label=\"" + label + "\\n\"]\n 2 -> 2 [label=\"{p0}\\n{0}\"]\n}\n"
	a, err := NewReader(strings.NewReader(text), "").Read()
	if err != nil {
		t.Fatal(err)
	}
	drawn, all := new(account.Account), new(account.Account)
	form, err := spotForm(drawn, a)
	if err != nil {
		t.Fatal(err)
	}
	d := testingDrawing{a: form, sets: a.Acceptance.Sets, work: drawn}
	for range 2 { // without a comment, which does not do here, and with one
		if err := d.draw(); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := writeTesting(all, &out, a, Style{}); err != nil || out.Len() < 100_000 {
		t.Fatalf("%d bytes, %v", out.Len(), err)
	}
	if read := all.Spent() - drawn.Spent(); read < int64(out.Len()) {
		t.Errorf("%d bytes are read back, for which %d are charged", out.Len(), read)
	}
	for looks := 0; ; looks++ {
		out.Reset()
		err := writeTesting(account.Of(account.EndsAfter(looks)), &out, a, Style{})
		if err == nil {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) || out.Len() > 0 {
			t.Fatalf("after %d looks: %v, %d bytes are written", looks, err, out.Len())
		}
	}
}
