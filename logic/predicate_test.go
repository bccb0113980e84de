package logic

import (
	"errors"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// table is a Vocabulary of a few names.
type table struct {
	places, transitions []string            // by number
	groups              map[string][]uint32 // names of several places
	sets                map[string][]uint32 // names of several transitions
}

func (v table) Places(name string) []uint32 {
	return append(numbers(v.places, name), v.groups[name]...)
}

func (v table) Transitions(name string) []uint32 {
	return append(numbers(v.transitions, name), v.sets[name]...)
}

func numbers(names []string, name string) []uint32 {
	for i, n := range names {
		if n == name {
			return []uint32{uint32(i)}
		}
	}
	return nil
}

func (v table) PlaceName(p uint32) string      { return v.places[p] }
func (v table) TransitionName(t uint32) string { return v.transitions[t] }
func (v table) PlaceNames() []string           { return v.places }
func (v table) TransitionNames() []string      { return v.transitions }

// names is the vocabulary of the files in testdata.
var names = table{
	places: []string{"p", "p1", "p2", "P1", "Pout1", "Catch1_3", "i8.u82.p1630", "a-b", "b",
		"[x]", "deadlock", "tokens", "odd name", `say "hi"`, "7", "ns:q"},
	transitions: []string{"t", "t1", "t-2", "odd transition", "7", "p"},
	groups:      map[string][]uint32{"group": {1, 2}},
	sets:        map[string][]uint32{"all": {0, 1}},
}

// golden runs describe on the lines of a file in testdata that are neither
// empty, nor indented, nor comments, and compares the result with the indented
// line that follows.
func golden(t *testing.T, file string, describe func(line string) string) {
	t.Helper()
	old, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSuffix(string(old), "\n"), "\n") {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		b.WriteString(line + "\n")
		if line != "" && line[0] != '#' {
			b.WriteString("\t" + describe(line) + "\n")
		}
	}
	if *update {
		if err := os.WriteFile("testdata/"+file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := strings.Split(string(old), "\n")
	for i, line := range strings.Split(b.String(), "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s:%d: got %q, not what the file says", file, i+1, line)
		}
	}
}

func TestParsePredicate(t *testing.T) {
	golden(t, "predicates.txt", func(line string) string {
		p, err := ParsePredicate(line, names)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			return err.Error()
		}
		text := p.Text(names)
		again, err := ParsePredicate(text, names)
		if err != nil {
			t.Errorf("%s prints as %s: %v", line, text, err)
		} else if !reflect.DeepEqual(p, again) {
			t.Errorf("%s prints as %s, which prints as %s", line, text, again.Text(names))
		}
		return text
	})
}

func TestParsePredicateErrors(t *testing.T) {
	golden(t, "predicate_errors.txt", func(line string) string {
		p, err := ParsePredicate(line, names)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: got %v and error %v, want a syntax error", line, p, err)
			return "accepted"
		}
		if syntax.Line != 1 || len([]rune(line[:syntax.Offset]))+1 != syntax.Column {
			t.Errorf("%s: offset %d is not column %d", line, syntax.Offset, syntax.Column)
		}
		return err.Error()
	})
}

// The tree a proposition becomes, spelled out for each operator.
func TestPredicateTrees(t *testing.T) {
	one := func(place uint32, coefficient, constant int64, operator Operator) *Predicate {
		return &Predicate{Operator: operator,
			Sum: Sum{Constant: constant, Terms: []Term{{place, coefficient}}}}
	}
	p := one(0, -1, 1, AtMost)
	for text, want := range map[string]*Predicate{
		"p":                 p,
		"p >= 1":            p,
		"p > 0":             p,
		"0 < p":             p,
		"p <= 3":            one(0, 1, -3, AtMost),
		"p < 3":             one(0, 1, -2, AtMost),
		"p == 3":            one(0, 1, -3, Equal),
		"3 = p":             one(0, 1, -3, Equal),
		"p != 3":            negate(one(0, 1, -3, Equal)),
		"!p":                negate(p),
		"p & p":             {Operator: And, Operands: []*Predicate{p, p}},
		"p | p":             {Operator: Or, Operands: []*Predicate{p, p}},
		"p -> p":            {Operator: Or, Operands: []*Predicate{negate(p), p}},
		"p <-> p":           {Operator: Equivalent, Operands: []*Predicate{p, p}},
		"p xor p":           negate(&Predicate{Operator: Equivalent, Operands: []*Predicate{p, p}}),
		"deadlock":          {Operator: Deadlocked},
		"true":              {Operator: True},
		"false":             {Operator: False},
		"p2-p<=p1":          {Operator: AtMost, Sum: Sum{Terms: []Term{{0, -1}, {1, -1}, {2, 1}}}},
		"fireable(t1,t,t1)": {Operator: Fireable, Transitions: []uint32{0, 1}},
	} {
		got, err := ParsePredicate(text, names)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %s, want %s", text, got.Text(names), want.Text(names))
		}
	}
}

func TestNestingIsBounded(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("(", n) + "p" + strings.Repeat(")", n) }
	accepted := []string{
		deep(maximumNesting),
		strings.Repeat("!", maximumDepth) + "p",
		strings.Repeat("p -> ", maximumDepth/2) + "p",
		strings.Repeat("p & ", 5000) + "p",
		"1" + strings.Repeat(" + p", 5000) + " <= 3",
	}
	for _, text := range accepted {
		p, err := ParsePredicate(text, names)
		if err != nil {
			t.Errorf("%.20s…: %v", text, err)
			continue
		}
		if _, err := ParsePredicate(p.Text(names), names); err != nil {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
	refused := []string{
		deep(maximumNesting + 1),
		strings.Repeat("(", 1<<17),
		strings.Repeat("!", 1<<17) + "p",
		strings.Repeat("p -> ", 1<<12) + "p",
		strings.Repeat("p xor ", 1<<12) + "p",
		strings.Repeat(strings.Repeat("!", 10)+"(", maximumNesting-1) + "p" + strings.Repeat(")", maximumNesting-1),
	}
	for _, text := range refused {
		if _, err := ParsePredicate(text, names); err == nil {
			t.Errorf("%.20s… of %d bytes is accepted", text, len(text))
		}
	}
}

func BenchmarkParsePredicate(b *testing.B) {
	text := strings.Repeat("(p1 + 2*p2 <= 3 & is-fireable(t, t1)) | ", 100) + "deadlock"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ParsePredicate(text, names); err != nil {
			b.Fatal(err)
		}
	}
}
