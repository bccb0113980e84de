package automata

import (
	"context"
	"errors"
	"slices"
)

// Limits of the search for states whose languages are obligations.
const (
	// suffixStates is the number of states up to which an automaton is searched.
	suffixStates = 40
	// suffixComplement is the number of states up to which a complement shows that
	// the weak automaton has no word too many.
	suffixComplement = 256
)

// replaceObligations puts in the place of each state of a small automaton whose
// language is an obligation property the minimal deterministic weak automaton for
// that language, if that has fewer states than runs from there visit; it tells
// whether there was any. Each edge to the state then leads to that automaton's
// initial state, which changes no language: an accepted run may go over to an
// accepted run of the other for the same rest of the word, whenever it comes to such
// a state, and the other way round.
//
// The languages of the states that are left are unions of those of states of a,
// since subsets of states were determinized. Nothing is replaced where labels become
// too large.
func replaceObligations(ctx context.Context, a *Automaton) (b *Automaton, replaced bool, err error) {
	if a.States() > suffixStates {
		return a, false, nil
	}
	b, err = transform(ctx, a, func(ctx context.Context, r *reducible) error {
		r.prune()
		if replaced, err = r.replaceObligations(ctx); err != nil {
			return err
		}
		return r.quotient(bisimilar, false)
	})
	if errors.Is(err, ErrFunctionTooLarge) {
		return a, false, nil
	}
	return b, replaced, err
}

// replaceObligations does what its namesake says to what prune left.
func (r *reducible) replaceObligations(ctx context.Context) (replaced bool, err error) {
	n := len(r.out)
	instead := make([]State, n)
	for s := range State(n) {
		instead[s] = s
		weak, err := r.obligationFrom(ctx, s, n)
		if err != nil {
			return false, err
		}
		if weak == nil {
			continue
		}
		replaced = true
		first := State(len(r.out))
		instead[s] = first + weak.initial[0]
		for _, out := range weak.out {
			for i, e := range out {
				out[i].to += first
				if e.marks != 0 {
					out[i].marks = r.all()
				}
			}
			r.out = append(r.out, out)
		}
	}
	for _, out := range r.out[:n] {
		for i, e := range out {
			out[i].to = instead[e.to]
		}
	}
	for i, s := range r.initial {
		r.initial[i] = instead[s]
	}
	slices.Sort(r.initial)
	r.initial = slices.Compact(r.initial)
	r.prune()
	return replaced, r.functions.Err()
}

// obligationFrom is the minimal deterministic weak automaton for the language of
// state s, with the diagrams of r, of which only the first states count; or nil if
// there is none, or none that is smaller.
func (r *reducible) obligationFrom(ctx context.Context, s State, states int) (*reducible, error) {
	from := &reducible{propositions: r.propositions, functions: r.functions, sets: r.sets, initial: []State{s}}
	for _, out := range r.out[:states] {
		from.out = append(from.out, slices.Clone(out))
	}
	from.prune()
	states = len(from.out)
	p, err := newSubsets(ctx, from, 2*states+2)
	if errors.Is(err, ErrTooManyStates) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.accept()
	weak := p.deterministic
	weak.prune()
	weak.mergeWeak()
	if len(weak.out) >= states {
		return nil, r.functions.Err()
	}
	whole, err := from.automaton()
	if err != nil {
		return nil, err
	}
	obligation, err := weak.automaton()
	if err != nil {
		return nil, err
	}
	equal, err := sameLanguage(ctx, whole, obligation)
	if err != nil || !equal {
		return nil, err
	}
	return weak, nil
}

// sameLanguage tells whether a and d, which is deterministic, are known to accept
// the same words.
func sameLanguage(ctx context.Context, a, d *Automaton) (bool, error) {
	included := func(a *Automaton, negated *Automaton) (bool, error) {
		p, err := Product(ctx, a, negated)
		if err != nil {
			return false, err
		}
		meet, err := HasAcceptingCycle(ctx, p)
		return !meet && err == nil, err
	}
	negated, err := ComplementDeterministic(ctx, d)
	if err != nil {
		return false, err
	}
	if ok, err := included(a, negated); err != nil || !ok {
		return false, err
	}
	negated, err = Complement(ctx, a, suffixComplement)
	if err != nil {
		return false, ctx.Err() // too large
	}
	return included(d, negated)
}
