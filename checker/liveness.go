package checker

import (
	"context"

	"pnmc/petri"
)

// Liveness is whether every transition of a net can always fire again. It is so
// if and only if each terminal strongly connected component of the state graph
// has an edge of every transition. Tarjan's algorithm completes a terminal
// component first, so that nets that are not live often show it early.
type Liveness struct {
	// Decided tells whether the answer is known, and Live what it is.
	Decided, Live bool
	// Transition is one that is dead for ever in some reachable marking, if the
	// net is not live.
	Transition petri.Transition
	// States met.
	States int
}

// CheckLiveness explores k. Groups are sets of transitions one of which has to
// fire; nil: each by itself.
func CheckLiveness(ctx context.Context, k *petri.Kripke, groups [][]uint32) (Liveness, error) {
	c := &components{kripke: k, ctx: ctx, groups: groups, marking: make(petri.Marking, k.Net().Places())}
	err := c.search()
	c.result.States = k.Len()
	return c.result, err
}

// components is Tarjan's algorithm without recursion.
type components struct {
	kripke  *petri.Kripke
	ctx     context.Context
	groups  [][]uint32
	marking petri.Marking
	result  Liveness

	// low is 0 for states not met, else the number of the earliest state known
	// to be reachable, in order of discovery from 1; closed states have maxLow.
	low   []uint32
	count uint32
	stack []petri.StateID // Tarjan's stack
	path  []visit
	polls int
}

type visit struct {
	state    petri.StateID
	next     int32
	number   uint32
	terminal bool // no edge leaves the states found below, so far
}

const closedLow = 1<<32 - 1

func (c *components) lowOf(s petri.StateID) uint32 {
	if int(s) < len(c.low) {
		return c.low[s]
	}
	return 0
}

func (c *components) enter(s petri.StateID) {
	for len(c.low) <= int(s) {
		c.low = append(c.low, 0)
	}
	c.count++
	c.low[s] = c.count
	c.stack = append(c.stack, s)
	c.path = append(c.path, visit{state: s, number: c.count, terminal: true})
}

func (c *components) search() error {
	c.enter(c.kripke.Initial())
	for len(c.path) > 0 {
		if c.polls++; c.polls%pollStates == 0 {
			if err := c.kripke.Poll(c.ctx); err != nil {
				return err
			}
		}
		top := &c.path[len(c.path)-1]
		next, err := c.kripke.Successors(top.state)
		if err != nil {
			return err
		}
		if u := c.kripke.Unbounded(); u != nil {
			return u
		}
		if int(top.next) < len(next) {
			u := next[top.next]
			top.next++
			switch low := c.lowOf(u); low {
			case 0:
				c.enter(u)
			case closedLow:
				top.terminal = false
			default:
				c.low[top.state] = min(c.low[top.state], low)
			}
			continue
		}
		if !c.leave() {
			return nil
		}
	}
	if err := c.kripke.Poll(c.ctx); err != nil {
		return err // a component may not have been looked at to its end
	}
	c.result.Decided, c.result.Live = true, true
	return nil
}

// leave goes back from the last state of the path. It reports false if a
// terminal component lacks a transition.
func (c *components) leave() bool {
	top := c.path[len(c.path)-1]
	c.path = c.path[:len(c.path)-1]
	low := c.low[top.state]
	if low == top.number {
		first := len(c.stack) - 1
		for c.stack[first] != top.state {
			first--
		}
		component := c.stack[first:]
		if top.terminal && !c.complete(component) {
			return false
		}
		for _, s := range component {
			c.low[s] = closedLow
		}
		c.stack = c.stack[:first]
		if len(c.path) > 0 {
			c.path[len(c.path)-1].terminal = false
		}
		return true
	}
	parent := &c.path[len(c.path)-1]
	c.low[parent.state] = min(c.low[parent.state], low)
	parent.terminal = parent.terminal && top.terminal
	return true
}

// complete tells whether every group has a transition enabled in some state.
func (c *components) complete(component []petri.StateID) bool {
	net := c.kripke.Net()
	missing := make([]int, 0, net.Transitions())
	groups := c.groups
	if groups == nil {
		groups = make([][]uint32, net.Transitions())
		for t := range groups {
			groups[t] = []uint32{uint32(t)}
		}
		c.groups = groups
	}
	for g := range groups {
		missing = append(missing, g)
	}
	for i, s := range component {
		if i%pollStates == 0 && c.ctx.Err() != nil {
			c.polls = pollStates - 1 // the search ends undecided at its next poll
			return true
		}
		c.kripke.Marking(s, c.marking)
		kept := missing[:0]
		for _, g := range missing {
			enabled := false
			for _, t := range groups[g] {
				if net.Enabled(c.marking, petri.Transition(t)) {
					enabled = true
					break
				}
			}
			if !enabled {
				kept = append(kept, g)
			}
		}
		if missing = kept; len(missing) == 0 {
			return true
		}
	}
	c.result.Decided = true
	if len(groups[missing[0]]) > 0 {
		c.result.Transition = petri.Transition(groups[missing[0]][0])
	}
	return false
}
