package draw_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/twin"
)

// drawn counts which of the shapes are among what is drawn of a kind, and asks for all of them.
type drawn map[string]int

func (d drawn) all(t *testing.T, kind string, shapes ...string) {
	t.Helper()
	for _, shape := range shapes {
		if d[shape] == 0 {
			t.Errorf("%s: none of %v is %s", kind, d, shape)
		}
	}
}

func (d drawn) note(is bool, shape string) {
	if is {
		d[shape]++
	}
}

// randomWord draws a lasso over so many propositions.
func randomWord(s draw.Source, propositions int) twin.Word {
	letters := func(n int) (list []uint64) {
		for range n {
			list = append(list, s.Uint64N(1<<propositions))
		}
		return list
	}
	return twin.Word{Prefix: letters(s.IntN(3)), Cycle: letters(s.Between(1, 3))}
}

var aliasHeader = regexp.MustCompile(`(?m)^Alias: (@\w+) (.*)\n`)

// TestAliases: what aliases stand for makes the automaton that the twin has; others are many, or named often.
func TestAliases(t *testing.T) {
	shapes := drawn{}
	atoms := draw.Letters(3)
	for number := range uint64(200) {
		s := draw.New(3, number)
		a := draw.NewAutomata(s, "automaton-aliases", atoms)
		text := string(a.Text)
		headers := aliasHeader.FindAllStringSubmatch(text, -1)
		body := text[strings.Index(text, "--BODY--"):]
		if a.Twins == nil {
			shapes.note(len(headers) > 1000, "many aliases")
			shapes.note(strings.Count(body, "@") > 1000, "a label of many aliases")
			shapes.note(strings.Contains(text, "@a1 | @a1\n"), "doubling")
			shapes.note(strings.Contains(text, "@a1 & ("), "a product of sums")
			continue
		}
		shapes.note(len(headers) > 1 && strings.Contains(headers[len(headers)-1][2], "@"), "an alias by another")
		for _, h := range slices.Backward(headers) { // each names those before it only
			text = regexp.MustCompile(h[1]+`\b`).ReplaceAllLiteralString(text, "("+h[2]+")")
		}
		expanded, err := twin.ReadAutomata(regexp.MustCompile(`(?m)^Alias: .*\n`).ReplaceAllString(text, ""))
		if err != nil || len(expanded) != 1 || len(a.Twins) != 1 {
			t.Fatalf("%v in\n%s", err, a.Text)
		}
		for range 20 {
			w := randomWord(s, len(atoms))
			x, known := w.System().Accepted(a.Twins[0])
			if y, alsoKnown := w.System().Accepted(expanded[0]); known && alsoKnown && x != y {
				t.Fatalf("the twin accepts %v: %v, and not what this stands for:\n%s", w, x, a.Text)
			}
		}
	}
	shapes.all(t, "automaton-aliases", "many aliases", "a label of many aliases", "doubling", "a product of sums", "an alias by another")
}

// TestFalseHints: very many edges are the same, or have labels of many propositions, and a property is claimed.
func TestFalseHints(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(60) {
		text := string(draw.NewAutomata(draw.New(3, number), "automaton-hints", draw.Letters(2)).Text)
		claimed := strings.Contains(text, "properties: unambiguous\n")
		shapes.note(claimed && strings.Count(text, "\n[t] ") > 10_000, "unambiguous with many equal edges")
		shapes.note(claimed && strings.Count(text, "\n[t&") > 1000, "unambiguous with many labels")
		if !strings.Contains(text, "\nproperties: ") {
			t.Errorf("no property is claimed in\n%s", text[:200])
		}
	}
	shapes.all(t, "automaton-hints", "unambiguous with many equal edges", "unambiguous with many labels")
}

var boundedForm = regexp.MustCompile(`^([FG])\[(\d+):(\d+)\]\((.*)\)$`)

