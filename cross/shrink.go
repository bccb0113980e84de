package cross

import (
	"context"
	"math"
	"slices"

	"pnmc/logic"
	"pnmc/logic/ltl"
)

// maxShrinkTries bounds the formulas that are tried to shrink one.
const maxShrinkTries = 2000

// shrink looks for a smallest formula about which the translators of d still differ. It replaces
// one subformula at a time: by a constant, by one of its operands, by a proposition that occurs
// elsewhere, or by a simpler connective. As long as some replacement leaves a difference, it goes
// on with the smallest such formula. The result is minimal with regard to these steps.
//
// For example, a translator is wrong about U. For G(p0 -> (p1 U (p2 & X p3))) there is a difference.
// It may go by p1 U (p2 & X p3) and p1 U p2 to p0 U p1. With F p1 the difference is gone, so that
// p0 U p1 is told.
//
// It ends as each step leads to a formula of less weight, and after maxShrinkTries in any case. Small
// formulas come again for other differences, so that translations of them are remembered.
func (r *runner) shrink(ctx context.Context, c *formulaCase, d *Difference, remembered map[[2]string]rememberedTranslation) {
	s, f := c.formulas, c.formula
	pair := &runner{settings: r.settings, translators: []Translator{r.translators[d.left]}, remembered: remembered, stop: r.stop}
	pair.settings.Translated = nil // those of smaller formulas are not told
	if d.right != d.left {
		pair.translators = append(pair.translators, r.translators[d.right])
	}
	tries := 0
	for again := true; again && ctx.Err() == nil; {
		again = false
		for _, g := range smaller(s, f) {
			if tries++; tries > maxShrinkTries || ctx.Err() != nil {
				return
			}
			if found := pair.differs(ctx, s, g); found != nil {
				f, again = g, true
				d.Minimal, d.MinimalWord, d.MinimalCheck = s.Text(f, ltl.SpotSyntax), found.Word, found.Check
				break
			}
		}
	}
}

// smaller returns the formulas that differ from f in one place, where they are simpler,
// the smallest first.
func smaller(s *ltl.Formulas, f *ltl.Formula) []*ltl.Formula {
	var propositions []*ltl.Formula
	for _, name := range s.Propositions() {
		propositions = append(propositions, s.Atom(name))
	}
	seen := map[*ltl.Formula]bool{f: true}
	var all []*ltl.Formula
	for _, g := range variants(s, f, propositions) {
		if !seen[g] && weight(g) < weight(f) {
			seen[g] = true
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(g, h *ltl.Formula) int { return weight(g) - weight(h) })
	return all
}

// variants returns the formulas that replace one subformula of f, f itself first.
func variants(s *ltl.Formulas, f *ltl.Formula, propositions []*ltl.Formula) []*ltl.Formula {
	all := []*ltl.Formula{s.True(), s.False()}
	all = append(all, f.Operands()...)
	if f.Operator() == ltl.Atom {
		// A proposition for another one with a lower number: fewer in the end.
		for _, p := range propositions {
			if p.Proposition() < f.Proposition() {
				all = append(all, p)
			}
		}
		return all
	}
	all = append(all, simplerConnectives(s, f)...)
	for i, o := range f.Operands() {
		for _, g := range variants(s, o, propositions) {
			operands := slices.Clone(f.Operands())
			operands[i] = g
			all = append(all, s.Make(f.Operator(), operands))
		}
		if n := len(f.Operands()); n > 2 {
			all = append(all, s.Make(f.Operator(), slices.Delete(slices.Clone(f.Operands()), i, i+1)))
		}
	}
	return all
}

// simplerConnectives replaces the root of f.
func simplerConnectives(s *ltl.Formulas, f *ltl.Formula) []*ltl.Formula {
	o := f.Operands()
	switch f.Operator() {
	case ltl.Until:
		return []*ltl.Formula{s.Finally(o[1]), s.WeakUntil(o[0], o[1]), s.Or(o...)}
	case ltl.WeakUntil:
		return []*ltl.Formula{s.Globally(o[0]), s.Or(o...)}
	case ltl.Release:
		return []*ltl.Formula{s.Globally(o[1]), s.And(o...)}
	case ltl.StrongRelease:
		return []*ltl.Formula{s.Finally(o[0]), s.Release(o[0], o[1]), s.And(o...)}
	case logic.Equivalent, logic.Xor:
		return []*ltl.Formula{s.And(o...), s.Or(o...), s.And(o[0], s.Not(o[1])), s.And(s.Not(o[0]), o[1])}
	case logic.Implies:
		return []*ltl.Formula{s.Not(o[0]), s.Or(o...)}
	}
	return nil
}

// weight orders formulas: by size as a tree first, and so that the steps of shrink
// always lead down. A proposition weighs less than another one with a higher number, and an operator
// less than one that is stronger. Very large formulas have the same weight, the greatest.
func weight(f *ltl.Formula) int {
	w := map[ltl.Operator]int{
		logic.False: 1, logic.True: 1, ltl.Atom: 8 + min(f.Proposition(), 7), logic.Not: 16,
		logic.And: 16, logic.Or: 16, ltl.Next: 17, ltl.Finally: 17, ltl.Globally: 17,
		logic.Implies: 18, ltl.WeakUntil: 19, ltl.Release: 19, ltl.Until: 20, ltl.StrongRelease: 20,
		logic.Xor: 40, logic.Equivalent: 40,
	}[f.Operator()]
	for _, o := range f.Operands() {
		w = min(w+weight(o), math.MaxInt/2)
	}
	return w
}
