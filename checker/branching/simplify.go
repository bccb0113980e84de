package branching

import (
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// Simplify returns a formula that the initial marking of net satisfies if and only if it satisfies
// f. In other markings the two may differ.
//
// Two kinds of steps take turns, three times, as each makes room for the other. The first kind
// rewrites anywhere, by equivalences that hold in every marking:
//
//	EF EF p, EF AF p    = EF p           AG AG p, AG EG p    = AG p
//	EF E(p U q)         = EF q           AF A(p U q)         = AF q
//	EF (p ∨ q)          = EF p ∨ EF q    AG (p ∧ q)          = AG p ∧ AG q
//	AF AF p, AF EF p    = AF p, EF p     EG EG p, EG AG p    = EG p, AG p
//	E(p U EF q)         = EF q           A(p U AF q)         = AF q
//
// For example AF EF p is EF p: a path that comes to a marking with EF p can go on to one with p, so
// that all markings before have EF p as well.
//
// The second kind looks at the initial marking m, and so rewrites only at the root and below
// Boolean operators there. EF p is true if p holds in m; AG p is false if p fails in m. And a next
// can be dropped: EF EX p asks whether p is reached by one step or more, which is EF p if p does
// not hold in m yet.
//
// Deeper in the formula these facts prove nothing. In EF (q ∧ EF p), the inner EF p is asked in
// other markings than m.
func Simplify(f *ctl.Formula, net *petri.Net, initial petri.Marking) *ctl.Formula {
	s := ctlSimplifier{net: net, initial: initial, known: make(map[*ctl.Formula]*ctl.Formula)}
	for range 3 {
		f = s.root(s.everywhere(f.MergeStates()).MergeStates()).MergeStates()
	}
	return f
}

type ctlSimplifier struct {
	net     *petri.Net
	initial petri.Marking
	known   map[*ctl.Formula]*ctl.Formula // what rooted returned
}

// ctlConstant returns the formula that holds everywhere, or nowhere.
func ctlConstant(value bool) *ctl.Formula {
	if value {
		return ctl.Of(&logic.Predicate{Operator: logic.True})
	}
	return ctl.Of(&logic.Predicate{Operator: logic.False})
}

// everywhere rewrites f by equivalences that hold in every marking, operands first.
func (s *ctlSimplifier) everywhere(f *ctl.Formula) *ctl.Formula {
	if f.Operator == ctl.State {
		return ctl.Of(f.Predicate.Simplify())
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.everywhere(g)
	}
	return s.joined(f.Operator, operands)
}

// joined returns what everywhere returns for a formula of this operator, whose operands were
// rewritten already. It does not go through them again: with negations in negations each level
// would double the work, or square it.
func (s *ctlSimplifier) joined(operator ctl.Operator, operands []*ctl.Formula) *ctl.Formula {
	first := operands[0]
	last := operands[len(operands)-1]
	one := func(o ctl.Operator, g *ctl.Formula) *ctl.Formula { return s.joined(o, []*ctl.Formula{g}) }
	switch operator {
	case logic.Not:
		// Negation goes inwards through pairs that are each other's dual on
		// maximal paths.
		if dual, ok := DualOf(first.Operator); ok {
			return one(dual, one(logic.Not, first.Operands[0]))
		}
	case ctl.ExistsFinally:
		switch first.Operator {
		case ctl.ExistsFinally, ctl.AllFinally:
			return one(ctl.ExistsFinally, first.Operands[0])
		case ctl.ExistsUntil, ctl.AllUntil:
			return one(ctl.ExistsFinally, first.Operands[1])
		case logic.Or:
			return s.distribute(ctl.ExistsFinally, first)
		}
	case ctl.AllGlobally:
		switch first.Operator {
		case ctl.AllGlobally, ctl.ExistsGlobally:
			return one(ctl.AllGlobally, first.Operands[0])
		case logic.And:
			return s.distribute(ctl.AllGlobally, first)
		}
	case ctl.AllFinally:
		switch first.Operator {
		case ctl.AllFinally, ctl.ExistsFinally:
			return first // where a path leads to EF g, EF g holds from its start on
		case ctl.AllUntil:
			return one(ctl.AllFinally, first.Operands[1])
		}
	case ctl.ExistsGlobally:
		switch first.Operator {
		case ctl.ExistsGlobally, ctl.AllGlobally:
			return first // where AG g holds, it goes on holding along every path
		}
	case ctl.ExistsUntil, ctl.AllUntil:
		if first.Operator == ctl.State && first.Predicate.Operator == logic.True {
			if operator == ctl.ExistsUntil {
				return one(ctl.ExistsFinally, last)
			}
			return one(ctl.AllFinally, last)
		}
		if first.Operator == ctl.State && first.Predicate.Operator == logic.False {
			return last
		}
		// a U EF g is EF g: where EF g is reached, it held before.
		if last.Operator == ctl.ExistsFinally {
			return last
		}
		if operator == ctl.AllUntil && last.Operator == ctl.AllFinally {
			return last
		}
	}
	return ctl.New(operator, operands...)
}

// DualOf returns the operator that a negation turns the temporal operator o into as it moves inwards:
// ¬ EF p is AG ¬p. It reports false for others; Until has no dual among the operators of CTL.
func DualOf(o ctl.Operator) (dual ctl.Operator, ok bool) {
	switch o {
	case ctl.ExistsFinally:
		return ctl.AllGlobally, true
	case ctl.AllGlobally:
		return ctl.ExistsFinally, true
	case ctl.AllFinally:
		return ctl.ExistsGlobally, true
	case ctl.ExistsGlobally:
		return ctl.AllFinally, true
	case ctl.ExistsNext:
		return ctl.AllNext, true
	case ctl.AllNext:
		return ctl.ExistsNext, true
	}
	return 0, false
}

// distribute moves a temporal operator into f, a disjunction or a conjunction.
func (s *ctlSimplifier) distribute(operator ctl.Operator, f *ctl.Formula) *ctl.Formula {
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.joined(operator, []*ctl.Formula{g})
	}
	return ctl.New(f.Operator, operands...)
}

