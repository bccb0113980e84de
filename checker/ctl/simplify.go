package ctl

import (
	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// Simplify is a formula that the initial marking of net satisfies if and only
// if it satisfies f. Below the Boolean structure at the root it uses
// equivalences that hold in every marking; at the root what the initial marking
// tells: an EF of what holds already is true.
func Simplify(f *logic.CTL, net *petri.Net, initial petri.Marking) *logic.CTL {
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

func ctlConstant(value bool) *logic.CTL {
	if value {
		return logic.CTLOf(&logic.Predicate{Operator: logic.True})
	}
	return logic.CTLOf(&logic.Predicate{Operator: logic.False})
}

// everywhere rewrites by equivalences.
func (s *ctlSimplifier) everywhere(f *logic.CTL) *logic.CTL {
	if f.Operator == logic.CTLState {
		return logic.CTLOf(f.Predicate.Simplify())
	}
	operands := make([]*logic.CTL, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.everywhere(g)
	}
	first := operands[0]
	last := operands[len(operands)-1]
	switch f.Operator {
	case logic.CTLNot:
		// Negation goes inwards through pairs that are each other's dual on
		// maximal paths.
		if dual, ok := Dual[first.Operator]; ok {
			return s.everywhere(logic.NewCTL(dual, logic.NewCTL(logic.CTLNot, first.Operands[0])))
		}
	case logic.CTLExistsFinally:
		switch first.Operator {
		case logic.CTLExistsFinally, logic.CTLAllFinally:
			return s.everywhere(logic.NewCTL(logic.CTLExistsFinally, first.Operands[0]))
		case logic.CTLExistsUntil, logic.CTLAllUntil:
			return s.everywhere(logic.NewCTL(logic.CTLExistsFinally, first.Operands[1]))
		case logic.CTLOr:
			return s.distribute(logic.CTLExistsFinally, first)
		}
	case logic.CTLAllGlobally:
		switch first.Operator {
		case logic.CTLAllGlobally, logic.CTLExistsGlobally:
			return s.everywhere(logic.NewCTL(logic.CTLAllGlobally, first.Operands[0]))
		case logic.CTLAnd:
			return s.distribute(logic.CTLAllGlobally, first)
		}
	case logic.CTLAllFinally:
		switch first.Operator {
		case logic.CTLAllFinally, logic.CTLExistsFinally:
			return first // a path to where EF g holds has it from its start on
		case logic.CTLAllUntil:
			return s.everywhere(logic.NewCTL(logic.CTLAllFinally, first.Operands[1]))
		}
	case logic.CTLExistsGlobally:
		switch first.Operator {
		case logic.CTLExistsGlobally, logic.CTLAllGlobally:
			return first // where AG g holds, it does on every path
		}
	case logic.CTLExistsUntil, logic.CTLAllUntil:
		if first.Operator == logic.CTLState && first.Predicate.Operator == logic.True {
			if f.Operator == logic.CTLExistsUntil {
				return s.everywhere(logic.NewCTL(logic.CTLExistsFinally, last))
			}
			return s.everywhere(logic.NewCTL(logic.CTLAllFinally, last))
		}
		if first.Operator == logic.CTLState && first.Predicate.Operator == logic.False {
			return last
		}
		// a U EF g is EF g: where EF g is reached, it held before.
		if last.Operator == logic.CTLExistsFinally {
			return last
		}
		if f.Operator == logic.CTLAllUntil && last.Operator == logic.CTLAllFinally {
			return last
		}
	}
	return logic.NewCTL(f.Operator, operands...)
}

var Dual = map[logic.CTLOperator]logic.CTLOperator{
	logic.CTLExistsFinally: logic.CTLAllGlobally, logic.CTLAllGlobally: logic.CTLExistsFinally,
	logic.CTLAllFinally: logic.CTLExistsGlobally, logic.CTLExistsGlobally: logic.CTLAllFinally,
	logic.CTLExistsNext: logic.CTLAllNext, logic.CTLAllNext: logic.CTLExistsNext,
}

// distribute moves a temporal operator into a disjunction or conjunction.
func (s *ctlSimplifier) distribute(operator logic.CTLOperator, f *logic.CTL) *logic.CTL {
	operands := make([]*logic.CTL, len(f.Operands))
	for i, g := range f.Operands {
		operands[i] = s.everywhere(logic.NewCTL(operator, g))
	}
	return logic.NewCTL(f.Operator, operands...)
}

// root rewrites by what holds in the initial marking.
func (s *ctlSimplifier) root(f *logic.CTL) *logic.CTL {
	switch f.Operator {
	case logic.CTLState:
		return ctlConstant(witness.Satisfies(s.net, s.initial, f.Predicate))
	case logic.CTLNot, logic.CTLAnd, logic.CTLOr:
		operands := make([]*logic.CTL, len(f.Operands))
		for i, g := range f.Operands {
			operands[i] = s.root(g)
		}
		return logic.NewCTL(f.Operator, operands...)
	}
	holds := func(g *logic.CTL) (value, known bool) {
		if g = s.root(g).MergeStates(); g.Operator == logic.CTLState {
			return witness.Satisfies(s.net, s.initial, g.Predicate), true
		}
		return false, false
	}
	if g, ok := s.withoutNext(f, holds); ok {
		return s.root(g)
	}
	switch f.Operator {
	case logic.CTLExistsFinally, logic.CTLAllFinally:
		if v, known := holds(f.Operands[0]); known && v {
			return ctlConstant(true)
		}
	case logic.CTLExistsGlobally, logic.CTLAllGlobally:
		if v, known := holds(f.Operands[0]); known && !v {
			return ctlConstant(false)
		}
	case logic.CTLExistsUntil, logic.CTLAllUntil:
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
func (s *ctlSimplifier) withoutNext(f *logic.CTL, holds func(*logic.CTL) (value, known bool)) (*logic.CTL, bool) {
	for _, c := range []struct {
		next, always logic.CTLOperator
		already      bool // what g must be in the initial marking
	}{
		{logic.CTLExistsNext, logic.CTLExistsFinally, false},
		{logic.CTLAllNext, logic.CTLAllGlobally, true},
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
			return logic.NewCTL(c.always, g), true
		}
	}
	return nil, false
}
