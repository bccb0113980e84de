package translate_test

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/hoa"
	"pnmc/logic"
)

// meets tells whether a and b accept a common word.
func meets(t *testing.T, a, b *automata.Automaton) bool {
	t.Helper()
	product, err := automata.Product(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return automata.HasAcceptingCycle(product)
}

func translated(t *testing.T, s *logic.Formulas, f *logic.Formula, negate bool) *automata.Automaton {
	t.Helper()
	a, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{Negate: negate})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func parse(t *testing.T, s *logic.Formulas, text string) *logic.Formula {
	t.Helper()
	f, err := logic.ParseFormula(text, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func readAll(t *testing.T, file string) []*automata.Automaton {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Skip(err)
	}
	defer in.Close()
	r := hoa.NewReader(in, file)
	var all []*automata.Automaton
	for {
		a, err := r.Read()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
}

// The automata of a formula and of its negation have no word in common, and
// neither has one with the reference automaton of the other polarity.
func TestReferenceAutomata(t *testing.T) {
	shared := "../../../shared"
	negated := map[string]string{shared + "/hoa/spot/patterns.ltl": shared + "/hoa/spot/negated-tgba.hoa"}
	positive := map[string]string{shared + "/hoa/spot/patterns.ltl": shared + "/hoa/spot/tgba.hoa"}
	files, _ := filepath.Glob(shared + "/ltl/*/*.ltl")
	for _, f := range files {
		negated[f] = strings.TrimSuffix(f, ".ltl") + ".hoa"
	}
	if len(files) == 0 {
		t.Skip("no reference automata at " + shared)
	}
	for file, reference := range negated {
		against := readAll(t, reference)
		var agreeing []*automata.Automaton
		if positive[file] != "" {
			agreeing = readAll(t, positive[file])
		}
		for i, line := range lines(t, file) {
			s := logic.NewFormulas()
			f := parse(t, s, line)
			a, n := translated(t, s, f, false), translated(t, s, f, true)
			if meets(t, a, n) {
				t.Errorf("%s: our automata for the formula and its negation meet", line)
			}
			if meets(t, a, against[i]) {
				t.Errorf("%s: our automaton meets the reference of the negation", line)
			}
			if agreeing != nil && meets(t, n, agreeing[i]) {
				t.Errorf("%s: our automaton for the negation meets the reference", line)
			}
		}
	}
}

// holds evaluates f on a word by its definition: values of each subformula at
// each position, fixpoints by iteration round the cycle.
func holds(s *logic.Formulas, f *logic.Formula, word automata.Lasso) bool {
	return values(s, f, word, map[*logic.Formula][]bool{})[0]
}

func values(s *logic.Formulas, f *logic.Formula, word automata.Lasso, done map[*logic.Formula][]bool) []bool {
	if v, known := done[f]; known {
		return v
	}
	n := len(word.Prefix) + len(word.Cycle)
	after := func(i int) int {
		if i == n-1 {
			return len(word.Prefix)
		}
		return i + 1
	}
	var o [][]bool
	for _, g := range f.Operands() {
		o = append(o, values(s, g, word, done))
	}
	v := make([]bool, n)
	each := func(value func(i int) bool) {
		for i := range v {
			v[i] = value(i)
		}
	}
	fixpoint := func(start bool, value func(i int) bool) {
		each(func(int) bool { return start })
		for range 2 * n {
			for i := n - 1; i >= 0; i-- {
				v[i] = value(i)
			}
		}
	}
	switch f.Connective() {
	case logic.Falsity:
	case logic.Truth:
		each(func(int) bool { return true })
	case logic.Atom:
		each(func(i int) bool {
			letters := append(append([]automata.Valuation(nil), word.Prefix...), word.Cycle...)
			return letters[i][0]>>f.Proposition()&1 == 1
		})
	case logic.Negation:
		each(func(i int) bool { return !o[0][i] })
	case logic.Conjunction:
		each(func(i int) bool {
			all := true
			for _, w := range o {
				all = all && w[i]
			}
			return all
		})
	case logic.Disjunction:
		each(func(i int) bool {
			some := false
			for _, w := range o {
				some = some || w[i]
			}
			return some
		})
	case logic.ExclusiveOr:
		each(func(i int) bool { return o[0][i] != o[1][i] })
	case logic.Equivalence:
		each(func(i int) bool { return o[0][i] == o[1][i] })
	case logic.Implication:
		each(func(i int) bool { return !o[0][i] || o[1][i] })
	case logic.Next:
		each(func(i int) bool { return o[0][after(i)] })
	case logic.Finally:
		fixpoint(false, func(i int) bool { return o[0][i] || v[after(i)] })
	case logic.Globally:
		fixpoint(true, func(i int) bool { return o[0][i] && v[after(i)] })
	case logic.Until:
		fixpoint(false, func(i int) bool { return o[1][i] || o[0][i] && v[after(i)] })
	case logic.WeakUntil:
		fixpoint(true, func(i int) bool { return o[1][i] || o[0][i] && v[after(i)] })
	case logic.Release:
		fixpoint(true, func(i int) bool { return o[1][i] && (o[0][i] || v[after(i)]) })
	case logic.StrongRelease:
		fixpoint(false, func(i int) bool { return o[1][i] && (o[0][i] || v[after(i)]) })
	}
	done[f] = v
	return v
}

// randomFormula has that many operators at most, over three propositions.
func randomFormula(r *rand.Rand, s *logic.Formulas, size int) *logic.Formula {
	if size <= 1 {
		switch n := r.IntN(14); n {
		case 0:
			return s.True()
		case 1:
			return s.False()
		default:
			return s.Atom(string(rune('a' + n%3)))
		}
	}
	if r.IntN(3) == 0 {
		f := randomFormula(r, s, size-1)
		return [](func(*logic.Formula) *logic.Formula){s.Not, s.Next, s.Finally, s.Globally}[r.IntN(4)](f)
	}
	left := 1 + r.IntN(size-1)
	f, g := randomFormula(r, s, left), randomFormula(r, s, size-left)
	switch r.IntN(10) {
	case 0, 1:
		return s.And(f, g)
	case 2, 3:
		return s.Or(f, g)
	}
	return [](func(f, g *logic.Formula) *logic.Formula){s.Until, s.Release, s.WeakUntil, s.StrongRelease,
		s.Xor, s.Equivalent, s.Implies, s.Until}[r.IntN(8)](f, g)
}

func randomWord(r *rand.Rand, names []string) automata.Lasso {
	letters := func(n int) []automata.Valuation {
		word := make([]automata.Valuation, n)
		for i := range word {
			word[i] = automata.Valuation{r.Uint64N(1 << len(names))}
		}
		return word
	}
	return automata.Lasso{Propositions: names, Prefix: letters(r.IntN(5)), Cycle: letters(1 + r.IntN(5))}
}

// Automata of random formulas accept exactly the random words on which direct
// evaluation finds the formula true; rewriting preserves that value.
func TestRandomFormulas(t *testing.T) {
	formulas := 5000
	if testing.Short() {
		formulas = 500
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range formulas {
		s := logic.NewFormulas()
		names := []string{"a", "b", "c"}
		for _, name := range names {
			s.Atom(name)
		}
		f := randomFormula(r, s, 2+r.IntN(16))
		a, b := translated(t, s, f, false), translated(t, s, f, true)
		simple := logic.NewRewriter(s).Simplify(f)
		for range 20 {
			word := randomWord(r, names)
			want := holds(s, f, word)
			if holds(s, simple, word) != want {
				t.Fatalf("formula %d %s: rewritten %s differs on %s", n, s.Text(f, logic.SpotSyntax), s.Text(simple, logic.SpotSyntax), word)
			}
			for _, side := range []struct {
				a    *automata.Automaton
				want bool
			}{{a, want}, {b, !want}} {
				got, err := automata.Accepts(side.a, word)
				if err != nil {
					t.Fatal(err)
				}
				if got != side.want {
					t.Fatalf("formula %d %s: holds on %s is %v, accepted %v", n, s.Text(f, logic.SpotSyntax), word, side.want, got)
				}
			}
		}
	}
}
