package symbolic

import "context"

// Saturate returns the set of vectors reachable by r, in any number of steps, from
// some vector of n.
//
// The problem: breadth first, all events are fired on the whole set, round by round. The sets in
// between are often much larger as diagrams than the result.
//
// The idea: work from the bottom up. An event belongs to the level of its topmost step. A node of
// level k is closed if no event of level k or below leads out of the set that it stands for.
// Saturation first closes the children of a node. Then it fires the events of the node's own level
// until none of them adds anything. An event may also make something new further down; that is
// closed before it is united with a child. So nearly all nodes that are ever made are closed, and
// diagrams in between stay small. This is Ciardo, Marmorstein, Siminiceanu, "Saturation unbound",
// 2003. The package comment describes the events. Events of a level that differ only in values are
// one rule by then (merge.go).
//
// For example, take two counters, x above y, that events raise to 9 each on their own. The
// node of y is closed first, to 0…9, by its event alone. Then x is raised. Its ten edges
// all lead to that closed node, and no event of y fires again. Breadth first there would
// be eighteen sets, and most of them would be larger as diagrams than the last.
//
// An example with an event that reaches down: x is 2 and y is 0. Event e takes one from x and adds
// one to y; event f takes one from y. The node of y, {0}, is closed under f. Firing e on the child
// of x = 2 makes {1}. That is closed under f to {0, 1}, and becomes the child of x = 1. This child
// is dirty now: e has not been fired on it. Firing e makes {1, 2}, which is closed to {0, 1, 2},
// the child of x = 0.
//
// Why it is right: only what events make is added, so all vectors of the result are reachable.
// Conversely, the result of saturate for a node of level k is closed, by induction over levels. Its
// children are closed under the events below k: the recursion closes the old ones, and fire closes
// those that an event makes. Where two children are united, the union is closed, since an event
// leads from the union only to what it leads to from one of the two. saturateWindow fires the
// events of level k until no child is dirty. An event above k is fired at its own level. No path
// skips a level (Forest), so each level has its turn, and no event leads out of the root. With a
// constraint (SaturateWithin), only events count that lead to a vector which the constraint allows.
// Each level gets the part of the constraint that belongs to the value above it.
//
// If the result is finite, the rounds end: each adds a vector, except at most the last two. If it
// is infinite, memory, the context, or the range of values (ErrRange) ends them.
//
// What it costs: the number of nodes that are made, times the events of their level. The cache
// remembers which node was closed to which, and what an event made of a child. When the cache is
// full it forgets, and some work is done twice. The number of nodes depends on the order of
// variables. At worst it is exponential in the number of variables, as with all decision
// diagrams; package order looks for a good order.
func (r *Relation) Saturate(ctx context.Context, n Node) (Node, error) {
	if r.releases { // the inverse of a reset leads to any number of tokens: nothing would end it
		return Empty, errReleased
	}
	defer r.forest.within(ctx)()
	return r.forest.guarded([]Node{n}, func() Node { return r.saturate(n, anything) })
}

// SaturateWithin returns the set of vectors that r reaches from some vector of n without leaving
// the set within. The vectors of n themselves need not be in within; all of them are in the result.
// This is constrained saturation (Zhao, Ciardo, "Symbolic CTL model checking of asynchronous
// systems using constrained saturation", 2009).
func (r *Relation) SaturateWithin(ctx context.Context, n, within Node) (Node, error) {
	defer r.forest.within(ctx)()
	return r.forest.guarded([]Node{n, within}, func() Node { return r.saturate(n, within) })
}

// saturate does the work of Saturate and SaturateWithin, by recursion. It remembers results
// under the number of the relation, r.own, since different relations close the same node
// differently.
func (r *Relation) saturate(n, within Node) Node {
	if n <= Unit || within == Empty {
		return n
	}
	f := r.forest
	operation := operationRules + ruleOperations*r.own + ruleSaturate
	if s, ok := f.cache.find(operation, n, within); ok {
		return s
	}
	level := int(f.nodes[n].level)
	w := f.openWindow(level)
	for i, size := uint32(0), f.degree(n); i < size; i++ {
		e := f.edge(n, i)
		w.add(f, e.Value, r.saturate(e.Child, f.constraint(within, e.Value)))
	}
	f.level = level // progress, for who watches a race of orders
	r.saturateWindow(level, &w, within)
	s := f.closeWindow(w)
	f.cache.put(operation, n, within, s)
	return s
}

// saturateWindow fires the events of level on the children of w, as far as they
// stay in within, until none changes any more. A window is a node under construction, with a
// child for each value (setops.go). A child is dirty while some event has not been fired on it
// as it is now; all are at first.
func (r *Relation) saturateWindow(level int, w *window, within Node) {
	f := r.forest
	events := r.top[level]
	if len(events) == 0 {
		clear(f.dirty[w.base:])
		return
	}
	// Sweeps go up and down in turn, as some events raise values and others lower them.
	for again := true; again; {
		f.charge(2 * (len(f.window) - w.base))
		again = false
		for value := int64(w.low); value < int64(w.low)+int64(len(f.window)-w.base); value++ {
			again = r.fireOnDirty(events, uint32(value), w, within) || again
		}
		if !again {
			break
		}
		for value := int64(w.low) + int64(len(f.window)-w.base) - 1; value >= int64(w.low); value-- {
			r.fireOnDirty(events, uint32(value), w, within)
		}
	}
}

// fireOnDirty fires the events on the child for value, and reports whether it was
// dirty.
func (r *Relation) fireOnDirty(events []uint32, value uint32, w *window, within Node) bool {
	f := r.forest
	i := w.base + int(value-w.low)
	if !f.dirty[i] {
		return false
	}
	f.dirty[i] = false
	for _, rule := range events {
		r.fireInWindow(rule, value, w, within)
	}
	return true
}

// fireInWindow fires the rule, of the level of w, on the child for value.
func (r *Relation) fireInWindow(rule, value uint32, w *window, within Node) {
	f := r.forest
	for _, a := range f.rules.startingAt(rule, value) {
		if value < a.low || value > a.high {
			continue
		}
		child := f.window[w.base+int(value-w.low)]
		to := displaced(value, a.delta)
		if next := f.fire(r, a.next, child, f.constraint(within, to)); next != Empty {
			w.add(f, to, next)
		}
	}
	if within == anything || !r.releases {
		return
	}
	// A release leads from one value to all that within allows (Reverse).
	for _, a := range f.rules.of(rule) {
		if isRelease(a.delta) && value == releasedFrom(a.delta) {
			f.release(r, a, f.window[w.base+int(value-w.low)], within, w)
		}
	}
}
