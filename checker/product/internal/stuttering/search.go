package stuttering

import (
	"cmp"

	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/logic"
	"pnmc/petri"
)

// Search looks for an accepted run of a testing product.
//
// The search is the one for strongly connected components that checks a TGBA for emptiness (2012,
// Algorithm 1; it is explained in package product's emptiness.go). Components are merged with their
// marks on the way, which internal/components does not do. For a TGTA that is all: each of its
// accepting runs has all marks on a cycle.
//
// A TA accepts in two ways, and this search is its first pass (Algorithm 2):
//
//   - A run that changes labels for ever must have a change in each Büchi set again and again. Marks
//     of a component say whether its edges do.
//   - A run that only stutters from some time on must do so in a livelock-accepting state.
//     If a component has such a state and no change at all, each of its cycles is such a run.
//
// A component with changes may still have a cycle without any. The first pass sees some of these,
// unlike Algorithm 2: those where the path itself closes a cycle whose edges all stutter. For that,
// each frame knows since where on the path there was no change (calm). Let the path be A→B→C→D,
// where A→B is the last change. Then calm is the position of B for B, C and D. An edge D→C that
// stutters in a livelock-accepting state closes a livelock; an edge D→A does not, as A lies before
// calm. What the first pass misses is left to the second (livelock.go), which runs if a
// livelock-accepting state was met.
//
// A state that accepts whatever follows ends the search. The search is linear in the edges of the
// product.
type Search struct {
	*Product
	livelocks  bool   // the automaton is a TA
	buchi      uint64 // the marks of its Büchi sets
	wanted     uint64 // the marks that a cycle with changes has to have
	predicates []*logic.Predicate
	most       uint32 // states that get a number
	Exhaustive bool   // accept nothing, so that the whole product is explored
	path       growing.Stack[frame]
	roots      growing.Stack[root]
	live       growing.Stack[states.Pair]
	spill      states.Stack
	// seen are the states met whose node is livelock-accepting, for the second
	// pass.
	seen     growing.Stack[states.Pair]
	Progress func(properties.Statistics)
	steps    int
	again    properties.Statistics // what a second pass went through
}

// frame is a state on the search path. successor is the number of the next successor in the graph;
// next is the one before, for which the automaton's steps from first to end are still to be taken.
type frame struct {
	states.Pair
	number     uint32
	letter     uint32
	successor  uint32
	next       petri.StateID
	first, end uint32
	spill      int64
	// calm is the position on the path from which all edges up to here stutter.
	calm uint32
}

// root is a component on the search path. It has the number of the first state, the place in live
// where its states start, the marks in it, and those of the edge that led to it.
type root struct {
	number, live  uint32
	marks, coming uint64
}

// Finding is what the search stopped at.
type Finding struct {
	at       states.Pair
	terminal bool // at accepts whatever follows
	livelock bool // a cycle through at only stutters
}

// Only makes the search end with states.ErrMore where it would enter more states than that.
func (x *Search) Only(most uint32) { x.most = most }

// Again returns a search of the same product that has not begun.
func (x *Search) Again() *Search {
	again := &Search{Product: x.Product, livelocks: x.livelocks, buchi: x.buchi, wanted: x.wanted, predicates: x.predicates, most: states.Most, Progress: x.Progress}
	x.numbering = states.Numbering{States: firstNodes, Account: x.Account}
	x.transition = 0
	return again
}

// Find searches, and returns what it found, or nil if no run is accepted. An error is the reason
// why the search gave up.
func (x *Search) Find() (*Finding, error) {
	start := x.Kripke.Initial()
	for _, n := range x.automaton.Initial(x.letter(start)) {
		slot := x.slot(start, n)
		if *slot != states.Unmet {
			continue
		}
		if f, err := x.enter(states.Pair{S: start, Q: n}, slot, testingautomata.ChangeMark); f != nil || err != nil {
			return f, err
		}
		if f, err := x.run(); f != nil || err != nil {
			return f, err
		}
	}
	if x.seen.Length > 0 && !x.Exhaustive {
		return x.secondPass()
	}
	// A row that there was no room for lacks its steps.
	return nil, cmp.Or(x.full, x.numbering.Full)
}

// run goes on until the path is empty or something is found.
func (x *Search) run() (*Finding, error) {
	edges := 0
	for x.path.Length > 0 {
		f := x.path.Top()
		if edges++; edges == account.EdgesBetweenCharges {
			edges = 0
			if err := x.Account.Charge(account.EdgesBetweenCharges * account.EdgeWork); err != nil {
				return nil, err
			}
		}
		if f.first == f.end {
			if x.Account.Due() { // the labels of successors may be dear
				if err := x.Account.Look(); err != nil {
					return nil, err
				}
			}
			if !x.advance(f) {
				if err := x.leave(f); err != nil {
					return nil, err
				}
			}
			continue
		}
		step := x.Product.Steps[f.first]
		f.first++
		x.transition++
		slot := x.slot(f.next, step.To)
		switch *slot {
		case states.Dead:
		case states.Unmet:
			if x.steps++; x.steps&states.PollMask == 0 && x.Progress != nil {
				x.Progress(x.Statistics())
			}
			if found, err := x.enter(states.Pair{S: f.next, Q: step.To}, slot, step.Marks); found != nil || err != nil {
				return found, err
			}
		default:
			if found := x.close(f, *slot, step); found != nil && !x.Exhaustive {
				return found, nil
			}
		}
	}
	return nil, nil
}

