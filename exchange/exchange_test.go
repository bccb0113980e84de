package exchange_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/exchange"
	"pnmc/internal/petritest"
	"pnmc/petri"
	"pnmc/pnml"
)

// formats are those that are read and written.
var formats = []struct {
	name  string
	write func(io.Writer, *petri.Net) error
	read  func(io.Reader, string, exchange.Limit) (*petri.Net, error)
	named bool // it has names beside identifiers
}{
	{"tina", exchange.WriteTina, exchange.ReadTina, true},
	{"lola", exchange.WriteLoLA, exchange.ReadLoLA, false},
	{"pnml-2004", pnml.Write2004, func(r io.Reader, file string, _ exchange.Limit) (*petri.Net, error) {
		return pnml.Reader{}.Read(r, file)
	}, true},
}

// TestRoundTrip: what a writer can say of a random net comes back as it was; what it can't is an
// error that names a node.
func TestRoundTrip(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			said := 0
			if !petritest.CheckUntil(t, func() bool { return said > 10 }, func(t *rapid.T) {
				net := petritest.AnyNet().Draw(t, "net")
				var text bytes.Buffer
				if err := f.write(&text, net); err != nil {
					if !strings.Contains(err.Error(), `"p`) && !strings.Contains(err.Error(), `"t`) && net.Places() > 0 {
						t.Fatalf("%v names no node", err)
					}
					return
				}
				said++
				back, err := f.read(bytes.NewReader(text.Bytes()), "back", nil)
				if err != nil {
					t.Fatalf("%v:\n%s", err, &text)
				}
				if d := petritest.Difference(net, back, f.named); d != "" {
					t.Fatalf("%s:\n%s", d, &text)
				}
			}) {
				t.Error("nothing was written")
			}
		})
	}
}

// TestContestRoundTrip: place/transition nets of the contest come back from each format as they
// were.
func TestContestRoundTrip(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(petritest.Shared(t, "mcc", "inputs"), "*-PT-*.tgz"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("%v, %v", archives, err)
	}
	step := 1
	if testing.Short() {
		step = 40
	}
	unsaid := map[string]int{}
	for i := 0; i < len(archives); i += step {
		net := contestNet(t, archives[i])
		if net.Arcs() > 400_000 && testing.Short() {
			continue
		}
		for _, f := range formats {
			var text bytes.Buffer
			if err := f.write(&text, net); err != nil {
				unsaid[fmt.Sprint(f.name, ": ", err)]++
				continue
			}
			back, err := f.read(&text, f.name, nil)
			if err != nil {
				t.Errorf("%s as %s: %v", archives[i], f.name, err)
			} else if d := petritest.Difference(net, back, f.named); d != "" || net.ID != back.ID && f.named {
				t.Errorf("%s as %s: %s, %q and %q", archives[i], f.name, d, net.ID, back.ID)
			}
		}
	}
	for why := range unsaid {
		t.Log(why)
	}
}

func contestNet(t *testing.T, archive string) *petri.Net {
	net, err := pnml.Reader{}.Read(petritest.ModelIn(t, archive), archive)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func ExampleWriteTina() {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 2)
	q, _ := b.AddPlace("a place", "", 0)
	t, _ := b.AddTransition("t", "go")
	b.AddInput(p, t, 1)
	b.AddInhibitor(q, t, 3)
	b.AddOutput(t, q, 2)
	net, _ := b.Build()
	fmt.Println(exchange.WriteTina(os.Stdout, net), exchange.WriteGAL(os.Stdout, net), exchange.WriteLoLA(os.Stdout, net))
	// Output:
	// pl p (2)
	// pl {a place} (0)
	// tr t : go p {a place}?-3 -> {a place}*2
	// gal net {
	//   int p = 2;
	//   int p1 = 0; // a place
	//   transition t [p >= 1 && p1 < 3] {
	//     p = p - 1;
	//     p1 = p1 + 2;
	//   }
	// }
	// <nil> <nil> place "a place": LoLA's format cannot say its identifier
}

