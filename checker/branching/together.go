package branching

import (
	"slices"
	"sync"
	"sync/atomic"

	"pnmc/checker/properties"
	"pnmc/internal/account"
	"pnmc/internal/growing"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/labelling"
)

// This file is what several threads do with a Graph. The sets are those that one thread finds, as each
// is the least fixpoint of its equation, or says of each state something that depends on it alone.
//
//   - Turning edges around. Each thread looks at all edges, in the order of the states that they leave,
//     and files those that lead to a part of the states, which is its own. So no two threads
//     write to the same place, and predecessors have the order that one thread gives them. Looking at an
//     edge costs little beside filing it, as edges lie one after the other and their targets do not.
//   - Labels, and EX. Threads take blocks of states. For EX a thread looks at the successors of a
//     state, instead of going back from all states of the operand: so it writes only to its own words.
//   - E(p U q) and A(p U q). Each thread has a stack of states to be worked off. A bit of the set, or a
//     counter, is changed atomically; the thread that sets a bit pushes the state, so that each is worked
//     off once. Threads begin with the members of q, of which they take some words at a time. One that
//     has nothing left waits until another gives it a part of its stack. When all wait, nothing is left.

// turnTogether turns the edges around.
func (g *Graph) turnTogether() error {
	n, threads := uint64(g.states), uint64(len(g.crew.accounts))
	// pass counts edges, or files them.
	pass := func(count bool) error {
		return g.crew.each(func(thread int, a *account.Account) error {
			low, high := uint32(n*uint64(thread)/threads), uint32(n*uint64(thread+1)/threads)
			k := g.kripke.Reader(a)
			for id := range uint32(n) {
				row, deadlock := k.Row(petri.StateID(id))
				if err := a.Charge(account.EdgeWork * (1 + len(row)) / int(threads)); err != nil {
					return err
				}
				switch {
				case deadlock: // this is no edge here
				case count:
					if low <= id && id < high {
						g.out[id] = uint32(len(row))
					}
					for _, to := range row {
						if low <= to && to < high {
							g.start[to+2]++
						}
					}
				default:
					for _, to := range row {
						if low <= to && to < high {
							g.from[g.start[to+1]] = id
							g.start[to+1]++
						}
					}
				}
			}
			return nil
		})
	}
	if err := pass(true); err != nil {
		return err
	}
	g.place()
	return pass(false)
}

// labelTogether adds to set the states whose markings satisfy p.
func (g *Graph) labelTogether(p *logic.Predicate, set stateSet) error {
	return g.crew.eachBlock(g.kripke, g.states, func(k *petri.Kripke, a *account.Account) func(first, end uint32) error {
		labels := labelling.NewForOnce(k, []*labelling.Proposition{properties.Compile(k.Net(), p)})
		return func(first, end uint32) error {
			for id := first; id < end; id++ {
				if err := a.Charge(account.EdgeWork); err != nil {
					return err
				}
				if labels.Label(labels.Of(petri.StateID(id)))[0]&1 == 1 {
					set.add(id)
				}
			}
			return nil
		}
	})
}

// nextTogether adds to set the states with an edge into s.
func (g *Graph) nextTogether(s, set stateSet) error {
	return g.crew.eachBlock(g.kripke, g.states, func(k *petri.Kripke, a *account.Account) func(first, end uint32) error {
		return func(first, end uint32) error {
			for id := first; id < end; id++ {
				row, deadlock := k.Row(petri.StateID(id))
				if err := a.Charge(account.EdgeWork * (1 + len(row))); err != nil {
					return err
				}
				if !deadlock && slices.ContainsFunc(row, func(to petri.StateID) bool { return s.has(to) }) {
					set.add(id)
				}
			}
			return nil
		}
	})
}

// until is a fixpoint under way: states are added to b as Graph.existsUntil does, or as Graph.allUntil
// does if missing is not nil.
type until struct {
	graph   *Graph
	a, b    stateSet
	missing []uint32
	forward bool     // successors are added, not predecessors
	todo    stateSet // b as it was
	next    atomic.Int64

	hungry atomic.Int32 // threads that have nothing to work off
	parts  atomic.Int32 // that wait for them
	over   atomic.Bool
	mutex  sync.Mutex
	fed    sync.Cond
	given  [][]uint32 // parts of stacks
}

