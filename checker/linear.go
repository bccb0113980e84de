package checker

import (
	"context"
	"strconv"
	"sync"
	"time"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/properties"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/petri/reduce"
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

// askLinear puts a question of linear time. One that says "always p" of a state
// predicate p is a question about reachability too.
func (r *task) askLinear(ctx context.Context, number int, asked Question, initial petri.Marking) {
	var l *linear
	switch asked := asked.(type) {
	case Linear:
		l = r.linearOf(asked)
	case Automaton:
		l = r.automatonOf(ctx, asked)
	}
	q := &question{number: number, ltl: l, simplifiedBy: r.simplifiedBy()}
	if value := r.linearInitially(l, initial); value != unknown {
		r.ledger.ask(q)
		r.ledger.answerNow(q, Truth(value == yes), InitialState, decidedInitially)
		return
	}
	if f := l.formula; f != nil && alwaysBoolean(f) { // once it is simplified
		q.onReached, q.onUnreachable, q.onlyAtoms = Truth(false), Truth(true), true
		r.ledger.ask(q, &atom{goal: rephrase.Not(l.predicate(f.Operands()[0])).Simplify()})
		return
	}
	if l.formula == nil {
		if p := l.needed(ctx); p != nil && p.Operator != logic.True {
			q.onUnreachable = Truth(true)
			r.ledger.ask(q, &atom{goal: p})
			return
		}
	}
	r.ledger.ask(q)
}

// linearOf says a formula over the nodes of the net. Each largest part without temporal
// operators becomes one proposition, but for constants and negations, which rewriting
// may use.
func (r *task) linearOf(asked Linear) *linear {
	l := &linear{formulas: ltl.NewFormulas()}
	s := l.formulas
	known := make(map[*ltl.Formula]*ltl.Formula)
	var convert func(f *ltl.Formula) *ltl.Formula
	proposition := func(f *ltl.Formula) *ltl.Formula {
		switch p := r.predicate(statePredicate(f, asked.Predicates)); p.Operator {
		case logic.True:
			return s.True()
		case logic.False:
			return s.False()
		default:
			l.predicates = append(l.predicates, p)
			return s.Atom(strconv.Itoa(len(l.predicates)))
		}
	}
	convert = func(f *ltl.Formula) *ltl.Formula {
		if g := known[f]; g != nil {
			return g
		}
		var g *ltl.Formula
		if c := f.Operator(); f.Has(ltl.Boolean) && c != logic.Not && c != logic.True && c != logic.False {
			g = proposition(f)
		} else {
			operands := make([]*ltl.Formula, len(f.Operands()))
			for i, o := range f.Operands() {
				operands[i] = convert(o)
			}
			g = s.Make(c, operands)
		}
		known[f] = g
		return g
	}
	rewriter := ltl.NewRewriter(s)
	l.formula = rewriter.Simplify(rewriter.NegationNormal(convert(asked.Formula), false))
	l.negated = rewriter.NegationNormal(l.formula, true)
	return l
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

// propertyOf is the automaton of the negated formula, with what its propositions
// mean in a reduced net.
func (r *task) propertyOf(ctx context.Context, l *linear, reduction *reduce.Reduction) (properties.Property, error) {
	a, err := r.negation(ctx, l)
	if err != nil {
		return properties.Property{}, err
	}
	property := properties.Property{Automaton: a}
	for _, p := range l.letters() {
		property.Predicates = append(property.Predicates, rephrase.Renamed(rephrase.OverPlaces(r.net, p), reduction.PlaceOf).Simplify())
	}
	return property, nil
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

// negation is an automaton of the negated formula: the one that was given, or of our own
// translation, or if that takes more than half of the time, of the translator there may be.
func (r *task) negation(ctx context.Context, l *linear) (*automata.Automaton, error) {
	lanes.Lock(ctx, &l.translation)
	defer l.translation.Unlock()
	if l.automaton != nil {
		return l.automaton, nil
	}
	translator := r.solver.options.Translator
	own, cancel := ctx, context.CancelFunc(func() {})
	if deadline, ok := ctx.Deadline(); ok && translator != nil {
		own, cancel = lanes.Sliced(ctx, time.Until(deadline)/2)
	}
	defer cancel()
	a, err := translate.ToAutomaton(own, l.formulas, l.formula, translate.Options{Negate: true})
	if err != nil && translator != nil && ctx.Err() == nil {
		r.note("own translation: %v; the other translator is asked", err)
		a, err = translator(lanes.Plain(ctx), l.formulas, l.formulas.Not(l.formula))
	}
	if err != nil {
		return nil, err
	}
	l.automaton = a
	return a, nil
}
