package petri

import (
	"context"
	"errors"
	"math"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri/internal/store"
)

// Kripke is the state graph of a net, built on the fly: markings are its states,
// firings its edges. A deadlock has one edge, to itself, on which nothing fires.
//
// The edges found are kept, so checking another automaton, or returning to a state,
// costs a look-up. Once they have used up their share of NewKripke's budget they are packed
// (edges.go), and when that does not do, further ones are found anew each time. Package multicore
// finds all states and edges with several threads (Complete). Labels are the business of a Labelling. Not safe for
// concurrent use.
type Kripke struct {
	space *space
	facts Facts

	edges edges

	selecting *selecting       // nil: states have all their edges
	added     Savings          // of views
	folder    *Folder          // nil: each marking stands for itself
	canonical *canonicalFolder // in its place, or nil

	heaviest    int64 // weight of an arc
	expanded    int64
	transitions int64

	out []uint64
	ids []StateID
}

// ErrTooManyStates says that state numbers are used up.
var ErrTooManyStates = errors.New("more than 2^32-2 states")

// NewKripke starts with the initial marking. Facts must hold of the net.
func NewKripke(net *Net, facts Facts, budget Budget) *Kripke {
	return NewKripkeWithin(context.Background(), net, facts, budget)
}

// NewKripkeWithin does what NewKripke does. How markings are packed is not thought about any longer once
// ctx ends.
func NewKripkeWithin(ctx context.Context, net *Net, facts Facts, budget Budget) *Kripke {
	a := account.New(budget)
	a.Begin(ctx)
	k := &Kripke{space: newSpace(a, net, facts), facts: facts, edges: edges{most: edgeShare(budget)}}
	*a = *account.New(budget) // who asks before Begin has no end
	k.space.capGrowth = true
	for _, a := range slices.Concat(net.pre, net.post) {
		k.heaviest = max(k.heaviest, a.Weight)
	}
	k.FollowGrowth(k.heaviest)
	return k
}

// Net returns the net whose state graph this is.
func (k *Kripke) Net() *Net { return k.space.net }

// Facts returns what is known of the net.
func (k *Kripke) Facts() Facts { return k.facts }

// Initial returns the initial state.
func (k *Kripke) Initial() StateID { return k.space.initial }

// Len returns the number of states met so far.
func (k *Kripke) Len() int { return k.space.Len() }

// Explored returns the states whose edges were asked for so far, and those edges.
func (k *Kripke) Explored() (states, transitions int64) { return k.expanded, k.transitions }

// Unbounded returns the place that was found to be unbounded, or nil. From then on
// firings that would raise it beyond what was met are left out, and the graph is
// a part of the true one.
func (k *Kripke) Unbounded() *UnboundedError { return k.space.unbounded }

// FollowGrowth asks that unbounded places are followed up to that many tokens, at
// least, before firings are left out. Edges that were left out before are then found.
func (k *Kripke) FollowGrowth(tokens int64) {
	// A step beyond, so that a marking with that many tokens has successors.
	tokens = max(tokens, 0)
	if tokens += k.heaviest; tokens < 0 {
		tokens = math.MaxInt64
	}
	if tokens <= k.space.followUpTo {
		return
	}
	k.space.followUpTo = tokens
	if k.space.firing.capped != nil {
		k.space.firing.capped, k.space.unbounded = nil, nil
		k.forgetGraph()
	}
}

// Begin begins a question, to which what is found from now on is charged, and which ends
// with ctx. States found for others remain, unless an error has left them in pieces: then
// the graph is explored anew.
func (k *Kripke) Begin(ctx context.Context) {
	k.space.account.Begin(ctx)
	if k.space.lost != nil {
		fresh := newSpace(k.space.account, k.space.net, k.facts)
		fresh.capGrowth, fresh.followUpTo, fresh.order.noted = k.space.capGrowth, k.space.followUpTo, k.space.order.noted
		k.space = fresh
		k.forgetGraph()
	}
}

// Lost reports whether an error came while markings were packed, or packed anew: they can't be looked at
// any more, nor can the labels and firings that follow from them, until Begin.
func (k *Kripke) Lost() bool { return k.space.lost != nil }

// Account returns the account of the question at hand, which Begin has begun. Successors charges
// itself; whoever else does work for the question charges it too.
func (k *Kripke) Account() *account.Account { return k.space.account }

// ForgetEdges gives up the edges that are kept, so that there is memory for something else.
// They are found anew when they are asked for, and not counted again.
func (k *Kripke) ForgetEdges() { k.edges.forget() }

// forgetGraph gives up the edges, and what was counted.
func (k *Kripke) forgetGraph() {
	k.edges = edges{most: k.edges.most}
	k.expanded, k.transitions = 0, 0
	if k.selecting != nil {
		k.selecting.part = nil
	}
}

// Marking writes the marking of s to m, of Places() counts.
func (k *Kripke) Marking(s StateID, m Marking) { k.space.Marking(s, m) }

// Tokens writes the tokens that some places have in s to counts.
func (k *Kripke) Tokens(s StateID, places []Place, counts []int64) {
	k.space.hold(s)
	for i, p := range places {
		counts[i] = k.space.layout.Tokens(k.space.packed, p)
	}
}

// Kept returns the destinations of the edges of s if they are kept, otherwise nil;
// not to be modified, and valid until those of another state are asked for.
func (k *Kripke) Kept(s StateID) []StateID {
	row, _ := k.edges.kept(s)
	return row
}

