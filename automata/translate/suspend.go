package translate

import (
	"errors"

	"pnmc/automata"
	"pnmc/automata/reduce"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// suspendFrom is the number of suspendable conjuncts from which they are
// translated one by one. With fewer, a tableau of the whole formula gives the
// smaller automaton; with more it has an edge for each set of them.
//
// A conjunct is suspendable if a run has it if and only if each suffix of the run has it: G F p does
// not depend on any finite prefix. So it need not be watched while the rest of the formula is still
// under way, and the automaton of the rest watches it in its accepting components only. For example,
// G F p1 & … & G F p10 & F q: one tableau has about 2^10 edges for each state, since an edge says
// which of the ten it fulfils. The automaton of F q has two states, and ten more edges at the second.
const suspendFrom = 6

// spreadAbove is the number of edges between two states above which an edge for
// each acceptance set does instead of one for each set of them.
const spreadAbove = 32

// suspendable splits a conjunction into its suspendable conjuncts, such as GF p,
// and the rest.
func (w *work) suspendable(f *ltl.Formula) (rest *ltl.Formula, parts []*ltl.Formula) {
	var others []*ltl.Formula
	for _, g := range conjuncts(f) {
		if !g.Has(ltl.Suspendable) {
			others = append(others, g)
			continue
		}
		if g.Operator() != ltl.Globally {
			parts = append(parts, g)
			continue
		}
		for _, h := range conjuncts(g.Operands()[0]) { // G(F p & F q)
			parts = append(parts, w.formulas.Globally(h))
		}
	}
	return w.formulas.And(others...), parts
}

// conjuncts returns the operands of a conjunction, and any other formula as its only one.
func conjuncts(f *ltl.Formula) []*ltl.Formula {
	if f.Operator() == logic.And {
		return f.Operands()
	}
	return []*ltl.Formula{f}
}

// automaton returns the smallest automaton of f found, where many suspendable
// conjuncts are translated apart. A disjunction whose tableau is too large becomes a union.
func (w *work) automaton(f *ltl.Formula) (*automata.Automaton, error) {
	rest, parts := w.suspendable(f)
	if len(parts) < suspendFrom {
		a, err := w.best(f)
		if errors.Is(err, ErrLimit) {
			return w.union(f, err)
		}
		if err != nil {
			return nil, err
		}
		return reduce.SpreadMarks(w.ctx, a, spreadAbove)
	}
	var conditions []*automata.Automaton
	for _, part := range parts {
		a, err := w.best(part)
		if err != nil {
			return nil, err
		}
		if a.States() == 1 {
			conditions = append(conditions, a)
		} else {
			rest = w.formulas.And(rest, part)
		}
	}
	a, err := w.best(w.rewriter.Simplify(rest))
	if err != nil {
		return nil, err
	}
	if a, err = reduce.Suspend(w.ctx, a, conditions); err != nil {
		return nil, limit(err, manyEdges)
	}
	simpler, err := reduce.SimplifyAcceptance(w.ctx, a)
	if errors.Is(err, reduce.ErrTooManySets) {
		return a, nil
	}
	return simpler, err
}
