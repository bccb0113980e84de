package product

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"pnmc/automata"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/product/internal/states"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/internal/growing"
	"pnmc/petri"
)

// This file turns what the search stopped at into a run: a prefix, and a cycle that repeats.
//
// The search knows only that there is an accepting component; its own path may be a million states
// long. So the run is looked for again, by breadth-first searches:
//
//  1. nearest (nearest.go) tries whether the states closest to the initial ones suffice.
//  2. Otherwise the prefix is a shortest way from an initial state to any state of the component.
//     If the component is terminal, terminal.go goes on from there.
//  3. The cycle starts where the prefix ends. A set of marks is chosen that satisfies the condition
//     and needs all of its members. From where the run is, a shortest way goes to an edge with a mark
//     that is still missing; and when none is missing, to the state where the cycle began.
//
// For example, let the condition be Inf(0) & Inf(1), and the cycle begin at A. The way to the nearest
// edge with mark 0 or 1 may be A→B→C, with mark 1 at its last edge; then C→D has mark 0; then D→A
// closes the cycle. Each way is a shortest one, but the whole need not be: a shortest accepting cycle
// would be hard to find with many marks.
//
// Each way costs at most the edges of the component, so that a cycle costs at most the number of
// marks plus one times as much. The run is replayed on the net before anybody relies on it.

// maxPrefixSearch bounds the states that the search for a short prefix visits;
// beyond it the depth-first path serves, however long it is.
const maxPrefixSearch = 2_000_000

// counterexample turns what the search found into a prefix and a cycle.
//
// The verdict is known already. If the budget is spent meanwhile, that ends only the search for
// something shorter, and what must be told gets a little more time. But an end at the wrong moment
// may lose the markings, and without them no run can be shown.
func (x *componentsOnTheFly) counterexample(ctx context.Context, found *finding) (*witness.Counterexample, error) {
	c, err := x.nearest(ctx)
	if c != nil || err != nil && (!isLimit(ctx, err) || x.kripke.Lost()) {
		return c, err
	}
	telling, cancel := tellingTime(ctx)
	defer cancel()
	if errors.As(err, new(*petri.MemoryError)) {
		x.forgetEdges() // the search that needed them is over
	}
	if found.terminal {
		return x.terminalLasso(ctx, telling)
	}
	first := x.roots.Top().number
	inside := func(p states.Pair) bool {
		n := *x.numbering.Slot(p.S, p.Q)
		return n != states.Dead && n >= first && x.strength[p.Q] != automata.Rejecting
	}
	prefix, entry, err := x.prefixTo(ctx, inside)
	if err != nil {
		return nil, err
	}
	x.account.Tell(telling)
	roads := x.roads()
	cycle, err := roads.cycleFrom(entry, x.union(), inside)
	if err != nil {
		return nil, err
	}
	return roads.tell(entry, prefix, cycle), nil
}

// roads is the part of a product that was explored, in which runs are looked for.
type roads struct {
	*matching
	graph interface {
		Successors(s petri.StateID) ([]petri.StateID, error)
		Firing(from, to petri.StateID) (t petri.Transition, ok bool)
	}
	// guided, unless nil, has the graph of each automaton state that waits, or nil.
	guided []*petri.Kripke
	// row returns the range of positions in edges of what (s, q) can take.
	row func(s petri.StateID, q uint32) (first, end uint32)
	// number returns the number of a state that was met, which is less than numbers.
	number  func(p states.Pair) uint32
	numbers int
}

// roads returns the part of the product that the search has explored.
func (x *componentsOnTheFly) roads() *roads {
	return &roads{
		matching: &x.matching, graph: x.kripke, guided: x.guided, row: x.row,
		number: func(p states.Pair) uint32 { return *x.numbering.Slot(p.S, p.Q) }, numbers: int(x.numbering.Count) + 1,
	}
}

// successors returns the markings after p that the search went to.
func (x *roads) successors(p states.Pair) ([]petri.StateID, error) {
	if x.guided != nil && x.guided[p.Q] != nil {
		return x.guided[p.Q].Successors(p.S)
	}
	return x.graph.Successors(p.S)
}

// tellingTime returns a context that ends graceTime after ctx does. If WithinWhole named a context
// that ctx is a part of, it ends no later than that one. The caller must cancel it, after which
// nothing that waited for these ends is at work.
func tellingTime(ctx context.Context) (context.Context, context.CancelFunc) {
	telling, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	ended := lanes.Plain(ctx) // what waits for the end is no part of the lane, and must not look for it
	var grace *time.Timer
	stop := afterEnd(ctx, func() {
		grace = time.AfterFunc(graceTime, func() { cancel(context.Cause(ended)) })
	})
	stopWhole := func() {}
	if whole, ok := ctx.Value(wholeKey{}).(context.Context); ok {
		whole = lanes.Plain(whole)
		stopWhole = afterEnd(whole, func() { cancel(cmp.Or(context.Cause(ended), context.Cause(whole))) })
	}
	return telling, func() {
		stop()
		stopWhole()
		if grace != nil {
			grace.Stop()
		}
		cancel(nil)
	}
}