// IsComplete reports whether the edges of all states were found and are kept.
func (k *Kripke) IsComplete() bool { return k.expanded == int64(k.Len()) && !k.edges.missing }

// Reader returns a Kripke structure of the states and edges that k has, for a thread that reads them
// while others do. Its work is charged to a. It serves while k is complete and nobody changes k: it
// explores nothing.
func (k *Kripke) Reader(a *account.Account) *Kripke {
	r, s := *k, *k.space
	s.account, s.held = a, 0
	s.packed, s.implied = store.Apart[uint64](len(s.packed)), store.Apart[int64](len(s.implied))
	r.space, r.out, r.ids = &s, nil, nil
	r.edges.unpacked, r.edges.copied = 0, nil
	return &r
}

// Row returns what Successors does, of a complete graph, and reports whether that is the edge of a
// deadlock.
func (k *Kripke) Row(s StateID) (row []StateID, deadlock bool) { return k.edges.kept(s) }

// Successors returns the destinations of the edges of s: one for each enabled transition,
// or for each that Select chooses. There is always one, unless Unbounded left some out. Do
// not modify the result, which is valid until the next call. An error is an *OverflowError,
// ErrTooManyStates, or a reason of the account.
func (k *Kripke) Successors(s StateID) ([]StateID, error) {
	if kept := k.Kept(s); kept != nil {
		return kept, nil
	}
	space := k.space
	if space.lost != nil {
		return nil, space.lost
	}
	if k.selecting != nil {
		return k.selectedSuccessors(s)
	}
	return k.allSuccessors(s)
}

// allSuccessors finds all successors anew.
func (k *Kripke) allSuccessors(s StateID) ([]StateID, error) {
	space := k.space
	ids := k.ids[:0]
	for c := (cursor{}); !c.done(space.firing); {
		k.out = k.out[:0]
		if narrow := space.expand(s, &k.out, &c); narrow >= 0 {
			if err := space.makeRoom(s, narrow); err != nil {
				return nil, err
			}
			c, ids = cursor{}, ids[:0]
			continue
		}
		if narrow := k.fold(); narrow >= 0 {
			if err := space.makeRoom(s, narrow); err != nil {
				return nil, err
			}
			c, ids = cursor{}, ids[:0]
			continue
		}
		n := len(k.out) / space.layout.words
		if cap(ids) < len(ids)+n+1 {
			if err := account.Room(space.account, ids, n+1); err != nil {
				return nil, err
			}
			ids = slices.Grow(ids, n+1)
		}
		ids = ids[:len(ids)+n]
		if err := space.intern(k.out, ids[len(ids)-n:]); err != nil {
			return nil, err
		}
		if space.trackParent {
			for space.parent.Length < space.Len() {
				space.parent.Append(s)
			}
		}
	}
	k.ids = ids
	deadlock := false
	if len(ids) == 0 && !space.firing.cutOff(space.packed, space.implied) {
		ids, deadlock = append(ids, s), true
		if err := space.account.Charge(0); err != nil { // nothing is interned, which would ask
			return nil, err
		}
	}
	space.account.Add(space.firing.tryWork())
	return k.keep(s, ids, deadlock)
}

// keep keeps the edges of s if there is room, and counts them once: a state whose edges were not found
// before, and the edges that are firings. An error is the account's.
func (k *Kripke) keep(s StateID, ids []StateID, deadlock bool) ([]StateID, error) {
	fresh := !k.edges.known(s)
	k.edges.row.GrowTo(k.space.Len())
	ids, err := k.edges.keep(k.space.account, s, ids, deadlock)
	if err == nil && fresh {
		k.expanded++
		if !deadlock {
			k.transitions += int64(len(ids))
		}
	}
	return ids, err
}

// NoteFirings asks that Fired knows what fires, or not any longer. It is for plain nets of which Select
// leaves out nothing.
func (k *Kripke) NoteFirings(note bool) { k.space.order.noted = note }

// Fired appends what fires on the edges that Successors found anew when it was last called, in their
// order; of a deadlock that is nothing. NoteFirings was called before.
func (k *Kripke) Fired(list []Transition) []Transition {
	for _, r := range k.space.order.enabled {
		list = append(list, k.space.firing.rules[r].transition)
	}
	return list
}

// Deadlock reports whether s enables no transition.
func (k *Kripke) Deadlock(s StateID) bool {
	space := k.space
	if space.lost != nil { // there are no rules
		m := make(Marking, space.net.Places())
		space.Marking(s, m)
		return space.net.Deadlock(m)
	}
	space.hold(s)
	k.out = k.out[:0]
	space.account.Add(space.firing.tryWork())
	// A successor that does not fit, or was left out for being too large, is one. The first
	// batch has one if there is any.
	narrow := space.firing.successors(space.packed, space.implied, &k.out, new(cursor))
	return narrow < 0 && len(k.out) == 0 && !space.firing.cutOff(space.packed, space.implied)
}

// Firing finds a transition that leads from one state to another; ok is false
// if there is none. It fires transitions one by one on an unpacked marking, and
// is meant for telling a counterexample.
func (k *Kripke) Firing(from, to StateID) (t Transition, ok bool) {
	return firingBetween(k.space.net, k.space, from, to)
}
