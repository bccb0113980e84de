package automata

import (
	"context"
	"errors"
	"slices"

	"pnmc/internal/account"
)

// maxChangedEdges bounds the edges of what ReadingValuations makes.
const maxChangedEdges = 1 << 21

// matchWork is what it takes to match a change with a cube.
const matchWork = 8

// ErrTooManyChanges means that a testing automaton has too many propositions or edges to
// be made a plain one.
var ErrTooManyChanges = errors.New("too many propositions or edges to make a plain automaton of a testing automaton")

// mostChanging bounds the propositions: with as many, each edge is tried with 65,536 changes in each
// copy of its source.
const mostChanging = 16

// ReadingValuations returns a plain automaton that accepts the words that the testing automaton a
// does; a itself if it is plain. A state is one of a with the valuation read last, from which
// labels tell what changes (see Lasso.Changes). For n propositions there are at worst 2^n times
// the states and 4^n times the edges, which is why there is ErrTooManyChanges. It ends with ctx,
// and keeps to the budget that ctx carries.
//
// For example, an edge labelled with the change of a alone. In the copy of its source in which the
// last valuation was a & b, the edge is labelled !a & b, and leads to the copy for that.
func ReadingValuations(ctx context.Context, a *Automaton) (*Automaton, error) {
	if a.Kind == Plain {
		return a, nil
	}
	n := len(a.Propositions)
	if n > mostChanging {
		return nil, ErrTooManyChanges
	}
	type state struct {
		of   State
		last uint64
	}
	b := NewBuilder(a.Propositions, a.Acceptance)
	b.Name = a.Name
	b.Within(ctx)
	work := account.Of(ctx)
	number := map[state]State{}
	var states []state
	visit := func(s state) State {
		m, known := number[s]
		if !known {
			m = State(len(states))
			number[s] = m
			states = append(states, s)
		}
		return m
	}
	for _, s := range a.Initial() { // the first valuation is a change from nothing
		b.AddInitial(visit(state{s, 0}))
	}
	edges := 0
	for i := 0; i < len(states); i++ {
		from := states[i]
		for e, end := a.Out(from.of); e < end; e++ {
			if err := work.Charge(matchWork * (1 + a.Cubes(e)) << n); err != nil {
				return nil, err
			}
			for change := range uint64(1) << n {
				if !a.Matches(e, Valuation{change}) {
					continue
				}
				if edges++; edges > maxChangedEdges {
					return nil, ErrTooManyChanges
				}
				letter := from.last ^ change
				b.AddEdge(State(i), Label{{1<<n - 1, letter}}, slices.Clone(a.Marks(e)), visit(state{a.Destination(e), letter}))
			}
		}
	}
	b.AddStates(len(states))
	return b.Build()
}
