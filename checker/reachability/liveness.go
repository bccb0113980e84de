package reachability

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/components"
	"pnmc/petri"
)

// Liveness is whether every transition of a net can always fire again. It is so
// if and only if each terminal strongly connected component of the state graph
// has an edge of every transition. A depth-first search completes a terminal
// component first, so that nets that are not live often show it early.
type Liveness struct {
	// Decided reports whether the answer is known, and Live what it is.
	Decided, Live bool
	// Transition is one that is dead for ever in some reachable marking, if the
	// net is not live.
	Transition petri.Transition
	// Group is the number of its group.
	Group int
	// Run leads to such a marking; nil if time did not allow to find it.
	Run []petri.Transition
	// States met.
	States int
}

// CheckLiveness explores k. Groups are sets of transitions one of which has to
// fire; nil: each by itself.
func CheckLiveness(ctx context.Context, k *petri.Kripke, groups [][]uint32) (Liveness, error) {
	k.Begin(ctx)
	c := &terminalSearch{kripke: k, account: k.Account(), groups: groups, marking: make(petri.Marking, k.Net().Places())}
	err := c.search()
	c.result.States = k.Len()
	if err == nil && !c.result.Live {
		c.result.Run = c.shortestRun(c.culprit)
	}
	return c.result, err
}

// terminalSearch looks for a terminal component that lacks a transition.
type terminalSearch struct {
	kripke  *petri.Kripke
	account *account.Account
	groups  [][]uint32
	marking petri.Marking
	result  Liveness
	culprit petri.StateID // in a component that lacks a transition

	components components.Search
	// left is the depth of the last state on the path such that an edge leaves a component from
	// it, or from a state after it that is not on the path any more; 0 if there is none.
	left int
}

// enter puts a new state on the path, for which there is room. An error is the account's.
func (c *terminalSearch) enter(s petri.StateID) error {
	_, stack, path := c.components.Tables()
	if err := account.Room(c.account, stack, 1); err != nil {
		return err
	}
	if err := account.Room(c.account, path, 1); err != nil {
		return err
	}
	c.components.Enter(uint32(s), 0)
	return c.account.Charge(account.StateWork)
}

// room makes room for the states up to s. An error is the account's.
func (c *terminalSearch) room(s petri.StateID) error {
	if more := int(s) + 1 - c.components.Room(); more > 0 {
		low, _, _ := c.components.Tables()
		if err := account.Room(c.account, low, more); err != nil {
			return err
		}
		c.components.Grow(int(s) + 1)
	}
	return nil
}

func (c *terminalSearch) search() error {
	if err := c.room(c.kripke.Initial()); err != nil {
		return err
	}
	if err := c.enter(c.kripke.Initial()); err != nil {
		return err
	}
	for c.components.Active() {
		if err := c.account.Charge(account.EdgeWork); err != nil {
			return err
		}
		top := c.components.Top()
		next, err := c.kripke.Successors(petri.StateID(top.Node))
		if err != nil {
			return err
		}
		if u := c.kripke.Unbounded(); u != nil {
			return u
		}
		if int(top.Next) < len(next) {
			u := next[top.Next]
			top.Next++
			if err := c.room(u); err != nil {
				return err
			}
			switch c.components.Look(top, uint32(u)) {
			case components.New:
				if err := c.enter(u); err != nil {
					return err
				}
			case components.Closed:
				c.left = c.components.Depth()
			}
			continue
		}
		if goesOn, err := c.leave(); !goesOn || err != nil {
			return err
		}
	}
	c.result.Decided, c.result.Live = true, true
	return nil
}

// leave goes back from the last state of the path. It reports false if a
// terminal component lacks a transition. An error is the account's.
func (c *terminalSearch) leave() (bool, error) {
	terminal := c.left < c.components.Depth()
	members := c.components.Leave()
	before := c.components.Depth()
	if members == nil {
		c.left = min(c.left, before)
		return true, nil
	}
	if terminal {
		if complete, err := c.complete(members); !complete || err != nil {
			return false, err
		}
	}
	c.left = before // an edge leads from there to this component
	return true, nil
}

// complete reports whether every group has a transition enabled in some state of the
// component. An error is the account's.
func (c *terminalSearch) complete(members []uint32) (bool, error) {
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
	for _, s := range members {
		if err := c.account.Charge(8*len(c.marking) + groupWork*len(missing)); err != nil {
			return false, err
		}
		c.kripke.Marking(petri.StateID(s), c.marking)
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
			return true, nil
		}
	}
	c.result.Decided, c.culprit, c.result.Group = true, petri.StateID(members[0]), missing[0]
	if len(groups[missing[0]]) > 0 {
		c.result.Transition = petri.Transition(groups[missing[0]][0])
	}
	return false, nil
}