// advance goes on to the next successor of the graph, and finds the automaton's steps for it. It
// reports false if there are no more.
func (x *Search) advance(f *frame) bool {
	var successors []petri.StateID
	if f.spill < 0 {
		successors = x.Kripke.Kept(f.S)
	} else {
		successors = x.spill.Top(f.spill)
	}
	if int(f.successor) >= len(successors) {
		return false
	}
	f.next = successors[f.successor]
	f.successor++
	f.first, f.end = x.row(f.Q, f.letter, x.letter(f.next))
	return true
}

// enter puts a new state at the end of the path, which was reached by an edge with these marks. It
// returns a finding if the state accepts whatever follows.
func (x *Search) enter(p states.Pair, slot *uint32, marks uint64) (*Finding, error) {
	if x.numbering.Count >= x.most {
		if x.most < states.Most {
			return nil, states.ErrMore
		}
		return nil, states.ErrTooMany
	}
	switch {
	case x.numbering.Full != nil:
		return nil, x.numbering.Full
	case x.full != nil:
		return nil, x.full
	}
	if err := x.Account.Charge(account.StateWork); err != nil {
		return nil, err
	}
	n := x.numbering.Number(slot)
	f := frame{Pair: p, number: n, letter: x.letter(p.S), spill: -1, calm: uint32(x.path.Length)}
	if x.livelocks && marks&testingautomata.ChangeMark == 0 && x.path.Length > 0 {
		f.calm = x.path.Top().calm
	}
	x.path.Push(f)
	if !x.Exhaustive && x.automaton.Universal(p.Q, f.letter) {
		return &Finding{at: p, terminal: true}, nil
	}
	if x.Kripke.Kept(p.S) == nil {
		successors, err := x.Kripke.Successors(p.S)
		if err != nil {
			return nil, err
		}
		if x.Kripke.Kept(p.S) == nil {
			if err := x.Account.Charge(4 * len(successors)); err != nil {
				return nil, err
			}
			x.path.Top().spill = x.spill.Push(successors)
		}
	}
	x.roots.Push(root{number: n, live: uint32(x.live.Length), coming: marks})
	x.live.Push(p)
	if x.livelocks && x.stuttersAccepting(p.Q, f.letter) {
		x.seen.Push(p)
	}
	return nil, nil
}

// leave takes the state at the end of the path off it, once all of its edges were seen. If it is a
// root, its component is complete, and dead. An error is the account's: a component may be all that there is.
func (x *Search) leave(f *frame) error {
	if f.spill >= 0 {
		x.spill.Pop(f.spill)
	}
	if r := x.roots.Top(); r.number == f.number {
		for x.live.Length > int(r.live) {
			p := x.live.Top()
			*x.slot(p.S, p.Q) = states.Dead
			x.live.Pop()
			if x.live.Length%account.EdgesBetweenCharges == 0 {
				if err := x.Account.Charge(account.EdgesBetweenCharges * account.EdgeWork); err != nil {
					return err
				}
			}
		}
		x.roots.Pop()
	}
	x.path.Pop()
	return nil
}

// close handles an edge from the end of the path to the live state with the given number: all
// components since that one become one. It returns a finding if that is accepted, or if the edge
// closes a cycle of the path that only stutters where livelocks are accepted.
func (x *Search) close(f *frame, number uint32, step testingautomata.Step) *Finding {
	r := x.roots.Top()
	for r.number > number {
		marks := r.marks | r.coming
		x.roots.Pop()
		r = x.roots.Top()
		r.marks |= marks
	}
	r.marks |= step.Marks
	at := states.Pair{S: f.next, Q: step.To}
	if x.accepts(r.marks) {
		return &Finding{at: at, livelock: x.livelocks && r.marks&x.buchi != x.buchi}
	}
	// The path from the state with that number to f only stutters if that state is at calm or
	// later. A state that is live may have left the path; then it closes no cycle of the path.
	if x.livelocks && step.Marks&testingautomata.LivelockMark != 0 && step.Marks&testingautomata.ChangeMark == 0 &&
		number >= x.path.At(int(f.calm)).number && x.onPath(f, number) {
		return &Finding{at: at, livelock: true}
	}
	return nil
}

// onPath reports whether the state with this number is on the path, at or after
// the place where f's path begins to stutter. Numbers grow along the path.
func (x *Search) onPath(f *frame, number uint32) bool {
	low, high := int(f.calm), x.path.Length-1
	for low < high {
		middle := (low + high) / 2
		if x.path.At(middle).number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return x.path.At(low).number == number
}

// Statistics returns the figures of the search so far.
func (x *Search) Statistics() properties.Statistics {
	s := properties.Statistics{
		ProductStates: int64(x.numbering.Count), ProductTransitions: x.transition,
		ExploredStates:      int64(x.numbering.Count) + x.again.ExploredStates,
		ExploredTransitions: x.transition + x.again.ExploredTransitions,
		LabelHits:           x.Labelling.Hits, LabelMisses: x.Labelling.Misses, LabelLastHits: x.Labelling.LastHits,
	}
	s.States = int64(x.Kripke.Len())
	_, s.Transitions = x.Kripke.Explored()
	return s
}
