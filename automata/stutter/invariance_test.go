package stutter

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/degeneralize"
	"pnmc/automata/internal/marked"
	"pnmc/internal/automatatest"
	"pnmc/internal/petritest"
)

// notAllRecur returns ¬(GF p0 ∧ … ∧ GF pn): one of them is false from some time on.
func notAllRecur(t *testing.T, n int) *automata.Automaton {
	edges := []literalEdge{{0, 0, nil, nil}}
	for p := range n {
		s := automata.State(p + 1)
		edges = append(edges, literalEdge{0, s, []int{-p - 1}, nil}, literalEdge{s, s, []int{-p - 1}, []int{0}})
	}
	return buildLiteral(t, n, n+1, automata.GeneralizedBuchi(1), []automata.State{0}, edges)
}

// Automata with several starts, with other conditions, with many propositions.
func TestDecideInvarianceOfMany(t *testing.T) {
	fin := automata.Acceptance{Sets: 1, Condition: &automata.Condition{Operator: automata.Fin}}
	for _, c := range []struct {
		name      string
		automaton *automata.Automaton
		invariant bool
	}{
		{"G p0 or G p1, a start each", buildLiteral(t, 2, 2, automata.GeneralizedBuchi(0), []automata.State{0, 1},
			[]literalEdge{{0, 0, []int{1}, nil}, {1, 1, []int{2}, nil}}), true},
		{"FG p0, two starts", buildLiteral(t, 1, 2, automata.GeneralizedBuchi(1), []automata.State{0, 1},
			[]literalEdge{{0, 0, nil, nil}, {0, 1, nil, nil}, {1, 1, []int{1}, []int{0}}}), true},
		{"p0 at even or at odd positions, two starts", buildLiteral(t, 1, 2, automata.GeneralizedBuchi(0), []automata.State{0, 1},
			[]literalEdge{{0, 1, []int{1}, nil}, {1, 0, nil, nil}}), false},
		{"FG not p0, by Fin", buildLiteral(t, 1, 1, fin, []automata.State{0},
			[]literalEdge{{0, 0, []int{1}, []int{0}}, {0, 0, []int{-1}, nil}}), true},
		{"X p0, by Fin", buildLiteral(t, 1, 3, fin, []automata.State{0},
			[]literalEdge{{0, 1, nil, nil}, {1, 2, []int{1}, nil}, {2, 2, nil, nil}}), false},
		{"not all of six recur", notAllRecur(t, 6), true},
		{"not all of twenty recur", notAllRecur(t, 20), true},
	} {
		v, err := DecideInvariance(context.Background(), c.automaton)
		if err != nil {
			t.Fatal(err)
		}
		if v.Whole != c.invariant || v.Refuted == c.invariant {
			t.Errorf("%s: invariant %v, refuted %v", c.name, v.Whole, v.Refuted)
		}
		claimed, err := DecideStatesInvariance(context.Background(), c.automaton)
		if err != nil {
			t.Fatal(err)
		}
		if claimed.Whole != c.invariant || claimed.Refuted == c.invariant {
			t.Errorf("%s: believed to be invariant %v, refuted %v", c.name, claimed.Whole, claimed.Refuted)
		}
	}
}

// guessed returns F(a & ((F b & (!a U c)) | ((a R !c) & G !b))) for propositions a, b, c, and
// each of a and the further propositions again and again; or with the words in which, for
// a guess, c comes at once.
func guessed(t *testing.T, further int, atOnce bool) *automata.Automaton {
	edges := []literalEdge{
		{0, 0, []int{-1}, nil}, {0, 0, []int{-2}, nil}, {0, 0, []int{-3}, nil},
		{0, 1, []int{1, 2, 3}, nil}, {0, 2, []int{1, -2, 3}, nil},
	}
	if atOnce {
		edges = append(edges, literalEdge{2, 1, []int{3}, nil})
	} else {
		edges = append(edges, []literalEdge{
			{0, 3, []int{1, -2, -3}, nil}, {2, 1, []int{-1, 2}, nil}, {2, 1, []int{2, -3}, nil},
			{2, 2, []int{-1, -2}, nil}, {2, 2, []int{-2, -3}, nil},
		}...)
	}
	for which := range 2 << further {
		var literals, marks []int
		for i := range 1 + further {
			p := []int{1, 4, 5, 6, 7}[i]
			if which>>i&1 == 1 {
				literals, marks = append(literals, p), append(marks, i)
			} else {
				literals = append(literals, -p)
			}
		}
		edges = append(edges, literalEdge{1, 1, literals, marks}, literalEdge{3, 3, append([]int{-2}, literals...), marks})
	}
	return buildLiteral(t, 3+further, 4, automata.GeneralizedBuchi(1+further), []automata.State{0}, edges)
}

