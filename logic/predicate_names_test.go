package logic

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic/internal/logictest"
)

// Whatever places and transitions are called, what is printed is read as the
// same predicate.
func TestNodeNames(t *testing.T) {
	name := rapid.OneOf(
		rapid.StringMatching(`[ab"'\\ ().,<=!&|+*:-]{1,6}`), rapid.StringN(1, 6, -1),
		rapid.SampledFrom([]string{"true", "deadlock", "tokens", "fireable", "xor", "and", "1", "p-q", "p <= 1"}))
	rapid.Check(t, func(t *rapid.T) {
		v := logictest.Table{
			PlaceIDs:      rapid.SliceOfNDistinct(name, 3, 3, rapid.ID).Draw(t, "places"),
			TransitionIDs: rapid.SliceOfNDistinct(name, 2, 2, rapid.ID).Draw(t, "transitions"),
		}
		p := &Predicate{Operator: Or, Operands: []*Predicate{
			{Operator: AtMost, Sum: Sum{Constant: -1, Terms: []Term{{0, 1}, {1, -2}, {2, 1}}}},
			{Operator: Not, Operands: []*Predicate{{Operator: Equal, Sum: Sum{Terms: []Term{{1, 1}}}}}},
			{Operator: Fireable, Transitions: []uint32{0, 1}},
		}}
		text := p.Text(v)
		again, err := ParsePredicate(text, v)
		if err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("%s is read differently: %v", text, err)
		}
	})
}

// A proposition that is the name of a place means this place, unless it is a
// word of the language.
func TestPlaceAsProposition(t *testing.T) {
	name := rapid.StringMatching(`[abxor01 ().<=!&|+*:-]{1,6}`)
	rapid.Check(t, func(t *rapid.T) {
		place := name.Draw(t, "place")
		v := logictest.Table{PlaceIDs: []string{"other", place}}
		text := rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "before") + place
		if strings.TrimSpace(place) != place {
			return // to be named in quotes
		}
		p, err := ParsePredicate(text, v)
		if _, isWord := words.Get()[place]; isWord {
			return
		}
		want, wantErr := ParsePredicate(`"`+place+`" >= 1`, v)
		if err != nil || wantErr != nil || !reflect.DeepEqual(p, want) {
			t.Fatalf("%q: %v, %v", text, err, wantErr)
		}
	})
}

// A word with hyphens is the longest known name that it begins with; where none
// is known, the hyphens subtract.
func TestHyphens(t *testing.T) {
	v := logictest.Table{
		PlaceIDs:      []string{"a", "b", "c", "a-b", "b-c-a", "c-1"},
		TransitionIDs: []string{"a-c"},
	}
	for text, want := range map[string]string{
		"a-b >= 1":           `"a-b" >= 1`,
		"a - b >= 1":         `"a" - "b" >= 1`,
		"a -b >= 1":          `"a" - "b" >= 1`,
		"b-c >= 1":           `"b" - "c" >= 1`,
		"b-c-a >= 1":         `"b-c-a" >= 1`,
		"b-c-a-b >= 1":       `"b-c-a" - "b" >= 1`,
		"a-b-c >= 1":         `"a-b" - "c" >= 1`,
		"c-1 >= 1":           `"c-1" >= 1`,
		"c-2 >= 1":           `"c" - 2 >= 1`,
		"2-c <= 1":           `2 - "c" <= 1`,
		"a->b":               `"a" -> "b"`,
		"a-b->b":             `"a-b" -> "b"`,
		"a--b >= 1":          `"a" + "b" >= 1`,
		`a\-b >= 1`:          `"a-b" >= 1`,
		"tokens(a-b,a) >= 1": `"a-b" + "a" >= 1`,
		"is-fireable(a-c)":   `fireable("a-c")`,
	} {
		p, err := ParsePredicate(text, v)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		q, err := ParsePredicate(want, v)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if !reflect.DeepEqual(p, q) {
			t.Errorf("%s: got %s, want %s", text, p.Text(v), q.Text(v))
		}
	}
	long := "a" + strings.Repeat("-a", 10*maximumHyphens)
	if _, err := ParsePredicate(long+" <= 0", v); err != nil {
		t.Errorf("%d hyphens: %v", 10*maximumHyphens, err)
	}
	if _, err := ParsePredicate("a-c >= 1", v); err == nil || !strings.Contains(err.Error(), "is a transition") {
		t.Errorf("a transition among places: %v", err)
	}
}

// Predicates that engines make and the grammar does not: they print, hold and
// are simplified all the same.
func TestOddPredicates(t *testing.T) {
	p := &Predicate{Operator: AtMost, Sum: Sum{Constant: 1, Terms: []Term{{0, -1}}}}
	least := Sum{Constant: math.MinInt64, Terms: []Term{{0, math.MinInt64}}}
	for _, c := range []struct {
		predicate *Predicate
		text      string
		holds     bool // where p has 2 tokens and nothing is enabled
		simple    string
	}{
		{&Predicate{Operator: And}, "true", true, "true"},
		{&Predicate{Operator: Or}, "false", false, "false"},
		{&Predicate{Operator: And, Operands: []*Predicate{p}}, `tokens-count("p") >= 1`, true, `tokens-count("p") >= 1`},
		{&Predicate{Operator: Not, Operands: []*Predicate{{Operator: Or, Operands: []*Predicate{p}}}},
			`!(tokens-count("p") >= 1)`, false, `tokens-count("p") <= 0`},
		{&Predicate{Operator: Fireable}, "false", false, "false"},
		{&Predicate{Operator: Deadlocked}, "deadlock", true, "deadlock"},
		{&Predicate{Operator: AtMost, Sum: least},
			`9223372036854775808 * tokens-count("p") + 9223372036854775808 >= 0`, true, "true"},
		{&Predicate{Operator: Equal, Sum: least},
			`0 == 9223372036854775808 * tokens-count("p") + 9223372036854775808`, false, "false"},
	} {
		s := state{marking: []int64{2, 0, 0}, enabled: []bool{false, false}}
		simple := c.predicate.Simplify()
		if got := c.predicate.Text(logictest.Small); got != c.text {
			t.Errorf("got %s, want %s", got, c.text)
		}
		if s.holds(c.predicate) != c.holds || s.holds(simple) != c.holds {
			t.Errorf("%s: does not hold as it should", c.text)
		}
		if got := simple.Text(logictest.Small); got != c.simple {
			t.Errorf("%s: simplified to %s, want %s", c.text, got, c.simple)
		}
	}
}

// A name that stands for several nodes means all of them, each as often as it is
// named.
func TestGroupsOfNodes(t *testing.T) {
	v := logictest.Table{
		PlaceIDs: []string{"p", "q", "r"}, TransitionIDs: []string{"t", "u", "w"},
		PlaceGroups:      map[string][]uint32{"all": {0, 1, 2}, "two": {0, 2}},
		TransitionGroups: map[string][]uint32{"any": {2, 0}},
	}
	for text, want := range map[string]string{
		"all":                "p + q + r >= 1",
		"all - two <= 0":     "q <= 0",
		"tokens(two, p) = 2": "2*p + r = 2",
		"!two & two <= 3":    "!(p + r >= 1) & p + r <= 3",
		"fireable(any, u)":   "fireable(t, u, w)",
		"fireable(any, t)":   "fireable(w, t)",
	} {
		p, err := ParsePredicate(text, v)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		q, err := ParsePredicate(want, v)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if !reflect.DeepEqual(p, q) {
			t.Errorf("%s: got %s, want %s", text, p.Text(v), q.Text(v))
		}
	}
}
