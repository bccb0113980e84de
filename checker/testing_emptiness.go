package checker

import (
	"context"

	"pnmc/automata"
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
	path       []testingFrame
	roots      []testingRoot
	live       []pair
	spill      []petri.StateID
	// seen are the states met whose node is livelock-accepting, for the second
	// pass.
	seen     []pair
	progress func(Statistics)
	steps    int
	again    Statistics // what a second pass went through
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
func (x *testingSearch) search(ctx context.Context) (*testingFinding, error) {
	start := x.kripke.Initial()
	for _, n := range x.automaton.Initial(x.letter(start)) {
		slot := x.slot(start, n)
		if *slot != unmet {
			continue
		}
		if f, err := x.enter(pair{start, n}, slot, automata.ChangeMark); f != nil || err != nil {
			return f, err
		}
		if f, err := x.run(ctx); f != nil || err != nil {
			return f, err
		}
	}
	if len(x.seen) > 0 && !x.exhaustive {
		return x.secondPass(ctx)
	}
	return nil, nil
}

func (x *testingSearch) run(ctx context.Context) (*testingFinding, error) {
	for len(x.path) > 0 {
		f := &x.path[len(x.path)-1]
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
			if x.steps++; x.steps&pollMask == 0 {
				if err := x.poll(ctx); err != nil {
					return nil, err
				}
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
		successors = x.spill[f.spill:]
	}
	if int(f.successor) >= len(successors) {
		return false
	}
	f.next = successors[f.successor]
	f.successor++
	f.first, f.end = x.row(f.q, f.letter, x.letter(f.next))
	return true
}

func (x *testingSearch) poll(ctx context.Context) error {
	if x.progress != nil {
		x.progress(x.statistics())
	}
	if err := x.fits(); err != nil {
		return err
	}
	return x.kripke.Poll(ctx)
}

// enter puts a new state at the end of the path, reached by an edge with these
// marks.
func (x *testingSearch) enter(p pair, slot *uint32, marks uint64) (*testingFinding, error) {
	if x.numbering.count >= dead-1 {
		return nil, errTooManyProductStates
	}
	n := x.numbering.number(slot)
	f := testingFrame{pair: p, number: n, letter: x.letter(p.s), spill: -1, calm: uint32(len(x.path))}
	if x.livelocks && marks&automata.ChangeMark == 0 && len(x.path) > 0 {
		f.calm = x.path[len(x.path)-1].calm
	}
	x.path = append(x.path, f)
	if !x.exhaustive && x.automaton.Universal(p.q, f.letter) {
		return &testingFinding{at: p, terminal: true}, nil
	}
	if x.kripke.Kept(p.s) == nil {
		successors, err := x.kripke.Successors(p.s)
		if err != nil {
			return nil, err
		}
		if x.kripke.Kept(p.s) == nil {
			x.path[len(x.path)-1].spill = int64(len(x.spill))
			x.spill = append(x.spill, successors...)
		}
	}
	x.roots = append(x.roots, testingRoot{number: n, live: uint32(len(x.live)), coming: marks})
	x.live = append(x.live, p)
	if x.livelocks && x.stuttersAccepting(p.q, f.letter) {
		x.seen = append(x.seen, p)
	}
	return nil, nil
}

// stuttersAccepting tells whether node n is livelock-accepting.
func (x *testingSearch) stuttersAccepting(n, letter uint32) bool {
	first, end := x.row(n, letter, letter)
	for _, step := range x.testingProduct.steps[first:end] {
		if step.Marks&automata.LivelockMark != 0 {
			return true
		}
	}
	return false
}

// leave takes the state at the end of the path off it, all edges seen; if it is
// a root, its component is dead.
func (x *testingSearch) leave(f *testingFrame) {
	if f.spill >= 0 {
		x.spill = x.spill[:f.spill]
	}
	if top := len(x.roots) - 1; x.roots[top].number == f.number {
		for _, p := range x.live[x.roots[top].live:] {
			*x.slot(p.s, p.q) = dead
		}
		x.live = x.live[:x.roots[top].live]
		x.roots = x.roots[:top]
	}
	x.path = x.path[:len(x.path)-1]
}

// close handles an edge from the end of the path to the live state with the given
// number: all components since then are one. It returns a finding if that is
// accepted.
func (x *testingSearch) close(f *testingFrame, number uint32, step automata.TestingStep) *testingFinding {
	top := len(x.roots) - 1
	for x.roots[top].number > number {
		x.roots[top-1].marks |= x.roots[top].marks | x.roots[top].coming
		top--
	}
	x.roots = x.roots[:top+1]
	x.roots[top].marks |= step.Marks
	at := pair{f.next, step.To}
	if x.accepts(x.roots[top].marks) {
		return &testingFinding{at: at, livelock: x.livelocks && x.roots[top].marks&x.buchi != x.buchi}
	}
	// The states on the path from the one numbered so only stutter if it is not
	// before calm; one that left the path has no place there.
	if x.livelocks && step.Marks&automata.LivelockMark != 0 && step.Marks&automata.ChangeMark == 0 &&
		number >= x.path[f.calm].number && x.onPath(f, number) {
		return &testingFinding{at: at, livelock: true}
	}
	return nil
}

// onPath tells whether the state with this number is on the path, at or after
// the place where f's path begins to stutter. Numbers grow along the path.
func (x *testingSearch) onPath(f *testingFrame, number uint32) bool {
	low, high := int(f.calm), len(x.path)-1
	for low < high {
		middle := (low + high) / 2
		if x.path[middle].number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return x.path[low].number == number
}

func (x *testingSearch) statistics() Statistics {
	s := Statistics{
		ProductStates: int64(x.numbering.count), ProductTransitions: x.transition,
		ExploredStates:      int64(x.numbering.count) + x.again.ExploredStates,
		ExploredTransitions: x.transition + x.again.ExploredTransitions,
		LabelHits:           x.labelling.Hits, LabelMisses: x.labelling.Misses, LabelLastHits: x.labelling.LastHits,
	}
	s.States = int64(x.kripke.Len())
	_, s.Transitions = x.kripke.Explored()
	return s
}