// holds evaluates a small formula of bounded operators at a position of a word, by the definitions.
func holds(t *testing.T, text string, w twin.Word, at int) bool {
	letters := append(slices.Clone(w.Prefix), w.Cycle...)
	for at >= len(letters) {
		at -= len(w.Cycle)
	}
	some := func(operand string, first, last int, expected bool) bool {
		for k := first; k <= last; k++ {
			if holds(t, operand, w, at+k) == expected {
				return true
			}
		}
		return false
	}
	if m := boundedForm.FindStringSubmatch(text); m != nil {
		first, _ := strconv.Atoi(m[2])
		last, _ := strconv.Atoi(m[3])
		return some(m[4], first, last, m[1] == "F") == (m[1] == "F")
	}
	if len(text) == 1 {
		return letters[at]>>(text[0]-'a')&1 == 1
	}
	operand := text[2 : len(text)-1]
	switch text[0] {
	case '!':
		return !holds(t, operand, w, at)
	case 'X':
		return holds(t, operand, w, at+1)
	case 'F', 'G':
		return some(operand, 0, len(letters), text[0] == 'F') == (text[0] == 'F')
	}
	t.Fatalf("what is %q?", text)
	return false
}

// TestBoundedFormulas: small ones mean what the twin has, and others are long in each way.
func TestBoundedFormulas(t *testing.T) {
	shapes := drawn{}
	atoms := draw.Letters(2)
	for number := range uint64(150) {
		s := draw.New(3, number)
		f := draw.NewFormula(s, "formula-bounded", atoms)
		if f.Twin == nil {
			inside := strings.Count(f.Text, "0") > 1000
			shapes.note(inside && strings.Count(f.Text, ":") == 1, "an operand of thousands")
			shapes.note(strings.Count(f.Text, ":") > 100 && strings.Contains(f.Text, " & "), "operators side by side")
			shapes.note(strings.Count(f.Text, "](F[")+strings.Count(f.Text, "](G[") > 50, "operators within one another")
			continue
		}
		shapes.note(strings.Contains(f.Text, "[1:"), "steps before the first")
		for range 20 {
			w := randomWord(s, len(atoms))
			if satisfies, known := w.System().Some(f.Twin, atoms); known && satisfies != holds(t, f.Text, w, 0) {
				t.Fatalf("%s on %v is %v, and the twin says %v", f.Text, w, !satisfies, satisfies)
			}
		}
	}
	shapes.all(t, "formula-bounded", "an operand of thousands", "operators side by side", "operators within one another", "steps before the first")
}

// TestLongLists: formulas and property files name transitions and places thousands of times.
func TestLongLists(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(200) {
		s := draw.New(3, number)
		net := draw.NewNet(s, "net-small")
		f := draw.NewFormula(s, "formula-wide", draw.Atoms(s, net, 4))
		shapes.note(regexp.MustCompile(`is-fireable\((\\"t\d\\",? ?){1000}`).MatchString(f.Text), "a formula of many transitions")
		p := draw.NewProperties(s, "properties-lists", "ReachabilityFireability", net)
		shapes.note(strings.Count(string(p.Text), "<transition>") > 1000, "properties of many transitions")
		shapes.note(strings.Count(string(p.Text), "<place>") > 1000, "properties of many places")
	}
	shapes.all(t, "long lists", "a formula of many transitions", "properties of many transitions", "properties of many places")
}