// TestReadTina reads what the manual describes.
func TestReadTina(t *testing.T) {
	text := "# a net\nnet {two words}\nlb p3 empty\nlb p2 {not this}\nlb t1 nor\nlb nothing this\n\ntr t1 : {go on} [0,w[ p1*2 p2?3 p3?-1 -> p2 {p\\}4}*1K\n" +
		"pl p1 (3K)\npl p2 : label (4) t2 -> t1\ntr t2\nlb {p\\}4} {4's}\nnt n1 0 {a note}\n"
	net, err := exchange.ReadTina(strings.NewReader(text), "a.net", nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := exchange.WriteTina(&out, net); err != nil {
		t.Fatal(err)
	}
	want := "net {two words}\npl p1 (3000)\npl p2 : label (4)\npl p3 : empty (0)\npl {p\\}4} : 4's (0)\n" +
		"tr t1 : {go on} p1*2 p2?3 p3?-1 -> {p\\}4}*1000\ntr t2 -> p2\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", &out, want)
	}
}

func TestReadErrors(t *testing.T) {
	for _, test := range []struct {
		format     int
		text, want string
	}{
		{0, "tr t [1,3] p -> q", `f:1:6: transition "t" has the interval [1,3], expected [0,w[ or none: time cannot be honoured`},
		{0, "pl p\ntr t p!2 -> q", `f:2:6: stopwatch arc between "p" and "t", expected *, ? or ?- before the weight: time cannot be honoured`},
		{0, "tr t -> p?-2", `f:1:9: ?- at an arc from "t" to "p", expected * before the weight`},
		{0, "pr a > b", `f:1:4: priority between transitions, expected none: priorities cannot be honoured`},
		{0, "pl p (-1)", `f:1:7: invalid input text "-1)"`},
		{0, "pl p (9999999999999E)", `f:1:7: marking "9999999999999E", expected a number below 2^63`},
		{0, "pl p\ntr p", `f:2:4: identifier "p" is already that of a place, expected another`},
		{0, "place p", `f:1:1: unexpected token "place"`},
		{1, "PLACE p; MARKING q; TRANSITION t CONSUME ; PRODUCE ;", `f:1:18: "q" is no place, expected one of the list`},
		{1, "PLACE p, p; MARKING ;", `f:1:10: second place "p", expected another identifier`},
		{1, "PLACE p;\nTRANSITION t STRONG FAIR CONSUME p; PRODUCE ;", `f:2:12: transition "t" is STRONG FAIR, expected neither: fairness cannot be honoured`},
		{1, "PLACE p;\nTRANSITION t CONSUME p: x; PRODUCE ;", `f:2:22: "x" behind "p", expected a number below 2^63`},
		{1, "PLACE p", `f:1:8: unexpected token "<EOF>" (expected "," or ";")`},
		{1, "PLACE p; TRANSITION ;", `f:1:21: unexpected token ";" (expected a word)`},
		{1, "PLACE p; TRANSITION t CONSUME p PRODUCE ;", `f:1:33: unexpected token "PRODUCE" (expected "," or ";")`},
		{1, "PLACE p; TRANSITION t CONSUME p; p;", `f:1:34: unexpected token "p" (expected "PRODUCE")`},
		{1, "PLACE p; TRANSITION t STRONG CONSUME ;", `f:1:30: unexpected token "CONSUME" (expected "FAIR")`},
		{1, "PLACE MARKING p;", `f:1:7: unexpected token "MARKING" (expected a place)`},
		{1, "PLACE p; MARKING p; q;", `f:1:21: unexpected token "q" (expected "TRANSITION")`},
		{1, "PLACE SAFE : ;", `f:1:14: unexpected token ";" (expected a place)`},
		{1, "PLACE p; MARKING p, ;", `f:1:21: unexpected token ";" (expected a place)`},
		{1, "PLACE p; {", `f:1:10: a comment without an end, expected }`},
		{1, "PLACE p; MARKING (p);", `f:1:18: invalid input text "(p);"`},
		{1, "p;", `f:1:1: unexpected token "p" (expected "PLACE")`},
		{1, "", `f:1:1: unexpected token "<EOF>" (expected "PLACE")`},
		{1, "PLACE", `f:1:6: unexpected token "<EOF>" (expected`},
		{0, "pl {p} : (2)", `f:1:10: unexpected token "(" (expected a name)`},
		{0, "pl p (2", `f:1:8: unexpected token "<EOF>" (expected ")")`},
		{0, "pl p 2) -> q", `f:1:7: unexpected token ")"`},
		{0, "net a b", `f:1:7: unexpected token "b" (expected the end of the line)`},
		{0, "lb a\n", `f:1:5: unexpected token "<EOF>" (expected a name)`},
		{0, "lb a\r\npl b", `f:1:6: unexpected token "<EOF>" (expected a name)`},
		{0, "nt a b", `f:1:7: unexpected token "<EOF>" (expected a name)`},
		{0, "nt a", `f:1:5: unexpected token "<EOF>" (expected a name)`},
		{0, "pl p (", `f:1:7: unexpected token "<EOF>" (expected a word)`},
		{1, "PLACE p; TRANSITION t PRODUCE p;", `f:1:23: unexpected token "PRODUCE" (expected "CONSUME")`},
		{0, "{tr} t", `f:1:1: unexpected token "{tr}" (expected "net", "tr", "pl", "lb", "nt" or "pr")`},
		{0, "tr t p -> q -> r", `f:1:13: unexpected token "->" (expected a name)`},
		{0, "tr t p q", `f:1:9: unexpected token "<EOF>" (expected "->")`},
		{0, "tr t p*q -> ", `f:1:7: unexpected token "*" (expected a weight right behind it)`},
		{0, "tr t [0,{w}[ ->", `f:1:9: unexpected token "{w}" (expected a word)`},
		{0, "tr t p -> {q", `f:1:11: a name in braces without an end, expected }`},
		{0, "tr t [0,5] ( ", `f:1:6: transition "t" has the interval`},
	} {
		_, err := formats[test.format].read(strings.NewReader(test.text), "f", nil)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.text, err, test.want)
		}
	}
}

