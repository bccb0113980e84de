package petri

import (
	"context"
	"errors"
	"math"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/growing"
)

// Kripke is the state graph of a net, built on the fly: markings are its states,
// firings its edges. A deadlock has one edge, to itself, on which nothing fires.
//
// The edges found are kept, so checking another automaton, or returning to a state,
// costs a look-up. Once they have used up their share of NewKripke's budget, further
// ones are found anew each time. Labels are the business of a Labelling. Not safe for
// concurrent use.
type Kripke struct {
	space *space
	facts Facts

	// row gives each state the position of its edges plus one, 0 if they are not
	// kept. At that position lie their number and the destinations.
	row      growing.Numbers
	edges    [][]uint32
	edgesEnd int
	large    map[StateID][]StateID // rows too long for a chunk
	maxEdges int64
	// largeEdges are the edges of rows in large.
	largeEdges int64

	selecting *selecting // nil: states have all their edges
	folder    *Folder    // nil: each marking stands for itself

	heaviest    int64 // weight of an arc
	expanded    int64
	transitions int64

	out []uint64
	ids []StateID
}

const (
	edgesPerChunk = 1 << 16
	// largeRow marks in Kripke.row that the edges are in Kripke.large, and
	// notKept that they were found but are not kept.
	largeRow = 1<<32 - 1
	notKept  = 1<<32 - 2
	// deadlockBit marks in a row's length that its only edge fires nothing.
	deadlockBit = 1 << 31
)

// ErrTooManyStates says that state numbers are used up.
var ErrTooManyStates = errors.New("more than 2^32-2 states")

// NewKripke starts with the initial marking. Facts must hold of the net.
func NewKripke(net *Net, facts Facts, budget Budget) *Kripke {
	k := &Kripke{space: newSpace(net, facts), facts: facts, maxEdges: notKept - 2*edgesPerChunk}
	k.space.account = account.New(budget)
	k.space.capGrowth = true
	for _, a := range slices.Concat(net.pre, net.post) {
		k.heaviest = max(k.heaviest, a.Weight)
	}
	k.FollowGrowth(k.heaviest)
	if budget.EdgeBytes > 0 {
		k.maxEdges = min(k.maxEdges, budget.EdgeBytes/4)
	} else if budget.MemoryBytes > 0 {
		k.maxEdges = min(k.maxEdges, budget.MemoryBytes/3/4)
	}
	return k
}

// Net returns the net whose state graph this is.
func (k *Kripke) Net() *Net { return k.space.net }

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
	if k.space.broken {
		fresh := newSpace(k.space.net, k.facts)
		fresh.capGrowth, fresh.followUpTo, fresh.account = k.space.capGrowth, k.space.followUpTo, k.space.account
		k.space = fresh
		k.forgetGraph()
	}
	k.space.account.Begin(ctx)
}

// Lost reports whether an error came while markings were packed anew: they can't be looked at
// any more, nor can the labels and firings that follow from them, until Begin.
func (k *Kripke) Lost() bool { return k.space.broken }

// Account returns the account of the question at hand, which Begin has begun. Successors charges
// itself; whoever else does work for the question charges it too.
func (k *Kripke) Account() *account.Account { return k.space.account }

// ForgetEdges gives up the edges that are kept, so that there is memory for something else.
// They are found anew when they are asked for, and not counted again.
func (k *Kripke) ForgetEdges() {
	k.edges, k.edgesEnd, k.large, k.largeEdges = nil, 0, nil, 0
	for s := range uint32(k.row.Length) {
		if k.row.At(s) != 0 {
			k.row.Set(s, notKept)
		}
	}
}

// forgetGraph gives up the edges, and what was counted.
func (k *Kripke) forgetGraph() {
	k.ForgetEdges()
	k.row = growing.Numbers{}
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
// not to be modified.
func (k *Kripke) Kept(s StateID) []StateID {
	if int(s) >= k.row.Length {
		return nil
	}
	at := k.row.At(s)
	if at == 0 || at == notKept {
		return nil
	}
	if at == largeRow {
		return k.large[s]
	}
	at--
	chunk := k.edges[at/edgesPerChunk]
	i := at % edgesPerChunk
	n := chunk[i] &^ deadlockBit
	return chunk[i+1 : i+1+n]
}

// Successors returns the destinations of the edges of s: one for each enabled transition,
// or for each that Select chooses. There is always one, unless Unbounded left some out. Do
// not modify the result. Unless the edges are kept, the slice is valid until the next
// call. An error is an *OverflowError, ErrTooManyStates, or a reason of the account.
func (k *Kripke) Successors(s StateID) ([]StateID, error) {
	if kept := k.Kept(s); kept != nil {
		return kept, nil
	}
	space := k.space
	if space.broken {
		return nil, space.account.Look()
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
	deadlock := uint32(0)
	if len(ids) == 0 && !space.firing.cutOff(space.packed, space.implied) {
		ids, deadlock = append(ids, s), deadlockBit
		if err := space.account.Charge(0); err != nil { // nothing is interned, which would ask
			return nil, err
		}
	}
	space.account.Add(len(space.firing.rules))
	return k.keep(s, ids, deadlock), nil
}

// keep stores the edges of s if there is room, and counts them once.
func (k *Kripke) keep(s StateID, ids []StateID, deadlock uint32) []StateID {
	if int(s) >= k.row.Length || k.row.At(s) == 0 {
		k.count(len(ids), deadlock)
	}
	if int64(k.edgesEnd+len(ids)+1)+k.largeEdges > k.maxEdges {
		k.setRow(s, notKept)
		return ids
	}
	if len(ids)+1 > edgesPerChunk {
		if k.large == nil {
			k.large = map[StateID][]StateID{}
		}
		kept := append([]StateID(nil), ids...)
		k.large[s] = kept
		k.largeEdges += int64(len(kept))
		k.setRow(s, largeRow)
		return kept
	}
	if k.edgesEnd%edgesPerChunk+len(ids)+1 > edgesPerChunk || k.edgesEnd == len(k.edges)*edgesPerChunk {
		k.edgesEnd = len(k.edges) * edgesPerChunk
		k.edges = append(k.edges, make([]uint32, edgesPerChunk))
	}
	chunk := k.edges[k.edgesEnd/edgesPerChunk]
	i := k.edgesEnd % edgesPerChunk
	chunk[i] = uint32(len(ids)) | deadlock
	copy(chunk[i+1:], ids)
	k.setRow(s, uint32(k.edgesEnd+1))
	k.edgesEnd += len(ids) + 1
	return chunk[i+1 : i+1+len(ids)]
}

// count counts a state whose edges were found for the first time. The edge of a deadlock is no
// firing.
func (k *Kripke) count(edges int, deadlock uint32) {
	k.expanded++
	if deadlock == 0 {
		k.transitions += int64(edges)
	}
}

// setRow notes where the edges of s lie.
func (k *Kripke) setRow(s StateID, at uint32) {
	k.row.GrowTo(k.space.Len())
	k.row.Set(s, at)
}

// Deadlock reports whether s enables no transition.
func (k *Kripke) Deadlock(s StateID) bool {
	space := k.space
	space.hold(s)
	k.out = k.out[:0]
	space.account.Add(len(space.firing.rules))
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
