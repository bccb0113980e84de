package checker

import (
	"sync"

	"pnmc/automata"
	"pnmc/checker/internal/rephrase"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// linear is a question of linear time: a formula, or an automaton of the negation, over
// propositions and what they mean.
type linear struct {
	formulas   *ltl.Formulas
	formula    *ltl.Formula       // nil: there is an automaton only
	negated    *ltl.Formula       // the negation of formula, in normal form; nil if there is none
	predicates []*logic.Predicate // by proposition, of the automaton if there is no formula

	// translation guards formulas and automaton, that of the negation, once the
	// lanes of a task ask for it.
	translation sync.Mutex
	automaton   *automata.Automaton
	stutter     stuttering
}

// letters are what the automaton's propositions mean, once there is one.
func (l *linear) letters() []*logic.Predicate {
	if l.formula == nil {
		return l.predicates
	}
	number := make(map[string]int)
	for i, name := range l.formulas.Propositions() {
		number[name] = i
	}
	var list []*logic.Predicate
	for _, name := range l.automaton.Propositions {
		list = append(list, l.predicates[number[name]])
	}
	return list
}

// predicate is a Boolean formula as a state predicate.
func (l *linear) predicate(f *ltl.Formula) *logic.Predicate { return statePredicate(f, l.predicates) }

// statePredicate is a Boolean formula as a state predicate, whose propositions mean what
// predicates say.
func statePredicate(f *ltl.Formula, predicates []*logic.Predicate) *logic.Predicate {
	if f.Operator() == ltl.Atom {
		return predicates[f.Proposition()]
	}
	var operands []*logic.Predicate
	for _, g := range f.Operands() {
		operands = append(operands, statePredicate(g, predicates))
	}
	switch f.Operator() {
	case logic.False:
		return &logic.Predicate{Operator: logic.False}
	case logic.True:
		return &logic.Predicate{Operator: logic.True}
	case logic.Not:
		return rephrase.Not(operands[0])
	case logic.And:
		return &logic.Predicate{Operator: logic.And, Operands: operands}
	case logic.Or:
		return &logic.Predicate{Operator: logic.Or, Operands: operands}
	case logic.Equivalent:
		return &logic.Predicate{Operator: logic.Equivalent, Operands: operands}
	case logic.Xor:
		return rephrase.Not(&logic.Predicate{Operator: logic.Equivalent, Operands: operands})
	}
	return &logic.Predicate{Operator: logic.Or, Operands: []*logic.Predicate{rephrase.Not(operands[0]), operands[1]}} // Implication
}
