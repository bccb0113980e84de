package petri

import (
	"fmt"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/growing"
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
	parent      growing.Numbers
	trackParent bool
	unbounded   *UnboundedError
	// capGrowth: instead of ending the exploration, a place found unbounded is
	// held at what its field can hold, once that is followUpTo.
	capGrowth  bool
	followUpTo int64

	account *account.Account // of the question at hand
	broken  bool             // what was found is lost

	packed  []uint64 // the marking last unpacked from the store
	held    StateID  // its number plus one, or 0
	implied []int64
}

// UnboundedError says that a place is unbounded: some marking strictly covers
// one from which it was reached, so that the firings between can be repeated
// for ever (Net.Pumps).
type UnboundedError struct {
	Place Place
	ID    string
}

func (e *UnboundedError) Error() string { return fmt.Sprintf("place %q is unbounded", e.ID) }

// OverflowError says that a place may get more than 2^63-1 tokens.
type OverflowError struct{ ID string }

func (e *OverflowError) Error() string {
	return fmt.Sprintf("place %q may get more than 2^63-1 tokens", e.ID)
}

// NewSpace starts with the initial marking. Facts must hold of the net.
func NewSpace(net *Net, facts Facts) *Space {
	s := &Space{net: net, facts: facts, account: new(account.Account)}
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
		s.parent.Append(s.initial)
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

// Net returns the net whose markings these are.
func (s *Space) Net() *Net { return s.net }

// Layout returns how markings are packed now.
func (s *Space) Layout() *Layout { return s.layout }

// Len returns the number of markings met so far.
func (s *Space) Len() int { return s.store.Len() }

// MemoryBytes returns the space that the markings take, with their table.
func (s *Space) MemoryBytes() int64 { return s.store.MemoryBytes() + s.parent.MemoryBytes() }

// Marking writes the marking of id to m, of Places() counts.
func (s *Space) Marking(id StateID, m Marking) {
	packed := make([]uint64, s.layout.words)
	s.store.Load(id, packed)
	s.layout.Unpack(packed, m)
}

// hold makes s.packed the marking of id, which it often is already: a label is asked
// for, then the successors.
func (s *Space) hold(id StateID) {
	if s.held != id+1 {
		s.store.Load(id, s.packed)
		s.held = id + 1
	}
}

// expand appends packed successors of id to out, from those that c tells on, until there
// are many or c is done. It returns the number of a field that is too narrow for one of
// them, or -1; out is then what it was, and id is to be expanded from the beginning after
// makeRoom, which changes the size of a marking.
func (s *Space) expand(id StateID, out *[]uint64, c *cursor) int {
	s.hold(id)
	start := len(*out)
	narrow := s.firing.successors(s.packed, s.implied, out, c)
	if narrow >= 0 {
		*out = (*out)[:start]
	}
	return narrow
}

// makeRoom widens field number narrow, which some successor of id overflows,
// and packs all markings anew, with the same numbers. Nothing may wait to be interned.
// After an error of the account the markings are lost, which broken tells.
func (s *Space) makeRoom(id StateID, narrow int) error {
	unbounded, err := s.checkGrowth(id, narrow)
	if err != nil {
		return err
	}
	if unbounded != nil && !s.capGrowth {
		return unbounded
	}
	if unbounded != nil && s.layout.fields[narrow].capacity() >= s.followUpTo {
		s.unbounded = unbounded
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
	if err := s.account.Reserve(len(s.store.table) * slotsPerChunk * 4); err != nil {
		return err
	}
	return s.repack(wide)
}

// ruleWork is about what it costs to compile a rule, in nanoseconds.
const ruleWork = 200

// repack takes a wider layout.
func (s *Space) repack(wide *Layout) error {
	s.account.Add(ruleWork * len(s.firing.rules)) // compiling the rules anew can't be cut short
	old, oldLayout, capped := s.store, s.layout, s.cappedPlaces()
	s.adopt(wide)
	s.capPlaces(capped)
	m := make(Marking, s.net.Places())
	packed := make([]uint64, oldLayout.words)
	for i := range old.count {
		if err := s.account.Charge(8 * len(m)); err != nil {
			s.broken = true
			return err
		}
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

// intern interns markings that lie one after the other in packed and writes their numbers
// to ids, after it has asked whether there is room for them.
func (s *Space) intern(packed []uint64, ids []StateID) error {
	if err := s.account.Charge(16 * len(packed)); err != nil {
		return err
	}
	if more := s.store.growth(len(ids)); more > 0 {
		if err := s.account.Reserve(more); err != nil {
			return err
		}
	}
	if s.Len() > maxStates-len(ids) {
		return ErrTooManyStates
	}
	s.store.internAll(packed, ids)
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
// field than fit, for an ancestor that it strictly covers, and in the places that are
// watched equals.
// It is nil if there is none; an error is the account's.
func (s *Space) checkGrowth(id StateID, narrow int) (*UnboundedError, error) {
	f := &s.layout.fields[narrow]
	if f.group() || !s.trackParent {
		return nil, nil
	}
	p := f.places[0]
	m := make(Marking, s.net.Places())
	s.Marking(id, m)
	for _, t := range s.net.Producers(p) {
		if !s.net.Fire(m, t) {
			continue
		}
		if m[p] > f.capacity() {
			covers, err := s.coversAncestor(m, id, t)
			if err != nil {
				return nil, err
			}
			if covers {
				return &UnboundedError{Place: p, ID: s.net.PlaceLabel(p).ID}, nil
			}
		}
		s.Marking(id, m)
	}
	return nil, nil
}

// coversAncestor reports whether m has at least the tokens of id or one of its
// ancestors in each place, and more in some, so that the way between can be repeated. It is what
// last leads to from id.
func (s *Space) coversAncestor(m Marking, id StateID, last Transition) (bool, error) {
	ancestor := make(Marking, len(m))
	var back []StateID        // id and its ancestors so far, in nets that are not plain
	way := []Transition{last} // what leads on from these, as far as it was asked for
	for {
		if err := s.account.Charge(4 * len(m)); err != nil {
			return false, err
		}
		s.Marking(id, ancestor)
		if s.net.Pumps(ancestor, m) {
			return true, nil
		}
		if !s.net.Plain() {
			if back = append(back, id); strictlyCovers(m, ancestor) {
				repeats, err := s.repeats(ancestor, m, back, &way)
				if repeats || err != nil {
					return repeats, err
				}
			}
		}
		if id == s.initial {
			return false, nil
		}
		id = s.parent.At(id)
	}
}

// repeats reports whether the way from an ancestor, the last of back, to m can be repeated.
func (s *Space) repeats(ancestor, m Marking, back []StateID, way *[]Transition) (bool, error) {
	for n := len(*way); n < len(back); n++ {
		if err := s.account.Charge(16*s.net.Transitions() + 8*len(m)); err != nil {
			return false, err
		}
		t, ok := s.firingBetween(back[n], back[n-1])
		if !ok {
			return false, nil
		}
		*way = append(*way, t)
	}
	if err := s.account.Charge(8 * len(back)); err != nil {
		return false, err
	}
	return s.net.RepeatsBy(ancestor, m, slices.Values(*way)), nil
}

// firingBetween returns a transition that leads from one marking to another; ok is false if there is
// none.
func (s *Space) firingBetween(from, to StateID) (t Transition, ok bool) {
	source, target := make(Marking, s.net.Places()), make(Marking, s.net.Places())
	s.Marking(from, source)
	s.Marking(to, target)
	m := make(Marking, s.net.Places())
	for t := range Transition(s.net.Transitions()) {
		if !s.net.Enabled(source, t) {
			continue
		}
		copy(m, source)
		if s.net.Fire(m, t) && slices.Equal(m, target) {
			return t, true
		}
	}
	return 0, false
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
