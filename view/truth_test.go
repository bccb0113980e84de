package view

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/internal/account"
	"pnmc/internal/automatatest"
	"pnmc/logic/ltl"
)

// drawFormula draws a formula of linear time over the atoms a and b.
func drawFormula(t *rapid.T, s *ltl.Formulas, depth int) *ltl.Formula {
	if depth == 0 {
		return s.Atom(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "atom"))
	}
	f := func() *ltl.Formula { return drawFormula(t, s, depth-1) }
	switch rapid.IntRange(0, 12).Draw(t, "operator") {
	case 0:
		return s.Not(f())
	case 1:
		return s.And(f(), f())
	case 2:
		return s.Or(f(), f())
	case 3:
		return s.Implies(f(), f())
	case 4:
		return s.Next(f())
	case 5:
		return s.Finally(f())
	case 6:
		return s.Globally(f())
	case 7:
		return s.Until(f(), f())
	case 8:
		return s.Release(f(), f())
	case 9:
		return s.WeakUntil(f(), f())
	case 10:
		return s.StrongRelease(f(), f())
	case 11:
		return s.Xor(f(), f())
	default:
		return s.Equivalent(f(), f())
	}
}

// drawWord draws what is true at each position of a word that goes on at loop.
func drawWord(t *rapid.T) (atoms [][]truth, loop int) {
	n := rapid.IntRange(1, 6).Draw(t, "positions")
	for range 2 {
		track := make([]truth, n)
		for i := range track {
			track[i] = truth(rapid.IntRange(0, 1).Draw(t, "letter"))
		}
		atoms = append(atoms, track)
	}
	return atoms, rapid.IntRange(0, n-1).Draw(t, "loop")
}

// wordFrom returns the word from a position on.
func wordFrom(atoms [][]truth, loop, from int) automata.Lasso {
	n := len(atoms[0])
	letter := func(i int) automata.Valuation {
		return automata.Valuation{uint64(atoms[0][i]) | uint64(atoms[1][i])<<1}
	}
	l := automata.Lasso{Propositions: []string{"a", "b"}}
	for i := from; i < loop; i++ {
		l.Prefix = append(l.Prefix, letter(i))
	}
	start := max(from, loop)
	for i := start; i < n; i++ {
		l.Cycle = append(l.Cycle, letter(i))
	}
	for i := loop; i < start; i++ {
		l.Cycle = append(l.Cycle, letter(i))
	}
	return l
}

// TestTruthOnLassos: what is told of subformulas along a run with a cycle is what automata
// accept of the word from there on, and is always known.
func TestTruthOnLassos(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := ltl.NewFormulas()
		a, b := s.Atom("a"), s.Atom("b")
		f := drawFormula(t, s, rapid.IntRange(0, 3).Draw(t, "depth"))
		atoms, loop := drawWord(t)
		r := &replay{loop: loop, positions: len(atoms[0]), atoms: atoms}
		answer := &Answer{Kind: "ltl", Formula: LinearFormula(f, []int{a.Proposition(), b.Proposition()})}
		if err := r.evaluate(answer, new(account.Account)); err != nil {
			t.Fatal(err)
		}
		automaton, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.positions {
			want, err := automata.Accepts(automaton, wordFrom(atoms, loop, i))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.values[len(r.values)-1][i]; got == unknown || (got == yes) != want {
				t.Fatalf("%s at %d of %v, loop %d: %d, accepted: %t", s.Text(f, ltl.SpotSyntax), i, atoms, loop, got, want)
			}
		}
	})
}

