package automata

import (
	"fmt"
	"strings"
	"testing"
)

// recurring accepts the words with infinitely many letters where proposition a has
// this value; one state.
func recurring(t testing.TB, value bool) *Automaton {
	b := NewBuilder([]string{"a"}, GeneralizedBuchi(1))
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, Label{NewCube(1)}, NewMarks(1), 0)
	b.AddEdge(0, Label{NewCube(1).With(0, value)}, NewMarks(1, 0), 0)
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// word returns a lasso over one proposition a, from one character for each letter.
func word(prefix, cycle string) Lasso {
	l := Lasso{Propositions: []string{"a"}}
	for _, c := range prefix {
		l.Prefix = append(l.Prefix, Valuation{uint64(c - '0')})
	}
	for _, c := range cycle {
		l.Cycle = append(l.Cycle, Valuation{uint64(c - '0')})
	}
	return l
}

func TestAcceptsReadsTheCycleForEver(t *testing.T) {
	often, rarely := recurring(t, true), recurring(t, true)
	rarely.Acceptance = Acceptance{Sets: 1, Condition: &Condition{Operator: Fin}}
	// There the run may always choose the edge without a mark; here it may not.
	b := NewBuilder([]string{"a"}, Acceptance{Sets: 1, Condition: &Condition{Operator: Fin}})
	b.AddStates(1)
	b.AddInitial(0)
	b.AddEdge(0, Label{NewCube(1).With(0, false)}, NewMarks(1), 0)
	b.AddEdge(0, Label{NewCube(1).With(0, true)}, NewMarks(1, 0), 0)
	finally, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		word                   Lasso
		often, rarely, finally bool
	}{
		{word("", "1"), true, true, false},
		{word("", "0"), false, true, true},
		{word("111", "0"), false, true, true},
		{word("000", "01"), true, true, false},
		{word("1", "001"), true, true, false},
	} {
		for _, x := range []struct {
			a    *Automaton
			want bool
		}{{often, test.often}, {rarely, test.rarely}, {finally, test.finally}} {
			if got, err := Accepts(x.a, test.word); err != nil || got != x.want {
				t.Errorf("%v: %v, %v; want %v", test.word, got, err, x.want)
			}
		}
	}
}

func TestAcceptsRefuses(t *testing.T) {
	a := recurring(t, true)
	if _, err := Accepts(a, word("1", "")); err == nil {
		t.Error("no error for a word without a cycle")
	}
	a.Kind = TGTA
	if _, err := Accepts(a, word("", "1")); err == nil {
		t.Error("no error for a testing automaton")
	}
}

func TestLassoAutomatonAcceptsNothingElse(t *testing.T) {
	l := word("1", "01")
	a := l.Automaton()
	for _, other := range []Lasso{word("", "1"), word("1", "0"), word("", "01"), word("10", "01")} {
		if accepted, err := Accepts(a, other); err != nil || accepted {
			t.Errorf("the automaton of %v accepts %v (%v)", l, other, err)
		}
	}
	if a := word("1", "").Automaton(); a != nil {
		t.Error("an automaton of a word without a cycle")
	}
}

func ExampleLasso_String() {
	fmt.Println(Lasso{
		Propositions: []string{"a", "x < 1"},
		Prefix:       []Valuation{{1}},
		Cycle:        []Valuation{{0}, {3}},
	})
	// Output: a&!"x < 1"; cycle{!a&!"x < 1"; a&"x < 1"}
}

// TestAcceptsLongWords judges words as long as random runs are. A table of pairs of
// positions, which once was made, would take 40 GB.
func TestAcceptsLongWords(t *testing.T) {
	a := recurring(t, true)
	long := strings.Repeat("0", 200_000)
	for _, c := range []struct {
		prefix, cycle string
		want          bool
	}{
		{long, "1", true},
		{long + "1", "0", false},
		{"", long + "1", true},
		{"1", long, false},
	} {
		got, err := Accepts(a, word(c.prefix, c.cycle))
		if err != nil || got != c.want {
			t.Errorf("prefix of %d, cycle of %d letters: accepted %v (%v), should be %v", len(c.prefix), len(c.cycle), got, err, c.want)
		}
	}
}