// groupWork is about what it costs to see whether a group of transitions has an enabled
// one, in nanoseconds.
const groupWork = 16

// shortestRun leads to a state that was met, breadth first; nil if ctx ends before
// it is found.
func (c *terminalSearch) shortestRun(to petri.StateID) []petri.Transition {
	k := c.kripke
	const none = petri.StateID(math.MaxUint32)
	if c.account.Reserve(8*k.Len()) != nil {
		return nil
	}
	parent := make([]petri.StateID, k.Len()) // states met so far
	for s := range parent {
		parent[s] = none
	}
	parent[k.Initial()] = k.Initial()
	queue := make([]petri.StateID, 1, k.Len())
	queue[0] = k.Initial()
	for head := 0; head < len(queue) && queue[head] != to; head++ {
		next, err := k.Successors(queue[head])
		if err != nil || c.account.Charge(account.EdgeWork*len(next)) != nil {
			return nil
		}
		for _, u := range next {
			if int(u) < len(parent) && parent[u] == none {
				parent[u] = queue[head]
				queue = append(queue, u)
			}
		}
	}
	run := []petri.Transition{}
	for s := to; s != k.Initial(); s = parent[s] {
		if parent[s] == none {
			return nil
		}
		t, ok := k.Firing(parent[s], s)
		if !ok {
			return nil
		}
		run = append(run, t)
	}
	slices.Reverse(run)
	return run
}

// lookWork is what it costs to fire a transition by the definitions, in nanoseconds.
const lookWork = 64

// NeverAgain looks, by the definitions alone, whether transitions can fire in a marking of
// net that follows the one after run: refuted tells that run does not exist or that one of
// them can, confirmed that none can. It sees what is dead even if tokens are never taken
// away, and looks at up to limit markings for the rest. Neither is known if these are too
// few, or ctx ends before.
func NeverAgain(ctx context.Context, net *petri.Net, run []petri.Transition, transitions []uint32, limit int) (confirmed, refuted bool) {
	var looking account.Account
	looking.Begin(ctx)
	m := net.Initial()
	for _, t := range run {
		if !net.Fire(m, t) {
			return false, true
		}
		if looking.Charge(lookWork) != nil {
			return false, false
		}
	}
	switch dead, err := deadFrom(&looking, net, m, transitions); {
	case err != nil:
		return false, false
	case dead:
		return true, false
	}
	met := map[string]bool{}
	var queue []petri.Marking
	var key []byte
	visit := func(m petri.Marking) {
		key = key[:0]
		for _, tokens := range m {
			key = binary.AppendVarint(key, tokens)
		}
		if !met[string(key)] {
			met[string(key)] = true
			queue = append(queue, slices.Clone(m))
		}
	}
	visit(m)
	for head := 0; head < len(queue); head++ {
		for _, t := range transitions {
			if net.Enabled(queue[head], petri.Transition(t)) {
				return false, true
			}
		}
		if head >= limit {
			return false, false
		}
		for t := range petri.Transition(net.Transitions()) {
			if looking.Charge(lookWork+8*len(m)) != nil {
				return false, false
			}
			if copy(m, queue[head]); net.Fire(m, t) {
				looking.Add(8 * len(m))
				visit(m)
			} else if net.Enabled(m, t) {
				return false, false // the marking is too large to be looked at
			}
		}
	}
	return true, false
}

// deadFrom reports whether none of transitions can fire in m, or ever again, by the same
// argument as DeadEnds, but by the definitions alone (Effect tells the most that firing adds, and
// leaving out inhibitor arcs only lets more fire): all transitions are looked at again
// and again until none is found that can fire now and could not before.
func deadFrom(a *account.Account, net *petri.Net, m petri.Marking, transitions []uint32) (bool, error) {
	endless := make([]bool, net.Places()) // that get as many tokens as one likes
	fires := make([]bool, net.Transitions())
	for more := true; more; {
		more = false
		for t := range petri.Transition(net.Transitions()) {
			if err := a.Charge(lookWork); err != nil {
				return false, err
			}
			if fires[t] || slices.ContainsFunc(net.Pre(t), func(arc petri.Arc) bool { return !endless[arc.Place] && m[arc.Place] < arc.Weight }) {
				continue
			}
			fires[t], more = true, true
			for _, arc := range net.Effect(t) {
				if arc.Weight > 0 {
					endless[arc.Place] = true
				}
			}
		}
	}
	return !slices.ContainsFunc(transitions, func(t uint32) bool { return fires[t] }), nil
}