// TestFormulaDrawings: a label that is about an odd number of propositions is so.
func TestFormulaDrawings(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(60) {
		atoms := draw.Letters(2)
		text := string(draw.NewDrawing(draw.New(3, number), "drawing-formulas", atoms))
		labels := regexp.MustCompile(`(?m)^  1 -> 2 \[label="(.*)\\n\{\d\}"\]$`).FindAllStringSubmatch(text, -1)
		if len(labels) == 0 {
			t.Fatalf("no label of the first state is a formula in\n%s", text)
		}
		for _, m := range labels {
			label := m[1]
			names := map[string]bool{}
			for _, name := range regexp.MustCompile(`\\"[^"\\]+\\"`).FindAllString(label, -1) {
				names[name] = true
			}
			shapes.note(strings.Contains(label, ") & (") && !strings.HasPrefix(label, "(("), "products of sums")
			if !strings.HasPrefix(label, "((") && !strings.HasPrefix(label, `(\"a\" & \"b`) && !strings.HasPrefix(label, `(\"a\" & (`) {
				continue
			}
			shapes.note(len(names) > 15, "a formula of many propositions")
			if len(names) > 8 {
				continue
			}
			numbers := map[string]int{}
			for i, name := range slices.Sorted(maps.Keys(names)) {
				numbers[name] = i
				label = strings.ReplaceAll(label, name, fmt.Sprint(i))
			}
			automata, err := twin.ReadAutomata(fmt.Sprintf("HOA: v1\nStates: 1\nStart: 0\nAP: %d%s\nAcceptance: 0 t\n--BODY--\nState: 0\n[%s] 0\n--END--\n",
				len(names), strings.Repeat(` "x"`, len(names)), label))
			if err != nil {
				t.Fatalf("%v of %s", err, label)
			}
			for v := range uint64(1) << len(names) {
				if is := automata[0].Edges[0][0].Label.Holds(v); is != (bits.OnesCount64(v)%2 == 1) {
					t.Fatalf("%s is %v for %b", m[1], is, v)
				}
			}
			shapes["an odd number"]++
		}
	}
	shapes.all(t, "drawing-formulas", "products of sums", "a formula of many propositions", "an odd number")
}

// TestSorts: tables with thousands of sorts are there, for the twin and not.
func TestSorts(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(40) {
		table := draw.NewTable(draw.New(3, number), "table-sorts")
		sorts := strings.Count(string(table.Text), "begin sort s")
		shapes.note(sorts > 5000 && table.Net.Twin != nil, "many sorts for the twin")
		shapes.note(sorts > 5000 && bytes.Count(table.Text, []byte("\n")) > 3*sorts+5000, "many sorts and rows")
		shapes.note(strings.Contains(string(table.Text), "l:nowhere"), "a sort that is not there")
	}
	shapes.all(t, "table-sorts", "many sorts for the twin", "many sorts and rows", "a sort that is not there")
}

// TestLongTerms: each shape is XML, and there.
func TestLongTerms(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(80) {
		text := draw.NewNet(draw.New(3, number), "net-terms").Text
		isXML(t, text)
		has := func(part string, times int) bool { return bytes.Count(text, []byte(part)) >= times }
		shapes.note(has("<tuple><subterm><add>", 1) && has("<finiteintrangeconstant ", 300), "a tuple of long sums")
		shapes.note(has("<or><subterm><and>", 1) && has("<variabledecl ", 1000), "an or of ands over many variables")
		shapes.note(!has("<or>", 1) && has("<condition><structure><and>", 1), "an and alone")
		shapes.note(has("<partition ", 10), "many partitions")
		shapes.note(has(`<useroperator declaration="e"/>`, 500), "the name of a part again and again")
		shapes.note(has(`<usersort declaration="c"/></structure></type></place>`, 500), "many places over a class")
		shapes.note(has(`source="t" target="p`, 5000), "many places around a transition")
	}
	shapes.all(t, "net-terms", "a tuple of long sums", "an or of ands over many variables", "an and alone", "many partitions",
		"the name of a part again and again", "many places over a class", "many places around a transition")
}

// TestNames: some questions are about names that are almost right, and some names are very long.
func TestNames(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(20) {
		n := draw.NewNet(draw.New(3, number), "net-names")
		isXML(t, n.Text)
		right := 0
		for _, name := range n.Places {
			if bytes.Contains(n.Text, []byte(`"`+name+`"`)) {
				right++
			} else if n.Twin != nil {
				t.Errorf("the twin has no place %s", name)
			}
		}
		shapes.note(right < len(n.Places) && len(n.Places[0]) > 100, "long names that are wrong")
		shapes.note(right == len(n.Places) && n.Twin != nil, "names that are right")
	}
	for number := uint64(0); number < 40 && shapes["one long name, told again"] == 0; number++ { // megabytes
		text := draw.NewNet(draw.New(3, number), "net-long").Text
		name := strings.Repeat("p", 1000)
		shapes.note(bytes.Contains(text, []byte(`<place id="`+name)) && bytes.Count(text, []byte(`source="`+name)) > 1, "one long name, told again")
	}
	shapes.all(t, "names", "long names that are wrong", "names that are right", "one long name, told again")
}

