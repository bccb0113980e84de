package automata

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"pnmc/petri/petritest"
)

// smallAutomaton draws an automaton over two or three propositions.
func smallAutomaton(t *rapid.T) *Automaton {
	names := []string{"a", "b", "c"}[:rapid.IntRange(1, 3).Draw(t, "propositions")]
	return Random(RandomSettings{
		States: rapid.IntRange(1, 5).Draw(t, "states"), Propositions: names,
		Density:            rapid.Float64Range(0.1, 0.6).Draw(t, "density"),
		LiteralProbability: rapid.Float64Range(0.2, 1).Draw(t, "literals"),
		Sets:               rapid.IntRange(0, 3).Draw(t, "sets"), MarkProbability: 0.4,
	}, rapid.Uint64().Draw(t, "seed"))
}

// smallWord draws a word over the propositions of a that often stutters.
func smallWord(t *rapid.T, a *Automaton) Lasso {
	letter := rapid.Uint64Range(0, 1<<len(a.Propositions)-1)
	var last uint64
	draw := func(n int, label string) []Valuation {
		var word []Valuation
		for range n {
			if len(word) == 0 || rapid.IntRange(0, 2).Draw(t, "stutter") > 0 {
				last = letter.Draw(t, label)
			}
			word = append(word, Valuation{last})
		}
		return word
	}
	return Lasso{
		Propositions: a.Propositions,
		Prefix:       draw(rapid.IntRange(0, 5).Draw(t, "prefix length"), "prefix"),
		Cycle:        draw(rapid.IntRange(1, 4).Draw(t, "cycle length"), "cycle"),
	}
}

func accepts(t *rapid.T, a *Automaton, l Lasso) bool {
	plain := *a
	plain.Kind = Plain
	if a.Kind != Plain {
		l = l.Changes()
	}
	accepted, err := Accepts(&plain, l)
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// stutterClosed accepts all words that differ from words of a by stuttering.
func stutterClosed(t *rapid.T, a *Automaton) *Automaton {
	r, err := newReducible(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	letters := r.letters(1 << 10)
	words := r.over(letters).withShortcuts()
	b := NewBuilder(a.Propositions, a.Acceptance)
	b.AddStates(a.States() * (1 + len(letters)))
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	// State s×(1+letters) + 1+l: the last letter was l.
	at := func(s State, l int) State { return State(a.States() + int(s)*len(letters) + l) }
	for s := range State(a.States()) {
		for l, letter := range letters {
			label, err := r.functions.LabelOver(letter, len(a.Propositions))
			if err != nil {
				t.Fatal(err)
			}
			b.AddEdge(at(s, l), label, NewMarks(a.Acceptance.Sets), at(s, l))
			for _, m := range words.of(s, l) {
				b.AddEdge(s, label, Marks{m.marks}, at(m.to, l))
				for k := range letters {
					b.AddEdge(at(s, k), label, Marks{m.marks}, at(m.to, l))
				}
			}
		}
	}
	closed, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if a.Acceptance.Sets == 0 {
		return stutterClosedSafety(t, closed)
	}
	return closed
}

// withShortcuts has the moves of a, and those that do in one step what several steps
// for the same letter do.
func (a *lettered) withShortcuts() *lettered {
	c := &lettered{letters: a.letters, sets: a.sets, moves: make([][]move, len(a.moves))}
	for at := range a.moves {
		l := at % a.letters
		list := append([]move(nil), a.moves[at]...)
		seen := map[move]bool{}
		for _, m := range list {
			seen[m] = true
		}
		for i := 0; i < len(list); i++ {
			for _, m := range a.of(list[i].to, l) {
				m.marks |= list[i].marks
				if !seen[m] {
					seen[m] = true
					list = append(list, m)
				}
			}
		}
		c.moves[at] = list
	}
	return c
}

// stutterClosedSafety adds the acceptance set that a closure of an automaton
// without any needs: loops that stutter are not in it.
func stutterClosedSafety(t *rapid.T, a *Automaton) *Automaton {
	b := NewBuilder(a.Propositions, GeneralizedBuchi(1))
	b.AddStates(a.States())
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	loops := map[State]bool{}
	for s := range State(a.States()) {
		for e, end := a.Out(s); e < end; e++ {
			marks := NewMarks(1, 0)
			if a.Destination(e) == s && !loops[s] {
				marks = NewMarks(1) // the first loop stands for stuttering
				loops[s] = true
			}
			b.AddEdge(s, a.Label(e), marks, a.Destination(e))
		}
	}
	c, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// reduced keeps test automata small.
func reduced(t *rapid.T, a *Automaton) *Automaton {
	r, err := ReduceBySimulation(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDegeneralizeKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := smallAutomaton(t)
		b, err := Degeneralize(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		for s := range State(b.States()) {
			for e, end := b.Out(s); e < end; e++ {
				if first, _ := b.Out(s); b.Marks(e)[0] != b.Marks(first)[0] {
					t.Fatalf("edges of state %d differ in marks", s)
				}
			}
		}
		for range 10 {
			l := smallWord(t, a)
			if accepts(t, a, l) != accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, degeneralized %v", l, accepts(t, a, l), accepts(t, b, l))
			}
		}
	})
}

// Whatever is known of stuttering, and that must be true, a TGTA has the language
// of the automaton that it is made of.
func TestTGTAKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := smallAutomaton(t)
		if rapid.Bool().Draw(t, "closed") {
			a = reduced(t, stutterClosed(t, a))
		}
		v, err := DecideInvariance(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		switch rapid.IntRange(0, 2).Draw(t, "known") {
		case 0:
			v = Invariance{Whole: v.Whole, States: make([]bool, a.States())}
		case 1:
			v = Invariance{States: v.States}
		}
		b, err := NewTGTA(context.Background(), a, v)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			l := smallWord(t, a)
			if accepts(t, a, l) != accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, by the TGTA %v", l, accepts(t, a, l), accepts(t, b, l))
			}
		}
	})
}