// TestTruthOfBeginnings: what is told of a run that goes on in an unknown way is so however
// it goes on.
func TestTruthOfBeginnings(t *testing.T) {
	knownSomewhere := 0
	rapid.Check(t, func(t *rapid.T) {
		s := ltl.NewFormulas()
		s.Atom("a")
		s.Atom("b")
		f := drawFormula(t, s, rapid.IntRange(0, 3).Draw(t, "depth"))
		answer := &Answer{Kind: "ltl", Formula: LinearFormula(f, []int{0, 1})}
		atoms, loop := drawWord(t)
		whole := &replay{loop: loop, positions: len(atoms[0]), atoms: atoms}
		if err := whole.evaluate(answer, new(account.Account)); err != nil {
			t.Fatal(err)
		}
		n := rapid.IntRange(1, whole.positions).Draw(t, "beginning")
		beginning := &replay{loop: -1, positions: n, atoms: [][]truth{atoms[0][:n], atoms[1][:n]}}
		if err := beginning.evaluate(answer, new(account.Account)); err != nil {
			t.Fatal(err)
		}
		for k, track := range beginning.values {
			for i, v := range track {
				if v == unknown {
					continue
				}
				knownSomewhere++
				if v != whole.values[k][i] {
					t.Fatalf("%s: subformula %d at %d of %d is %d, with the rest %d", s.Text(f, ltl.SpotSyntax), k, i, n, v, whole.values[k][i])
				}
			}
		}
	})
	if knownSomewhere < 10 {
		t.Errorf("only %d values were known", knownSomewhere)
	}
}

// TestTruthOfBranching: the values of formulas about all runs from a marking.
func TestTruthOfBranching(t *testing.T) {
	atom := &Formula{Atom: 0}
	one := func(operator string) *Formula { return &Formula{Operator: operator, Operands: []*Formula{atom}} }
	until := func(operator string) *Formula {
		return &Formula{Operator: operator, Operands: []*Formula{atom, {Operator: "!", Operands: []*Formula{atom}}}}
	}
	for _, c := range []struct {
		formula *Formula
		atom    []truth
		loop    int
		ended   bool
		want    string
	}{
		{one("EF"), []truth{no, yes, no}, -1, false, "[1 1 2]"},
		{one("EF"), []truth{no, yes, no}, -1, true, "[1 1 0]"},
		{one("AG"), []truth{yes, no, yes}, -1, false, "[0 0 2]"},
		{one("AG"), []truth{yes, yes}, -1, true, "[2 1]"},
		{one("EG"), []truth{yes, yes}, 0, false, "[1 1]"},
		{one("EG"), []truth{yes, yes}, -1, true, "[1 1]"},
		{one("EG"), []truth{no, yes}, -1, false, "[0 2]"},
		{one("AF"), []truth{no, no}, 0, false, "[0 0]"},
		{one("AF"), []truth{no, yes}, -1, false, "[2 1]"},
		{one("EX"), []truth{no, yes}, -1, true, "[1 0]"},
		{one("AX"), []truth{no, no, yes}, -1, true, "[0 2 1]"},
		{until("EU"), []truth{yes, yes, no}, -1, false, "[1 1 1]"},
		{until("AU"), []truth{yes, yes}, 0, false, "[0 0]"},
		{until("AU"), []truth{yes, no}, -1, false, "[2 1]"},
	} {
		r := &replay{loop: c.loop, ended: c.ended, positions: len(c.atom), atoms: [][]truth{c.atom}}
		if err := r.evaluate(&Answer{Kind: "ctl", Formula: c.formula}, new(account.Account)); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(r.values[len(r.values)-1]); got != c.want {
			t.Errorf("%s on %v, loop %d, ended %t: %s, expected %s", c.formula.Operator, c.atom, c.loop, c.ended, got, c.want)
		}
	}
}

// TestAcceptingRuns: the run of the automaton that a page shows reads the word, and its cycle
// has all marks; there is one exactly if the automaton accepts the word.
func TestAcceptingRuns(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		a := automatatest.Random(automatatest.RandomSettings{
			Propositions: []string{"a", "b"}, States: rapid.IntRange(1, 5).Draw(t, "states"), Sets: rapid.IntRange(0, 3).Draw(t, "sets"),
			Density: 0.4, LiteralProbability: 0.4, MarkProbability: 0.3,
		}, rapid.Uint64().Draw(t, "seed"))
		atoms, loop := drawWord(t)
		n := len(atoms[0])
		s := &runSearch{a: a, states: a.States(), n: n, loop: loop, work: account.Of(context.Background()), left: mostLooks}
		for i := range n {
			s.letters = append(s.letters, automata.Valuation{uint64(atoms[0][i]) | uint64(atoms[1][i])<<1})
		}
		want, err := automata.Accepts(a, wordFrom(atoms, loop, 0))
		if err != nil {
			t.Fatal(err)
		}
		prefix, cycle, ok := s.lasso()
		if ok != want {
			t.Fatalf("found: %t, accepted: %t", ok, want)
		}
		if !ok {
			return
		}
		found++
		position := 0
		edges := append(append([]automata.Edge{}, prefix...), cycle...)
		for i, e := range edges {
			if i == 0 && !slices.Contains(a.Initial(), a.Source(e)) {
				t.Fatal("the run does not begin in an initial state")
			}
			if i > 0 && a.Destination(edges[i-1]) != a.Source(e) {
				t.Fatalf("edge %d does not begin where the one before ends", i)
			}
			if i == len(prefix) && position != loop {
				t.Fatalf("the cycle begins at position %d, expected %d", position, loop)
			}
			if !a.Matches(e, s.letters[position]) {
				t.Fatalf("edge %d does not read its letter", i)
			}
			if position++; position == n {
				position = loop
			}
		}
		if position != loop || len(cycle) == 0 || a.Destination(edges[len(edges)-1]) != a.Source(cycle[0]) {
			t.Fatal("the cycle does not close")
		}
		for set := range a.Acceptance.Sets {
			seen := false
			for _, e := range cycle {
				seen = seen || a.Marks(e).Has(set)
			}
			if !seen {
				t.Fatalf("the cycle lacks mark %d", set)
			}
		}
	})
	if found < 3 {
		t.Errorf("only %d accepting runs", found)
	}
}

