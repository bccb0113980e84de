package dot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/inclusion"
	"pnmc/automata/translate"
	"pnmc/dot"
	"pnmc/logic/ltl"
)

// spotDrawings are drawings in the form of each flavour of ltl2tgta, made for these
// formulas. Of the streams there are several.
var spotDrawings = map[string][]string{
	"recurrence-negated":            {`!(G F "p1>=2")`},
	"recurrence":                    {`G F "p1>=2"`},
	"weak-until-negated-ta":         {`!(!busy W done)`},
	"two-recurrences":               {`G F a & G F b`},
	"two-recurrences-gta":           {`G F a & G F b`},
	"until-ta":                      {`busy U done`},
	"until-multiple-init":           {`"is-fireable(\"t1\")" U done`},
	"until-single-pass":             {`busy U done`},
	"until-single-pass-lv":          {`busy U done`},
	"weak-until-gta":                {`!busy W done`},
	"weak-until-gta-single-pass-lv": {`!busy W done`},
	"constant-ta":                   {`F G q | F G !q`},
	"utf8":                          {`!e & G !"x>=1"`},
	"nothing":                       {`0`},
	"everything":                    {`1`},
	"stream":                        {`a`, `0`, `1`},
}

// readAll reads all automata of some text.
func readAll(t testing.TB, text string) (all []*automata.Automaton) {
	t.Helper()
	for r := dot.NewReader(strings.NewReader(text), ""); ; {
		a, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		all = append(all, a)
	}
}

// sameLanguage compares an automaton with a formula, which s made.
func sameLanguage(t testing.TB, a *automata.Automaton, s *ltl.Formulas, f *ltl.Formula) error {
	t.Helper()
	return languageOf(t, s, f)(a)
}

// languageOf returns a comparison of automata with a formula, which s made and which is translated once.
func languageOf(t testing.TB, s *ltl.Formulas, f *ltl.Formula) func(a *automata.Automaton) error {
	t.Helper()
	own, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	negation, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{Negate: true})
	if err != nil {
		t.Fatal(err)
	}
	return func(a *automata.Automaton) error {
		t.Helper()
		plain, err := automata.ReadingValuations(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		same, err := inclusion.Equivalent(plain, own, inclusion.Options{Context: context.Background(), Complement: negation})
		if err == nil && !same.Holds {
			err = fmt.Errorf("one of automaton and formula accepts %v", same.Word)
		}
		return err
	}
}

// TestSpotDrawings compares the languages of drawings with formulas, and draws them
// again.
func TestSpotDrawings(t *testing.T) {
	files, err := filepath.Glob("testdata/spot/*.dot")
	if err != nil || len(files) != len(spotDrawings) {
		t.Fatalf("%d files of %d: %v", len(files), len(spotDrawings), err)
	}
	for name, formulas := range spotDrawings {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/spot/" + name + ".dot")
			if err != nil {
				t.Fatal(err)
			}
			all := readAll(t, string(text))
			if len(all) != len(formulas) {
				t.Fatalf("%d automata of %d formulas", len(all), len(formulas))
			}
			for i, a := range all {
				s := ltl.NewFormulas()
				f, err := ltl.Parse(formulas[i], s)
				if err != nil {
					t.Fatal(err)
				}
				if err := sameLanguage(t, a, s, f); err != nil {
					t.Errorf("%s: %v", formulas[i], err)
				}
				again := drawAndRead(t, a)
				if err := sameLanguage(t, again, s, f); err != nil {
					t.Errorf("%s, drawn and read: %v", formulas[i], err)
				}
				if again.States() != a.States() || again.Edges() != a.Edges() {
					t.Errorf("%d states and %d edges became %d and %d", a.States(), a.Edges(), again.States(), again.Edges())
				}
			}
		})
	}
}

// TestUnsureDrawings reads drawings that mention no acceptance set, where that matters.
func TestUnsureDrawings(t *testing.T) {
	for _, c := range []struct{ name, none, some string }{
		{"constant-ta", "q | !q", "F G q | F G !q"},
		{"weak-until-gta", "!busy W done", "(!busy W done) & (F G done | F G !done) & (F G busy | F G !busy)"},
		{"weak-until-gta-single-pass-lv", "!busy W done", "(!busy W done) & (F G done | F G !done) & (F G busy | F G !busy)"},
	} {
		text, err := os.ReadFile("testdata/spot/" + c.name + ".dot")
		if err != nil {
			t.Fatal(err)
		}
		for sets, formula := range []string{c.none, c.some} {
			s := ltl.NewFormulas()
			f, err := ltl.Parse(formula, s)
			if err != nil {
				t.Fatal(err)
			}
			r := dot.NewReader(bytes.NewReader(text), c.name)
			r.AssumeSets(sets)
			a, err := r.Read()
			if err != nil {
				t.Fatal(err)
			}
			if other, reason := r.Unsure(); other != nil {
				t.Errorf("%s with %d sets: %v", c.name, sets, reason)
			}
			if err := sameLanguage(t, a, s, f); err != nil {
				t.Errorf("%s with %d sets: %v", c.name, sets, err)
			}
			r = dot.NewReader(bytes.NewReader(text), c.name)
			first, err := r.Read()
			if err != nil {
				t.Fatal(err)
			}
			other, reason := r.Unsure()
			if other == nil || !strings.HasPrefix(reason.Error(), c.name+":1:1: the drawing doesn't tell whether there are acceptance sets") {
				t.Fatalf("%s: no other way to read it: %v", c.name, reason)
			}
			if first, other := sameLanguage(t, first, s, f), sameLanguage(t, other, s, f); (first == nil) == (other == nil) {
				t.Errorf("%s with %d sets: not one of the two ways: %v, %v", c.name, sets, first, other)
			}
			drawAndRead(t, a)
		}
	}
}