// States that are simplified in some runs and not in others are two, and a run
// starts in one of them only.
func TestTGTAStartsInExactStates(t *testing.T) {
	a := Random(RandomSettings{States: 4, Propositions: []string{"a", "b"}, Density: 0.5, LiteralProbability: 0.4375, MarkProbability: 0.4}, 0x82ee9e3d)
	ctx := context.Background()
	v, err := DecideInvariance(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	b, err := NewTGTA(ctx, a, v)
	if err != nil {
		t.Fatal(err)
	}
	b.Kind = Plain
	l := Lasso{Propositions: a.Propositions, Cycle: []Valuation{{2}}}
	if accepted, err := Accepts(b, l.Changes()); err != nil || accepted {
		t.Fatalf("accepts %v, which %v does not: %v", l, a.Name, err)
	}
}

func TestTAKeepsTheLanguage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := reduced(t, stutterClosed(t, smallAutomaton(t)))
		v := Invariance{Whole: true, States: make([]bool, a.States())}
		if rapid.Bool().Draw(t, "decide") {
			var err error
			if v, err = DecideInvariance(context.Background(), a); err != nil {
				t.Fatal(err)
			}
			v.Whole = true
		}
		b, err := NewTA(context.Background(), a, v)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			l := smallWord(t, a)
			if accepts(t, a, l) != accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, by the TA %v", l, accepts(t, a, l), accepts(t, b, l))
			}
		}
	})
}

// A GTA keeps the acceptance sets and the language.
func TestGTAKeepsTheLanguage(t *testing.T) {
	several := 0
	rapid.Check(t, func(t *rapid.T) {
		a := reduced(t, stutterClosed(t, smallAutomaton(t)))
		v := Invariance{Whole: true, States: make([]bool, a.States())}
		b, err := NewGTA(context.Background(), a, v)
		if err != nil {
			t.Fatal(err)
		}
		if n, ok := b.Acceptance.LivelockSets(); !ok || n != max(1, a.Acceptance.Sets) {
			t.Fatalf("%d sets became %d, %t", a.Acceptance.Sets, n, ok)
		}
		if a.Acceptance.Sets > 1 {
			several++
		}
		for range 10 {
			l := smallWord(t, a)
			if accepts(t, a, l) != accepts(t, b, l) {
				t.Fatalf("%v: accepted %v, by the GTA %v", l, accepts(t, a, l), accepts(t, b, l))
			}
		}
	})
	if several < 3 {
		t.Errorf("only %d automata with several sets", several)
	}
}

