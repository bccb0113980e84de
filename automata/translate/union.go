package translate

import (
	"pnmc/automata"
	"pnmc/internal/bitset"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// disjuncts returns formulas of which f is the disjunction, or none.
func (w *work) disjuncts(f *ltl.Formula) []*ltl.Formula {
	switch f.Operator() {
	case logic.Or:
		return f.Operands()
	case ltl.Finally:
		if inner := f.Operands()[0]; inner.Operator() == logic.Or {
			var list []*ltl.Formula
			for _, g := range inner.Operands() {
				list = append(list, w.formulas.Finally(g))
			}
			return list
		}
	}
	return nil
}

// union returns the automaton of a disjunction that is too large for a tableau. A tableau has a
// state for each set of disjuncts that may still hold. The union has the disjuncts' automata side by
// side instead, each with its own initial states, so that a run chooses at the start which disjunct
// it shows. For ten disjuncts of ten states each that is 100 states, where the tableau may have
// 10^10; but it is not deterministic.
//
// An automaton with fewer acceptance sets than another has all its edges in the sets it lacks. If f
// is no disjunction, or the union is too large, union returns the error that it was given.
func (w *work) union(f *ltl.Formula, tooLarge error) (*automata.Automaton, error) {
	list := w.disjuncts(f)
	if list == nil {
		return nil, tooLarge
	}
	var parts []*automata.Automaton
	states, edges, sets := 0, 0, 0
	for _, g := range list {
		a, err := w.automaton(w.rewriter.Simplify(g))
		if err != nil {
			return nil, err
		}
		parts = append(parts, a)
		states += a.States()
		edges += a.Edges()
		sets = max(sets, a.Acceptance.Sets)
		if states > w.limits.States || edges > w.limits.Edges {
			return nil, tooLarge
		}
	}
	b := automata.NewBuilder(w.formulas.Propositions(), automata.GeneralizedBuchi(sets))
	first := automata.State(0)
	for _, a := range parts {
		b.AddStates(int(first) + a.States())
		for _, s := range a.Initial() {
			b.AddInitial(first + s)
		}
		for s := range automata.State(a.States()) {
			for e, end := a.Out(s); e < end; e++ {
				marks := make(automata.Marks, automata.MarkWordsFor(sets))
				copy(marks, a.Marks(e))
				for i := a.Acceptance.Sets; i < sets; i++ { // sets that other parts have
					bitset.Add(marks, i)
				}
				b.AddEdge(first+s, a.Label(e), marks, first+a.Destination(e))
			}
		}
		first += automata.State(a.States())
	}
	return b.Build()
}
