package product

import (
	"cmp"

	"pnmc/automata/testingautomata"
	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri"
)

// testingSearch looks for an accepted run of a testing product: the search for
// strongly connected components that the emptiness check of TGBA is (2012,
// Algorithm 1), which for a TA also is the first pass (Algorithm 2): marks tell
// there whether a component has a Büchi-accepting change, or no change at all and
// a livelock-accepting state.
//
// Beyond Algorithm 2, livelocks are found where the search path closes a cycle
// that only stutters, even if the component changes elsewhere; and a component
// with a livelock-accepting state that allows no change only stutters anyway.
// States that accept whatever follows end the search.
type testingSearch struct {
	*testingProduct
	livelocks  bool   // the automaton is a TA
	buchi      uint64 // the marks of its Büchi sets
	exhaustive bool   // accept nothing: see the whole product
	path       growing.Stack[testingFrame]
	roots      growing.Stack[testingRoot]
	live       growing.Stack[pair]
	spill      rowStack
	// seen are the states met whose node is livelock-accepting, for the second
	// pass.
	seen     growing.Stack[pair]
	progress func(properties.Statistics)
	steps    int
	again    properties.Statistics // what a second pass went through
}

// testingFrame is a state on the search path, with the next successor in the
// graph, and the steps of the automaton left for the one before.
type testingFrame struct {
	pair
	number     uint32
	letter     uint32
	successor  uint32
	next       petri.StateID
	first, end uint32
	spill      int64
	// calm is the position on the path from which all edges up to here stutter.
	calm uint32
}

// testingRoot is a component on the search path: its first state, the marks in
// it, and those of the edge that led to it.
type testingRoot struct {
	number, live  uint32
	marks, coming uint64
}

// testingFinding is what the search stopped at.
type testingFinding struct {
	at       pair
	terminal bool // at accepts whatever follows
	livelock bool // a cycle through at only stutters
}

// search returns what it found, or nil if no run is accepted. An error is the
// reason why the search gave up.
func (x *testingSearch) search() (*testingFinding, error) {
	start := x.kripke.Initial()
	for _, n := range x.automaton.Initial(x.letter(start)) {
		slot := x.slot(start, n)
		if *slot != unmet {
			continue
		}
		if f, err := x.enter(pair{start, n}, slot, testingautomata.ChangeMark); f != nil || err != nil {
			return f, err
		}
		if f, err := x.run(); f != nil || err != nil {
			return f, err
		}
	}
	if x.seen.Length > 0 && !x.exhaustive {
		return x.secondPass()
	}
	// A row that there was no room for lacks its steps.
	return nil, cmp.Or(x.full, x.numbering.full)
}

func (x *testingSearch) run() (*testingFinding, error) {
	edges := 0
	for x.path.Length > 0 {
		f := x.path.Top()
		if edges++; edges == account.EdgesBetweenCharges {
			edges = 0
			if err := x.account.Charge(account.EdgesBetweenCharges * account.EdgeWork); err != nil {
				return nil, err
			}
		}
		if f.first == f.end {
			if !x.advance(f) {
				x.leave(f)
			}
			continue
		}
		step := x.testingProduct.steps[f.first]
		f.first++
		x.transition++
		slot := x.slot(f.next, step.To)
		switch *slot {
		case dead:
		case unmet:
			if x.steps++; x.steps&pollMask == 0 && x.progress != nil {
				x.progress(x.statistics())
			}
			if found, err := x.enter(pair{f.next, step.To}, slot, step.Marks); found != nil || err != nil {
				return found, err
			}
		default:
			if found := x.close(f, *slot, step); found != nil && !x.exhaustive {
				return found, nil
			}
		}
	}
	return nil, nil
}

// advance goes on to the next successor of the graph; it tells whether there is
// one.
func (x *testingSearch) advance(f *testingFrame) bool {
	var successors []petri.StateID
	if f.spill < 0 {
		successors = x.kripke.Kept(f.s)
	} else {
		successors = x.spill.top(f.spill)
	}
	if int(f.successor) >= len(successors) {
		return false
	}
	f.next = successors[f.successor]
	f.successor++
	f.first, f.end = x.row(f.q, f.letter, x.letter(f.next))
	return true
}

