package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Text that is written may be much longer than all that is read: a run repeats names of transitions, a
// word those of propositions. The inputs below are some hundred kilobytes, and what tells of them some
// hundred megabytes.

// longName is an identifier that is long.
var longName = strings.Repeat("q", 30_000)

// netFile writes a net with these places and their tokens, and arcs from and to transitions.
func netFile(t *testing.T, name string, tokens map[string]int, transitions []string, arcs [][2]string, weights map[int]int) string {
	t.Helper()
	var text strings.Builder
	text.WriteString(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">`)
	for p, n := range tokens {
		fmt.Fprintf(&text, `<place id="%s"><initialMarking><text>%d</text></initialMarking></place>`, p, n)
	}
	for _, u := range transitions {
		fmt.Fprintf(&text, `<transition id="%s"/>`, u)
	}
	for i, a := range arcs {
		fmt.Fprintf(&text, `<arc id="a%d" source="%s" target="%s"><inscription><text>%d</text></inscription></arc>`, i, a[0], a[1], max(1, weights[i]))
	}
	text.WriteString("</page></net></pnml>")
	file := filepath.Join(t.TempDir(), name)
	write(t, file, text.String())
	return file
}

// longRun returns a net with a deadlock after so many steps, of two transitions in turn.
func longRun(t *testing.T, steps int) string {
	u, v := "t"+longName, "u"+longName
	return netFile(t, "run.pnml", map[string]int{"a": 1, "b": 0, "c": steps}, []string{u, v},
		[][2]string{{"a", u}, {u, "b"}, {"b", v}, {v, "a"}, {"c", u}, {"c", v}}, nil)
}

// doubling returns a net that is reduced to one with a run of 2^n transitions.
func doubling(t *testing.T, n int) string {
	tokens, weights := map[string]int{"p0": 1}, map[int]int{}
	var transitions []string
	var arcs [][2]string
	for i := range n {
		u := fmt.Sprintf("t%d%s", i, longName[:300])
		tokens[fmt.Sprintf("p%d", i+1)] = 0
		transitions = append(transitions, u)
		weights[len(arcs)+1] = 2
		arcs = append(arcs, [2]string{fmt.Sprintf("p%d", i), u}, [2]string{u, fmt.Sprintf("p%d", i+1)})
	}
	return netFile(t, "doubling.pnml", tokens, transitions, arcs, weights)
}

// longWord returns a file of an automaton whose only word has so many letters over propositions with long
// names, which begin with p.
func longWord(t *testing.T, letters int) string {
	t.Helper()
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1\nStates: %d\nStart: 0\nAP: 2 \"p%s\" \"p2%s\"\nAcceptance: 1 Inf(0)\n--BODY--\n", letters, longName, longName)
	for s := range letters {
		fmt.Fprintf(&text, "State: %d%s\n[%s0&!1] %d\n", s, strings.Repeat(" {0}", s/(letters-1)), strings.Repeat("!", s%2), (s+1)%letters)
	}
	text.WriteString("--END--\n")
	file := filepath.Join(t.TempDir(), "word.hoa")
	write(t, file, text.String())
	return file
}

// colouredRun returns a coloured net with a deadlock after so many steps, each of another binding, which
// is unfolded to as many transitions.
func colouredRun(t *testing.T, steps int) string {
	t.Helper()
	text := fmt.Sprintf(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">`+
		`<declaration><structure><declarations><namedsort id="d" name="d"><finiteintrange start="1" end="%d"/></namedsort>`+
		`<variabledecl id="x" name="x"><usersort declaration="d"/></variabledecl></declarations></structure></declaration>`+
		`<page id="g"><place id="p"><type><structure><usersort declaration="d"/></structure></type><hlinitialMarking><structure>`+
		`<all><usersort declaration="d"/></all></structure></hlinitialMarking></place><transition id="t%s"/>`+
		`<arc id="a" source="p" target="t%s"><hlinscription><structure><numberof><subterm><numberconstant value="1"><positive/></numberconstant></subterm><subterm><variable refvariable="x"/></subterm></numberof></structure></hlinscription></arc></page></net></pnml>`, steps, longName, longName)
	file := filepath.Join(t.TempDir(), "coloured.pnml")
	write(t, file, text)
	return file
}

// measured runs the command in a process of its own, and returns what it prints, its messages and the
// most memory that it had.
func measured(t *testing.T, arguments ...string) (out, told string, peak int) {
	t.Helper()
	command := program(t, arguments...)
	command.Env = append(os.Environ(), asTranslator+"=measured")
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	_ = command.Run() // the exit code says what was found
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	last := len(lines) - 1
	peak, err := strconv.Atoi(lines[last])
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return stdout.String(), strings.Join(lines[:last], "\n"), peak
}

