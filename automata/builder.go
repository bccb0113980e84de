package automata

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pnmc/internal/account"
)

// Builder collects the parts of an Automaton.
type Builder struct {
	// Name, Kind and Claims become those of the automaton.
	Name   string
	Kind   Kind
	Claims Claims

	propositions []string
	acceptance   Acceptance
	states       int
	names        []string
	initial      []State
	edges        []builderEdge
	cubes        []uint64
	marks        []uint64
	account      *account.Account // or nil
	err          error            // why there are edges missing
}

// builderEdge is an edge as it was added. Its marks lie at its own number in marks, as they have
// the same length for all edges.
type builderEdge struct {
	source, destination State
	cubeEnd             int // offset into cubes, in words; an edge's cubes start where the previous one's end
}

// NewBuilder starts an automaton without states over these propositions.
func NewBuilder(propositions []string, acceptance Acceptance) *Builder {
	return &Builder{propositions: propositions, acceptance: acceptance}
}

// Within stops the adding of edges when ctx ends or its limit of memory is reached. Build
// then returns the reason.
func (b *Builder) Within(ctx context.Context) { b.account = account.Of(ctx) }

// AddState adds a state with a name, which may be empty.
func (b *Builder) AddState(name string) State {
	s := State(b.states)
	b.states++
	if name != "" {
		for len(b.names) < int(s) {
			b.names = append(b.names, "")
		}
		b.names = append(b.names, name)
	}
	return s
}

// AddStates adds unnamed states until there are n.
func (b *Builder) AddStates(n int) { b.states = max(b.states, n) }

// SetStateName names a state that was added; the empty name is none.
func (b *Builder) SetStateName(s State, name string) {
	if name == "" && int(s) >= len(b.names) {
		return
	}
	for len(b.names) <= int(s) {
		b.names = append(b.names, "")
	}
	b.names[s] = name
}

// AddInitial makes s an initial state; a repetition is ignored.
func (b *Builder) AddInitial(s State) { b.initial = append(b.initial, s) }

// AddEdge adds an edge. Its label is copied; an edge whose label is empty is
// kept but never taken. Marks have the words that the acceptance sets need.
func (b *Builder) AddEdge(from State, label Label, marks Marks, to State) {
	if b.account != nil && !b.hasRoom(len(label)) {
		return
	}
	for _, c := range label {
		b.cubes = append(b.cubes, c...)
	}
	b.marks = append(b.marks, marks...)
	b.edges = append(b.edges, builderEdge{from, to, len(b.cubes)})
}

// hasRoom charges an edge of so many cubes, reserves what the tables grow by, and
// reports whether there is room.
func (b *Builder) hasRoom(cubes int) bool {
	if b.err == nil {
		b.err = account.Room(b.account, b.cubes, cubes*2*WordsFor(len(b.propositions)))
	}
	if b.err == nil {
		b.err = account.Room(b.account, b.marks, MarkWordsFor(b.acceptance.Sets))
	}
	if b.err == nil {
		b.err = account.Room(b.account, b.edges, 1)
	}
	return b.err == nil
}

// Build makes the automaton, with the edges of each state in the order in which they were added.
// The Builder must not be used afterwards. With an error there is no automaton. The error
// reports a state, set or proposition that does not exist, marks or cubes of a wrong length, or
// a cube with an unnegated proposition that does not occur in it. It also reports an automaton
// that is too large for 32-bit numbers, and the limits of Within.
func (b *Builder) Build() (*Automaton, error) {
	if b.account != nil && b.err == nil {
		b.err = b.account.Reserve(8*(len(b.cubes)+len(b.marks)) + bytesPerBuiltEdge*len(b.edges))
	}
	if b.err != nil {
		return nil, b.err
	}
	if uint64(b.states) >= math.MaxUint32 || uint64(len(b.edges)) >= math.MaxUint32 {
		return nil, errors.New("more than 2^32-2 states or edges")
	}
	a := &Automaton{
		Name: b.Name, Kind: b.Kind, Propositions: b.propositions, Acceptance: b.acceptance,
		Claims:    b.Claims,
		cubeWords: WordsFor(len(b.propositions)), markWords: MarkWordsFor(b.acceptance.Sets),
	}
	if len(b.names) > 0 {
		a.StateNames = append(b.names, make([]string, b.states-len(b.names))...)
	}
	isInitial := make([]bool, b.states)
	for _, s := range b.initial {
		if int(s) >= b.states {
			return nil, fmt.Errorf("initial state %d of %d states", s, b.states)
		}
		if !isInitial[s] {
			isInitial[s] = true
			a.initial = append(a.initial, s)
		}
	}
	if len(b.marks) != len(b.edges)*a.markWords {
		return nil, fmt.Errorf("%d words of marks for %d edges of %d words", len(b.marks), len(b.edges), a.markWords)
	}
	if err := a.layOut(b); err != nil {
		return nil, err
	}
	if err := a.checkWords(); err != nil {
		return nil, err
	}
	return a, nil
}

