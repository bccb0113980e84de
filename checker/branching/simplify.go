package branching

import (
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// Simplify is a formula that the initial marking of net satisfies if and only
// if it satisfies f. Below the Boolean structure at the root it uses
// equivalences that hold in every marking; at the root what the initial marking
// tells: an EF of what holds already is true.
func Simplify(f *ctl.Formula, net *petri.Net, initial petri.Marking) *ctl.Formula {
	s := ctlSimplifier{net: net, initial: initial}
	for range 3 {
		f = s.root(s.everywhere(f.MergeStates()).MergeStates()).MergeStates()
	}
	return f
}

type ctlSimplifier struct {
	net     *petri.Net
	initial petri.Marking
}

func ctlConstant(value bool) *ctl.Formula {
	if value {
		return ctl.Of(&logic.Predicate{Operator: logic.True})
	}
	return ctl.Of(&logic.Predicate{Operator: logic.False})
}

// everywhere rewrites by equivalences.
func (s *ctlSimplifier) everywhere(f *ctl.Formula) *ctl.Formula {
	if f.Operator == ctl.State {
		return ctl.Of(f.Predicate.Simplify())
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.everywhere(g)
	}
	first := operands[0]
	last := operands[len(operands)-1]
	switch f.Operator {
	case logic.Not:
		// Negation goes inwards through pairs that are each other's dual on
		// maximal paths.
		if dual, ok := Dual[first.Operator]; ok {
			return s.everywhere(ctl.New(dual, ctl.New(logic.Not, first.Operands[0])))
		}
	case ctl.ExistsFinally:
		switch first.Operator {
		case ctl.ExistsFinally, ctl.AllFinally:
			return s.everywhere(ctl.New(ctl.ExistsFinally, first.Operands[0]))
		case ctl.ExistsUntil, ctl.AllUntil:
			return s.everywhere(ctl.New(ctl.ExistsFinally, first.Operands[1]))
		case logic.Or:
			return s.distribute(ctl.ExistsFinally, first)
		}
	case ctl.AllGlobally:
		switch first.Operator {
		case ctl.AllGlobally, ctl.ExistsGlobally:
			return s.everywhere(ctl.New(ctl.AllGlobally, first.Operands[0]))
		case logic.And:
			return s.distribute(ctl.AllGlobally, first)
		}
	case ctl.AllFinally:
		switch first.Operator {
		case ctl.AllFinally, ctl.ExistsFinally:
			return first // a path to where EF g holds has it from its start on
		case ctl.AllUntil:
			return s.everywhere(ctl.New(ctl.AllFinally, first.Operands[1]))
		}
	case ctl.ExistsGlobally:
		switch first.Operator {
		case ctl.ExistsGlobally, ctl.AllGlobally:
			return first // where AG g holds, it does on every path
		}
	case ctl.ExistsUntil, ctl.AllUntil:
		if first.Operator == ctl.State && first.Predicate.Operator == logic.True {
			if f.Operator == ctl.ExistsUntil {
				return s.everywhere(ctl.New(ctl.ExistsFinally, last))
			}
			return s.everywhere(ctl.New(ctl.AllFinally, last))
		}
		if first.Operator == ctl.State && first.Predicate.Operator == logic.False {
			return last
		}
		// a U EF g is EF g: where EF g is reached, it held before.
		if last.Operator == ctl.ExistsFinally {
			return last
		}
		if f.Operator == ctl.AllUntil && last.Operator == ctl.AllFinally {
			return last
		}
	}
	return ctl.New(f.Operator, operands...)
}

var Dual = map[ctl.Operator]ctl.Operator{
	ctl.ExistsFinally: ctl.AllGlobally, ctl.AllGlobally: ctl.ExistsFinally,
	ctl.AllFinally: ctl.ExistsGlobally, ctl.ExistsGlobally: ctl.AllFinally,
	ctl.ExistsNext: ctl.AllNext, ctl.AllNext: ctl.ExistsNext,
}

// distribute moves a temporal operator into a disjunction or conjunction.
func (s *ctlSimplifier) distribute(operator ctl.Operator, f *ctl.Formula) *ctl.Formula {
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.everywhere(ctl.New(operator, g))
	}
	return ctl.New(f.Operator, operands...)
}

// root rewrites by what holds in the initial marking.
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
		if g = s.root(g).MergeStates(); g.Operator == ctl.State {
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

// withoutNext drops a next that the initial marking makes superfluous: EX EF g and
// EF EX g ask whether g is reached by one step or more, which is EF g where g does
// not hold yet; AX AG g and AG AX g likewise.
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
