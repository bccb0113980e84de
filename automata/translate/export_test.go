package translate

import (
	"context"

	"pnmc/automata"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
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

// RewrittenWithin rewrites a formula as a translation does first, and returns the formulas that were made
// then, and the error of the context.
func RewrittenWithin(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (int, error) {
	w, _, err := newWork(ctx, s, f, Options{})
	if err != nil {
		return 0, err
	}
	return w.formulas.Len(), nil
}

// NegatedWithin returns the error of negating a formula within a context.
func NegatedWithin(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) error {
	w := &work{ctx: ctx, formulas: s, rewriter: rewrite.New(s)}
	w.rewriter.Watch(ctx)
	_, err := w.negated(f)
	return err
}