// TestReadLoLA reads the parts of the grammar that are not written.
func TestReadLoLA(t *testing.T) {
	text := "{ a net } PLACE SAFE 1: p.1, q; r; // more\nMARKING p.1, q: 2;\nTRANSITION t CONSUME p.1; PRODUCE q: 3, r;\nTRANSITION u CONSUME; PRODUCE;"
	net, err := exchange.ReadLoLA(strings.NewReader(text), "a.lola", nil)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := exchange.WriteLoLA(&out, net); err != nil {
		t.Fatal(err)
	}
	want := "PLACE\n  p.1,\n  q,\n  r;\nMARKING p.1 : 1, q : 2;\nTRANSITION t\n  CONSUME p.1 : 1;\n  PRODUCE q : 3, r : 1;\nTRANSITION u\n  CONSUME;\n  PRODUCE;\n"
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", &out, want)
	}
}

// TestFormsAreRemembered: what is read of a form that was read before is what this piece says, and
// where; forms are more than are remembered, too.
func TestFormsAreRemembered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b petri.Builder
		var text strings.Builder
		text.WriteString("PLACE ")
		places := rapid.IntRange(2, 6).Draw(t, "places")
		for p := range places {
			text.WriteString([]string{"", ", ", ";\n", ";SAFE : ", "; SAFE 1 : "}[min(p, 1)*rapid.IntRange(1, 4).Draw(t, "end")])
			fmt.Fprintf(&text, "p%d", p)
			b.AddPlace(fmt.Sprintf("p%d", p), "", 0)
		}
		text.WriteString(";\n")
		for u := range rapid.IntRange(1, 5).Draw(t, "transitions") {
			id, _ := b.AddTransition(fmt.Sprintf("t%d", u), "")
			fmt.Fprintf(&text, "TRANSITION t%d ", u)
			for side, add := range []func(p petri.Place, weight int64) error{
				func(p petri.Place, weight int64) error { return b.AddInput(p, id, weight) },
				func(p petri.Place, weight int64) error { return b.AddOutput(id, p, weight) },
			} {
				text.WriteString([]string{"CONSUME", " PRODUCE"}[side])
				for i := range rapid.IntRange(0, 3).Draw(t, "arcs") {
					p, weight := rapid.IntRange(0, places-1).Draw(t, "place"), rapid.Int64Range(1, 3).Draw(t, "weight")
					text.WriteString([]string{" ", ", "}[min(i, 1)] + fmt.Sprintf("p%d", p))
					if weight > 1 || rapid.Bool().Draw(t, "said") {
						fmt.Fprintf(&text, ": %d", weight)
					}
					if err := add(petri.Place(p), weight); err != nil {
						t.Fatal(err)
					}
				}
				text.WriteString(";")
			}
		}
		want, _ := b.Build()
		net, err := exchange.ReadLoLA(strings.NewReader(text.String()), "f", nil)
		if err != nil {
			t.Fatalf("%v:\n%s", err, &text)
		}
		if d := petritest.Difference(want, net, false); d != "" {
			t.Fatalf("%s:\n%s", d, &text)
		}
		wrong := text.String() + "\nTRANSITION t CONSUME p0:2, q: 1; PRODUCE;"
		at := fmt.Sprintf("f:%d:28: \"q\" is no place", strings.Count(wrong, "\n")+1)
		if _, err := exchange.ReadLoLA(strings.NewReader(wrong), "f", nil); err == nil || !strings.HasPrefix(err.Error(), at) {
			t.Fatalf("%v, want %s", err, at)
		}
	})
	lines := &strings.Builder{}
	for i := range 3000 { // each with its own form of what comes behind the name
		fmt.Fprintf(lines, "tr t%d", i)
		for bit := range 12 {
			fmt.Fprintf(lines, " %s", []string{"p", "{p}"}[i>>bit&1])
		}
		fmt.Fprintf(lines, " -> q%d\n", i)
	}
	net, err := exchange.ReadTina(strings.NewReader(lines.String()), "f", nil)
	if err != nil || net.Transitions() != 3000 || net.Places() != 3001 || net.Pre(2999)[0].Weight != 12 {
		t.Error(net, err)
	}
	_, err = exchange.ReadTina(strings.NewReader(lines.String()+"tr t p p p p p p p p p p p p -> ?"), "f", nil)
	if err == nil || !strings.HasPrefix(err.Error(), `f:3001:33: unexpected token "?"`) {
		t.Error(err)
	}
}

