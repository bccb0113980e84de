package petri

import (
	"slices"

	"pnmc/internal/account"
)

// ancestry is what an exploration knows of how its markings were reached.
type ancestry interface {
	// Marking writes the marking of id to m, of Places() counts.
	Marking(id StateID, m Marking)
	// Parent returns the state that id was first reached from. ok is false for the initial
	// one.
	Parent(id StateID) (parent StateID, ok bool)
}

// growth looks for a way of the token game that can be repeated and adds tokens.
type growth struct {
	ancestry
	net     *Net
	account *account.Account
	most    int // ancestors to look at; 0: all
}

// CheckGrowth looks at each successor of id that puts more tokens into a field than fit.
// It searches for an ancestor that this successor strictly covers, and equals in the
// watched places. It is nil if there is none; an error is the account's.
func (l *Layout) CheckGrowth(a *account.Account, of ancestry, id StateID, narrow int) (*UnboundedError, error) {
	f := &l.fields[narrow]
	if f.group() {
		return nil, nil
	}
	s := &growth{ancestry: of, net: l.net, account: a}
	p := f.places[0]
	present, m := make(Marking, s.net.Places()), make(Marking, s.net.Places())
	s.Marking(id, present)
	copy(m, present)
	for _, t := range s.net.Producers(p) {
		if err := a.Charge(firingWork(s.net, t)); err != nil {
			return nil, err
		}
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
		for _, a := range s.net.Pre(t) {
			m[a.Place] = present[a.Place]
		}
		for _, a := range s.net.Post(t) {
			m[a.Place] = present[a.Place]
		}
		for _, q := range s.net.Resets(t) {
			m[q] = present[q]
		}
	}
	return nil, nil
}

// firingWork is about what it takes to fire a transition in an unpacked marking, in nanoseconds.
func firingWork(net *Net, t Transition) int { return 16 + 8*(len(net.Pre(t))+len(net.Post(t))) }

// CheckAncestors reports whether the marking of id strictly covers one of its ancestors, and equals it in the
// watched places, so that the way between can be repeated for ever. It looks at mostAncestors at most. An error is
// the account's.
//
// CheckGrowth looks when a field is full, and each time that it finds nothing the field gets twice the
// bits. So it may look at 3, 15 and 255 tokens, and then at 65,535, before which there are more markings
// than anybody explores. Who explores long has more looks by this.
func (l *Layout) CheckAncestors(a *account.Account, of ancestry, id StateID) (bool, error) {
	parent, ok := of.Parent(id)
	if !ok {
		return false, nil
	}
	s := &growth{ancestry: of, net: l.net, account: a}
	m := make(Marking, s.net.Places())
	s.Marking(id, m)
	last := Transition(0)
	if !l.net.Plain() {
		if last, ok = firingBetween(l.net, of, parent, id); !ok {
			return false, nil
		}
	}
	s.most = mostAncestors
	return s.coversAncestor(m, parent, last)
}

// mostAncestors bounds what CheckAncestors looks at.
const mostAncestors = 1 << 12

// coversAncestor reports whether m has at least the tokens of id or one of its
// ancestors in each place, and more in some, so that the way between can be repeated. It is what
// last leads to from id.
func (s *growth) coversAncestor(m Marking, id StateID, last Transition) (bool, error) {
	ancestor := make(Marking, len(m))
	var back []StateID        // id and its ancestors so far, in nets that are not plain
	way := []Transition{last} // what leads on from these, as far as it was asked for
	for n := 0; s.most == 0 || n < s.most; n++ {
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
		parent, ok := s.Parent(id)
		if !ok {
			return false, nil
		}
		id = parent
	}
	return false, nil
}

// repeats reports whether the way from an ancestor, the last of back, to m can be repeated.
func (s *growth) repeats(ancestor, m Marking, back []StateID, way *[]Transition) (bool, error) {
	for n := len(*way); n < len(back); n++ {
		if err := s.account.Charge(16*s.net.Transitions() + 8*len(m)); err != nil {
			return false, err
		}
		t, ok := firingBetween(s.net, s, back[n], back[n-1])
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
func firingBetween(net *Net, of ancestry, from, to StateID) (t Transition, ok bool) {
	source, target := make(Marking, net.Places()), make(Marking, net.Places())
	of.Marking(from, source)
	of.Marking(to, target)
	return net.FiringBetween(source, target, make(Marking, net.Places()))
}

// FiringBetween returns a transition that leads from one marking to another; ok is false if there
// is none. It writes to scratch, which is as long as they are.
//
// A firing changes few places of many. So the places that differ are counted once, and a transition leads there if it changes
// as many, each to what it is to be. That takes each place, transition and arc once.
func (n *Net) FiringBetween(from, to, scratch Marking) (t Transition, ok bool) {
	different := 0
	for p := range from {
		if from[p] != to[p] {
			different++
		}
	}
	copy(scratch, from)
	for t := range Transition(n.Transitions()) {
		if !n.Enabled(from, t) {
			continue
		}
		fired, right, wrong := n.Fire(scratch, t), 0, false
		undo := func(p Place) { // a place that is met again is as it was
			switch {
			case scratch[p] == from[p]:
				return
			case scratch[p] == to[p]:
				right++
			default:
				wrong = true
			}
			scratch[p] = from[p]
		}
		for _, a := range n.Pre(t) {
			undo(a.Place)
		}
		for _, a := range n.Post(t) {
			undo(a.Place)
		}
		for _, p := range n.Resets(t) {
			undo(p)
		}
		if fired && !wrong && right == different {
			return t, true
		}
	}
	return 0, false
}

// strictlyCovers reports whether m has at least the tokens of n everywhere, and more somewhere.
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
