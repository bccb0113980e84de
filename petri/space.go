package petri

import (
	"errors"
	"fmt"
)

// Space is a state space as far as it has been explored: the markings met so
// far, interned, and the token game that finds their successors. Both the plain
// exploration and the Kripke structure stand on it. Not safe for concurrent use.
type Space struct {
	net     *Net
	facts   Facts
	layout  *Layout
	firing  *firing
	store   *Store
	initial StateID

	// parent gives each state the one it was first reached from, if some width of the
	// layout is unproven: along it, unbounded growth is noticed. Groups count, since the
	// places of one that turns out too narrow get fields of their own, and no state may
	// lack its parent then. Without unproven widths, no layout is ever widened.
	parent      chunked
	trackParent bool
	unbounded   *UnboundedError
	// capGrowth: instead of ending the exploration, a place found unbounded is
	// held at what its field can hold, once that is followUpTo.
	capGrowth  bool
	followUpTo int64

	packed  []uint64 // the marking last unpacked from the store
	held    StateID  // its number plus one, or 0
	implied []int64
}

// UnboundedError tells that a place is unbounded: some marking strictly covers
// one from which it was reached, so that the firings between can be repeated
// for ever.
type UnboundedError struct {
	Place Place
	ID    string
}

func (e *UnboundedError) Error() string { return fmt.Sprintf("place %q is unbounded", e.ID) }

// OverflowError tells that a place may get more than 2^63-1 tokens.
type OverflowError struct{ ID string }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("place %q may get more than 2^63-1 tokens", e.ID)
}

// NewSpace starts with the initial marking. Facts must hold of the net.
func NewSpace(net *Net, facts Facts) *Space {
	s := &Space{net: net, facts: facts}
	net.RefuteInitially()
	layout := NewLayout(net, facts)
	m := net.Initial()
	for {
		s.adopt(layout)
		narrow := layout.pack(m, s.packed)
		if narrow < 0 {
			break
		}
		// A claim or width that the initial marking contradicts; an unproven
		// width can always grow to hold a count below 2^63.
		layout, _ = layout.widened(narrow)
	}
	s.initial, _ = s.store.Intern(s.packed)
	if s.trackParent {
		s.parent.append(s.initial)
	}
	return s
}

// adopt starts an empty store with the given layout.
func (s *Space) adopt(l *Layout) {
	s.layout = l
	s.firing = compileFiring(l)
	s.store = NewStore(l)
	s.packed, s.held = make([]uint64, l.words), 0
	s.implied = make([]int64, len(l.implied))
	for _, f := range l.fields {
		s.trackParent = s.trackParent || !f.proven
	}
}

// Net is the net whose markings these are.
func (s *Space) Net() *Net { return s.net }

// Layout is how markings are packed now.
func (s *Space) Layout() *Layout { return s.layout }

// Len is the number of markings met so far.
func (s *Space) Len() int { return s.store.Len() }

// MemoryBytes is the space that the markings take, with their table.
func (s *Space) MemoryBytes() int64 { return s.store.MemoryBytes() + s.parent.memoryBytes() }

// Marking writes the marking of id to m, of Places() counts.
func (s *Space) Marking(id StateID, m Marking) {
	packed := make([]uint64, s.layout.words)
	s.store.Load(id, packed)
	s.layout.Unpack(packed, m)
}

// expand appends the packed successors of id to out, widening the layout as often
// as needed; since that changes the size of a marking, the error is errFlushFirst
// if out is not empty then. Others are an *UnboundedError or *OverflowError.
func (s *Space) expand(id StateID, out *[]uint64) error {
	s.hold(id)
	for {
		start := len(*out)
		narrow := s.firing.successors(s.packed, s.implied, out)
		if narrow < 0 {
			return nil
		}
		*out = (*out)[:start]
		if start > 0 {
			return errFlushFirst
		}
		if err := s.makeRoom(id, narrow); err != nil {
			return err
		}
		s.hold(id)
	}
}

// hold makes s.packed the marking of id, which it often is already: a label is asked
// for, then the successors.
func (s *Space) hold(id StateID) {
	if s.held != id+1 {
		s.store.Load(id, s.packed)
		s.held = id + 1
	}
}

// errFlushFirst asks the caller of expand to intern what is in out and to try
// again: the layout is about to change.
var errFlushFirst = errors.New("successors are waiting while the layout must be widened")

// makeRoom widens field number narrow, which some successor of id overflows,
// and packs all markings anew, with the same numbers.
func (s *Space) makeRoom(id StateID, narrow int) error {
	err := s.checkGrowth(id, narrow)
	if err != nil && !s.capGrowth {
		return err
	}
	if err != nil && s.layout.fields[narrow].capacity() >= s.followUpTo {
		s.unbounded = err
		if s.firing.capped == nil {
			s.firing.capped = make([]bool, len(s.layout.fields))
		}
		s.firing.capped[narrow] = true
		return nil
	}
	f := &s.layout.fields[narrow]
	if f.claimed() {
		s.net.Refute(f.places...)
	}
	wide, ok := s.layout.widened(narrow)
	if !ok {
		return &OverflowError{ID: s.net.PlaceLabel(f.places[0]).ID}
	}
	old, oldLayout, capped := s.store, s.layout, s.cappedPlaces()
	s.adopt(wide)
	s.capPlaces(capped)
	m := make(Marking, s.net.Places())
	packed := make([]uint64, oldLayout.words)
	for i := range old.count {
		old.Load(i, packed)
		oldLayout.Unpack(packed, m)
		if wide.pack(m, s.packed) >= 0 {
			panic("petri: a wider layout holds less")
		}
		s.store.Intern(s.packed)
		if chunk := (i + 1) >> old.shift; chunk<<old.shift == i+1 {
			old.chunks[chunk-1] = nil // a new one takes its place
		}
	}
	return nil
}

func (s *Space) cappedPlaces() []Place {
	var places []Place
	for i, c := range s.firing.capped {
		if c {
			places = append(places, s.layout.fields[i].places...)
		}
	}
	return places
}

func (s *Space) capPlaces(places []Place) {
	if len(places) == 0 {
		return
	}
	s.firing.capped = make([]bool, len(s.layout.fields))
	for _, p := range places {
		s.firing.capped[s.layout.fieldOf[p]] = true
	}
}

// checkGrowth looks, for each successor of id that puts more tokens into the
// field than fit, for an ancestor that it strictly covers.
func (s *Space) checkGrowth(id StateID, narrow int) *UnboundedError {
	f := &s.layout.fields[narrow]
	if f.group() || !s.trackParent {
		return nil
	}
	p := f.places[0]
	m := make(Marking, s.net.Places())
	s.Marking(id, m)
	for _, t := range s.net.Producers(p) {
		if !s.net.Fire(m, t) {
			continue
		}
		if m[p] > f.capacity() && s.coversAncestor(m, id) {
			return &UnboundedError{Place: p, ID: s.net.PlaceLabel(p).ID}
		}
		s.Marking(id, m)
	}
	return nil
}

// coversAncestor tells whether m has at least the tokens of id or one of its
// ancestors in each place, and more in some.
func (s *Space) coversAncestor(m Marking, id StateID) bool {
	ancestor := make(Marking, len(m))
	for {
		s.Marking(id, ancestor)
		if strictlyCovers(m, ancestor) {
			return true
		}
		if id == s.initial {
			return false
		}
		id = s.parent.at(id)
	}
}

func strictlyCovers(m, n Marking) bool {
	more := false
	for p := range m {
		if m[p] < n[p] {
			return false
		}
		more = more || m[p] > n[p]
	}
	return more
}
