package cross

import (
	"context"

	"pnmc/automata"
	"pnmc/automata/emptiness"
	"pnmc/logic/ltl"
)

// meant returns one of two automata that a drawing may mean. One of these accepts all words of
// the other, and some more, which change for ever. If one of them is that of f, then one of
// these words shows which one: f decides about all of them alike. If none is, it matters
// little.
func meant(ctx context.Context, s *ltl.Formulas, f *ltl.Formula, a, b *automata.Automaton) (*automata.Automaton, error) {
	for _, pair := range [][2]*automata.Automaton{{a, b}, {b, a}} {
		plain, err := automata.ReadingValuations(ctx, pair[0])
		if err != nil {
			return nil, err
		}
		changing := *plain // accepts what changes for ever only
		changing.Acceptance.Condition = &automata.Condition{Operator: automata.Inf, Set: 0}
		changing.Acceptance.Name = ""
		r, err := emptiness.Intersect(emptiness.Explicit(&changing), emptiness.Explicit(&changing), emptiness.Options{Context: ctx, Word: true})
		switch {
		case err != nil:
			return nil, err
		case !r.Nonempty:
			continue
		case satisfies(*r.Word, s, f):
			return pair[0], nil
		default:
			return pair[1], nil
		}
	}
	return a, nil
}
