package degeneralize

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/complement"
	"pnmc/automata/internal/marked"
)

// Limits of the search for states whose languages are obligations.
const (
	// suffixStates is the number of states up to which an automaton is searched.
	suffixStates = 40
	// suffixComplement is the number of states up to which a complement shows that
	// the weak automaton has no word too many.
	suffixComplement = 256
)

// replaceSuffixes puts in the place of each state of a small automaton whose
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
func replaceObligations(ctx context.Context, a *automata.Automaton) (b *automata.Automaton, replaced bool, err error) {
	if a.States() > suffixStates {
		return a, false, nil
	}
	b, err = marked.Transform(ctx, a, func(ctx context.Context, r *marked.Reducible) error {
		r.Prune()
		if replaced, err = replaceSuffixes(r, ctx); err != nil || !replaced {
			return err
		}
		return r.Quotient(marked.Bisimilar, false)
	})
	if errors.Is(err, bdd.ErrTooLarge) {
		return a, false, nil
	}
	return b, replaced, err
}

// replaceSuffixes does what its namesake says to what prune left.
func replaceSuffixes(r *marked.Reducible, ctx context.Context) (replaced bool, err error) {
	n := len(r.Out)
	instead := make([]automata.State, n)
	for s := range automata.State(n) {
		instead[s] = s
		weak, err := obligationFrom(r, ctx, s, n)
		if err != nil {
			return false, err
		}
		if weak == nil {
			continue
		}
		replaced = true
		first := automata.State(len(r.Out))
		instead[s] = first + weak.Initial[0]
		for _, out := range weak.Out {
			for i, e := range out {
				out[i].To += first
				if e.Marks != 0 {
					out[i].Marks = r.All()
				}
			}
			r.Out = append(r.Out, out)
		}
	}
	for _, out := range r.Out[:n] {
		for i, e := range out {
			out[i].To = instead[e.To]
		}
	}
	for i, s := range r.Initial {
		r.Initial[i] = instead[s]
	}
	slices.Sort(r.Initial)
	r.Initial = slices.Compact(r.Initial)
	r.Prune()
	return replaced, r.Functions.Err()
}

// obligationFrom is the minimal deterministic weak automaton for the language of
// state s, with the diagrams of r, of which only the first states count; or nil if
// there is none, none that is smaller, or only one with labels of many cubes.
func obligationFrom(r *marked.Reducible, ctx context.Context, s automata.State, states int) (*marked.Reducible, error) {
	from := &marked.Reducible{Propositions: r.Propositions, Functions: r.Functions, Sets: r.Sets, Initial: []automata.State{s}}
	for _, out := range r.Out[:states] {
		from.Out = append(from.Out, slices.Clone(out))
	}
	from.Prune()
	states = len(from.Out)
	p, err := marked.NewSubsets(ctx, from, 2*states+2)
	if errors.Is(err, marked.ErrTooManyStates) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p.Accept()
	weak := p.Deterministic
	weak.Prune()
	if err := weak.MergeWeak(); err != nil {
		return nil, err
	}
	if len(weak.Out) >= states || weak.HasLongLabels() {
		return nil, r.Functions.Err()
	}
	whole, err := from.Automaton()
	if err != nil {
		return nil, err
	}
	obligation, err := weak.Automaton()
	if err != nil {
		return nil, err
	}
	equal, err := sameLanguage(ctx, whole, obligation)
	if err != nil || !equal {
		return nil, err
	}
	return weak, nil
}

// sameLanguage reports whether a and d, which is deterministic, are known to accept
// the same words.
func sameLanguage(ctx context.Context, a, d *automata.Automaton) (bool, error) {
	included := func(a *automata.Automaton, negated *automata.Automaton) (bool, error) {
		p, err := automata.Product(ctx, a, negated)
		if err != nil {
			return false, err
		}
		meet, err := automata.HasAcceptingCycle(ctx, p)
		return !meet && err == nil, err
	}
	negated, err := complement.Deterministic(ctx, d)
	if err != nil {
		return false, err
	}
	if ok, err := included(a, negated); err != nil || !ok {
		return false, err
	}
	negated, err = complement.Complement(ctx, a, suffixComplement)
	if err != nil {
		return false, ctx.Err() // too large
	}
	return included(d, negated)
}