// enter puts a new state at the end of the path, reached by an edge with these
// marks.
func (x *testingSearch) enter(p pair, slot *uint32, marks uint64) (*testingFinding, error) {
	if x.numbering.count >= dead-1 {
		return nil, errTooManyProductStates
	}
	switch {
	case x.numbering.full != nil:
		return nil, x.numbering.full
	case x.full != nil:
		return nil, x.full
	}
	if err := x.account.Charge(account.StateWork); err != nil {
		return nil, err
	}
	n := x.numbering.number(slot)
	f := testingFrame{pair: p, number: n, letter: x.letter(p.s), spill: -1, calm: uint32(x.path.Length)}
	if x.livelocks && marks&testingautomata.ChangeMark == 0 && x.path.Length > 0 {
		f.calm = x.path.Top().calm
	}
	x.path.Push(f)
	if !x.exhaustive && x.automaton.Universal(p.q, f.letter) {
		return &testingFinding{at: p, terminal: true}, nil
	}
	if x.kripke.Kept(p.s) == nil {
		successors, err := x.kripke.Successors(p.s)
		if err != nil {
			return nil, err
		}
		if x.kripke.Kept(p.s) == nil {
			if err := x.account.Charge(4 * len(successors)); err != nil {
				return nil, err
			}
			x.path.Top().spill = x.spill.push(successors)
		}
	}
	x.roots.Push(testingRoot{number: n, live: uint32(x.live.Length), coming: marks})
	x.live.Push(p)
	if x.livelocks && x.stuttersAccepting(p.q, f.letter) {
		x.seen.Push(p)
	}
	return nil, nil
}

// stuttersAccepting reports whether node n is livelock-accepting.
func (x *testingSearch) stuttersAccepting(n, letter uint32) bool {
	first, end := x.row(n, letter, letter)
	for _, step := range x.testingProduct.steps[first:end] {
		if step.Marks&testingautomata.LivelockMark != 0 {
			return true
		}
	}
	return false
}

// leave takes the state at the end of the path off it, all edges seen; if it is
// a root, its component is dead.
func (x *testingSearch) leave(f *testingFrame) {
	if f.spill >= 0 {
		x.spill.pop(f.spill)
	}
	if r := x.roots.Top(); r.number == f.number {
		for x.live.Length > int(r.live) {
			p := x.live.Top()
			*x.slot(p.s, p.q) = dead
			x.live.Pop()
		}
		x.roots.Pop()
	}
	x.path.Pop()
}

// close handles an edge from the end of the path to the live state with the given
// number: all components since then are one. It returns a finding if that is
// accepted.
func (x *testingSearch) close(f *testingFrame, number uint32, step testingautomata.Step) *testingFinding {
	r := x.roots.Top()
	for r.number > number {
		marks := r.marks | r.coming
		x.roots.Pop()
		r = x.roots.Top()
		r.marks |= marks
	}
	r.marks |= step.Marks
	at := pair{f.next, step.To}
	if x.accepts(r.marks) {
		return &testingFinding{at: at, livelock: x.livelocks && r.marks&x.buchi != x.buchi}
	}
	// The states on the path from the one numbered so only stutter if it is not
	// before calm; one that left the path has no place there.
	if x.livelocks && step.Marks&testingautomata.LivelockMark != 0 && step.Marks&testingautomata.ChangeMark == 0 &&
		number >= x.path.At(int(f.calm)).number && x.onPath(f, number) {
		return &testingFinding{at: at, livelock: true}
	}
	return nil
}

// onPath reports whether the state with this number is on the path, at or after
// the place where f's path begins to stutter. Numbers grow along the path.
func (x *testingSearch) onPath(f *testingFrame, number uint32) bool {
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

func (x *testingSearch) statistics() properties.Statistics {
	s := properties.Statistics{
		ProductStates: int64(x.numbering.count), ProductTransitions: x.transition,
		ExploredStates:      int64(x.numbering.count) + x.again.ExploredStates,
		ExploredTransitions: x.transition + x.again.ExploredTransitions,
		LabelHits:           x.labelling.Hits, LabelMisses: x.labelling.Misses, LabelLastHits: x.labelling.LastHits,
	}
	s.States = int64(x.kripke.Len())
	_, s.Transitions = x.kripke.Explored()
	return s
}