// TestAcceptingRunGivesUp: a run that takes too long, or more memory than there is, is not
// found, and the search tells why.
func TestAcceptingRunGivesUp(t *testing.T) {
	b := automata.NewBuilder([]string{"a"}, automata.GeneralizedBuchi(3))
	b.AddStates(2)
	b.AddInitial(0)
	for s := range automata.State(2) {
		for set := range 3 {
			b.AddEdge(s, automata.Label{automata.NewCube(1)}, automata.NewMarks(3, set), 1-s)
		}
	}
	a, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	const n = 1000
	search := func(work *account.Account, left int) *runSearch {
		return &runSearch{a: a, states: 2, n: n, letters: make([]automata.Valuation, n), work: work, left: left}
	}
	fill := func(s *runSearch) *runSearch {
		for i := range s.letters {
			s.letters[i] = automata.Valuation{0}
		}
		return s
	}
	s := fill(search(account.Of(t.Context()), mostLooks))
	if _, _, ok := s.lasso(); !ok || s.err != nil {
		t.Fatalf("no run: %v", s.err)
	}
	s = fill(search(account.Of(t.Context()), n))
	if _, _, ok := s.lasso(); ok || s.err != errTooLong {
		t.Errorf("a run after %d looks: %t, %v", n, ok, s.err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s = fill(search(account.Of(ended), mostLooks))
	if _, _, ok := s.lasso(); ok || s.err == nil {
		t.Error("a run though the context had ended")
	}
}

// TestTruthEndsWithWork: what a run shows of a formula is found out within limits of time, and within memory.
func TestTruthEndsWithWork(t *testing.T) {
	const positions, parts = 1 << 16, 100
	s := ltl.NewFormulas()
	f := s.Atom("a")
	for range parts {
		f = s.Next(f)
	}
	answer := &Answer{Kind: "ltl", Formula: LinearFormula(f, []int{0})}
	fresh := func() *replay {
		return &replay{loop: 0, positions: positions, atoms: [][]truth{make([]truth, positions)}}
	}
	if err := fresh().evaluate(answer, new(account.Account)); err != nil {
		t.Fatal(err)
	}
	for _, looks := range []int{0, 1, 20} {
		r := fresh()
		if err := r.evaluate(answer, account.Of(account.EndsAfter(looks))); err == nil || len(r.values) > looks+1 {
			t.Errorf("after %d looks: %d parts are evaluated, %v", looks, len(r.values), err)
		}
	}
	debug.FreeOSMemory()
	r := fresh()
	err := r.evaluate(answer, account.New(account.Budget{MemoryBytes: account.InUse() + 8<<20}))
	if !errors.As(err, new(*account.MemoryError)) || len(r.values) > parts/2 {
		t.Errorf("with little memory: %d parts are evaluated, %v", len(r.values), err)
	}
	if _, err := singly([]Step{{Times: mostSteps}}, account.New(account.Budget{MemoryBytes: account.InUse() + 8<<20})); !errors.As(err, new(*account.MemoryError)) {
		t.Errorf("a million steps with little memory: %v", err)
	}
}
