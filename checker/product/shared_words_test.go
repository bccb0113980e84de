package product_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/internal/bitset"
	"pnmc/logic/ltl"
)

// wordTries is how many words are tried before a language counts as one that no
// repetition of letters leaves or enters: most formulas need less than a hundred.
const wordTries = 5000

// isStutterSensitive reports whether some word is accepted, and a word with other
// repetitions of its letters is not. It looks at words only, so that it is independent
// of how the engines decide stutter-invariance; but it may miss one.
func isStutterSensitive(t *testing.T, a *automata.Automaton) bool {
	r := rand.New(rand.NewPCG(1, 2))
	for range wordTries {
		word, ok := walkedLasso(r, a)
		if !ok {
			continue
		}
		accepted := acceptsWord(t, a, word)
		if acceptsWord(t, a, repeated(r, word)) != accepted || acceptsWord(t, a, condensed(word)) != accepted {
			return true
		}
	}
	return false
}

func acceptsWord(t *testing.T, a *automata.Automaton, word automata.Lasso) bool {
	t.Helper()
	accepted, err := automata.Accepts(a, word)
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

// walkedLasso returns a word of a random walk through a, from an initial state until a state
// comes again; there may be no more edge before.
func walkedLasso(r *rand.Rand, a *automata.Automaton) (automata.Lasso, bool) {
	var met []automata.State
	var letters []automata.Valuation
	for s := a.Initial()[r.IntN(len(a.Initial()))]; ; {
		if at := slices.Index(met, s); at >= 0 && r.IntN(3) > 0 {
			return automata.Lasso{Propositions: a.Propositions, Prefix: letters[:at], Cycle: letters[at:]}, true
		}
		first, end := a.Out(s)
		if first == end {
			return automata.Lasso{}, false
		}
		e := first + automata.Edge(r.IntN(int(end-first)))
		letter := letterOf(r, a, e)
		if n := len(letters); n > 0 && a.Matches(e, letters[n-1]) && r.IntN(2) == 0 {
			letter = letters[n-1] // so that there is something to condense
		}
		met, letters = append(met, s), append(letters, letter)
		s = a.Destination(e)
	}
}

// letterOf returns a random valuation that a cube of an edge allows.
func letterOf(r *rand.Rand, a *automata.Automaton, e automata.Edge) automata.Valuation {
	letter := make(automata.Valuation, automata.WordsFor(len(a.Propositions)))
	cube := a.Cube(e, r.IntN(a.Cubes(e)))
	for p := range a.Propositions {
		occurs, positive := cube.Literal(p)
		if occurs && positive || !occurs && r.IntN(2) == 0 {
			bitset.Add(letter, p)
		}
	}
	return letter
}

// mostRepetitions is how often a letter comes in its place: more often than formulas have
// one X within the other.
const mostRepetitions = 5

// repeated repeats some letters of a word.
func repeated(r *rand.Rand, word automata.Lasso) automata.Lasso {
	repeat := func(letters []automata.Valuation) (longer []automata.Valuation) {
		for _, v := range letters {
			for range 1 + r.IntN(2)*r.IntN(mostRepetitions) {
				longer = append(longer, v)
			}
		}
		return longer
	}
	return automata.Lasso{Propositions: word.Propositions, Prefix: repeat(word.Prefix), Cycle: repeat(word.Cycle)}
}

// condensed has repeated letters once.
func condensed(word automata.Lasso) automata.Lasso {
	once := func(letters []automata.Valuation) []automata.Valuation {
		return slices.CompactFunc(slices.Clone(letters), slices.Equal[automata.Valuation])
	}
	return automata.Lasso{Propositions: word.Propositions, Prefix: once(word.Prefix), Cycle: once(word.Cycle)}
}

// Words tell formulas with X that matter from those without.
func TestStutterSensitive(t *testing.T) {
	for formula, want := range map[string]bool{
		"G F a": false, "F (a & F (!a & F a))": false, "a U b": false, "X a": true, "G (a -> X !a)": true,
		"F (G !a & X X X (b & G c))": true, "F (X b & G !a)": true, "F X a": true, "F (a | X a)": false,
	} {
		formulas := ltl.NewFormulas()
		f, err := ltl.Parser{Formulas: formulas}.Parse(formula)
		if err != nil {
			t.Fatal(err)
		}
		a, err := translate.ToAutomaton(t.Context(), formulas, f, translate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := isStutterSensitive(t, a); got != want {
			t.Errorf("%s: %v, expected %v", formula, got, want)
		}
	}
}
