package dot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pnmc/automata"
	"pnmc/dot"
	"pnmc/hoa"
)

// readDOT returns what comes out of a stream: automata in HOA, and errors.
func readDOT(t testing.TB, input io.Reader) string {
	t.Helper()
	var b strings.Builder
	for r := dot.NewReader(input, ""); ; {
		a, err := r.Read()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			var place *dot.Error
			if !errors.As(err, &place) {
				return b.String()
			}
			continue
		}
		if err := hoa.Write(context.Background(), &b, a, hoa.Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadDrawings reads drawings in the style of ltl2tgta, and compares their
// HOA form, which must be one that can be read, with golden files.
func TestReadDrawings(t *testing.T) {
	files, err := filepath.Glob("testdata/*.dot")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := readDOT(t, bytes.NewReader(text))
		compare(t, strings.TrimSuffix(file, ".dot")+".golden", []byte(got))
		readHOA(t, strings.NewReader(got), file)
		if again := readDOT(t, iotest.OneByteReader(bytes.NewReader(text))); again != got {
			t.Errorf("%s: one byte at a time: %s", file, again)
		}
	}
}

// accepts reports whether a testing automaton accepts a word of one proposition.
func accepts(t *testing.T, a *automata.Automaton, prefix, cycle string) bool {
	t.Helper()
	letters := func(s string) (all []automata.Valuation) {
		for _, c := range s {
			all = append(all, automata.Valuation{uint64(c - '0')})
		}
		return all
	}
	plain := *a
	plain.Kind = automata.Plain
	word := automata.Lasso{Propositions: a.Propositions, Prefix: letters(prefix), Cycle: letters(cycle)}
	accepted, err := automata.Accepts(&plain, word.Changes())
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// TestLanguagesOfDrawings checks G F p of a TGTA and F G a of two TA.
func TestLanguagesOfDrawings(t *testing.T) {
	read := func(name string, skip int) *automata.Automaton {
		f, err := os.Open("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := dot.NewReader(f, name)
		for range skip {
			if _, err := r.Read(); err != nil {
				t.Fatal(err)
			}
		}
		a, err := r.Read()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	infinitely, finally := read("gfa-tgta.dot", 0), read("fga-ta.dot", 0)
	if infinitely.Kind != automata.TGTA || finally.Kind != automata.TA {
		t.Errorf("kinds %v and %v", infinitely.Kind, finally.Kind)
	}
	for _, w := range []struct{ prefix, cycle string }{
		{"", "0"}, {"", "1"}, {"", "01"}, {"", "10"}, {"1", "0"}, {"0", "1"}, {"010", "1"}, {"1", "001"}, {"0", "110"},
	} {
		if got, want := accepts(t, infinitely, w.prefix, w.cycle), strings.Contains(w.cycle, "1"); got != want {
			t.Errorf("GFp over %v: %t", w, got)
		}
		if got, want := accepts(t, finally, w.prefix, w.cycle), !strings.Contains(w.cycle, "0"); got != want {
			t.Errorf("FGa over %v: %t", w, got)
		}
	}
	// The second one of the file accepts also what visits its Büchi state.
	if second := read("fga-ta.dot", 1); !accepts(t, second, "", "10") || accepts(t, second, "", "0") {
		t.Error("second automaton")
	}
}

func TestDrawingErrors(t *testing.T) {
	const root = "digraph G {\n0 [style=invis]\n0 -> 1\n1 [label=init]\n" // lines 1 to 4
	for _, c := range []struct{ text, want string }{
		{"digraph G {\n1 -> 2\n}", `2:1: an edge to node 2, which is not defined`},
		{root + "2 [label=x]\n7 -> 2\n}", `6:1: an edge from node 7, which is not defined`},
		{root + "1 -> 0 [label=\"a\\n{}\"]\n}", `5:9: an edge to node 0, which is invisible`},
		{root + "1 [label=x]\n}", `5:1: a second definition of node 1`},
		{root + "2 [label=x]\n2 -> 1 [label=\"{}\\n{}\"]\n}", `6:9: an edge to the initial state, which only reads the first valuation`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a &\\n{}\"]\n}", `6:9: expected a formula of propositions, found "a &"`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{}\"]\n2 -> 2 [label=\"a\\n{}\"]\n}", `7:9: expected a changeset such as {a, b}, found "a"`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{}\"]\n2 -> 2 [label=\"{b}\\n{}\"]\n}", `7:9: proposition b changes, but no initial valuation names it`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{}\"]\n2 -> 2 [label=\"{a,a}\\n{}\"]\n}", `7:9: proposition a is twice in the changeset {a,a}`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{x}\"]\n}", `6:9: expected the number of an acceptance set, found "x"`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{99999}\"]\n}", `6:9: expected the number of an acceptance set, found "99999"`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\nx\"]\n}", `6:9: expected acceptance sets such as {0,1}, found "x"`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{1,0}\"]\n}", `6:9: expected acceptance sets in ascending order, found "{1,0}"`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{0,2}\"]\n}", `6:9: acceptance set 2 is drawn, but no set 1`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\"]\n}", `6:9: a label without acceptance sets, which are drawn below it, as {} where there are none`},
		{root + "2 [label=x]\n1 -> 2\n}", `6:1: an edge without a label`},
		{root + "2 [label=x]\n1 -> 2 [label=\"a\\n{}\"]\n2 -> 2\n}", `7:1: an edge without a label`},
		{root + "2 [shape=box]\n1 -> 2 [label=\"a\\n{}\"]\n2 -> 2 [label=\"{}\\n{}\"]\n}", `7:9: an edge for the empty changeset in a testing automaton with livelock acceptance`},
		{root + "2 [label=x]\n0 -> 2\n}", `6:1: a second initial arrow without a valuation`},
		{root + "2 [label=x]\n0 -> 2 [label=a]\n}", `6:9: initial arrows with and without valuations`},
		{root + "2 [shape=bx]\n}", `5:4: expected a shape such as box or circle, found "bx"`},
		{root + "2 [peripheries=3]\n}", `5:4: expected peripheries=1 or 2, found "3"`},
		{root + "2 [shap=box]\n}", `5:4: unknown attribute "shap" of a node`},
		{root + "2 []\n1 -> 2 [lable=a]\n}", `6:9: unknown attribute "lable" of an edge`},
		{"digraph G {\n1 [label=x]\n}", `2:1: the graph has no initial arrow from an invisible node`},
		{"digraph G {\n1 -> \n}", `3:1: expected a name, found "}"`},
		{"graph G {\n}", `1:1: expected a drawing, which begins with digraph, found "graph"`},
		{"strict graph G {\n}", `1:8: expected a drawing, which begins with digraph, found "graph"`},
		{"digraph G {\n", `3:11: expected a node, an edge or }, found "{"`},
		{"digraph G {\n$\n}", `2:1: unexpected character "$"`},
		{"digraph G {\n1 [label=\"a\n}", `2:10: a string that isn't closed on its line`},
		{"digraph G {\n1 [label=a\n}", `3:1: expected an attribute or ], found "}"`},
		{"digraph G {\n1 [label a]\n}", `2:10: expected =, found "a"`},
		{"digraph G {\n1 -> 2 -> 3\n}", `2:8: expected a node, an edge or }, found "->"`},
		{"digraph G {\ncomment=\"Testing: xgta; Acceptance: 0; AP: 0\"\n}", `2:1: expected a comment such as`},
		{"digraph G {\ncomment=\"Testing: ta; Acceptance: 1; AP: 2 a\"\n}", `2:1: expected a comment such as`},
		{root + "2 [label=x]\n1 -> 2 [label=\"" + strings.Repeat("(", 2000) + "\\n{}\"]\n}", `6:9: a label with more than 1000 parentheses`},
	} {
		const next = "\ndigraph G {\n0 [style=invis]\n0 -> 1\n1 [label=init]\n}\n"
		r := dot.NewReader(strings.NewReader(c.text+next), "")
		_, err := r.Read()
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.text, err, c.want)
		}
		if a, err := r.Read(); strings.HasSuffix(c.text, "}") && (err != nil || a.States() != 1) {
			t.Errorf("%s: then %v", c.text, err)
		}
	}
}

func TestReadErrorIsReturned(t *testing.T) {
	broken := errors.New("broken pipe")
	r := dot.NewReader(io.MultiReader(strings.NewReader("digraph G {\n"), iotest.ErrReader(broken)), "")
	if _, err := r.Read(); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestReadErrorEndsReading: what can't be read after a wrong drawing is told once the drawing
// was, by itself, and nothing is looked for again.
func TestReadErrorEndsReading(t *testing.T) {
	broken := errors.New("cut off")
	r := dot.NewReader(io.MultiReader(strings.NewReader("digraph G {\n!\n"), iotest.ErrReader(broken)), "")
	var place *dot.Error
	if _, err := r.Read(); !errors.As(err, &place) || errors.Is(err, broken) {
		t.Errorf("first %v", err)
	}
	for range 2 {
		if _, err := r.Read(); !errors.Is(err, broken) || errors.As(err, &place) {
			t.Errorf("then %v", err)
		}
	}
}

// FuzzRead reads any text; what it reads must be readable in HOA, and drawn and read
// again it must be the same.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"testdata/*.dot", "testdata/spot/*.dot"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := dot.NewReader(strings.NewReader(text), "")
		for {
			a, err := r.Read()
			var place *dot.Error
			switch {
			case errors.As(err, &place):
				continue
			case err != nil:
				return
			}
			var b bytes.Buffer
			if err := hoa.Write(context.Background(), &b, a, hoa.Options{}); err != nil {
				t.Fatal(err)
			}
			if _, err := hoa.NewReader(&b, "").Read(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			drawAndRead(t, a)
		}
	})
}

// drawAndRead draws an automaton, unless that is too large, and reads the drawing, which
// must then be drawn in the same way.
func drawAndRead(t testing.TB, a *automata.Automaton) *automata.Automaton {
	t.Helper()
	var first, second bytes.Buffer
	err := dot.Style{}.Write(context.Background(), &first, a)
	var undrawn *dot.DrawingError
	if errors.As(err, &undrawn) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	r := dot.NewReader(bytes.NewReader(first.Bytes()), "")
	again, err := r.Read()
	if err != nil {
		t.Fatalf("%v in\n%s", err, &first)
	}
	if other, _ := r.Unsure(); other != nil {
		t.Fatalf("two ways to read\n%s", &first)
	}
	if err := (dot.Style{}).Write(context.Background(), &second, again); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Fatalf("drawn as\n%s\nand again as\n%s: %v", &first, &second, err)
	}
	return again
}

func ExampleReader_Read() {
	const drawing = `digraph G {
  0 [label="", style=invis, height=0]
  0 -> 1
  1 [label=init]
  1 -> 2 [label="a\n{}"]
  2 [label="1"]
  2 -> 2 [label="{}\n{0}"]
}`
	a, err := dot.NewReader(strings.NewReader(drawing), "").Read()
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := hoa.Write(context.Background(), os.Stdout, a, hoa.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// HOA: v1
	// States: 2
	// Start: 0
	// AP: 1 "a"
	// acc-name: Buchi
	// Acceptance: 1 Inf(0)
	// properties: trans-labels explicit-labels state-acc
	// Testing: tgta
	// --BODY--
	// State: 0
	// [0] 1
	// State: 1 {0}
	// [!0] 1
	// --END--
}
