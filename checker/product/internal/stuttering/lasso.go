package stuttering

import (
	"cmp"
	"errors"
	"slices"
	"unsafe"

	"pnmc/automata/testingautomata"
	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri"
)

// Lasso is a run of a state graph: the states of prefix, then those of cycle
// for ever. Cycle is not empty.
type Lasso struct{ Prefix, Cycle []petri.StateID }

// arc is an edge of a testing product.
type arc struct {
	from, to states.Pair
	marks    uint64
}

// roads is the part of a product that was explored, in which runs are looked for.
type roads struct {
	*table
	graph interface {
		Successors(s petri.StateID) ([]petri.StateID, error)
	}
	initial petri.StateID
	letter  func(petri.StateID) uint32
	met     func(states.Pair) bool
	accepts func(marks uint64) bool
	nodes   uint32 // all states that were met are of fewer states of the automaton
}

// Lasso turns what the search found into a run of the graph: a shortest prefix, and a cycle put
// together from shortest ways to the marks that it needs. A livelock's cycle is a shortest one
// without changes through the state where it was found. Automaton states are not part of the
// result: package product finds again which run of the property's automaton accepts it.
func (x *Search) Lasso(found *Finding) (Lasso, error) {
	r := &roads{
		table: &x.table, graph: x.Kripke, initial: x.Kripke.Initial(), letter: x.letter, accepts: x.accepts, nodes: x.numbering.States,
		met: func(p states.Pair) bool { return *x.slot(p.S, p.Q) != states.Unmet },
	}
	if found.terminal || found.livelock {
		return r.lasso(found, nil, 0)
	}
	root := x.roots.Top()
	return r.lasso(found, func(p states.Pair) bool {
		n := *x.slot(p.S, p.Q)
		return n != states.Unmet && n != states.Dead && n >= root.number
	}, root.marks)
}

// lasso turns a finding into a run. If it is a component, inside reports which states are in it, and marks
// are those of its edges.
func (x *roads) lasso(found *Finding, inside func(states.Pair) bool, marks uint64) (Lasso, error) {
	if found.terminal {
		return x.endlessLasso(found.at)
	}
	if found.livelock {
		inside = func(p states.Pair) bool { return p == found.at }
	}
	prefix, entry, err := x.prefix(inside)
	if err != nil {
		return Lasso{}, err
	}
	var cycle []arc
	if found.livelock {
		cycle, err = x.way(entry,
			func(a arc) bool { return a.to.Q == entry.Q && a.marks&testingautomata.ChangeMark == 0 },
			func(a arc) bool { return a.to == entry })
	} else {
		cycle, err = x.cycle(entry, inside, marks)
	}
	if err != nil {
		return Lasso{}, err
	}
	l := Lasso{Prefix: prefix}
	for _, a := range cycle {
		l.Cycle = append(l.Cycle, a.from.S)
	}
	return l, nil
}

// prefix returns the states before the goal on a shortest run to a state that is a goal, and that
// state of the product.
func (x *roads) prefix(goal func(states.Pair) bool) ([]petri.StateID, states.Pair, error) {
	var starts []states.Pair
	for _, n := range x.automaton.Initial(x.letter(x.initial)) {
		p := states.Pair{S: x.initial, Q: n}
		if goal(p) {
			return nil, p, nil
		}
		starts = append(starts, p)
	}
	way, err := x.wayFrom(starts, func(a arc) bool { return x.met(a.to) }, func(a arc) bool { return goal(a.to) })
	if err != nil {
		return nil, states.Pair{}, err
	}
	var states []petri.StateID
	for _, a := range way {
		states = append(states, a.from.S)
	}
	return states, way[len(way)-1].to, nil
}

// cycle returns a cycle through entry, inside its component, whose marks are accepted. Of the
// component's marks, those that are not needed are dropped first; then ways to edges with the others are strung together, and a
// way back.
func (x *roads) cycle(entry states.Pair, inside func(states.Pair) bool, needed uint64) ([]arc, error) {
	for rest := needed; rest != 0; rest &= rest - 1 {
		if set := rest & -rest; x.accepts(needed &^ set) {
			needed &^= set
		}
	}
	var cycle []arc
	within := func(a arc) bool { return inside(a.to) }
	for at := entry; needed != 0 || at != entry || len(cycle) == 0; {
		goal := func(a arc) bool { return a.marks&needed != 0 }
		if needed == 0 {
			goal = func(a arc) bool { return a.to == entry }
		}
		way, err := x.way(at, within, goal)
		if err != nil {
			return nil, err
		}
		for _, a := range way {
			needed &^= a.marks
		}
		cycle = append(cycle, way...)
		at = cycle[len(cycle)-1].to
	}
	return cycle, nil
}

