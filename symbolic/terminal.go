package symbolic

import "context"

// EachTerminalComponent visits the terminal strongly connected components of the
// reachable states, the sets that no path leaves, one after the other until visit
// returns false. A state without successors is one of its own. Every state can
// reach one of them: where there is only one it is a home space.
//
// How one is found. Take any state s, and the set of states onwards from it. If all of these lead
// back to s, they are a component that nothing leaves. If not, those that do not lead back are
// closed: nothing leads from them to the others. They are fewer, as s is not among them, and have a
// terminal component: search there. For example, with the edges 1→2, 2→1, 2→3 and 3→3, let s be 1.
// Onwards are 1, 2 and 3, of which 1 and 2 lead back. What is left is {3}: from 3 all states
// onwards lead back to 3.
//
// When one is found, all states that lead to it are taken out. The rest is closed again: a state
// with a successor that leads there would lead there itself. So the next one is searched for in
// the rest, until nothing is left.
//
// Each costs a few fixpoints. The sets visited are kept until visit returns. (After Xie, Beerel,
// "Implicit enumeration of strongly connected components and an application to formal
// verification", 2000.)
func (s *StateSpace) EachTerminalComponent(ctx context.Context, visit func(Node) bool) error {
	defer s.Forest.within(ctx)() // and whatever visit asks of the states
	dead, err := s.deadlocks()
	if err != nil {
		return err
	}
	t := &terminalSearch{space: s, forest: s.Forest, ctx: ctx, dead: dead}
	defer t.release()
	rest := t.keep(s.Reachable) // closed: its successors are in it
	for t.err == nil && rest != Empty {
		component := t.within(rest)
		if t.err != nil || !visit(component) {
			break
		}
		leading := t.try(s.ExistsUntil(ctx, rest, component))
		rest = t.try(s.Forest.Difference(rest, leading))
	}
	return t.err
}

// A terminalSearch remembers its first error, and keeps its sets until it ends.
type terminalSearch struct {
	space  *StateSpace
	forest *Forest
	ctx    context.Context
	dead   Node
	kept   []Node
	err    error
}

// keep keeps n until the search is released.
func (t *terminalSearch) keep(n Node) Node {
	t.kept = append(t.kept, t.forest.Keep(n))
	return n
}

// try keeps the result of an operation, unless it failed.
func (t *terminalSearch) try(n Node, err error) Node {
	if t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return Empty
	}
	return t.keep(n)
}

// release lets go of all sets of the search. If visit wants to keep one, it must do so itself.
func (t *terminalSearch) release() {
	for _, n := range t.kept {
		t.forest.Release(n)
	}
}

// within returns a terminal component of the closed set n, which is not empty.
func (t *terminalSearch) within(n Node) Node {
	for t.err == nil {
		ends := t.try(t.forest.Intersection(n, t.dead))
		if ends != Empty {
			return t.try(t.forest.Singleton(t.forest.first(ends)))
		}
		state := t.try(t.forest.Singleton(t.forest.first(n)))
		onwards := t.try(t.space.Onwards(t.ctx, state, t.space.Reachable))
		back := t.try(t.space.ExistsUntil(t.ctx, onwards, state))
		away := t.try(t.forest.Difference(onwards, back))
		if away == Empty {
			return onwards
		}
		n = away
	}
	return Empty
}
