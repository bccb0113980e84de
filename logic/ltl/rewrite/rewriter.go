package rewrite

import (
	"context"

	"pnmc/internal/account"
	"pnmc/internal/lazy"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// Rewriter simplifies formulas of one Formulas, and remembers what it did. Not
// safe for concurrent use.
//
// The rules are the basic ones of manuals and papers on the translation of linear
// temporal logic. Those for eventualities and universalities are from Etessami,
// Holzmann, "Optimizing Büchi automata", 2000. Those by syntactic implication are from
// Somenzi, Bloem, "Efficient Büchi automata from LTL formulae", 2000. Each rule
// replaces a formula by an equivalent one; sizes of automata, not of formulas, decided
// which rules are here.
//
// The problem: a tableau has a state for each set of subformulas that may be asked at once. So it
// becomes far too large if a formula says something twice, or later than necessary. The way:
// operands first, then one rule at the root, then again what came out, until no rule applies. A
// formula is one node however often it occurs, and what it became is remembered.
//
// For example, F(a & G F b). Its operand is as simple as it gets. G F b holds on a run if and only
// if it does on each suffix. So it need not wait under the F, and the rule makes F a & G F b of it.
// The tableau now watches b in its last component only. And G(a U b) becomes G(a | b) & G F b: the
// until is met again and again, and until then a or b must hold.
//
// Why it ends: while a formula is simplified, it stands for itself, so that rules that lead in a
// circle end where they began. budget bounds the implications that are asked for, and what is not
// found out within it is not used. Each rule is an equivalence on its own, so a result is right
// wherever the work stops.
type Rewriter struct {
	formulas *ltl.Formulas
	simple   map[*ltl.Formula]*ltl.Formula
	normal   map[normalKey]*ltl.Formula
	implied  map[[2]*ltl.Formula]bool
	tables   map[*ltl.Formula]truthTable
	booleans map[string]*ltl.Formula
	budget   int
	ended    bool             // the context is done, or its memory used up
	work     *account.Account // of the context, or nil
}

// rewriterBudget bounds the number of implications asked for between two formulas'
// operands, so rewriting stays quick on formulas of any size. When it is used up, or
// the context is done, implications count as unknown.
const rewriterBudget = 8 << 20

// implicationsBetweenLooks is the number of implications after which a Rewriter
// looks whether its context is done.
const implicationsBetweenLooks = 1 << 10

// FormulaWork and OperandWork are what a Rewriter charges for a formula that it makes anew or looks at, and for
// each operand of one, in bytes or nanoseconds. Operands are sorted, hashed and compared with those of other
// formulas, and go through several rules. Whoever makes formulas of others charges the same.
const (
	FormulaWork = 256
	OperandWork = 64
)

// implicationWork is what is charged for an implication.
const implicationWork = 1 << 20 / implicationsBetweenLooks

// Watch lets w take no more trouble once ctx is done, or the budget of memory in it is used up, which
// then ends ctx. Its results are then still equivalent to what it was given, but not as simple, and
// those of NegationNormal are not in that form.
func (w *Rewriter) Watch(ctx context.Context) { w.work = account.Of(ctx) }

// isOver charges work, and reports whether the context is done.
func (w *Rewriter) isOver(work int) bool {
	if !w.ended && w.work != nil {
		w.ended = w.work.Charge(work) != nil
	}
	return w.ended
}

// isOverAt charges what it takes to go through f and make it anew, and reports whether the context is done.
func (w *Rewriter) isOverAt(f *ltl.Formula) bool {
	return w.isOver(FormulaWork + OperandWork*len(f.Operands()))
}

// New simplifies formulas that s makes.
func New(s *ltl.Formulas) *Rewriter {
	return &Rewriter{
		formulas: s,
		simple:   map[*ltl.Formula]*ltl.Formula{},
		normal:   map[normalKey]*ltl.Formula{},
		implied:  map[[2]*ltl.Formula]bool{},
		tables:   map[*ltl.Formula]truthTable{},
		booleans: map[string]*ltl.Formula{},
		budget:   rewriterBudget,
	}
}

// Simplify returns a formula equivalent to f, in negation normal form, to which no
// rule applies, or only rules that lead back to it.
func (w *Rewriter) Simplify(f *ltl.Formula) *ltl.Formula {
	if g, known := w.simple[f]; known {
		return g
	}
	if w.isOverAt(f) {
		return f
	}
	w.simple[f] = f // where rules lead in a circle, they end here
	g := f
	if !f.Has(ltl.NegationNormal) {
		g = w.NegationNormal(f, false)
	} else if len(f.Operands()) > 0 && f.Operator() != logic.Not {
		operands := make([]*ltl.Formula, len(f.Operands()))
		for i, o := range f.Operands() {
			operands[i] = w.Simplify(o)
		}
		if w.isOverAt(f) { // those below are made by now
			return f
		}
		if g = w.formulas.Make(f.Operator(), operands); g == f {
			g = w.step(f)
		}
	}
	if g != f {
		g = w.Simplify(g)
	}
	w.simple[f] = g
	return g
}

// step applies one rule to f, whose operands are simple, or returns f.
func (w *Rewriter) step(f *ltl.Formula) *ltl.Formula {
	if f.Has(ltl.Boolean) {
		return w.boolean(f)
	}
	switch f.Operator() {
	case logic.And, logic.Or:
		return w.junction(f)
	case ltl.Next:
		return w.next(f)
	case ltl.Finally:
		return w.finally(f)
	case ltl.Globally:
		return w.globally(f)
	case ltl.Until, ltl.WeakUntil:
		return w.until(&untilSide, f)
	case ltl.Release, ltl.StrongRelease:
		return w.until(releaseSide.Get(), f)
	}
	return f
}

// normalKey is a formula and whether it is to be negated.
type normalKey struct {
	formula *ltl.Formula
	negated bool
}

// NegationNormal returns f, or its negation, in negation normal form: negations stand
// at propositions only; xor, equivalence and implication are expanded. The result
// shares subformulas, so that it is of at most twice as many nodes as f.
func (w *Rewriter) NegationNormal(f *ltl.Formula, negated bool) *ltl.Formula {
	if !negated && f.Has(ltl.NegationNormal) {
		return f
	}
	key := normalKey{f, negated}
	if g, known := w.normal[key]; known {
		return g
	}
	if w.isOverAt(f) {
		if negated {
			return w.formulas.Not(f)
		}
		return f
	}
	g := w.pushNegation(f, negated)
	w.normal[key] = g
	return g
}

// opposite gives each connective the one that negation makes of it.
var opposite = lazy.Value[map[ltl.Operator]ltl.Operator]{Make: func() map[ltl.Operator]ltl.Operator {
	return map[ltl.Operator]ltl.Operator{
		logic.False: logic.True, logic.True: logic.False, logic.And: logic.Or, logic.Or: logic.And,
		ltl.Next: ltl.Next, ltl.Finally: ltl.Globally, ltl.Globally: ltl.Finally,
		ltl.Until: ltl.Release, ltl.Release: ltl.Until, ltl.WeakUntil: ltl.StrongRelease, ltl.StrongRelease: ltl.WeakUntil,
	}
}}

// pushNegation returns f, or its negation, in negation normal form. Exclusive or and equivalence
// become a disjunction of two conjunctions, in which each operand occurs twice, once negated.
func (w *Rewriter) pushNegation(f *ltl.Formula, negated bool) *ltl.Formula {
	s := w.formulas
	both := func(g *ltl.Formula, h *ltl.Formula, negateG, negateH bool) *ltl.Formula {
		return s.And(w.NegationNormal(g, negateG), w.NegationNormal(h, negateH))
	}
	switch f.Operator() {
	case ltl.Atom:
		if negated {
			return s.Not(f)
		}
		return f
	case logic.Not:
		return w.NegationNormal(f.Operands()[0], !negated)
	case logic.Implies:
		if negated {
			return both(f.Operands()[0], f.Operands()[1], false, true)
		}
		return s.Or(w.NegationNormal(f.Operands()[0], true), w.NegationNormal(f.Operands()[1], false))
	case logic.Xor, logic.Equivalent:
		g, h := f.Operands()[0], f.Operands()[1]
		if (f.Operator() == logic.Equivalent) != negated {
			return s.Or(both(g, h, false, false), both(g, h, true, true))
		}
		return s.Or(both(g, h, false, true), both(g, h, true, false))
	}
	operands := make([]*ltl.Formula, len(f.Operands()))
	for i, o := range f.Operands() {
		operands[i] = w.NegationNormal(o, negated)
	}
	if w.isOverAt(f) { // those below are made by now
		if negated {
			return s.Not(f)
		}
		return f
	}
	c := f.Operator()
	if negated {
		c = opposite.Get()[c]
	}
	return s.Make(c, operands)
}

// Negate returns the negation of f in negation normal form.
func (w *Rewriter) Negate(f *ltl.Formula) *ltl.Formula { return w.NegationNormal(f, true) }