func TestTANeedsStutterInvariance(t *testing.T) {
	a := buildLiteral(t, 1, 3, GeneralizedBuchi(0), []State{0}, []literalEdge{{0, 1, nil, nil}, {1, 2, []int{1}, nil}, {2, 2, nil, nil}})
	if _, err := NewTA(context.Background(), a, Invariance{States: make([]bool, 3)}); !errors.Is(err, ErrStutterUnknown) {
		t.Errorf("error %v", err)
	}
	v, err := DecideInvariance(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTA(context.Background(), a, v); !errors.Is(err, ErrNotStutterInvariant) {
		t.Errorf("error %v", err)
	}
}

// stuttered repeats letters of l, or leaves out repetitions.
func stuttered(t *rapid.T, l Lasso) Lasso {
	change := func(word []Valuation) []Valuation {
		var changed []Valuation
		for i, v := range word {
			if i > 0 && v[0] == word[i-1][0] && rapid.Bool().Draw(t, "drop") {
				continue
			}
			for range rapid.IntRange(1, 3).Draw(t, "repeat") {
				changed = append(changed, v)
			}
		}
		return changed
	}
	return Lasso{Propositions: l.Propositions, Prefix: change(l.Prefix), Cycle: change(l.Cycle)}
}

func TestDecideInvarianceAgainstWords(t *testing.T) {
	invariant := 0
	if !petritest.CheckUntil(t, func() bool { return invariant > 0 }, func(t *rapid.T) {
		a := smallAutomaton(t)
		closed := rapid.Bool().Draw(t, "closed")
		if closed {
			a = reduced(t, stutterClosed(t, a))
		}
		known, err := DecideWholeInvariance(context.Background(), a, noComplement)
		if err != nil {
			t.Fatal(err)
		}
		if closed && !known {
			r, _ := newReducible(context.Background(), a)
			if len(r.out) <= 8 {
				t.Fatalf("a closure by stuttering is not found invariant")
			}
		}
		if !known {
			return
		}
		invariant++
		for range 10 {
			l := smallWord(t, a)
			if m := stuttered(t, l); accepts(t, a, l) != accepts(t, a, m) {
				t.Fatalf("found invariant, but %v and %v differ", l, m)
			}
		}
	}) {
		t.Fatal("no invariant language was tried")
	}
}

// An automaton that is not invariant is found so: X a is the simplest.
func TestDecideInvarianceOfNext(t *testing.T) {
	for _, c := range []struct {
		name   string
		edges  [][4]int // from, literal of a (0: none, 1: a, 2: ¬a), marked, to
		states int
		want   []bool
	}{
		{"next a", [][4]int{{0, 0, 0, 1}, {1, 1, 0, 2}, {2, 0, 1, 2}}, 3, []bool{false, true, true}},
		{"a until b is not needed: eventually a", [][4]int{{0, 0, 0, 0}, {0, 1, 0, 1}, {1, 0, 1, 1}}, 2, []bool{true, true}},
		{"a at even positions", [][4]int{{0, 1, 1, 1}, {1, 0, 1, 0}}, 2, []bool{false, false}},
		{"always a", [][4]int{{0, 1, 1, 0}}, 1, []bool{true}},
		{"infinitely often a", [][4]int{{0, 1, 1, 0}, {0, 2, 0, 0}}, 1, []bool{true}},
		{"all words, nondeterministically", [][4]int{{0, 0, 1, 1}, {0, 0, 1, 2}, {1, 1, 1, 0}, {2, 2, 1, 0}}, 3, []bool{true, true, true}},
	} {
		b := NewBuilder([]string{"a"}, GeneralizedBuchi(1))
		b.AddStates(c.states)
		b.AddInitial(0)
		for _, e := range c.edges {
			cube := NewCube(1)
			if e[1] > 0 {
				cube = cube.With(0, e[1] == 1)
			}
			marks := NewMarks(1)
			if e[2] == 1 {
				marks = NewMarks(1, 0)
			}
			b.AddEdge(State(e[0]), Label{cube}, marks, State(e[3]))
		}
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		v, err := DecideInvariance(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		for s, want := range c.want {
			if v.States[s] != want {
				t.Errorf("%s: state %d: invariant %v, want %v", c.name, s, v.States[s], want)
			}
		}
	}
}
