package petri

import (
	"fmt"

	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri/internal/store"
)

// StateID numbers a marking of a state space, from 0 in the order of arrival.
type StateID = store.Number

// space is a state space as far as it has been explored: the markings met so
// far, interned, and the token game that finds their successors. Both the plain
// exploration and the Kripke structure stand on it. Not safe for concurrent use.
type space struct {
	net     *Net
	facts   Facts
	layout  *Layout
	firing  *firing
	store   *store.Store
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

	order ruleOrder

	account *account.Account // of the question at hand
	lost    error            // why what was found is lost, or nil

	packed  []uint64 // the marking last unpacked from the store
	held    StateID  // its number plus one, or 0
	implied []int64
}

// UnboundedError says that a place is unbounded: some marking strictly covers one from
// which it was reached. So the firings between them can be repeated for ever
// (Net.Pumps).
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

// newSpace starts with the initial marking, and charges a. Facts must hold of the net. Where the account has no room for
// the rules, the space is lost.
func newSpace(a *account.Account, net *Net, facts Facts) *space {
	s := &space{net: net, facts: facts, account: a}
	layout, packed := net.InitialLayout(a, facts)
	s.lost = s.adopt(layout)
	s.initial, _ = s.store.Intern(packed)
	if s.trackParent {
		s.parent.Append(s.initial)
	}
	return s
}

// adopt starts an empty store with the given layout. After an error of the account there are no rules.
func (s *space) adopt(l *Layout) (err error) {
	s.layout = l
	if s.firing, err = compileFiring(s.account, l); err != nil {
		s.firing = &firing{layout: l, batch: 1}
	}
	s.store = store.New(l.words, l.bytes)
	s.packed, s.held = make([]uint64, l.words), 0
	s.implied = make([]int64, len(l.implied))
	s.trackParent = s.trackParent || l.Unproven()
	return err
}

// Net returns the net whose markings these are.
func (s *space) Net() *Net { return s.net }

// Layout returns how markings are packed now.
func (s *space) Layout() *Layout { return s.layout }

// Len returns the number of markings met so far.
func (s *space) Len() int { return s.store.Len() }

// MemoryBytes returns the space that the markings take, with their table.
func (s *space) MemoryBytes() int64 { return s.store.MemoryBytes() + s.parent.MemoryBytes() }

// Marking writes the marking of id to m, of Places() counts.
func (s *space) Marking(id StateID, m Marking) {
	packed := make([]uint64, s.layout.words)
	s.store.Load(id, packed)
	s.layout.Unpack(packed, m)
}

// hold makes s.packed the marking of id, which it often is already: a label is asked
// for, then the successors.
func (s *space) hold(id StateID) {
	if s.held != id+1 {
		s.store.Load(id, s.packed)
		s.held = id + 1
	}
}

// expand appends packed successors of id to out. It begins where c says, and stops when
// there are many or c is done. It returns -1, or the number of a field that is too
// narrow for one of them. In the latter case out is what it was. Call makeRoom, which
// changes the size of a marking, and expand id from the beginning.
func (s *space) expand(id StateID, out *[]uint64, c *cursor) int {
	s.hold(id)
	start := len(*out)
	var narrow int
	if s.order.mixed || s.order.noted {
		narrow = s.order.successors(s.firing, s.packed, s.implied, out, c)
	} else {
		narrow = s.firing.successors(s.packed, s.implied, out, c)
	}
	if narrow >= 0 {
		*out = (*out)[:start]
	}
	return narrow
}

// makeRoom widens field number narrow, which some successor of id overflows, and packs
// all markings anew, with the same numbers. Nothing may wait to be interned. After an
// error of the account the markings are lost; lost keeps it.
func (s *space) makeRoom(id StateID, narrow int) error {
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
	wide, err := s.layout.Widened(narrow)
	if err != nil {
		return err
	}
	if err := s.account.Reserve(s.store.TableBytes()); err != nil {
		return err
	}
	return s.repack(wide)
}

// repack takes a wider layout.
func (s *space) repack(wide *Layout) error {
	old, oldLayout, capped := s.store, s.layout, s.cappedPlaces()
	s.order.begin(s.firing)
	if s.lost = s.adopt(wide); s.lost != nil {
		return s.lost
	}
	s.order.follow(s.firing)
	s.capPlaces(capped)
	m := make(Marking, s.net.Places())
	packed := make([]uint64, oldLayout.words)
	for i := range StateID(old.Len()) {
		if err := s.account.Charge(8 * len(m)); err != nil {
			s.lost = err
			return err
		}
		old.Load(i, packed)
		oldLayout.Unpack(packed, m)
		if wide.Pack(m, s.packed) >= 0 {
			panic("petri: a wider layout holds less")
		}
		s.store.Intern(s.packed)
		old.Forget(i + 1) // new chunks take the place of old ones
	}
	return nil
}

// mostStates is how many states there are numbers for. Tests lower it.
var mostStates = store.MaxStates

// intern interns markings that lie one after the other in packed and writes their numbers
// to ids, after it has asked whether there is room for them.
func (s *space) intern(packed []uint64, ids []StateID) error {
	if err := s.account.Charge(16 * len(packed)); err != nil {
		return err
	}
	if more := s.store.Growth(len(ids)); more > 0 {
		if err := s.account.Reserve(more); err != nil {
			return err
		}
	}
	if s.Len() > mostStates-len(ids) {
		return ErrTooManyStates
	}
	s.store.InternAll(packed, ids)
	return nil
}

// cappedPlaces returns the places whose fields must not be widened.
func (s *space) cappedPlaces() []Place {
	var places []Place
	for i, c := range s.firing.capped {
		if c {
			places = append(places, s.layout.fields[i].places...)
		}
	}
	return places
}

// capPlaces forbids to widen the fields of these places: firings that would overflow them are left
// out.
func (s *space) capPlaces(places []Place) {
	if len(places) == 0 {
		return
	}
	s.firing.capped = make([]bool, len(s.layout.fields))
	for _, p := range places {
		s.firing.capped[s.layout.fieldOf[p]] = true
	}
}

// Parent returns the state that id was first reached from; ok is false for the initial one.
func (s *space) Parent(id StateID) (parent StateID, ok bool) {
	if id == s.initial {
		return 0, false
	}
	return s.parent.At(id), true
}

// checkGrowth calls CheckGrowth of the field that a successor of id overflows.
func (s *space) checkGrowth(id StateID, narrow int) (*UnboundedError, error) {
	if !s.trackParent {
		return nil, nil
	}
	return s.layout.CheckGrowth(s.account, s, id, narrow)
}