// untilTogether adds states to b.
func (g *Graph) untilTogether(a, b stateSet, missing []uint32) error {
	return g.fixpoint(&until{graph: g, a: a, b: b, missing: missing})
}

// reachTogether adds to b the states that it leads to.
func (g *Graph) reachTogether(b stateSet) error {
	return g.fixpoint(&until{graph: g, b: b, forward: true})
}

// fixpoint has all threads work on u.
func (g *Graph) fixpoint(u *until) error {
	if err := g.account.Reserve(8 * len(u.b)); err != nil {
		return err
	}
	u.todo = slices.Clone(u.b)
	u.fed.L = &u.mutex
	return g.crew.each(func(_ int, a *account.Account) error {
		defer u.end() // if it is for an error, or a defect
		return u.work(a)
	})
}

// end ends the work of all threads.
func (u *until) end() {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.over.Store(true)
	u.fed.Broadcast()
}

// work works off states until none is left.
func (u *until) work(a *account.Account) error {
	var stack growing.Stack[uint32]
	k := u.graph.kripke.Reader(a)
	for !u.over.Load() {
		if stack.Length == 0 {
			if more, err := u.refill(a, &stack); !more || err != nil {
				return err
			}
			continue
		}
		u.graph.crew.giveWay()
		i := *stack.Top()
		stack.Pop()
		var next []uint32
		if u.forward {
			next, _ = k.Row(petri.StateID(i))
		} else {
			next = u.graph.predecessors(i)
		}
		for _, p := range next {
			if u.missing != nil && atomic.AddUint32(&u.missing[p], ^uint32(0)) != 0 {
				continue
			}
			if (u.a == nil || u.a.has(p)) && u.b.addShared(p) {
				stack.Push(p)
			}
		}
		if err := a.Charge(account.EdgeWork * (1 + len(next))); err != nil {
			return err
		}
		if u.hungry.Load() > u.parts.Load() && stack.Length >= 2*u.graph.crew.part {
			u.feed(&stack)
		}
	}
	return nil
}

// addShared adds state i to a set that several threads add to. It reports whether it was not there.
func (s stateSet) addShared(i uint32) bool {
	word, bit := &s[i/64], uint64(1)<<(i%64)
	return atomic.LoadUint64(word)&bit == 0 && atomic.OrUint64(word, bit)&bit == 0
}

// refill puts states on the stack, which is empty. It reports whether there were any. An error is that
// of a.
func (u *until) refill(a *account.Account, stack *growing.Stack[uint32]) (more bool, err error) {
	n := int64(u.graph.crew.block / 64)
	for first := (u.next.Add(1) - 1) * n; first < int64(len(u.todo)); first = (u.next.Add(1) - 1) * n {
		words := u.todo[first:min(first+n, int64(len(u.todo)))]
		eachBit(words, func(i uint32) { stack.Push(uint32(first)*64 + i) })
		if err := a.Charge(8*len(words) + 4*stack.Length); err != nil {
			return false, err
		}
		if stack.Length > 0 {
			return true, nil
		}
	}
	u.mutex.Lock()
	defer u.mutex.Unlock()
	hungry := u.hungry.Add(1)
	defer u.hungry.Add(-1)
	for len(u.given) == 0 && !u.over.Load() {
		if int(hungry) == len(u.graph.crew.accounts) {
			// Nobody works, and nothing is left.
			u.over.Store(true)
			u.fed.Broadcast()
			return false, nil
		}
		u.fed.Wait()
		hungry = u.hungry.Load()
	}
	if u.over.Load() {
		return false, nil
	}
	last := len(u.given) - 1
	for _, i := range u.given[last] {
		stack.Push(i)
	}
	u.given = u.given[:last]
	u.parts.Add(-1)
	return true, nil
}

// feed gives a part of the stack to those who are hungry.
func (u *until) feed(stack *growing.Stack[uint32]) {
	part := make([]uint32, u.graph.crew.part)
	for i := range part {
		part[i] = *stack.Top()
		stack.Pop()
	}
	u.mutex.Lock()
	defer u.mutex.Unlock()
	u.given = append(u.given, part)
	u.parts.Add(1)
	u.fed.Signal()
}