// TestLimit: reading asks for what it takes.
func TestLimit(t *testing.T) {
	full := fmt.Errorf("full")
	for _, f := range formats[:2] {
		if _, err := f.read(strings.NewReader("PLACE p;"), "f", func(int) error { return full }); err != full {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

// measured counts what is read.
type measured struct {
	io.Reader
	read int
}

func (m *measured) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.read += n
	return n, err
}

// TestLimitWithinLines: long lines and lists are read piece by piece, each of which is asked for,
// and no more is read when the limit says no; what the net takes in the end is asked for, too.
func TestLimitWithinLines(t *testing.T) {
	const arcs = 200_000
	texts := []string{
		"tr t" + strings.Repeat(" p*2", arcs) + " ->\n",
		"PLACE p; MARKING; TRANSITION t CONSUME p" + strings.Repeat(",p:2", arcs) + "; PRODUCE ;",
	}
	full := fmt.Errorf("full")
	for i, f := range formats[:2] {
		asked := 0
		text := &measured{Reader: strings.NewReader(texts[i])}
		limit := func(bytes int) error {
			asked += bytes
			if asked > 8<<20 {
				return full
			}
			return nil
		}
		if _, err := f.read(text, "f", limit); err != full || text.read > len(texts[i])/2 {
			t.Errorf("%s: %v after %d of %d bytes", f.name, err, text.read, len(texts[i]))
		}
		last := 0
		text = &measured{Reader: strings.NewReader(texts[i])}
		if _, err := f.read(text, "f", func(bytes int) error { last = bytes; return nil }); err != nil || last < 100*arcs {
			t.Errorf("%s: %v, %d bytes asked for the net", f.name, err, last)
		}
		for name, long := range map[string]string{"word": "pl " + strings.Repeat("p", 2<<20), "list": "PLACE " + strings.Repeat("p", 2<<20) + ";"} {
			if _, err := f.read(strings.NewReader(long), "f", nil); err == nil {
				t.Errorf("%s: a long %s is read", f.name, name)
			}
		}
	}
}

// fuzz reads text, and what it wrote of it again.
func fuzz(f *testing.F, format int, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		net, err := formats[format].read(strings.NewReader(text), "f", nil)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if formats[format].write(&out, net) != nil {
			return
		}
		written := out.String()
		back, err := formats[format].read(&out, "f", nil)
		if err != nil {
			t.Fatalf("%v:\n%s", err, written)
		}
		if d := petritest.Difference(net, back, formats[format].named); d != "" {
			t.Fatalf("%s:\n%s", d, written)
		}
	})
}

func FuzzReadTina(f *testing.F) {
	fuzz(f, 0, "net {a b}\ntr t : l [0,w[ p1*2 p2?3 p3?-1 -> p2 {p\\}4}*1K\npl p (3)", "tr t [1,2]", "pr a > b", "pl p : {} (1) t -> t\nlb p x\nnt n 1 {x}")
}

func FuzzReadLoLA(f *testing.F) {
	fuzz(f, 1, "PLACE SAFE 1: p, q; r; MARKING p: 2, q; TRANSITION t CONSUME p; PRODUCE q: 3, r;", "{x} PLACE a; // c\nTRANSITION t WEAK FAIR CONSUME ; PRODUCE ;")
}
