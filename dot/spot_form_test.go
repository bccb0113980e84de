package dot_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/reduce"
	"pnmc/automata/stutter"
	"pnmc/automata/testingautomata"
	"pnmc/dot"
	"pnmc/internal/automatatest"
)

// randomLasso returns a word that often stutters.
func randomLasso(r *rand.Rand, propositions []string) automata.Lasso {
	last := r.Uint64N(1 << len(propositions))
	letters := func(n int) (word []automata.Valuation) {
		for range n {
			if r.IntN(3) > 0 {
				last = r.Uint64N(1 << len(propositions))
			}
			word = append(word, automata.Valuation{last})
		}
		return word
	}
	return automata.Lasso{Propositions: propositions, Prefix: letters(r.IntN(5)), Cycle: letters(1 + r.IntN(4))}
}

// acceptsWord reports whether a testing automaton accepts a word.
func acceptsWord(t *testing.T, a *automata.Automaton, word automata.Lasso) bool {
	t.Helper()
	plain, err := automata.ReadingValuations(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := automata.Accepts(plain, *word.Over(plain.Propositions))
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// TestDrawingsOfAnyTestingAutomaton draws testing automata of random automata and reads
// the drawings: they accept the same words, and they are drawn in the same way again. In
// TA a change may be part of a state's loop, which drawings don't have.
func TestDrawingsOfAnyTestingAutomaton(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	kinds, accepted, words, loops := map[automata.Kind]int{}, 0, 0, 0
	for seed := range uint64(400) {
		a, err := reduce.Prune(context.Background(), automatatest.Random(automatatest.RandomSettings{
			States: 1 + int(seed%5), Propositions: []string{"b", "a", "p 10", "p2"}[:1+seed%4], Density: 0.35,
			LiteralProbability: []float64{0.2, 0.4, 0.7}[seed%3], Sets: int(seed/3) % 3, MarkProbability: 0.5,
		}, seed))
		if err != nil {
			t.Fatal(err)
		}
		v, err := stutter.DecideInvariance(context.Background(), a)
		if err != nil {
			t.Fatal(err)
		}
		for _, make := range []func(context.Context, *automata.Automaton, stutter.Invariance) (*automata.Automaton, error){testingautomata.NewTGTA, testingautomata.NewTA} {
			made, err := make(context.Background(), a, v)
			if errors.Is(err, testingautomata.ErrNotStutterInvariant) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			drawn := drawAndRead(t, made)
			kinds[drawn.Kind]++
			if made.Kind == automata.TA && drawn.Edges() > made.Edges() {
				loops++
			}
			for range 12 {
				word := randomLasso(r, made.Propositions)
				want := acceptsWord(t, made, word)
				if words++; want {
					accepted++
				}
				if acceptsWord(t, drawn, word) != want {
					t.Fatalf("seed %d, %v: %v is accepted: %t; when drawn and read %t", seed, made.Kind, word, want, !want)
				}
			}
		}
	}
	if kinds[automata.TA] < 50 || kinds[automata.TGTA] < 400 || loops < 8 || accepted < words/10 || accepted > words*9/10 {
		t.Errorf("kinds %v, %d with loops, %d of %d words accepted: too little was tried", kinds, loops, accepted, words)
	}
}

// loopingTA has a state that accepts livelocks in which b changes, and to which a run
// comes back: F G a, or G F a & F G !b.
const loopingTA = `HOA: v1 States: 3 Start: 0 AP: 2 "a" "b" Acceptance: 3 Inf(0) | (Fin(2) & Inf(1)) Testing: ta --BODY--
State: 0 [0] 1 [!0] 2
State: 1 [!0] 1 {1} [0] 2 {2}
State: 2 [!0] 2 [0&!1] 1 {2} [0&1] 1 {0 2}
--END--`

// TestCopiesOfLoopingStates draws a TA one of whose states is drawn twice.
func TestCopiesOfLoopingStates(t *testing.T) {
	made := readHOA(t, strings.NewReader(loopingTA), "")[0]
	drawn := drawAndRead(t, made)
	if drawn.States() != made.States()+1 {
		t.Errorf("%d states of %d", drawn.States(), made.States())
	}
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		word := randomLasso(r, made.Propositions)
		if want := acceptsWord(t, made, word); acceptsWord(t, drawn, word) != want {
			t.Fatalf("%v is accepted: %t; when drawn and read %t", word, want, !want)
		}
	}
}

// TestTooLargeDrawing refuses what would have too many edges.
func TestTooLargeDrawing(t *testing.T) {
	names := make([]string, 30)
	text := "HOA: v1 States: 2 Start: 0 Acceptance: 0 t Testing: tgta AP: 30"
	for i := range names {
		text += ` "p` + strings.Repeat("x", i) + `"`
	}
	text += " --BODY-- State: 0 [0&1&2&3&4&5&6&7&8&9&10&11&12&13&14&15&16&17&18&19&20&21&22&23&24&25&26&27&28&29] 1 State: 1 [t] 1 --END--"
	err := dot.Style{}.Write(context.Background(), failing{nil}, readHOA(t, strings.NewReader(text), "")[0])
	var undrawn *dot.DrawingError
	if !errors.As(err, &undrawn) || !undrawn.TooLarge {
		t.Errorf("got %v", err)
	}
}

// TestNamesOfAnyText draws propositions and states with names that need quotes, escapes
// and order, in each way of writing.
func TestNamesOfAnyText(t *testing.T) {
	names := []string{"", "init", "1", "F", "Fa", "true", "U", `"`, `\`, `\n`, "\n", `\"`, "a b", "p10", "p2", "p1>=2", "ü", "c", "+", "x.y", ".x", "Node", "strict", "{}", "a, b", "-1", "\u0305", "é\u0305", "is-fireable(\"t\")"}
	for _, name := range names {
		b := automata.NewBuilder([]string{"b", name + "", "a"}, automata.GeneralizedBuchi(1))
		b.Kind = automata.TGTA
		b.AddState("x")
		b.AddState(name)
		b.AddInitial(0)
		letter := func(values ...bool) automata.Label {
			c := automata.NewCube(3)
			for p, v := range values {
				c = c.With(p, v)
			}
			return automata.Label{c}
		}
		b.AddEdge(0, letter(true, false, true), automata.NewMarks(1), 1)
		b.AddEdge(0, letter(false, true, false), automata.NewMarks(1), 1)
		b.AddEdge(1, letter(false, true, true), automata.NewMarks(1, 0), 1)
		b.AddEdge(1, letter(false, false, false), automata.NewMarks(1), 1)
		a, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []dot.Style{{}, {UTF8: true}} {
			var text strings.Builder
			if err := o.Write(context.Background(), &text, a); err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			again := read(t, text.String())
			for _, word := range []automata.Lasso{
				{Prefix: []automata.Valuation{{5}}, Cycle: []automata.Valuation{{5}, {3}}},
				{Prefix: []automata.Valuation{{2}}, Cycle: []automata.Valuation{{2}, {4}}},
				{Cycle: []automata.Valuation{{2}}},
				{Cycle: []automata.Valuation{{7}}},
			} {
				word.Propositions = a.Propositions
				if acceptsWord(t, a, word) != acceptsWord(t, again, word) {
					t.Errorf("%q: %v differs with\n%s", name, word, &text)
				}
			}
		}
		drawAndRead(t, a)
	}
}
