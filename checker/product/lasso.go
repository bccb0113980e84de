package product

import (
	"context"
	"errors"
	"math"
	"slices"
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

// maxPrefixSearch bounds the states that the search for a short prefix visits;
// beyond it the depth-first path serves, however long it is.
const maxPrefixSearch = 2_000_000

// counterexample turns what the search found into a prefix and a cycle: of the
// states closest to the initial ones if they have an accepted run, otherwise the
// shortest prefix to the component found, if that does not take too long, and a
// cycle put together from shortest ways to the marks it needs.
//
// The verdict is known, so that a budget spent meanwhile only ends the search for
// something shorter: what is needed then gets a little more time. But without markings, which
// an end at the wrong moment loses, no run can be told.
func (x *componentsOnTheFly) counterexample(ctx context.Context, found *finding) (*witness.Counterexample, error) {
	c, err := x.nearest(ctx)
	if c != nil || err != nil && (!isLimit(ctx, err) || x.kripke.Lost()) {
		return c, err
	}
	telling, cancel := tellingTime(ctx)
	defer cancel()
	if errors.As(err, new(*petri.MemoryError)) {
		x.kripke.ForgetEdges() // the search that needed them is over
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
	cycle, err := x.cycleFrom(entry, inside)
	if err != nil {
		return nil, err
	}
	return x.tell(entry, prefix, cycle), nil
}

// tellingTime is ctx with graceTime more, but no more than the whole has that ctx is a part
// of, if WithinWhole says so. The caller must cancel it.
func tellingTime(ctx context.Context) (context.Context, context.CancelFunc) {
	telling, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		time.AfterFunc(graceTime, func() { cancel(context.Cause(ctx)) })
	})
	stopWhole := func() bool { return true }
	if whole, ok := ctx.Value(wholeKey{}).(context.Context); ok {
		stopWhole = context.AfterFunc(whole, func() { cancel(context.Cause(whole)) })
	}
	return telling, func() { stop(); stopWhole(); cancel(nil) }
}

// WithinWhole has what is told after ctx has ended told before whole ends.
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

// prefixTo is a run from an initial state to a state that is a goal, and that
// state.
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
	ok, run, err := x.breadthFirst(starts, x.alive, maxPrefixSearch, func(a arc) bool { return goal(a.to) })
	if err != nil && (!isLimit(ctx, err) || x.kripke.Lost()) {
		return nil, states.Pair{}, err
	}
	for i := 1; !ok && i < x.path.Length && !goal(x.path.At(i-1).Pair); i++ {
		from, to := x.path.At(i-1), x.path.At(i)
		run = append(run, arc{from.Pair, to.Pair, automata.Edge(x.edges[from.edge-1])}) // the edge before the next
	}
	return run, run[len(run)-1].to, nil
}

// alive reports whether p was met and may be on an accepted run: what is dead leads
// nowhere else.
func (x *componentsOnTheFly) alive(p states.Pair) bool {
	n := *x.numbering.Slot(p.S, p.Q)
	return n != states.Unmet && n != states.Dead
}

// firstTime tells of states that are alive whether it is asked for the first
// time: a bit a state, since they have numbers of their own. An error is the account's.
func (x *componentsOnTheFly) firstTime() (func(states.Pair) bool, error) {
	words := bitset.WordsFor(int(x.numbering.Count) + 1)
	if err := x.account.Reserve(8 * words); err != nil {
		return nil, err
	}
	seen := make([]uint64, words)
	return func(p states.Pair) bool {
		n := *x.numbering.Slot(p.S, p.Q)
		first := !bitset.Has(seen, n)
		bitset.Add(seen, n)
		return first
	}, nil
}

// cycleFrom is a cycle through entry inside its component whose marks satisfy the
// acceptance condition.
func (x *componentsOnTheFly) cycleFrom(entry states.Pair, inside func(states.Pair) bool) ([]arc, error) {
	needed := x.neededMarks(x.union())
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

// neededMarks is a least part of the union of a component's marks that satisfies
// the condition.
func (x *componentsOnTheFly) neededMarks(union []uint64) []uint64 {
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
	parent int32
	edge   automata.Edge
}

// breadthFirst looks for a shortest run from one of the starts over states that
// within allows, whose last edge is a goal. It gives up, with false, after limit
// states. Only the last edge may lead back to a state that is not new. An error is the
// account's.
func (x *componentsOnTheFly) breadthFirst(starts []states.Pair, within func(states.Pair) bool, limit int, goal func(arc) bool) (bool, []arc, error) {
	firstTime, err := x.firstTime()
	if err != nil {
		return false, nil, err
	}
	var queue growing.Stack[node]
	for _, p := range starts {
		queue.Push(node{Pair: p, parent: -1})
		firstTime(p)
	}
	for i := 0; i < queue.Length && i < limit; i++ {
		from := queue.At(i).Pair
		first, end := x.row(from.S, from.Q)
		if first == end {
			continue
		}
		successors, err := x.kripke.Successors(from.S)
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
					return true, trail(&queue, int32(i), a), nil
				}
				if firstTime(a.to) {
					x.account.Add(nodeBytes)
					queue.Push(node{a.to, int32(i), a.edge})
				}
			}
		}
	}
	return false, nil, nil
}

// nodeBytes is what a node of a queue takes.
const nodeBytes = 16

// trail is the run that led to the node with number at, and then takes last.
func trail(queue *growing.Stack[node], at int32, last arc) []arc {
	run := []arc{last}
	for n := queue.At(int(at)); n.parent >= 0; {
		parent := queue.At(int(n.parent))
		run = append(run, arc{parent.Pair, n.Pair, n.edge})
		n = parent
	}
	slices.Reverse(run)
	return run
}

// tell gives a run in terms of transitions; at is where the cycle starts.
func (x *componentsOnTheFly) tell(at states.Pair, prefix, cycle []arc) *witness.Counterexample {
	c := &witness.Counterexample{Start: automata.State(at.Q)}
	if len(prefix) > 0 {
		c.Start = automata.State(prefix[0].from.Q)
	}
	for _, part := range []struct {
		from []arc
		to   *[]witness.Step
	}{{prefix, &c.Prefix}, {cycle, &c.Cycle}} {
		for _, a := range part.from {
			s := witness.Step{Edge: a.edge}
			t, ok := x.kripke.Firing(a.from.S, a.to.S)
			if s.Transition = t; !ok {
				s.Stutter = true
			}
			*part.to = append(*part.to, s)
		}
	}
	return c
}