// afterEnd has f called once ctx ends, unless stop is called before. If f has begun, stop waits until
// it is done.
func afterEnd(ctx context.Context, f func()) (stop func()) {
	done := make(chan struct{})
	before := context.AfterFunc(ctx, func() { defer close(done); f() })
	return sync.OnceFunc(func() {
		if !before() {
			<-done
		}
	})
}

// WithinWhole returns ctx with a last moment for counterexamples: what is told after ctx has ended
// is told before whole ends.
func WithinWhole(ctx, whole context.Context) context.Context {
	return lanes.Of(ctx, context.WithValue(lanes.Plain(ctx), wholeKey{}, whole))
}

type wholeKey struct{}

// graceTime is how long a counterexample may take to be told once the time for
// finding it is over.
const graceTime = 200 * time.Millisecond

// arc is an edge of the product.
type arc struct {
	from, to states.Pair
	edge     automata.Edge
}

// prefixTo returns a run from an initial state to a state that is a goal, and that state. It is a
// shortest one unless that takes too long: then it is the path of the search, up to its first goal.
func (x *componentsOnTheFly) prefixTo(ctx context.Context, goal func(states.Pair) bool) ([]arc, states.Pair, error) {
	var starts []states.Pair
	for _, q := range x.automaton.Initial() {
		if p := (states.Pair{S: x.kripke.Initial(), Q: uint32(q)}); x.alive(p) {
			if goal(p) {
				return nil, p, nil
			}
			starts = append(starts, p)
		}
	}
	x.account.Begin(ctx)
	ok, run, err := x.roads().breadthFirst(starts, x.alive, maxPrefixSearch, func(a arc) bool { return goal(a.to) })
	if err != nil && (!isLimit(ctx, err) || x.kripke.Lost()) {
		return nil, states.Pair{}, err
	}
	for i := 1; !ok && i < x.path.Length && !goal(x.path.At(i-1).Pair); i++ {
		from, to := x.path.At(i-1), x.path.At(i)
		run = append(run, arc{from.Pair, to.Pair, automata.Edge(x.edges[from.edge-1])}) // the edge before the next
	}
	return run, run[len(run)-1].to, nil
}

// alive reports whether p was met and may be on an accepted run. A dead state leads to dead states
// only.
func (x *componentsOnTheFly) alive(p states.Pair) bool {
	n := *x.numbering.Slot(p.S, p.Q)
	return n != states.Unmet && n != states.Dead
}

// firstTime returns a function that reports whether it is asked of a state for the first time. States
// must be alive: their numbers are places in a bit set. An error is the account's.
func (x *roads) firstTime() (func(states.Pair) bool, error) {
	words := bitset.WordsFor(x.numbers)
	if err := x.account.Reserve(8 * words); err != nil {
		return nil, err
	}
	seen := make([]uint64, words)
	return func(p states.Pair) bool {
		n := x.number(p)
		first := !bitset.Has(seen, n)
		bitset.Add(seen, n)
		return first
	}, nil
}

// cycleFrom returns a cycle through entry, inside its component, whose marks satisfy the acceptance
// condition. Union has the marks of the component.
func (x *roads) cycleFrom(entry states.Pair, union []uint64, inside func(states.Pair) bool) ([]arc, error) {
	needed := x.neededMarks(union)
	if x.strength[entry.Q] == automata.Weak {
		clear(needed)
	}
	var cycle []arc
	at := entry
	for {
		missing := func(e automata.Edge) bool {
			for i, m := range x.acceptance.of(e) {
				if m&needed[i] != 0 {
					return true
				}
			}
			return false
		}
		done := !slices.ContainsFunc(needed, func(w uint64) bool { return w != 0 })
		if done && at == entry && len(cycle) > 0 {
			return cycle, nil
		}
		goal := func(a arc) bool { return missing(a.edge) }
		if done {
			goal = func(a arc) bool { return a.to == entry }
		}
		ok, way, err := x.breadthFirst([]states.Pair{at}, inside, math.MaxInt, goal)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, errors.New("no accepting cycle in an accepting component")
		}
		for _, a := range way {
			cycle = append(cycle, a)
			for i, m := range x.acceptance.of(a.edge) {
				needed[i] &^= m
			}
		}
		at = cycle[len(cycle)-1].to
	}
}

// neededMarks returns a part of a component's marks that satisfies the condition, and does not if any
// mark is taken from it. It drops marks one by one, lowest first, as long as the condition allows.
func (x *roads) neededMarks(union []uint64) []uint64 {
	needed := slices.Clone(union)
	for i := range needed {
		for bit := uint64(1); bit != 0; bit <<= 1 {
			if needed[i]&bit != 0 {
				if needed[i] &^= bit; !x.acceptance.holds(needed) {
					needed[i] |= bit
				}
			}
		}
	}
	return needed
}