// TestCutDrawings cuts drawings off at each byte: what is left is told with its place, or
// is a stream of whole drawings.
func TestCutDrawings(t *testing.T) {
	for name := range spotDrawings {
		text, err := os.ReadFile("testdata/spot/" + name + ".dot")
		if err != nil {
			t.Fatal(err)
		}
		for end := range len(text) - 1 {
			whole := strings.Count(string(text[:end+1]), "\n}\n") + strings.Count(string(text[end:end+1]), "}")
			r := dot.NewReader(bytes.NewReader(text[:end]), name)
			read := 0
			for ; ; read++ {
				_, err = r.Read()
				if err != nil {
					break
				}
			}
			rest := strings.TrimSpace(string(text[:end])[strings.LastIndex("\n"+string(text[:end]), "\n}\n")+1:])
			rest = strings.TrimSpace(strings.TrimPrefix(rest, "}"))
			var place *dot.Error
			switch {
			case rest == "" || strings.HasSuffix(rest, "\n}"):
				if !errors.Is(err, io.EOF) {
					t.Errorf("%s cut at %d: %v", name, end, err)
				}
			case !errors.As(err, &place) || place.File != name || place.Line < 1 || place.Column < 1 || place.Line > strings.Count(string(text[:end]), "\n")+1:
				t.Errorf("%s cut at %d, %d drawings before: %v", name, end, whole, err)
			}
		}
	}
}