// endlessLasso goes to at, which accepts whatever follows, and then always to the first successor
// until a state of the graph comes again.
func (x *roads) endlessLasso(at states.Pair) (Lasso, error) {
	passed, _, err := x.prefix(func(p states.Pair) bool { return p == at })
	if err != nil {
		return Lasso{}, err
	}
	where := map[petri.StateID]int{}
	for s := at.S; len(where) < states.MaxWalk; {
		if first, again := where[s]; again {
			return Lasso{passed[:first], passed[first:]}, nil
		}
		if err := cmp.Or(x.Account.Charge(account.StateWork), account.Room(x.Account, passed, 1)); err != nil {
			return Lasso{}, err
		}
		where[s] = len(passed)
		passed = append(passed, s)
		successors, err := x.graph.Successors(s)
		if err != nil {
			return Lasso{}, err
		}
		if len(successors) == 0 {
			break
		}
		s = successors[0]
	}
	return Lasso{}, states.ErrEndless
}

// way returns a way as wayFrom does, from one start.
func (x *roads) way(from states.Pair, within, goal func(arc) bool) ([]arc, error) {
	return x.wayFrom([]states.Pair{from}, within, goal)
}

// wayFrom returns a shortest run from one of the starts whose last edge is a goal, over edges that
// within allows. It looks breadth first. If there is none, that is an error: the search has found
// one before.
func (x *roads) wayFrom(starts []states.Pair, within, goal func(arc) bool) ([]arc, error) {
	type node struct {
		arc    arc // by which it was met
		parent int
	}
	var queue growing.Stack[node]
	seen := states.Numbering{States: x.nodes, Account: x.Account}
	firstTime := func(p states.Pair) bool {
		slot := seen.Slot(p.S, p.Q)
		first := *slot == states.Unmet && seen.Full == nil
		*slot = states.Dead
		return first
	}
	for _, p := range starts {
		queue.Push(node{arc{to: p}, -1})
		firstTime(p)
	}
	for i := 0; i < queue.Length; i++ {
		from := queue.At(i).arc.to
		successors, err := x.graph.Successors(from.S)
		if err != nil {
			return nil, err
		}
		successors = slices.Clone(successors)
		letter := x.letter(from.S)
		if err := x.Account.Charge(account.StateWork + 4*len(successors)); err != nil {
			return nil, err
		}
		for _, s := range successors {
			if err := cmp.Or(x.full, seen.Full, x.Account.Charge(4*account.EdgeWork)); err != nil {
				return nil, err
			}
			first, end := x.row(from.Q, letter, x.letter(s))
			for ; first < end; first++ {
				step := x.Steps[first]
				a := arc{from, states.Pair{S: s, Q: step.To}, step.Marks}
				if !within(a) {
					continue
				}
				if goal(a) {
					run := []arc{a}
					for at := i; queue.At(at).parent >= 0; at = queue.At(at).parent {
						run = append(run, queue.At(at).arc)
					}
					slices.Reverse(run)
					return run, nil
				}
				if firstTime(a.to) {
					x.Account.Add(int(unsafe.Sizeof(node{})))
					queue.Push(node{a, i})
				}
			}
		}
	}
	return nil, errors.New("no way to what the search found")
}

// acceptsAll returns the acceptance of a TGTA, whose sets these are, on the marks of a component.
func acceptsAll(sets uint64) func(uint64) bool {
	return func(union uint64) bool { return union&sets == sets }
}

// acceptsLivelock returns the acceptance of a TA on the marks of a component: changes in all Büchi
// sets, or a livelock-accepting state and no change.
func acceptsLivelock(buchi uint64) func(uint64) bool {
	return func(union uint64) bool {
		return union&buchi == buchi || union&testingautomata.LivelockMark != 0 && union&testingautomata.ChangeMark == 0
	}
}

// furtherBuchiMarks returns the marks of all Büchi sets of a generalized TA but the first. They
// come after the three marks of a TA: Büchi, livelock and change.
func furtherBuchiMarks(sets int) uint64 {
	if sets < 2 {
		return 0
	}
	return (uint64(1)<<(sets-1) - 1) << 3
}

// livelockMarks turns the sets of a TA with that many Büchi sets into marks. Set number buchi is
// livelock acceptance, the one after it says that the label changes.
func livelockMarks(sets uint64, buchi int) uint64 {
	marks := sets & testingautomata.BuchiMark
	if sets>>buchi&1 != 0 {
		marks |= testingautomata.LivelockMark
	}
	if sets>>(buchi+1)&1 != 0 {
		marks |= testingautomata.ChangeMark
	}
	return marks | (sets>>1<<3)&furtherBuchiMarks(buchi)
}