// TestReadArcs: nets with thousands of arcs that read, or inhibit, are there.
func TestReadArcs(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(30) {
		n := draw.NewNet(draw.New(3, number), "net-special")
		reads := bytes.Count(n.Text, []byte(`type="read"`))
		shapes.note(reads > 5000, "many read arcs")
		shapes.note(reads > 0 && reads < 5, "a few read arcs")
		shapes.note(bytes.Count(n.Text, []byte(`type="inhibitor"`)) > 1000, "many inhibitor arcs")
	}
	shapes.all(t, "net-special", "many read arcs", "a few read arcs", "many inhibitor arcs")
}

// TestSteps: the operators that a property file counts are those of the twin.
func TestSteps(t *testing.T) {
	shapes := drawn{}
	for number := range uint64(100) {
		s := draw.New(3, number)
		examination := draw.Pick(s, "LTLFireability", "CTLCardinality")
		p := draw.NewProperties(s, "properties-steps", examination, draw.NewNet(s, "net-small"))
		isXML(t, p.Text)
		for _, one := range strings.Split(string(p.Text), "<property>")[1:] {
			id, _, _ := strings.Cut(one[len("<id>"):], "<")
			steps := 0
			counts := regexp.MustCompile(`<steps>(\d+)</steps>`).FindAllStringSubmatch(one, -1)
			for _, m := range counts {
				n, _ := strconv.Atoi(m[1])
				steps += n
			}
			q, asked := p.Asked[id]
			if !asked || steps == 0 {
				t.Fatalf("%s is not asked, or has no steps:\n%s", id, one)
			}
			shapes.note(q.Formula == nil && steps > 10_000 && len(counts) > 100, "steps within steps, "+examination)
			if q.Formula == nil {
				continue
			}
			shapes["steps for the twin, "+examination]++
			var text strings.Builder
			q.Formula.XML(&text)
			if n := strings.Count(text.String(), "<next>"); n != steps {
				t.Errorf("%d steps, and the twin has %d:\n%s", steps, n, one)
			}
		}
	}
	shapes.all(t, "properties-steps", "steps within steps, LTLFireability", "steps within steps, CTLCardinality",
		"steps for the twin, LTLFireability", "steps for the twin, CTLCardinality")
}

// isXML checks that a text is XML to its end.
func isXML(t *testing.T, text []byte) {
	t.Helper()
	for d := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text[:min(len(text), 1000)])
		}
	}
}

// TestLongRuns: nets of long runs have one firing at a time, most often of thousands.
func TestLongRuns(t *testing.T) {
	seen := drawn{}
	for seed := range uint64(100) {
		n := draw.NewNet(draw.New(3, seed), "net-runs")
		if n.Twin == nil {
			t.Fatalf("the twin can't read %s", n.Text)
		}
		steps, m := 0, slices.Clone(n.Twin.Initial)
		for ; steps < 3000; steps++ {
			var enabled []int
			for i := range n.Twin.Inputs {
				if n.Twin.Enabled(m, i) {
					enabled = append(enabled, i)
				}
			}
			if len(enabled) == 0 {
				break
			}
			next, err := n.Twin.Fire(m, enabled[0])
			if err != nil || len(enabled) > 1 {
				t.Fatalf("after %d steps %d are enabled, %v:\n%s", steps, len(enabled), err, n.Text)
			}
			m = next
		}
		text := string(n.Text)
		seen.note(steps == 3000, "long")
		seen.note(strings.Contains(text, `id="b5_1"`), "a counter")
		seen.note(strings.Contains(text, `id="move"`) && len(n.Tokens) > 0, "a drain")
		seen.note(strings.Contains(text, `id="fill"`), "filled again")
		seen.note(len(n.Twin.Initial) > 100, "of many places")
	}
	seen.all(t, "net-runs", "long", "a counter", "a drain", "filled again", "of many places")
}
