package automata

import (
	"context"
	"errors"
	"math/bits"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// maxChangedEdges bounds the edges of what ReadingValuations makes.
const maxChangedEdges = 1 << 21

// matchWork is what it takes to note a change that a cube matches, and stateBytes what a state takes while it
// is numbered.
const (
	matchWork  = 8
	stateBytes = 64
)

// ErrTooManyChanges means that a testing automaton has too many propositions or edges to
// be made a plain one.
var ErrTooManyChanges = errors.New("too many propositions or edges to make a plain automaton of a testing automaton")

// mostChanging bounds the propositions: with as many, an edge may match 65,536 changes in each copy of
// its source.
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
	matched := newChangeLists(a, work)
	for i := 0; i < len(states); i++ {
		from, before := states[i], len(states)
		for e, end := a.Out(from.of); e < end; e++ {
			changes, err := matched.of(e)
			if err == nil {
				err = work.Charge(account.EdgeWork + stateBytes*(len(states)-before))
			}
			if err != nil {
				return nil, err
			}
			before = len(states)
			for _, change := range changes {
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

// changeLists are the changes that match each edge, in ascending order. They are found when an edge is
// first met: its source has a copy for each valuation, and in all of them the same changes match.
type changeLists struct {
	a       *Automaton
	work    *account.Account
	changes []uint64
	parts   []changePart // of changes, by edge
	matched []uint64     // a set of changes
}

// changePart is the part of a list from start to end, once it is known.
type changePart struct {
	known      bool
	start, end uint32
}

// newChangeLists returns the lists of an automaton of up to mostChanging propositions.
func newChangeLists(a *Automaton, work *account.Account) *changeLists {
	return &changeLists{a: a, work: work, parts: make([]changePart, a.Edges()), matched: make([]uint64, bitset.WordsFor(1<<len(a.Propositions)))}
}

// of returns the changes that match an edge. All lists together have at most maxChangedEdges of them, as each
// change becomes an edge at least once. An error is ErrTooManyChanges, or that of the account.
func (l *changeLists) of(e Edge) ([]uint64, error) {
	part := &l.parts[e]
	if part.known {
		return l.changes[part.start:part.end], nil
	}
	clear(l.matched)
	for i := range l.a.Cubes(e) {
		c := l.a.Cube(e, i)
		free := ^c[0] & (1<<len(l.a.Propositions) - 1)
		if err := l.work.Charge(matchWork << bits.OnesCount64(free)); err != nil {
			return nil, err
		}
		for some := uint64(0); ; some = (some - free) & free { // each part of free
			bitset.Add(l.matched, int(c[1]|some))
			if some == free {
				break
			}
		}
	}
	count := Marks(l.matched).Count()
	if len(l.changes)+count > maxChangedEdges {
		return nil, ErrTooManyChanges
	}
	err := l.work.Charge(len(l.matched))
	if err == nil {
		err = account.Room(l.work, l.changes, count)
	}
	if err != nil {
		return nil, err
	}
	*part = changePart{true, uint32(len(l.changes)), uint32(len(l.changes) + count)}
	for w, word := range l.matched {
		for ; word != 0; word &= word - 1 {
			l.changes = append(l.changes, uint64(64*w+bits.TrailingZeros64(word)))
		}
	}
	return l.changes[part.start:part.end], nil
}