// node is a state met by a breadth-first search, with the one it was met from.
type node struct {
	states.Pair
	parent uint32
	edge   automata.Edge
}

// noParent is the parent of a state that a search begins with. It is no place in a queue: there are fewer
// numbers of product states.
const noParent = 1<<32 - 1

// breadthFirst looks for a shortest run whose last edge is a goal. It begins in one of the starts and
// goes over states that within allows. Only its last edge may lead to a state that was met before. It
// reports false if there is none, or after limit states. An error is the account's.
func (x *roads) breadthFirst(starts []states.Pair, within func(states.Pair) bool, limit int, goal func(arc) bool) (bool, []arc, error) {
	firstTime, err := x.firstTime()
	if err != nil {
		return false, nil, err
	}
	var queue growing.Stack[node]
	for _, p := range starts {
		queue.Push(node{Pair: p, parent: noParent})
		firstTime(p)
	}
	for i := 0; i < queue.Length && i < limit; i++ {
		from := queue.At(i).Pair
		first, end := x.row(from.S, from.Q)
		if first == end {
			continue
		}
		successors, err := x.successors(from)
		if err != nil {
			return false, nil, err
		}
		for ; first < end; first += 2 {
			if err := x.account.Charge(account.StateWork + account.EdgeWork*len(successors)); err != nil {
				return false, nil, err
			}
			for _, s := range successors {
				a := arc{from, states.Pair{S: s, Q: x.edges[first]}, automata.Edge(x.edges[first+1])}
				if !within(a.to) {
					continue
				}
				if goal(a) {
					return true, trail(&queue, uint32(i), a), nil
				}
				if firstTime(a.to) {
					x.account.Add(nodeBytes)
					queue.Push(node{a.to, uint32(i), a.edge})
				}
			}
		}
	}
	return false, nil, nil
}

// nodeBytes is what a node of a queue takes.
const nodeBytes = 16

// trail returns the run that led to the node with number at, followed by last.
func trail(queue *growing.Stack[node], at uint32, last arc) []arc {
	run := []arc{last}
	for n := queue.At(int(at)); n.parent != noParent; {
		parent := queue.At(int(n.parent))
		run = append(run, arc{parent.Pair, n.Pair, n.edge})
		n = parent
	}
	slices.Reverse(run)
	return run
}

// tell returns a run as steps of transitions and edges of the automaton; at is where the cycle starts.
func (x *roads) tell(at states.Pair, prefix, cycle []arc) *witness.Counterexample {
	c := &witness.Counterexample{Start: automata.State(at.Q)}
	if len(prefix) > 0 {
		c.Start = automata.State(prefix[0].from.Q)
	}
	if k, ok := x.graph.(*petri.Kripke); ok && k.Folded() {
		return x.tellImages(k, c, prefix, cycle)
	}
	for _, part := range []struct {
		from []arc
		to   *[]witness.Step
	}{{prefix, &c.Prefix}, {cycle, &c.Cycle}} {
		for _, a := range part.from {
			s := witness.Step{Edge: a.edge}
			t, ok := x.graph.Firing(a.from.S, a.to.S)
			if s.Transition = t; !ok {
				s.Stutter = true
			}
			*part.to = append(*part.to, s)
		}
	}
	return c
}

// tellImages does what tell does, of a graph whose states stand for images by symmetries. It follows the run in the net. A cycle
// of states may lead to another image of the marking where it began. Then it is followed again, until some image comes back. If that
// takes too long, or the account ends it, what it returns is no run, as a replay shows.
func (x *roads) tellImages(k *petri.Kripke, c *witness.Counterexample, prefix, cycle []arc) *witness.Counterexample {
	m := k.Net().Initial()
	follow := func(steps []witness.Step, arcs []arc) []witness.Step {
		for _, a := range arcs {
			t, ok, err := k.Follow(m, a.to.S)
			if err != nil {
				return steps
			}
			s := witness.Step{Edge: a.edge, Transition: t}
			if !ok {
				s.Stutter = true
			}
			steps = append(steps, s)
		}
		return steps
	}
	c.Prefix = follow(c.Prefix, prefix)
	var begun []petri.Marking // each round
	for range mostRounds {
		begun = append(begun, slices.Clone(m))
		c.Cycle = follow(c.Cycle, cycle)
		round := slices.IndexFunc(begun, func(before petri.Marking) bool { return slices.Equal(before, m) })
		if round >= 0 {
			c.Prefix = append(c.Prefix, c.Cycle[:min(round*len(cycle), len(c.Cycle))]...)
			c.Cycle = slices.Clone(c.Cycle[min(round*len(cycle), len(c.Cycle)):])
			return c
		}
	}
	return c
}

// mostRounds bounds the rounds that a cycle of images is followed.
const mostRounds = 1 << 10
