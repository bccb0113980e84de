package translate_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/hoa"
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// meets reports whether a and b accept a common word.
func meets(t *testing.T, a, b *automata.Automaton) bool {
	t.Helper()
	product, err := automata.Product(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	meet, err := automata.HasAcceptingCycle(context.Background(), product)
	if err != nil {
		t.Fatal(err)
	}
	return meet
}

func translated(t *testing.T, s *ltl.Formulas, f *ltl.Formula, negate bool) *automata.Automaton {
	t.Helper()
	a, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{Negate: negate})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func parse(t *testing.T, s *ltl.Formulas, text string) *ltl.Formula {
	t.Helper()
	f, err := ltl.Parse(text, s)
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
			s := ltl.NewFormulas()
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
func holds(s *ltl.Formulas, f *ltl.Formula, word automata.Lasso) bool {
	return values(s, f, word, map[*ltl.Formula][]bool{})[0]
}

func values(s *ltl.Formulas, f *ltl.Formula, word automata.Lasso, done map[*ltl.Formula][]bool) []bool {
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
	switch f.Operator() {
	case logic.False:
	case logic.True:
		each(func(int) bool { return true })
	case ltl.Atom:
		each(func(i int) bool {
			letters := append(append([]automata.Valuation(nil), word.Prefix...), word.Cycle...)
			return letters[i][f.Proposition()/64]>>(f.Proposition()%64)&1 == 1
		})
	case logic.Not:
		each(func(i int) bool { return !o[0][i] })
	case logic.And:
		each(func(i int) bool {
			all := true
			for _, w := range o {
				all = all && w[i]
			}
			return all
		})
	case logic.Or:
		each(func(i int) bool {
			some := false
			for _, w := range o {
				some = some || w[i]
			}
			return some
		})
	case logic.Xor:
		each(func(i int) bool { return o[0][i] != o[1][i] })
	case logic.Equivalent:
		each(func(i int) bool { return o[0][i] == o[1][i] })
	case logic.Implies:
		each(func(i int) bool { return !o[0][i] || o[1][i] })
	case ltl.Next:
		each(func(i int) bool { return o[0][after(i)] })
	case ltl.Finally:
		fixpoint(false, func(i int) bool { return o[0][i] || v[after(i)] })
	case ltl.Globally:
		fixpoint(true, func(i int) bool { return o[0][i] && v[after(i)] })
	case ltl.Until:
		fixpoint(false, func(i int) bool { return o[1][i] || o[0][i] && v[after(i)] })
	case ltl.WeakUntil:
		fixpoint(true, func(i int) bool { return o[1][i] || o[0][i] && v[after(i)] })
	case ltl.Release:
		fixpoint(true, func(i int) bool { return o[1][i] && (o[0][i] || v[after(i)]) })
	case ltl.StrongRelease:
		fixpoint(false, func(i int) bool { return o[1][i] && (o[0][i] || v[after(i)]) })
	}
	done[f] = v
	return v
}

// randomFormula has that many operators at most, over three propositions.
func randomFormula(r *rand.Rand, s *ltl.Formulas, size int) *ltl.Formula {
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
		return [](func(*ltl.Formula) *ltl.Formula){s.Not, s.Next, s.Finally, s.Globally}[r.IntN(4)](f)
	}
	left := 1 + r.IntN(size-1)
	f, g := randomFormula(r, s, left), randomFormula(r, s, size-left)
	switch r.IntN(10) {
	case 0, 1:
		return s.And(f, g)
	case 2, 3:
		return s.Or(f, g)
	}
	return [](func(f, g *ltl.Formula) *ltl.Formula){s.Until, s.Release, s.WeakUntil, s.StrongRelease,
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

// checkOnWords compares the automata of f and of its negation with direct
// evaluation on random words, and tells how many of them satisfy f.
func checkOnWords(t *testing.T, r *rand.Rand, s *ltl.Formulas, f *ltl.Formula, options translate.Options, words int) int {
	t.Helper()
	satisfied := 0
	var sides [2]*automata.Automaton
	for i, negate := range []bool{false, true} {
		options.Negate = negate
		a, err := translate.ToAutomaton(context.Background(), s, f, options)
		if err != nil {
			t.Fatalf("%s: %v", s.Text(f, ltl.SpotSyntax), err)
		}
		sides[i] = a
	}
	for range words {
		word := randomWord(r, s.Propositions())
		want := holds(s, f, word)
		if want {
			satisfied++
		}
		for i, a := range sides {
			got, err := automata.Accepts(a, word)
			if err != nil {
				t.Fatal(err)
			}
			if got != (want == (i == 0)) {
				t.Fatalf("%s, negated %v: holds on %s is %v, accepted %v", s.Text(f, ltl.SpotSyntax), i == 1, word, want, got)
			}
		}
	}
	return satisfied
}

// Automata of random formulas accept exactly the random words on which direct
// evaluation finds the formula true.
func TestRandomFormulas(t *testing.T) {
	formulas := 5000
	if testing.Short() {
		formulas = 500
	}
	r := rand.New(rand.NewPCG(1, 2))
	satisfied := 0
	for range formulas {
		s := ltl.NewFormulas()
		for _, name := range []string{"a", "b", "c"} {
			s.Atom(name)
		}
		satisfied += checkOnWords(t, r, s, randomFormula(r, s, 2+r.IntN(16)), translate.Options{}, 10)
	}
	if satisfied < formulas || satisfied > 9*formulas {
		t.Errorf("%d of %d words satisfied their formula: the test shows little", satisfied, 10*formulas)
	}
}

// Releases in one another, and what is asked beside them, make eventualities that are
// promised where others end: none may be put off from one to the next without end.
func TestRandomReleases(t *testing.T) {
	formulas := 6000
	if testing.Short() {
		formulas = 600
	}
	r := rand.New(rand.NewPCG(7, 8))
	satisfied := 0
	for range formulas {
		s := ltl.NewFormulas()
		for _, name := range []string{"a", "b", "c"} {
			s.Atom(name)
		}
		f := randomReleases(r, s, 3+r.IntN(6))
		satisfied += checkOnWords(t, r, s, f, translate.Options{}, 20)
	}
	if satisfied < formulas || satisfied > 19*formulas {
		t.Errorf("%d of %d words satisfied their formula: the test shows little", satisfied, 20*formulas)
	}
}

// randomReleases returns a formula with n propositions, most of its connectives M or R.
func randomReleases(r *rand.Rand, s *ltl.Formulas, n int) *ltl.Formula {
	if n == 1 {
		f := s.Atom([]string{"a", "b", "c"}[r.IntN(3)])
		switch r.IntN(4) {
		case 0:
			return s.Not(f)
		case 1:
			return s.Finally(f)
		}
		return f
	}
	left := 1 + r.IntN(n-1)
	if r.IntN(2) == 0 {
		left = 1
	}
	f, g := randomReleases(r, s, left), randomReleases(r, s, n-left)
	switch r.IntN(10) {
	case 0, 1, 2, 3:
		return s.StrongRelease(f, g)
	case 4, 5:
		return s.Release(f, g)
	case 6:
		return s.Globally(s.Or(f, g))
	case 7:
		return s.And(f, g)
	case 8:
		return s.Or(f, g)
	}
	return s.Until(f, g)
}

// With few nodes for decision diagrams, tableaux order their variables otherwise:
// with propositions first this formula needs more than 2^12 nodes.
func TestFewNodes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	s := ltl.NewFormulas()
	text := "p0"
	for i := range 12 {
		text = fmt.Sprintf("p%d U (%s)", i+1, text)
	}
	f := parse(t, s, text)
	a, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{MaxNodes: 3000})
	if err != nil {
		t.Fatal(err)
	}
	satisfied := 0
	for range 200 {
		word := randomWord(r, s.Propositions())
		for _, v := range word.Cycle {
			v[0] &= r.Uint64() // fewer propositions hold
		}
		want := holds(s, f, word)
		if want {
			satisfied++
		}
		if got, err := automata.Accepts(a, word); err != nil || got != want {
			t.Fatalf("holds on %s is %v, accepted %v, %v", word, want, got, err)
		}
	}
	if satisfied == 0 || satisfied == 200 {
		t.Errorf("%d of 200 words satisfied the formula", satisfied)
	}
}

// Chains of eventualities of more propositions than are ordered in one way only, and of more
// classes of valuations than have edges each, mean what their evaluation says.
func TestLongChainsOnWords(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, n := range []int{14, 70, 110} {
		s := ltl.NewFormulas()
		f := parse(t, s, nested(n))
		var sides [2]*automata.Automaton
		for i, negate := range []bool{false, true} {
			sides[i] = translated(t, s, f, negate)
		}
		satisfied := 0
		for range 100 {
			word := automata.Lasso{Propositions: s.Propositions()}
			letter := func() automata.Valuation {
				return automata.Valuation{r.Uint64() | r.Uint64() | r.Uint64(), r.Uint64() | r.Uint64()}
			}
			for range r.IntN(4) {
				word.Prefix = append(word.Prefix, letter())
			}
			for range 2 + r.IntN(5) {
				word.Cycle = append(word.Cycle, letter())
			}
			if missing := r.IntN(2 * n); missing < n { // it holds before the cycle only
				for _, v := range word.Cycle {
					bitset.Remove(v, missing)
				}
			}
			want := holds(s, f, word)
			if want {
				satisfied++
			}
			for i, a := range sides {
				if got, err := automata.Accepts(a, word); err != nil || got != (want == (i == 0)) {
					t.Fatalf("%d propositions: holds on %s is %v, accepted by side %d %v, %v", n, word, want, i, got, err)
				}
			}
		}
		if satisfied < 10 || satisfied > 90 {
			t.Errorf("%d propositions: %d of 100 words satisfied the formula", n, satisfied)
		}
	}
}

// Families of formulas that take ways of their own: many fairness conditions,
// alone, with a premise, and of more than one state.
func TestFairness(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, text := range []string{
		"GFa & GFb & GFc & GF!a & GF!b & GF!c",
		"GFa & GFb & GFc & GF!a & GF!b & GF(a & b) & FG(c | Xc)",
		"(a U b) & GFa & GFb & GFc & GF(a & b) & GF(b & c) & GF(a & !c)",
		"(GFa & GFb & GFc & GF(a & b) & GF(b & c) & GF(a & Xc)) -> (c R b)",
		"(GFa -> GFb) & (GFb -> GFc)",
		"G(a -> Fb) & G(b -> Fc) & G(c -> Fa)",
	} {
		s := ltl.NewFormulas()
		checkOnWords(t, r, s, parse(t, s, text), translate.Options{}, 300)
	}
}

// Every rewriting keeps the value of formulas, and implications that are found
// hold, on random words.
func TestRewriting(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	implications := 0
	for range 1500 {
		s := ltl.NewFormulas()
		names := []string{"a", "b", "c"}
		for _, name := range names {
			s.Atom(name)
		}
		w := rewrite.New(s)
		f := w.NegationNormal(randomFormula(r, s, 2+r.IntN(12)), false)
		g := w.NegationNormal(randomFormula(r, s, 2+r.IntN(6)), false)
		implies := w.Implies(f, g)
		if implies {
			implications++
		}
		for range 15 {
			word := randomWord(r, names)
			want := holds(s, f, word)
			for _, changed := range []*ltl.Formula{w.Simplify(f), w.Gather(w.Simplify(f)), w.Wait(f), w.Wait(w.Simplify(f))} {
				if holds(s, changed, word) != want {
					t.Fatalf("%s rewritten to %s differs on %s", s.Text(f, ltl.SpotSyntax), s.Text(changed, ltl.SpotSyntax), word)
				}
			}
			if holds(s, w.Negate(f), word) == want {
				t.Fatalf("%s has the same value as its negation on %s", s.Text(f, ltl.SpotSyntax), word)
			}
			if implies && want && !holds(s, g, word) {
				t.Fatalf("%s does not imply %s on %s", s.Text(f, ltl.SpotSyntax), s.Text(g, ltl.SpotSyntax), word)
			}
			traitsHold(t, r, s, f, word)
		}
	}
	if implications < 50 {
		t.Errorf("only %d implications found", implications)
	}
}

// traitsHold checks that a word and its suffixes agree with the eventuality,
// universality and stutter invariance that the syntax of f shows.
func traitsHold(t *testing.T, r *rand.Rand, s *ltl.Formulas, f *ltl.Formula, word automata.Lasso) {
	t.Helper()
	all := values(s, f, word, map[*ltl.Formula][]bool{})
	for _, v := range all[1:] {
		if f.Has(ltl.Eventual) && v && !all[0] || f.Has(ltl.Universal) && all[0] && !v {
			t.Fatalf("%s: not as eventual or universal as it says on %s", s.Text(f, ltl.SpotSyntax), word)
		}
	}
	if !f.Has(ltl.StutterInvariant) || len(word.Prefix) == 0 {
		return
	}
	i := r.IntN(len(word.Prefix))
	stuttered := word
	stuttered.Prefix = append(append([]automata.Valuation(nil), word.Prefix[:i+1]...), word.Prefix[i:]...)
	if holds(s, f, stuttered) != all[0] {
		t.Fatalf("%s: not stutter-invariant on %s", s.Text(f, ltl.SpotSyntax), word)
	}
}