// TestRepeatedNames: what tells of runs, words and reductions keeps to the memory, however often it
// repeats long names. The answer stands, and what is written is whole or not there.
func TestRepeatedNames(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	const limit = 60 // in MB
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	run, coloured, doubled, word := longRun(t, 2400), colouredRun(t, 3000), doubling(t, 19), longWord(t, 2000)
	every, formula, ring := in("every.hoa"), in("formula.ltl"), in("ring.sh")
	write(t, every, "HOA: v1\nStates: 1\nStart: 0\nAP: 0\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[t] 0\n--END--\n")
	write(t, formula, fmt.Sprintf("G F \"p%s\" & F \"p2%s\"\n", longName, longName))
	write(t, ring, fmt.Sprintf("cat %q\n", word))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		answer    string // is printed
		files     []string
		arguments []string
	}{
		{"run as JSON", "FORMULA deadlock TRUE", []string{"run.json"}, []string{"--pnml", run, "--deadlock", "--trace", in("run.json")}},
		{"run as text", "FORMULA deadlock TRUE", []string{"run.txt"}, []string{"--pnml", run, "--deadlock", "--trace", in("run.txt")}},
		{"run behind its line", "FORMULA deadlock TRUE", nil, []string{"--pnml", run, "--deadlock", "--trace", "-"}},
		{"run in its object", `"verdict":"holds"`, nil, []string{"--pnml", run, "--deadlock", "--format", "json"}},
		{"counterexample", "FORMULA G c>=1 FALSE", []string{"cycle.json"}, []string{"--pnml", run, "--ltl", "G c>=1", "--approach", "tgba", "--trace", in("cycle.json")}},
		{"counterexample in its object", `"verdict":"violated"`, nil, []string{"--pnml", run, "--ltl", "G c>=1", "--approach", "tgba", "--format", "json"}},
		{"branch", "FORMULA AG c>=1 FALSE", []string{"branch.json"}, []string{"--pnml", run, "--ctl", "AG c>=1", "--trace", in("branch.json")}},
		{"unfolding", "FORMULA deadlock", nil, []string{"--pnml", coloured, "--deadlock", "--approach", "auto"}},
		{"unfolding to a file", "", []string{"unfolded.pnml"}, []string{"unfold", "--pnml", coloured, "-o", in("unfolded.pnml")}},
		{"way back", "", []string{"small.pnml", "map.json"}, []string{"reduce", "--pnml", doubled, "--for", "deadlock", "-o", in("small.pnml"), "--map", in("map.json")}},
		{"way back on standard output", "", []string{"small.pnml"}, []string{"reduce", "--pnml", doubled, "--for", "deadlock", "-o", in("small.pnml"), "--map", "-"}},
		{"word", "1\n", nil, []string{"intersect", "--word", word, every}},
		{"word in its object", `"answer":true`, nil, []string{"intersect", "--word", "--format", "json", word, every}},
		{"word of a difference", "differences\n", []string{"report.json"}, []string{"cross", "--no-shrink", "--formulas", formula, "--complement", "0", "--spaces", "0",
			"--json", in("report.json"), "--", "{a}sh " + ring + " %F", "{b}" + self + " translate --ltl-file %F"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			limits := []string{"--timeout", "5s", "--max-memory", fmt.Sprintf("%dMB", limit)}
			at := 0
			if !strings.HasPrefix(c.arguments[0], "-") {
				at = 1
			}
			arguments := append(append(append([]string{}, c.arguments[:at]...), limits...), c.arguments[at:]...)
			out, told, peak := measured(t, arguments...)
			if peak > (limit+30)<<20 {
				t.Errorf("%d MB of %d MB", peak>>20, limit)
			}
			if !strings.Contains(out, c.answer) || out != "" && !strings.HasSuffix(out, "\n") {
				t.Errorf("no %q in\n%.300s …\n%s", c.answer, out, told)
			}
			if strings.Contains(strings.Join(arguments, " "), "--format json") {
				isJSON(t, out)
			}
			present := 0
			for _, name := range c.files {
				text, err := os.ReadFile(in(name))
				if os.IsNotExist(err) {
					continue
				}
				if present++; err != nil {
					t.Fatal(err)
				}
				isWhole(t, name, string(text))
			}
			if present != 0 && present != len(c.files) {
				t.Errorf("%d of the files %v are there\n%s", present, c.files, told)
			}
			if parts, err := filepath.Glob(in("*.part")); err != nil || len(parts) > 0 {
				t.Errorf("%v %v", parts, err)
			}
		})
	}
}

// isWhole looks whether a file is empty or what it is to be up to its end.
func isWhole(t *testing.T, name, text string) {
	t.Helper()
	switch filepath.Ext(name) {
	case ".json":
		isJSON(t, text)
	case ".pnml":
		if !strings.HasSuffix(text, "</pnml>\n") {
			t.Errorf("%s ends with %q", name, text[max(0, len(text)-20):])
		}
	case ".txt":
		if text != "" && strings.Count(text, "\n") < 2400 {
			t.Errorf("%s has %d bytes in %d lines", name, len(text), strings.Count(text, "\n"))
		}
	}
}

// isJSON looks whether a text is an object a line, or one in indented lines.
func isJSON(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line != "{\n" && !json.Valid([]byte(line)) {
			t.Errorf("a line of %d bytes is no JSON", len(line))
			return
		}
		if line == "{\n" { // an object in indented lines
			if !json.Valid([]byte(text)) {
				t.Errorf("%d bytes are no JSON", len(text))
			}
			return
		}
	}
}
