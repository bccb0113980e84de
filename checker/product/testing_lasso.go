package product

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
	"unsafe"

	"pnmc/automata/testingautomata"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/petri"
)

// graphLasso is a run of a state graph: the states of prefix, then those of cycle
// for ever. Cycle is not empty.
type graphLasso struct{ prefix, cycle []petri.StateID }

// testingArc is an edge of a testing product.
type testingArc struct {
	from, to pair
	marks    uint64
}

// lasso turns what the search found into a run of the graph: a shortest prefix,
// and a cycle put together from shortest ways to the marks it needs.
func (x *testingSearch) lasso(found *testingFinding) (graphLasso, error) {
	if found.terminal {
		return x.endlessLasso(found.at)
	}
	inside := func(p pair) bool { return p == found.at }
	if !found.livelock {
		first := x.roots.Top().number
		inside = func(p pair) bool {
			n := *x.slot(p.s, p.q)
			return n != unmet && n != dead && n >= first
		}
	}
	prefix, entry, err := x.prefix(inside)
	if err != nil {
		return graphLasso{}, err
	}
	var cycle []testingArc
	if found.livelock {
		cycle, err = x.way(entry,
			func(a testingArc) bool { return a.to.q == entry.q && a.marks&testingautomata.ChangeMark == 0 },
			func(a testingArc) bool { return a.to == entry })
	} else {
		cycle, err = x.cycle(entry, inside)
	}
	if err != nil {
		return graphLasso{}, err
	}
	l := graphLasso{prefix: prefix}
	for _, a := range cycle {
		l.cycle = append(l.cycle, a.from.s)
	}
	return l, nil
}

// prefix is a shortest run to a state that is a goal, without that state, and the
// state.
func (x *testingSearch) prefix(goal func(pair) bool) ([]petri.StateID, pair, error) {
	start := x.kripke.Initial()
	var starts []pair
	for _, n := range x.automaton.Initial(x.letter(start)) {
		p := pair{start, n}
		if goal(p) {
			return nil, p, nil
		}
		starts = append(starts, p)
	}
	met := func(a testingArc) bool { return *x.slot(a.to.s, a.to.q) != unmet }
	way, err := x.wayFrom(starts, met, func(a testingArc) bool { return goal(a.to) })
	if err != nil {
		return nil, pair{}, err
	}
	var states []petri.StateID
	for _, a := range way {
		states = append(states, a.from.s)
	}
	return states, way[len(way)-1].to, nil
}

// cycle is a cycle through entry inside its component whose marks are accepted.
func (x *testingSearch) cycle(entry pair, inside func(pair) bool) ([]testingArc, error) {
	needed := x.roots.Top().marks
	for rest := needed; rest != 0; rest &= rest - 1 {
		if set := rest & -rest; x.accepts(needed &^ set) {
			needed &^= set
		}
	}
	var cycle []testingArc
	within := func(a testingArc) bool { return inside(a.to) }
	for at := entry; needed != 0 || at != entry || len(cycle) == 0; {
		goal := func(a testingArc) bool { return a.marks&needed != 0 }
		if needed == 0 {
			goal = func(a testingArc) bool { return a.to == entry }
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

// endlessLasso follows the path to its end and then the first successors until a
// state comes again.
func (x *testingSearch) endlessLasso(at pair) (graphLasso, error) {
	states, _, err := x.prefix(func(p pair) bool { return p == at })
	if err != nil {
		return graphLasso{}, err
	}
	where := map[petri.StateID]int{}
	for s := at.s; len(where) < maxWalk; {
		if first, again := where[s]; again {
			return graphLasso{states[:first], states[first:]}, nil
		}
		where[s] = len(states)
		states = append(states, s)
		successors, err := x.kripke.Successors(s)
		if err != nil {
			return graphLasso{}, err
		}
		if len(successors) == 0 {
			break
		}
		s = successors[0]
	}
	return graphLasso{}, errEndless
}

func (x *testingSearch) way(from pair, within, goal func(testingArc) bool) ([]testingArc, error) {
	return x.wayFrom([]pair{from}, within, goal)
}

// wayFrom is a shortest run from one of the starts over edges that within allows,
// whose last edge is a goal.
func (x *testingSearch) wayFrom(starts []pair, within, goal func(testingArc) bool) ([]testingArc, error) {
	type node struct {
		arc    testingArc // by which it was met
		parent int
	}
	var queue growing.Stack[node]
	seen := numbering{states: x.numbering.states, account: x.account}
	firstTime := func(p pair) bool {
		slot := seen.slot(p.s, p.q)
		first := *slot == unmet && seen.full == nil
		*slot = dead
		return first
	}
	for _, p := range starts {
		queue.Push(node{testingArc{to: p}, -1})
		firstTime(p)
	}
	for i := 0; i < queue.Length; i++ {
		from := queue.At(i).arc.to
		successors, err := x.kripke.Successors(from.s)
		if err != nil {
			return nil, err
		}
		successors = slices.Clone(successors)
		letter := x.letter(from.s)
		if err := x.account.Charge(account.StateWork + 4*len(successors)); err != nil {
			return nil, err
		}
		for _, s := range successors {
			if err := cmp.Or(x.full, seen.full, x.account.Charge(4*account.EdgeWork)); err != nil {
				return nil, err
			}
			first, end := x.row(from.q, letter, x.letter(s))
			for ; first < end; first++ {
				step := x.testingProduct.steps[first]
				a := testingArc{from, pair{s, step.To}, step.Marks}
				if !within(a) {
					continue
				}
				if goal(a) {
					run := []testingArc{a}
					for at := i; queue.At(at).parent >= 0; at = queue.At(at).parent {
						run = append(run, queue.At(at).arc)
					}
					slices.Reverse(run)
					return run, nil
				}
				if firstTime(a.to) {
					x.account.Add(int(unsafe.Sizeof(node{})))
					queue.Push(node{a, i})
				}
			}
		}
	}
	return nil, errors.New("no way to what the search found")
}

// acceptsAllSets is the acceptance of TGTA with that many sets.
func acceptsAllSets(sets int) func(uint64) bool {
	all := uint64(1)<<sets - 1
	return func(union uint64) bool { return bits.OnesCount64(union&all) == sets }
}

// acceptsLivelock is the acceptance of TA on the marks of a component: changes in all
// Büchi sets, or only stuttering that a livelock-accepting state allows.
func acceptsLivelock(buchi uint64) func(uint64) bool {
	return func(union uint64) bool {
		return union&buchi == buchi || union&testingautomata.LivelockMark != 0 && union&testingautomata.ChangeMark == 0
	}
}

// furtherBuchiMarks are the marks of all Büchi sets of a generalized TA but the first:
// they come after those of TA.
func furtherBuchiMarks(sets int) uint64 {
	if sets < 2 {
		return 0
	}
	return (uint64(1)<<(sets-1) - 1) << 3
}

// livelockMarks turns the sets of a TA with that many Büchi sets into marks.
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
