package complement

import (
	"context"
	"errors"
	"fmt"

	"pnmc/automata"
	"pnmc/automata/internal/effort"
)

// ErrTooLarge means that a complement has more states than its limit, or too many letters.
var ErrTooLarge = errors.New("complement larger than the limit")

// Complement returns an automaton over the same propositions that accepts the words
// that a rejects. For a deterministic a it is what Deterministic returns. For any other it is the
// reachable part of a Complementation. That is exponential in the states of a at worst, and also
// in the propositions of its labels. An error is that of a testing automaton or of the context, or
// ErrTooLarge for more than limit states or too many letters.
func Complement(ctx context.Context, a *automata.Automaton, limit int) (*automata.Automaton, error) {
	if a.Kind != automata.Plain {
		return nil, errors.New("only plain automata have a complement here, not testing automata")
	}
	if deterministic, _ := automata.IsDeterministic(ctx, a); deterministic {
		return Deterministic(ctx, a)
	}
	c, err := NewComplementation(ctx, a, limit)
	if err != nil {
		return nil, err
	}
	c.letters = effort.New(ctx, lettersWork)
	b := automata.NewBuilder(a.Propositions, c.Acceptance())
	b.Within(ctx)
	b.Name = complementName(a)
	b.AddInitial(0)
	for s := uint32(0); int(s) < c.Known(); s++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.AddStates(c.Known())
		err := c.Out(s, automata.NewCube(len(a.Propositions)), func(l automata.Label, marks automata.Marks, to uint32) {
			b.AddStates(c.Known())
			b.AddEdge(automata.State(s), l, marks, automata.State(to))
		})
		if errors.Is(err, effort.ErrSpent) {
			return nil, ErrTooLarge
		} else if err != nil {
			return nil, err
		}
	}
	return b.Build()
}

// lettersWork is how many words of cubes are looked at to tell letters apart: half a second.
const lettersWork = 1 << 26

// complementName returns what the complement of a is called; empty if a has no name.
func complementName(a *automata.Automaton) string {
	if a.Name == "" {
		return ""
	}
	return fmt.Sprintf("complement of %s", a.Name)
}

// Deterministic returns the complement of a deterministic automaton: the same
// one, its condition negated, with a sink to go to for ever where it has no edge.
//
// It is right because a word has at most one run. If that run never leaves a, the negated
// condition accepts exactly the words that a rejects. If there is no edge for a letter, a rejects
// the word. The run then goes to the sink, whose loop is in a new set, and no other edge is. So
// the condition is "the negation, or the new set again and again".
//
// For example, a has one state with one loop labelled p in set 0, and accepts by Inf(0): p always
// holds. The complement has the sink as a second state, an edge labelled !p to it, and the
// condition Fin(0) | Inf(1). The word p for ever is in set 0 again and again and never in set 1;
// any other word reaches the sink.
//
// It has one state and one set more than a. The labels that are missing are computed,
// at worst exponentially in the propositions of a state. An error is
// ErrTooLarge if that is too much, or that of the context.
func Deterministic(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	negation := a.Acceptance.Condition.Negation()
	// The new set is that of the runs that left a, which rejects their words.
	left := a.Acceptance.Sets
	b := automata.NewBuilder(a.Propositions, automata.Acceptance{
		Sets:      left + 1,
		Condition: &automata.Condition{Operator: automata.ConditionOr, Operands: []*automata.Condition{negation, {Operator: automata.Inf, Set: left}}},
	})
	b.Within(ctx)
	b.Name = complementName(a)
	b.Claims = automata.ClaimDeterministic | automata.ClaimComplete
	b.AddStates(a.States() + 1)
	sink := automata.State(a.States())
	marks := automata.NewMarks(left + 1)
	missed := effort.New(ctx, missingWork)
	for s := range automata.State(a.States()) {
		var union automata.Label
		for e, end := a.Out(s); e < end; e++ {
			clear(marks)
			copy(marks, a.Marks(e))
			b.AddEdge(s, a.Label(e), marks, a.Destination(e))
			union = append(union, a.Label(e)...)
		}
		missing := complement(union, len(a.Propositions), missed)
		if errors.Is(missed.Err, effort.ErrSpent) {
			return nil, ErrTooLarge
		} else if missed.Err != nil {
			return nil, missed.Err
		}
		if len(missing) > 0 {
			b.AddEdge(s, missing, automata.NewMarks(left+1), sink)
		}
	}
	b.AddEdge(sink, automata.Label{automata.NewCube(len(a.Propositions))}, automata.NewMarks(left+1, left), sink)
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

// complement returns the label of the valuations that l does not match, in disjoint cubes. It
// splits by the first proposition that leaves open whether l matches, until l matches all
// valuations of the path or none. The result is not whole once the effort has ended.
func complement(l automata.Label, propositions int, e *effort.Bound) automata.Label {
	var missing automata.Label
	var split func(rest automata.Label, path automata.Cube)
	split = func(rest automata.Label, path automata.Cube) {
		if !e.Spend((len(rest) + 1) * len(path) * 2) {
			return
		}
		p, undecided := rest.FirstProposition()
		switch {
		case len(rest) == 0:
			missing = append(missing, path)
		case undecided:
			split(rest.Where(p, false), path.With(p, false))
			split(rest.Where(p, true), path.With(p, true))
		}
	}
	split(l, automata.NewCube(propositions))
	return missing
}
