package reachability

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"pnmc/checker/branching"
	"pnmc/checker/internal/lanes"
	"pnmc/internal/account"
	"pnmc/internal/components"
	"pnmc/petri"
	"pnmc/petri/multicore"
)

// A net is live if from each reachable marking each transition can be made to fire again. That is a
// question about terminal components: strongly connected components of the state graph that no edge
// leaves.
//
// Why. From each marking some terminal component can be reached, as the graph is finite. Once a run
// is in one, it stays there. If the component has an edge of every transition, each of them can
// fire again from everywhere in it. If it lacks one, that transition is dead in it for ever. So the
// net is live if and only if each terminal component has an edge of every transition.
//
// How. Tarjan's search completes a component before those from which it can be reached. A component
// is terminal if no edge leaves it. One number is enough to see that (left). Consider the edges to
// complete components; each leaves a state on the path, or a state after it that is no longer on
// the path. left is the depth of the last such state on the path. When the search leaves the root
// of a component, the component is terminal if left is less than the root's depth.
//
// For example, let the edges be 0→1, 1→2, 2→1, 0→3 and 3→3. The path 0, 1, 2 closes the component
// {1, 2}, with root 1 at depth 2. No edge to a complete component was seen, left is 0: the
// component is terminal and is looked at. Then left is 1, the depth of 0. From 0 the search goes to
// 3, which is a component at depth 2: terminal as well. When it leaves 0, left is equal to its
// depth 1: the component {0} is not terminal.
//
// A depth-first search completes a terminal component first. So a net that is not live often shows
// that early. The cost is linear in the state graph, and in the worst case the transitions are
// looked at in each marking of a terminal component.

// Liveness is the answer to whether every transition of a net can always fire again.
type Liveness struct {
	// Decided reports whether the answer is known, and Live what it is.
	Decided, Live bool
	// Transition is dead for ever in some reachable marking, if the net is not live.
	Transition petri.Transition
	// Group is the number of its group.
	Group int
	// Run leads to such a marking. It is nil if there was no time to find it.
	Run []petri.Transition
	// States counts the markings that were met.
	States int
}

// CheckLiveness explores k and decides whether the net is live. groups are sets of transitions. In
// each group, some transition must always be able to fire again. With nil, each transition is a
// group. An error says why it could not explore: the context, the budget, or an unbounded place.
func CheckLiveness(ctx context.Context, k *petri.Kripke, groups [][]uint32) (Liveness, error) {
	return checkLiveness(ctx, k, groups, math.MaxInt)
}

// CheckLivenessTogether does so with several threads. One of them searches alone until it has met more
// than first states. If the answer is not known then, all explore the whole graph (package multicore)
// and find its terminal components (branching.Graph). If they can't, the one searches on alone, so that
// it tells the place that has no bound. States of k may have other numbers afterwards. A context of a
// lane (package lanes) is looked at by the thread of the caller only. together reports whether all
// explored.
func CheckLivenessTogether(ctx context.Context, k *petri.Kripke, groups [][]uint32, threads, first int) (l Liveness, together bool, err error) {
	if threads > 1 && !k.IsComplete() {
		if l, err = checkLiveness(ctx, k, groups, first); !errors.Is(err, errMany) {
			return l, false, err
		}
		explore := multicore.Graph{Kripke: k, Threads: threads, Others: lanes.Plain(ctx)}
		together = explore.Together(ctx) == nil
	}
	if threads > 1 && k.IsComplete() && k.Len() > first {
		if l, err := livenessOfGraph(ctx, k, groups, threads); l.Decided {
			return l, together, err
		}
	}
	l, err = CheckLiveness(ctx, k, groups)
	return l, together, err
}

// livenessOfGraph looks at terminal components that several threads find. All edges of k are kept. If
// that does not decide it, an error says nothing more.
func livenessOfGraph(ctx context.Context, k *petri.Kripke, groups [][]uint32, threads int) (Liveness, error) {
	k.Begin(ctx)
	graph, err := branching.TurnGraph(ctx, k, threads)
	if err != nil {
		return Liveness{}, err
	}
	c := newTerminalSearch(k, groups)
	known, err := graph.Terminal(ctx, c.complete)
	if err == nil && known && !c.result.Decided {
		c.result.Decided, c.result.Live = true, true
	}
	return c.finish(err)
}

// errMany says that more states were met than one thread is to meet.
var errMany = errors.New("many states")

// checkLiveness gives up with errMany when it has met more than most states.
func checkLiveness(ctx context.Context, k *petri.Kripke, groups [][]uint32, most int) (Liveness, error) {
	k.Begin(ctx)
	c := newTerminalSearch(k, groups)
	c.most = most
	return c.finish(c.search())
}

// newTerminalSearch returns a search for the question that k has begun.
func newTerminalSearch(k *petri.Kripke, groups [][]uint32) *terminalSearch {
	return &terminalSearch{kripke: k, account: k.Account(), groups: groups, marking: make(petri.Marking, k.Net().Places())}
}

// finish returns what was found, with a run if it was not live.
func (c *terminalSearch) finish(err error) (Liveness, error) {
	c.result.States = c.kripke.Len()
	if err == nil && c.result.Decided && !c.result.Live {
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
	most    int           // states to be met

	components components.Search
	// left is the depth of the last state on the path with an edge to a complete component. The
	// edge may also be that of a state after it which has left the path. left is 0 if there is
	// none.
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

// search explores depth first until a terminal component lacks a transition, or all is explored.
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
		if c.kripke.Len() > c.most {
			return errMany
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

// leave goes back from the last state of the path. If that completes a terminal component, it looks
// for a group that is dead there, and reports false if there is one. An error is the account's.
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

// groupWork is about the cost of seeing whether a group has an enabled transition, in nanoseconds.
const groupWork = 16

// shortestRun returns a shortest run to a state that was met, breadth first. It is nil if the
// account ends before it is found.
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

// lookWork is about the cost of firing a transition by the definitions, in nanoseconds.
const lookWork = 64

// NeverAgain reports whether any of transitions can fire after run, by the definitions alone.
// refuted says that run cannot be fired, or that one of them can fire in a marking after it.
// confirmed says that none can. First it looks whether they are dead even if tokens are never taken
// away. Otherwise it looks at up to limit markings. If these do not suffice, or ctx ends, both are
// false.
func NeverAgain(ctx context.Context, net *petri.Net, run []petri.Transition, transitions []uint32, limit int) (confirmed, refuted bool) {
	looking := account.Of(ctx)
	m := net.Initial()
	for _, t := range run {
		if !net.Fire(m, t) {
			return false, true
		}
		if looking.Charge(lookWork) != nil {
			return false, false
		}
	}
	switch dead, err := deadFrom(looking, net, m, transitions); {
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

// deadFrom reports whether none of transitions can fire in m or ever again, even if tokens are
// never taken away. That is the argument of walk.DeadEnds, made again by the definitions alone. A
// place that some firing adds to counts as having as many tokens as one likes. All transitions are
// looked at again and again until no new one can fire. Effect is the most that a firing adds, and
// inhibitor arcs are left out: both only let more fire.
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
