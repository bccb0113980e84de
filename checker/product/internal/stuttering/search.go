package stuttering

import (
	"cmp"

	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri"
)

// Search looks for an accepted run of a testing product: the search for
// strongly connected components that the emptiness check of TGBA is (2012,
// Algorithm 1), which for a TA also is the first pass (Algorithm 2): marks tell
// there whether a component has a Büchi-accepting change, or no change at all and
// a livelock-accepting state. As there, components are merged with their marks on the way,
// which internal/components does not do.
//
// Beyond Algorithm 2, livelocks are found where the search path closes a cycle
// that only stutters, even if the component changes elsewhere; and a component
// with a livelock-accepting state that allows no change only stutters anyway.
// States that accept whatever follows end the search.
type Search struct {
	*Product
	livelocks  bool   // the automaton is a TA
	buchi      uint64 // the marks of its Büchi sets
	Exhaustive bool   // accept nothing: see the whole product
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

// frame is a state on the search path, with the next successor in the
// graph, and the steps of the automaton left for the one before.
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

// root is a component on the search path: its first state, the marks in
// it, and those of the edge that led to it.
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

// Find returns what it found, or nil if no run is accepted. An error is the
// reason why the search gave up.
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
			if !x.advance(f) {
				x.leave(f)
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

// advance goes on to the next successor of the graph; it reports whether there is
// one.
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

// enter puts a new state at the end of the path, reached by an edge with these
// marks.
func (x *Search) enter(p states.Pair, slot *uint32, marks uint64) (*Finding, error) {
	if x.numbering.Count >= states.Dead-1 {
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

// stuttersAccepting reports whether node n is livelock-accepting.
func (x *Search) stuttersAccepting(n, letter uint32) bool {
	first, end := x.row(n, letter, letter)
	for _, step := range x.Product.Steps[first:end] {
		if step.Marks&testingautomata.LivelockMark != 0 {
			return true
		}
	}
	return false
}

// leave takes the state at the end of the path off it, all edges seen; if it is
// a root, its component is dead.
func (x *Search) leave(f *frame) {
	if f.spill >= 0 {
		x.spill.Pop(f.spill)
	}
	if r := x.roots.Top(); r.number == f.number {
		for x.live.Length > int(r.live) {
			p := x.live.Top()
			*x.slot(p.S, p.Q) = states.Dead
			x.live.Pop()
		}
		x.roots.Pop()
	}
	x.path.Pop()
}

// close handles an edge from the end of the path to the live state with the given
// number: all components since then are one. It returns a finding if that is
// accepted.
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
	// The states on the path from the one numbered so only stutter if it is not
	// before calm; one that left the path has no place there.
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

// Statistics are the figures of the search so far.
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
