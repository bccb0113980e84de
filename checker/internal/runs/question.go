package runs

import (
	"sync"

	"pnmc/automata"
	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
)

// Question is a question of linear time: a formula, or an automaton of the negation, over
// propositions and what they mean.
type Question struct {
	Formulas   *ltl.Formulas
	Formula    *ltl.Formula       // nil: there is an automaton only
	Negated    *ltl.Formula       // the negation of formula, in normal form; nil if there is none
	Predicates []*logic.Predicate // by proposition, of the automaton if there is no formula
	Budget     account.Budget     // within which the automaton is asked, if there is no formula

	// Translation guards Formulas and Automaton, that of the negation, once the
	// lanes of a task ask for it.
	Translation sync.Mutex
	Automaton   *automata.Automaton
	stutter     stuttering

	terminal []bool // by state of an automaton that was given, once FindTerminal was called
}

// Letters returns what the automaton's propositions mean, once there is one.
func (l *Question) Letters() []*logic.Predicate {
	if l.Formula == nil {
		return l.Predicates
	}
	number := make(map[string]int)
	for i, name := range l.Formulas.Propositions() {
		number[name] = i
	}
	var list []*logic.Predicate
	for _, name := range l.Automaton.Propositions {
		list = append(list, l.Predicates[number[name]])
	}
	return list
}

// Predicate returns a Boolean formula as a state predicate.
func (l *Question) Predicate(f *ltl.Formula) *logic.Predicate { return StatePredicate(f, l.Predicates) }

// StatePredicate returns a Boolean formula as a state predicate, whose propositions mean what
// predicates say.
func StatePredicate(f *ltl.Formula, predicates []*logic.Predicate) *logic.Predicate {
	if f.Operator() == ltl.Atom {
		return predicates[f.Proposition()]
	}
	var operands []*logic.Predicate
	for _, g := range f.Operands() {
		operands = append(operands, StatePredicate(g, predicates))
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
