package automata

import (
	"context"
	"errors"
	"fmt"
)

// ErrComplementTooLarge tells that a complement has more states than its limit.
var ErrComplementTooLarge = errors.New("complement larger than the limit")

// Complement is an automaton over the same propositions that accepts the words
// that a rejects: for a deterministic a, see ComplementDeterministic, and for any
// other the part of a Complementation that is reachable, which is exponential in a
// at worst. An error tells of a testing automaton, of more than limit states, or
// of a context that ended.
func Complement(ctx context.Context, a *Automaton, limit int) (*Automaton, error) {
	if a.Kind != Plain {
		return nil, errors.New("only plain automata have a complement here, not testing automata")
	}
	if IsDeterministic(ctx, a) {
		return ComplementDeterministic(ctx, a)
	}
	c, err := NewComplementation(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	b := NewBuilder(a.Propositions, c.Acceptance())
	b.Within(ctx)
	b.Name = complementName(a)
	b.AddInitial(0)
	for s := uint32(0); int(s) < c.Known(); s++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.AddStates(c.Known())
		err := c.Out(s, NewCube(len(a.Propositions)), func(l Label, marks Marks, to uint32) {
			b.AddStates(c.Known())
			b.AddEdge(State(s), l, marks, State(to))
		})
		if err != nil {
			return nil, err
		}
	}
	return b.Build()
}

func complementName(a *Automaton) string {
	if a.Name == "" {
		return ""
	}
	return fmt.Sprintf("complement of %s", a.Name)
}

// ComplementDeterministic is the complement of a deterministic automaton: the same
// one, its condition negated, with a state to go to for ever where it has no edge.
// One state and one set more at most; the labels that are missing are computed,
// at worst exponentially in the propositions of a state. An error is
// ErrComplementTooLarge if that is too much, or that of the context.
func ComplementDeterministic(ctx context.Context, a *Automaton) (*Automaton, error) {
	negation := a.Acceptance.Condition.negation()
	// The new set tells of the runs that left a, which rejects them.
	left := a.Acceptance.Sets
	b := NewBuilder(a.Propositions, Acceptance{
		Sets:      left + 1,
		Condition: &Condition{Operator: ConditionOr, Operands: []*Condition{negation, {Operator: Inf, Set: left}}},
	})
	b.Within(ctx)
	b.Name = complementName(a)
	b.Claims = ClaimDeterministic | ClaimComplete
	b.AddStates(a.States() + 1)
	sink := State(a.States())
	marks := NewMarks(left + 1)
	missed := newEffort(ctx, missingWork)
	for s := range State(a.States()) {
		var union Label
		for e, end := a.Out(s); e < end; e++ {
			clear(marks)
			copy(marks, a.Marks(e))
			b.AddEdge(s, a.Label(e), marks, a.Destination(e))
			union = append(union, a.Label(e)...)
		}
		missing := union.complement(len(a.Propositions), missed)
		if errors.Is(missed.err, errEffort) {
			return nil, ErrComplementTooLarge
		} else if missed.err != nil {
			return nil, missed.err
		}
		if len(missing) > 0 {
			b.AddEdge(s, missing, NewMarks(left+1), sink)
		}
	}
	b.AddEdge(sink, Label{NewCube(len(a.Propositions))}, NewMarks(left+1, left), sink)
	if len(a.Initial()) == 0 {
		b.AddInitial(sink)
	}
	for _, s := range a.Initial() {
		b.AddInitial(s)
	}
	return b.Build()
}

// missingWork is how many words of cubes are looked at to complement labels: some tenths of
// a second.
const missingWork = 1 << 24

// complement is the label of the valuations that l does not match, its cubes
// being disjoint. It is not whole once the effort has ended.
func (l Label) complement(propositions int, e *effort) Label {
	var missing Label
	var split func(rest Label, path Cube)
	split = func(rest Label, path Cube) {
		if !e.spend((len(rest) + 1) * len(path) * 2) {
			return
		}
		p, undecided := rest.FirstProposition()
		switch {
		case len(rest) == 0:
			missing = append(missing, path)
		case undecided:
			split(rest.where(p, false), path.With(p, false))
			split(rest.where(p, true), path.With(p, true))
		}
	}
	split(l, NewCube(propositions))
	return missing
}
