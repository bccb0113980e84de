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

// replaceObligations replaces states of a small automaton by smaller automata. If the language of a
// state is an obligation property, there is a minimal deterministic weak automaton for it. If that
// has fewer states than runs from there visit, each edge to the state leads to its initial state
// instead. It reports whether there was any such state.
//
// An obligation is a Boolean combination of safety properties; a & X G b | F c is one, and G F a is
// none. A deterministic weak automaton needs no levels: in each component every cycle is accepted,
// or none.
//
// It changes no language: whenever an accepted run comes to such a state, the rest of the word is
// accepted from there by both automata or by neither. So the run may go on in the other one.
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

// replaceSuffixes replaces as replaceObligations does, in a pruned automaton.
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

// obligationFrom returns the minimal deterministic weak automaton for the language of
// state s, with the diagrams of r. Only the first states of r count, so many as given: those
// after them were added. It returns nil if there is no such automaton, none that is smaller, or
// only one with labels of many cubes. The subset construction is right for obligations only, so
// that the result is compared with the state's language before it is believed.
func obligationFrom(r *marked.Reducible, ctx context.Context, s automata.State, states int) (*marked.Reducible, error) {
	from := &marked.Reducible{Propositions: r.Propositions, Functions: r.Functions, Initial: []automata.State{s}, Graph: marked.Graph{Sets: r.Sets}}
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
// the same words: a has no word outside d, nor d one outside a. The second takes a complement of a;
// if that has more than suffixComplement states, the answer is false.
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
