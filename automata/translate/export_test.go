package translate

import (
	"context"

	"pnmc/automata"
	"pnmc/logic/ltl"
)

// EndingTableau returns the automaton of a guarantee formula as a tableau without promises gives
// it, or nil if the formula, once it is rewritten, is none that syntax shows to be one.
func EndingTableau(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
	w, simple, err := newWork(ctx, s, f, Options{})
	if err != nil || !simple.Has(ltl.Guarantee) {
		return nil, err
	}
	return w.newTableau(variant{formula: simple, ending: true}).build(simple)
}
