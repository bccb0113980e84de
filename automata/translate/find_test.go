package translate_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"pnmc/automata"
	"pnmc/logic"
)

func TestFind(t *testing.T) {
	count, _ := strconv.Atoi(os.Getenv("FIND"))
	r := rand.New(rand.NewPCG(3, 4))
	best := 1000
	for range count {
		s := logic.NewFormulas()
		names := []string{"a", "b", "c"}
		for _, name := range names {
			s.Atom(name)
		}
		f := randomFormula(r, s, 2+r.IntN(12))
		a, b := translated(t, s, f, false), translated(t, s, f, true)
		bad := meets(t, a, b)
		for range 10 {
			word := randomWord(r, names)
			want := holds(s, f, word)
			ga, _ := automata.Accepts(a, word)
			gb, _ := automata.Accepts(b, word)
			if ga != want || gb == want {
				bad = true
			}
		}
		if bad && len(s.Text(f, logic.SpotSyntax)) < best {
			best = len(s.Text(f, logic.SpotSyntax))
			t.Errorf("%s", s.Text(f, logic.SpotSyntax))
		}
	}
}