// TestDamagedDrawings renames, exchanges and drops words of a drawing: each time the
// message has the line.
func TestDamagedDrawings(t *testing.T) {
	text, err := os.ReadFile("testdata/spot/until-ta.dot")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"digraph", "graph", "1:1: expected a drawing"},
		{"style=invis", "style=invisible", ":3:3: the graph has no initial arrow"},
		{"2 [label=\"2\"", "20 [label=\"2\"", ":6:11: an edge to node 2, which is not defined"},
		{"3 -> 2 ", "30 -> 2 ", ":14:12: an edge from node 30, which is not defined"},
		{"4 -> 4 [label=\"{busy}", "4 -> 44 [label=\"{busy}", ": an edge to node 44, which is not defined"},
		{"{busy}\\n{0}", "{bus}\\n{0}", ": proposition bus changes, but no initial valuation names it"},
		{"{busy}\\n{0}", "{0}\\n{busy}", `: expected a changeset such as {a, b}, found "{0}"`},
		{"{busy}\\n{0}", "{busy}\\n{1,0}", ": expected acceptance sets in ascending order"},
		{"{busy}\\n{0}", "{busy}\\n{7}", ": acceptance set 7 is drawn, but no set 1"},
		{"{busy}\\n{0}", "{busy}", ": a label without acceptance sets"},
		{"{busy}\\n{0}", "{}\\n{0}", ": an edge for the empty changeset in a testing automaton with livelock acceptance"},
		{"shape=box", "shape=bax", `: expected a shape such as box or circle, found "bax"`},
		{"shape=box", "sape=box", `: unknown attribute "sape" of a node`},
		{"peripheries=2", "peripherie=2", `: unknown attribute "peripherie" of a node`},
		{"peripheries=2", "peripheries=22", `: expected peripheries=1 or 2, found "22"`},
		{"  3 [label=\"1\"]", "  2 [label=\"1\"]", ": a second definition of node 2"},
		{"  0 -> 1\n", "", ": the graph has no initial arrow from an invisible node"},
		{"  0 -> 1\n", "  0 -> 2\n", ": an edge to the initial state"},
	} {
		damaged := strings.Replace(string(text), c.old, c.new, 1)
		if damaged == string(text) {
			t.Fatal("nothing damaged by", c.new)
		}
		_, err := dot.NewReader(strings.NewReader(damaged), "drawing.dot").Read()
		var place *dot.Error
		if !errors.As(err, &place) || !strings.HasPrefix(err.Error(), "drawing.dot:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

// TestManyEdges reads a drawing of 10⁶ edges, and one that is damaged behind them.
func TestManyEdges(t *testing.T) {
	const edges = 1_000_000
	var b strings.Builder
	b.WriteString("digraph G {\n0 [style=invis]\n0 -> 1\n1 [label=init]\n1 -> 2 [label=\"a\\n{}\"]\n2 []\n2 -> 2 [label=\"{}\\n{}\"]\n")
	for i := range edges {
		fmt.Fprintf(&b, "2 -> 2 [label=\"{a}\\n{%d}\"]\n", i%3)
	}
	a := read(t, b.String()+"}\n")
	if a.Edges() != edges+2 || a.States() != 2 {
		t.Errorf("%d edges", a.Edges())
	}
	_, err := dot.NewReader(strings.NewReader(b.String()+"2 -> 3 [label=\"{a}\\n{0}\"]\n}\n"), "many.dot").Read()
	if want := fmt.Sprintf("many.dot:%d:9: an edge to node 3, which is not defined", edges+8); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	var names []string
	for i := range 4000 {
		names = append(names, fmt.Sprintf("p%d", i))
	}
	huge := strings.Replace(b.String(), `"a\n{}"`, `"a & `+strings.Join(names, " & ")+`\n{}"`, 1)
	if _, err = dot.NewReader(strings.NewReader(huge+"}\n"), "huge.dot").Read(); err == nil || !strings.HasPrefix(err.Error(), "huge.dot:1000007:") {
		t.Errorf("huge: %v", err)
	}
}

// TestTooLong refuses a graph that would fill the memory.
func TestTooLong(t *testing.T) {
	endless := io.MultiReader(strings.NewReader("digraph G {\n"), io.LimitReader(zeros{}, 70<<20), strings.NewReader("\n}\ndigraph G {\n}\n"))
	r := dot.NewReader(endless, "long.dot")
	if _, err := r.Read(); err == nil || !strings.HasPrefix(err.Error(), "long.dot:2:1: a name, text or comment longer than 16777216 bytes") {
		t.Errorf("got %v", err)
	}
	if a, err := r.Read(); err != nil || a.States() != 1 {
		t.Errorf("behind it: %v", err)
	}
}

// TestLineWithoutEnd: behind a line that has no end nothing more is read, and that is no fault of a
// drawing, behind which reading would go on.
func TestLineWithoutEnd(t *testing.T) {
	r := dot.NewReader(io.MultiReader(strings.NewReader("digraph G {\n"), zeros{}), "long.dot")
	var wrong *dot.Error
	if _, err := r.Read(); !errors.As(err, &wrong) {
		t.Errorf("got %v", err)
	}
	for range 2 {
		if _, err := r.Read(); err == nil || err == io.EOF || errors.As(err, &wrong) {
			t.Errorf("behind it: %v", err)
		}
	}
}

// TestLongLinesAreAskedFor: a long line asks for room before it takes it, and ends with what the
// limit says.
func TestLongLinesAreAskedFor(t *testing.T) {
	const length = 1 << 20
	full := errors.New("full")
	r := dot.NewReader(strings.NewReader("digraph G {\n  0 [label=\""+strings.Repeat("x", length)+"\"]\n}\n"), "long.dot")
	asked := 0
	r.LimitBy(func(bytes int) error {
		if asked = max(asked, bytes); asked < 2*length {
			return nil
		}
		return full
	})
	if _, err := r.Read(); !errors.Is(err, full) {
		t.Errorf("%v, and asked for %d bytes", err, asked)
	}
}

// zeros is a line that has no end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// TestByteOrderMark reads a drawing behind a byte order mark, which columns count.
func TestByteOrderMark(t *testing.T) {
	text, err := os.ReadFile("testdata/spot/until-ta.dot")
	if err != nil {
		t.Fatal(err)
	}
	want, err := dot.NewReader(bytes.NewReader(text), "").Read()
	if err != nil {
		t.Fatal(err)
	}
	got, err := dot.NewReader(io.MultiReader(strings.NewReader("\ufeff"), bytes.NewReader(text)), "").Read()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("behind a byte order mark: %v, another automaton", err)
	}
	two := dot.NewReader(io.MultiReader(bytes.NewReader(text), strings.NewReader("\ufeff"), bytes.NewReader(text)), "")
	for range 2 {
		if got, err := two.Read(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("of two files put together: %v, another automaton", err)
		}
	}
	for marked, message := range map[string]string{
		"\ufeffgraph":           "1:4: ",
		"digraph {\n\ufeff}":    "2:1: ",
		"\ufeff\ufeffdigraph {": "1:4: ",
		" \ufeffdigraph {}":     "1:2: ",
	} {
		if _, err := dot.NewReader(strings.NewReader(marked), "").Read(); err == nil || !strings.HasPrefix(err.Error(), message) {
			t.Errorf("%q: %v, expected an error at %s", marked, err, message)
		}
	}
}