// root rewrites f, which stands at the root or below Boolean operators there, by what holds in the
// initial marking.
func (s *ctlSimplifier) root(f *ctl.Formula) *ctl.Formula {
	switch f.Operator {
	case ctl.State:
		return ctlConstant(witness.Satisfies(s.net, s.initial, f.Predicate))
	case logic.Not, logic.And, logic.Or:
		operands := make([]*ctl.Formula, len(f.Operands))
		for i, g := range f.Operands {
			operands[i] = s.root(g)
		}
		return ctl.New(f.Operator, operands...)
	}
	holds := func(g *ctl.Formula) (value, known bool) {
		if g = s.rooted(g); g.Operator == ctl.State {
			return witness.Satisfies(s.net, s.initial, g.Predicate), true
		}
		return false, false
	}
	if g, ok := s.withoutNext(f, holds); ok {
		return s.root(g)
	}
	switch f.Operator {
	case ctl.ExistsFinally, ctl.AllFinally:
		if v, known := holds(f.Operands[0]); known && v {
			return ctlConstant(true)
		}
	case ctl.ExistsGlobally, ctl.AllGlobally:
		if v, known := holds(f.Operands[0]); known && !v {
			return ctlConstant(false)
		}
	case ctl.ExistsUntil, ctl.AllUntil:
		v, known := holds(f.Operands[1])
		if known && v {
			return ctlConstant(true)
		}
		if w, alsoKnown := holds(f.Operands[0]); known && alsoKnown && !w {
			return ctlConstant(false)
		}
	}
	return f
}

// rooted returns root of g with states merged, once for each g: that of a formula is asked by all that
// it stands in.
func (s *ctlSimplifier) rooted(g *ctl.Formula) *ctl.Formula {
	merged, known := s.known[g]
	if !known {
		if merged = s.root(g); merged != g { // g is part of what was merged
			merged = merged.MergeStates()
		}
		s.known[g] = merged
	}
	return merged
}

// withoutNext drops a next that the initial marking makes superfluous. EX EF g and EF EX g ask
// whether g is reached by one step or more. That is EF g if g does not hold yet. In the same way
// AX AG g and AG AX g are AG g if g holds already.
func (s *ctlSimplifier) withoutNext(f *ctl.Formula, holds func(*ctl.Formula) (value, known bool)) (*ctl.Formula, bool) {
	for _, c := range []struct {
		next, always ctl.Operator
		already      bool // what g must be in the initial marking
	}{
		{ctl.ExistsNext, ctl.ExistsFinally, false},
		{ctl.AllNext, ctl.AllGlobally, true},
	} {
		outer := f.Operator
		if outer != c.next && outer != c.always {
			continue
		}
		inner := f.Operands[0].Operator
		if inner != c.next && inner != c.always || inner == outer {
			continue
		}
		g := f.Operands[0].Operands[0]
		if value, known := holds(g); known && value == c.already {
			return ctl.New(c.always, g), true
		}
	}
	return nil, false
}
