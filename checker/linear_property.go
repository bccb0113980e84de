package checker

import (
	"context"
	"time"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/properties"
	"pnmc/petri/reduce"
)

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

// negation is an automaton of the negated formula: the one that was given, or of our own
// translation, or if that takes more than half of the time, of the translator there may be.
func (r *task) negation(ctx context.Context, l *linear) (*automata.Automaton, error) {
	lanes.Lock(ctx, &l.translation)
	defer l.translation.Unlock()
	if l.automaton != nil {
		return l.automaton, nil
	}
	translator := r.shared.translator
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
