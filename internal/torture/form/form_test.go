package form_test

import (
	"strings"
	"testing"

	"pnmc/internal/torture/form"
)

// automaton is one as pnmc writes it.
const automaton = `HOA: v1
name: "a U \"b\""
States: 2
Start: 0
AP: 2 "a" "b"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic
properties: very-weak
--BODY--
State: 0
[1] 1
[0&!1 | !0&1] 0 {0}
State: 1 {0}
[t] 1
--END--
`

// texts are whole texts of each form.
var texts = []struct {
	name, text string
	check      func(text []byte) error
}{
	{"automaton", automaton, automata(1, 0)},
	{"two automata", automaton + automaton, automata(2, 0)},
	{"automaton on a line", strings.ReplaceAll(strings.TrimSuffix(automaton, "\n"), "\n", " ") + "\n", automata(1, 0)},
	{"automaton that a limit cut", strings.Replace(automaton, "] 0 {0}\nState: 1 {0}\n[t] 1\n--END--\n", "\n--ABORT--\n", 1), automata(0, 1)},
	{"drawing", "digraph \"a U b\" {\n  rankdir=LR\n  node [shape=circle]\n  I0 [label=\"\", style=invis, width=0]\n  I0 -> 0\n  0 [label=\"0\"]\n  0 -> 0 [label=\"a & !b\"]\n}\n",
		func(text []byte) error {
			if whole, _, err := form.Drawings(text); err != nil || whole == 1 {
				return err
			}
			return errCut
		}},
	{"tina", "net n\npl p0 (2)\npl {p 1} : {its name} (0)\ntr t0 p0*2 {p 1}?-1 -> {p 1}\ntr t1 ->\n", form.Net("tina", true)},
	{"lola", "PLACE\n  p0,\n  p1;\nMARKING p0 : 2;\nTRANSITION t0\n  CONSUME p0 : 1, p1 : 2;\n  PRODUCE;\n", form.Net("lola", true)},
	{"gal", "gal n {\n  int p0 = 2;\n  transition t0 [p0 >= 1 && p0 < 7] { // t-0\n    p0 = p0 - 1;\n  }\n}\n", form.Net("gal", true)},
	{"etf", "begin state\np0:place p1:place\nend state\nbegin edge\naction:action\nend edge\nbegin init\n2 0\nend init\nbegin trans\n1/0 * 0\nend trans\nbegin sort action\n\"t0\"\nend sort\n", form.Net("etf", true)},
	{"pnml", "<?xml version=\"1.0\"?>\n<pnml>\n  <net id=\"n\"/>\n</pnml>\n", form.PNML},
	{"batch", "   examination  asked  right  wrong  missing  unrated  points  of  seconds\n  Reachability      4      0      0        0        4       0  16      0.0\n", form.Report("batch")},
	{"bench", "Transitions explored, against those of the best approach for the property\n\n  approach  properties  best  of all  at most twice  of all\n        ba           1     1  100.0%              1  100.0%\n\nLeft out of this table\n\n  model  set  properties  approach  why\n    net    f           1        ta  it is late\n", form.Report("bench")},
	{"cross", "  automata  failures  states  edges  deterministic  product states  product edges  seconds  translator\n         4         0       7     10              4            1400          22781     0.20          no\ntimeout: formula 1, a: by no: it took too long\n8 checks, 0 given up, 0 differences\n", form.Report("cross")},
	{"table", "a,b\n1,2\n", form.Table},
	{"verdict in JSON", "{\"name\":\"x\",\"verdict\":\"holds\"}\n", form.Lines(form.Object("name verdict", "reason"))},
}

type cut struct{}

func (cut) Error() string { return "it is cut" }

var errCut = cut{}

// automata checks that there are so many.
func automata(whole, aborted int) func(text []byte) error {
	return func(text []byte) error {
		w, a, err := form.Automata(text)
		if err == nil && (w != whole || a != aborted) {
			err = errCut
		}
		return err
	}
}

// TestWholeTexts: what pnmc writes is taken.
func TestWholeTexts(t *testing.T) {
	for _, x := range texts {
		if err := x.check([]byte(x.text)); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// unseen are cuts that leave another whole text: of a number its digits, of a list its last parts.
var unseen = map[string]bool{
	"automaton:acc-name: Buchi": true, "two automata:acc-name: Buchi": true,
}

// TestCutLines: a line that lost its second half is found, wherever it stands. What was cut in such
// a way that the rest is whole again can't be.
func TestCutLines(t *testing.T) {
	for _, x := range texts {
		if strings.Contains(x.name, "on a line") || strings.Contains(x.name, "cut") {
			continue
		}
		lines := strings.SplitAfter(x.text, "\n")
		for i, line := range lines[:len(lines)-1] {
			if strings.TrimSpace(line) == "" || unseen[x.name+":"+strings.TrimSpace(line)] {
				continue
			}
			half := line[:len(line)/2]
			if half == strings.TrimSuffix(line, "\n") || strings.Contains(line, "it is late") {
				continue // nothing is cut, or a reason, which may be any text
			}
			for _, end := range []string{"\n", ""} {
				text := strings.Join(lines[:i], "") + half + end + strings.Join(lines[i+1:], "")
				if x.name == "table" || end == "\n" && strings.HasPrefix(line, "tr ") {
					continue // half a row is a row
				}
				if x.check([]byte(text)) == nil {
					t.Errorf("%s: line %d, %q, is cut to %q, and that is taken", x.name, i+1, line, half+end)
				}
			}
		}
	}
}

// TestSpoiledTexts: other mistakes are found.
func TestSpoiledTexts(t *testing.T) {
	for _, x := range []struct{ of, from, to string }{
		{"automaton", "[1] 1", "[1] 7"},
		{"automaton", "[1] 1", "[5] 1"},
		{"automaton", "{0}", "{3}"},
		{"automaton", "States: 2", "States: 3"},
		{"automaton", "State: 1", "State: 0"},
		{"automaton", "Inf(0)", "Inf(0"},
		{"automaton", "AP: 2 ", "AP: 3 "},
		{"automaton", "--END--", "--ABORT--"},
		{"automaton on a line", "[1] 1", "[1]"},
		{"drawing", "}\n", ""},
		{"drawing", "-> 0", "->"},
		{"tina", " (2)", ""},
		{"lola", "  PRODUCE;\n", ""},
		{"gal", "  }\n", ""},
		{"etf", "end sort\n", ""},
		{"batch", "  16      0.0\n", "  16\n"},
		{"bench", "\nLeft out", "panic"},
		{"cross", "8 checks, 0 given up, 0 differences\n", ""},
		{"table", "1,2", "1"},
		{"verdict in JSON", `"verdict":"holds"`, `"reason":"x"`},
		{"verdict in JSON", `"name"`, `"nam"`},
		{"pnml", "<net id=\"n\"/>", "<net id=\"n\">"},
	} {
		for _, y := range texts {
			if y.name == x.of {
				if text := strings.Replace(y.text, x.from, x.to, 1); text == y.text || y.check([]byte(text)) == nil && x.to != "--ABORT--" {
					t.Errorf("%s: %q instead of %q is taken", x.of, x.to, x.from)
				}
			}
		}
	}
	if form.Nothing([]byte("x")) == nil || form.Page([]byte("<html>\n<script>\n</html>\n")) == nil || form.JSONText([]byte("{}")) == nil {
		t.Error("text where there should be none, a script without its end, or a line without its end is taken")
	}
}