// bytesPerBuiltEdge are those of an edge in an automaton, and while it is laid out, beside
// its cubes and marks.
const bytesPerBuiltEdge = 16

// checkWords looks at the bits of cubes and marks, on which matching relies.
func (a *Automaton) checkWords() error {
	for at := 0; at < len(a.cubes); at += 2 * a.cubeWords {
		for w := range a.cubeWords {
			care, value := a.cubes[at+w], a.cubes[at+a.cubeWords+w]
			if value&^care != 0 {
				return errors.New("a cube has the value of a proposition that it does not mention")
			}
			if care&^wordMask(len(a.Propositions), w) != 0 {
				return fmt.Errorf("a cube mentions more than %d propositions", len(a.Propositions))
			}
		}
	}
	for at, marks := range a.marks {
		if marks&^wordMask(a.Acceptance.Sets, at%a.markWords) != 0 {
			return fmt.Errorf("an edge is in more than %d acceptance sets", a.Acceptance.Sets)
		}
	}
	return nil
}

// wordMask has the bits that word number w has if there are n bits in all.
func wordMask(n, w int) uint64 {
	switch rest := n - 64*w; {
	case rest <= 0:
		return 0
	case rest >= 64:
		return math.MaxUint64
	default:
		return 1<<rest - 1
	}
}

// layOut sorts the edges by source, stably, by counting.
//
// For example, the edges 1→0, 0→1 and 1→1 of two states are added in this order. State 0 has one
// edge, state 1 two, so that edgeStart is 0, 1, 3: the edges of state s are those from
// edgeStart[s] on, before edgeStart[s+1]. The order of the edges becomes 0→1, 1→0, 1→1. Both
// passes are linear, and edges of one state keep their order.
func (a *Automaton) layOut(b *Builder) error {
	stride := 2 * a.cubeWords
	a.edgeStart = make([]uint32, b.states+1)
	for _, e := range b.edges {
		if int(e.source) >= b.states || int(e.destination) >= b.states {
			return fmt.Errorf("edge from state %d to %d of %d states", e.source, e.destination, b.states)
		}
		a.edgeStart[e.source+1]++
	}
	for s := range b.states {
		a.edgeStart[s+1] += a.edgeStart[s]
	}
	order := make([]uint32, len(b.edges))
	next := append([]uint32(nil), a.edgeStart[:b.states]...)
	for i, e := range b.edges {
		order[next[e.source]] = uint32(i)
		next[e.source]++
	}
	a.source = make([]State, len(order))
	a.destination = make([]State, len(order))
	a.cubeStart = make([]uint32, len(order)+1)
	a.cubes = make([]uint64, 0, len(b.cubes))
	a.marks = make([]uint64, 0, len(b.marks))
	for i, o := range order {
		e, first := b.edges[o], 0
		if o > 0 {
			first = b.edges[o-1].cubeEnd
		}
		if (e.cubeEnd-first)%stride != 0 {
			return fmt.Errorf("edge from state %d: cubes not of %d words", e.source, stride)
		}
		a.source[i], a.destination[i] = e.source, e.destination
		a.cubes = append(a.cubes, b.cubes[first:e.cubeEnd]...)
		a.cubeStart[i+1] = uint32(len(a.cubes) / stride)
		at := int(o) * a.markWords
		a.marks = append(a.marks, b.marks[at:at+a.markWords]...)
	}
	return nil
}