// An automaton that has to guess what follows is not simulated: what it guessed before a
// letter is repeated may be wrong afterwards.
func TestInvarianceOfGuesses(t *testing.T) {
	for further := range 5 {
		for _, atOnce := range []bool{false, true} {
			a := guessed(t, further, atOnce)
			d, err := newStutterDecision(context.Background(), a)
			if err != nil || d == nil || d.shown(a.Initial()) {
				t.Fatalf("%d further propositions, at once %v: shown by simulation", further, atOnce)
			}
			v, err := DecideInvariance(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			if v.Whole == atOnce || v.Refuted != atOnce {
				t.Errorf("%d further propositions, at once %v: invariant %v, refuted %v", further, atOnce, v.Whole, v.Refuted)
			}
		}
	}
}

func noComplement() (*automata.Automaton, error) { return nil, nil }

func TestDecideInvarianceAgainstWords(t *testing.T) {
	invariant := 0
	if !petritest.CheckUntil(t, func() bool { return invariant > 0 }, func(t *rapid.T) {
		a := automatatest.SmallAutomaton(t)
		closed := rapid.Bool().Draw(t, "closed")
		if closed {
			a = stutterClosure(t, a)
		}
		known, err := DecideWholeInvariance(context.Background(), a, noComplement)
		if err != nil {
			t.Fatal(err)
		}
		if closed && !known {
			r, _ := marked.NewReducible(context.Background(), a)
			if len(r.Out) <= 8 {
				t.Fatalf("a closure by stuttering is not found invariant")
			}
		}
		if !known {
			return
		}
		invariant++
		for range 10 {
			l := automatatest.SmallWord(t, a)
			if m := stuttered(t, l); automatatest.Accepts(t, a, l) != automatatest.Accepts(t, a, m) {
				t.Fatalf("found invariant, but %v and %v differ", l, m)
			}
		}
	}) {
		t.Fatal("no invariant language was tried")
	}
}

// stuttered repeats letters of l, or leaves out repetitions.
func stuttered(t *rapid.T, l automata.Lasso) automata.Lasso {
	change := func(word []automata.Valuation) []automata.Valuation {
		var changed []automata.Valuation
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
	return automata.Lasso{Propositions: l.Propositions, Prefix: change(l.Prefix), Cycle: change(l.Cycle)}
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
		b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(1))
		b.AddStates(c.states)
		b.AddInitial(0)
		for _, e := range c.edges {
			cube := automata.NewCube(1)
			if e[1] > 0 {
				cube = cube.With(0, e[1] == 1)
			}
			marks := automata.NewMarks(1)
			if e[2] == 1 {
				marks = automata.NewMarks(1, 0)
			}
			b.AddEdge(automata.State(e[0]), automata.Label{cube}, marks, automata.State(e[3]))
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

// stutterClosure accepts all words that differ from words of a by stuttering, in few states.
func stutterClosure(t *rapid.T, a *automata.Automaton) *automata.Automaton {
	c, err := Closure(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = marked.ReduceBySimulation(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	return c
}

// Simulation, the search by a complement that is computed as it is needed, and that by
// one that is given agree with the plain method: the automaton of all words that differ
// from accepted ones by repetitions has none in common with an explicit complement.
func TestInvarianceAgainstExplicitComplement(t *testing.T) {
	ctx := context.Background()
	count := map[string]int{}
	seen := func() bool {
		return count["shown by simulation"] >= 5 && count["computed 1"] >= 5 && count["computed 2"] >= 5
	}
	if !petritest.CheckUntil(t, seen, func(t *rapid.T) {
		a := automatatest.SmallAutomaton(t)
		if rapid.Bool().Draw(t, "closed") {
			a = stutterClosure(t, a)
		}
		buchi, err := degeneralize.Degeneralize(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		complement, err := automatatest.ExplicitSlices(buchi, 2000)
		if err != nil {
			count["complement too large"]++
			return
		}
		common, err := automata.Product(context.Background(), stutterClosure(t, a), complement)
		if err == nil {
			common, err = marked.Prune(ctx, common)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := stutterSensitive
		if common.Edges() == 0 {
			want = stutterInvariant
		}
		d, err := newStutterDecision(ctx, a)
		if err != nil || d == nil {
			t.Fatal(d, err)
		}
		if d.shown(a.Initial()) {
			count["shown by simulation"]++
			if want != stutterInvariant {
				t.Fatal("simulation shows what is false")
			}
		}
		clear(d.removals.wins) // all false: nothing is shown
		clear(d.repetitions.wins)
		if d.shown(a.Initial()) && common.Edges() > 0 {
			t.Fatal("shown by lost games")
		}
		for name, decide := range map[string]func() (stutterAnswer, error){
			"computed": func() (stutterAnswer, error) { return d.of(ctx, a.Initial()) },
			"given":    func() (stutterAnswer, error) { return d.by(ctx, complement) },
		} {
			answer, err := decide()
			if err != nil {
				t.Fatal(err)
			}
			count[fmt.Sprint(name, " ", answer)]++
			if answer != want && (name == "given" || answer != stutterUnknown) { // computing one has a limit
				t.Fatalf("with a complement that is %s: %v, want %v", name, answer, want)
			}
		}
	}) {
		t.Errorf("too one-sided to mean much: %v", count)
	}
	if decided := count["computed 1"] + count["computed 2"]; 10*count["computed 0"] > decided {
		t.Errorf("%d of %d complements are too large to be computed", count["computed 0"], decided)
	}
}

// literalEdge is an edge with the literals of its label: proposition p as p+1 if
// positive, and -p-1 if not.
type literalEdge struct {
	from, to automata.State
	literals []int
	marks    []int
}

func buildLiteral(t *testing.T, propositions, states int, acceptance automata.Acceptance, initial []automata.State, edges []literalEdge) *automata.Automaton {
	t.Helper()
	var names []string
	for p := range propositions {
		names = append(names, fmt.Sprintf("p%d", p))
	}
	b := automata.NewBuilder(names, acceptance)
	b.AddStates(states)
	for _, s := range initial {
		b.AddInitial(s)
	}
	for _, e := range edges {
		cube := automata.NewCube(propositions)
		for _, l := range e.literals {
			cube = cube.With(max(l, -l)-1, l > 0)
		}
		b.AddEdge(e.from, automata.Label{cube}, automata.NewMarks(acceptance.Sets, e.marks...), e.to)
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}
