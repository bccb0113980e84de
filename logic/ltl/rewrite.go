package ltl

import (
	"context"

	"pnmc/logic"
)

// Rewriter simplifies formulas of one Formulas, and remembers what it did. Not
// safe for concurrent use.
//
// The rules are those that the manuals and papers on translations of linear
// temporal logic list as basic, for eventualities and universalities (Etessami,
// Holzmann, "Optimizing Büchi automata", 2000) and by syntactic implication
// (Somenzi, Bloem, "Efficient Büchi automata from LTL formulae", 2000). Each rule
// replaces a formula by an equivalent one; sizes of automata, not of formulas,
// decided which rules are here.
type Rewriter struct {
	formulas *Formulas
	simple   map[*Formula]*Formula
	normal   map[normalKey]*Formula
	implied  map[[2]*Formula]bool
	tables   map[*Formula]truthTable
	booleans map[string]*Formula
	budget   int
	looks    int             // since the context was looked at
	ended    bool            // it is done
	ctx      context.Context // or nil
}

// rewriterBudget bounds the number of implications asked for between two
// formulas' operands, so that rewriting stays quick on formulas of any size;
// when it is used up, or the context is done, implications count as not known.
const rewriterBudget = 8 << 20

// implicationsBetweenLooks is the number of implications after which a Rewriter
// looks whether its context is done.
const implicationsBetweenLooks = 1 << 10

// Watch lets w take no more trouble once ctx is done: its results are then still
// equivalent to what it was given, but not as simple.
func (w *Rewriter) Watch(ctx context.Context) { w.ctx = ctx }

// isOver reports whether the context is done, at which it looks now and then.
func (w *Rewriter) isOver() bool {
	if w.looks++; w.looks >= implicationsBetweenLooks {
		w.looks = 0
		w.ended = w.ended || w.ctx != nil && w.ctx.Err() != nil
	}
	return w.ended
}

// NewRewriter simplifies formulas that s makes.
func NewRewriter(s *Formulas) *Rewriter {
	return &Rewriter{
		formulas: s,
		simple:   map[*Formula]*Formula{},
		normal:   map[normalKey]*Formula{},
		implied:  map[[2]*Formula]bool{},
		tables:   map[*Formula]truthTable{},
		booleans: map[string]*Formula{},
		budget:   rewriterBudget,
	}
}

// Simplify is a formula equivalent to f, in negation normal form, to which no
// rule applies, or only rules that lead back to it.
func (w *Rewriter) Simplify(f *Formula) *Formula {
	if g, known := w.simple[f]; known {
		return g
	}
	if w.isOver() && f.Has(NegationNormal) {
		return f
	}
	w.simple[f] = f // where rules lead in a circle, they end here
	g := f
	if !f.Has(NegationNormal) {
		g = w.NegationNormal(f, false)
	} else if len(f.operands) > 0 && f.operator != logic.Not {
		operands := make([]*Formula, len(f.operands))
		for i, o := range f.operands {
			operands[i] = w.Simplify(o)
		}
		if g = w.formulas.Make(f.operator, operands); g == f {
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
func (w *Rewriter) step(f *Formula) *Formula {
	if f.Has(Boolean) {
		return w.boolean(f)
	}
	switch f.operator {
	case logic.And, logic.Or:
		return w.junction(f)
	case Next:
		return w.next(f)
	case Finally:
		return w.finally(f)
	case Globally:
		return w.globally(f)
	case Until, WeakUntil:
		return w.until(f)
	case Release, StrongRelease:
		return w.release(f)
	}
	return f
}

// normalKey is a formula and whether it is to be negated.
type normalKey struct {
	formula *Formula
	negated bool
}

// NegationNormal is f, or its negation, in negation normal form: negations stand
// at propositions only; xor, equivalence and implication are expanded. The result
// shares subformulas, so that it is of at most twice as many nodes as f.
func (w *Rewriter) NegationNormal(f *Formula, negated bool) *Formula {
	if !negated && f.Has(NegationNormal) {
		return f
	}
	key := normalKey{f, negated}
	if g, known := w.normal[key]; known {
		return g
	}
	g := w.pushNegation(f, negated)
	w.normal[key] = g
	return g
}

// opposite gives each connective the one that negation makes of it.
var opposite = map[Operator]Operator{
	logic.False: logic.True, logic.True: logic.False, logic.And: logic.Or, logic.Or: logic.And,
	Next: Next, Finally: Globally, Globally: Finally,
	Until: Release, Release: Until, WeakUntil: StrongRelease, StrongRelease: WeakUntil,
}

func (w *Rewriter) pushNegation(f *Formula, negated bool) *Formula {
	s := w.formulas
	both := func(g *Formula, h *Formula, negateG, negateH bool) *Formula {
		return s.And(w.NegationNormal(g, negateG), w.NegationNormal(h, negateH))
	}
	switch f.operator {
	case Atom:
		if negated {
			return s.Not(f)
		}
		return f
	case logic.Not:
		return w.NegationNormal(f.operands[0], !negated)
	case logic.Implies:
		if negated {
			return both(f.operands[0], f.operands[1], false, true)
		}
		return s.Or(w.NegationNormal(f.operands[0], true), w.NegationNormal(f.operands[1], false))
	case logic.Xor, logic.Equivalent:
		g, h := f.operands[0], f.operands[1]
		if (f.operator == logic.Equivalent) != negated {
			return s.Or(both(g, h, false, false), both(g, h, true, true))
		}
		return s.Or(both(g, h, false, true), both(g, h, true, false))
	}
	operands := make([]*Formula, len(f.operands))
	for i, o := range f.operands {
		operands[i] = w.NegationNormal(o, negated)
	}
	c := f.operator
	if negated {
		c = opposite[c]
	}
	return s.Make(c, operands)
}

// Negate is the negation of f in negation normal form.
func (w *Rewriter) Negate(f *Formula) *Formula { return w.NegationNormal(f, true) }
