package linear

import (
	"context"
	"time"

	"pnmc/automata"
	"pnmc/automata/translate"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/checker/properties"
	"pnmc/petri/reduce"
)

// propertyOf returns the automaton of the negated formula, with what its propositions
// mean in a reduced net.
func propertyOf(ctx context.Context, r *core.Task, l *runs.Question, reduction *reduce.Reduction) (properties.Property, error) {
	a, err := negation(ctx, r, l)
	if err != nil {
		return properties.Property{}, err
	}
	property := properties.Property{Automaton: a}
	for _, p := range l.Letters() {
		property.Predicates = append(property.Predicates, rephrase.Renamed(rephrase.OverPlaces(r.Net, p), reduction.PlaceOf).Simplify())
	}
	return property, nil
}

// negation returns an automaton of the negated formula. It is the one that was given, or else
// that of our own translation. If that takes more than half of the time, it is that of
// another translator, if there is one.
func negation(ctx context.Context, r *core.Task, l *runs.Question) (*automata.Automaton, error) {
	lanes.Lock(ctx, &l.Translation)
	defer l.Translation.Unlock()
	if l.Automaton != nil {
		return l.Automaton, nil
	}
	translator := r.Shared.Translator
	own, cancel := ctx, context.CancelFunc(func() {})
	if deadline, ok := ctx.Deadline(); ok && translator != nil {
		own, cancel = lanes.Sliced(ctx, time.Until(deadline)/2)
	}
	defer cancel()
	a, err := translate.ToAutomaton(own, l.Formulas, l.Formula, translate.Options{Negate: true})
	if err != nil && translator != nil && ctx.Err() == nil {
		r.Note("own translation: %v; the other translator is asked", err)
		a, err = translator(lanes.Plain(ctx), l.Formulas, l.Formulas.Not(l.Formula))
	}
	if err != nil {
		return nil, err
	}
	l.Automaton = a
	return a, nil
}
