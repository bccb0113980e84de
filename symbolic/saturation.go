package symbolic

import "context"

// Saturate returns the set of vectors to which any number of firings of r's events, or none, lead
// from vectors of n. A vector has a value for each variable.
//
// The problem: to fire all events on the whole set, round by round, makes sets in between that are
// much larger as diagrams than the result. The idea is to work from the bottom up instead. An event
// is a list of steps, each of which tests and changes one variable (Step). It belongs to the level
// of its topmost step. A node of level k is closed if no event of level k or below leads out of the
// set that it stands for. Saturation closes the children of a node first, and then fires the events
// of the node's own level until none of them adds anything. Such an event may change lower levels,
// too. The nodes that it makes there are closed at once, before they are united with the children
// that are there. So nearly all nodes are closed from the start, and diagrams in between stay small
// (Ciardo, Marmorstein, Siminiceanu, "Saturation unbound", 2003). Events are kept as rules
// (Relation). Callers merge those of a level before, into one rule with alternatives, or into
// several where that one would be too large (merge.go).
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
// Why it is right: nothing but what events make is added, so all vectors of the result are
// reachable. Conversely, what saturate returns for a node of level k is closed, by induction over
// levels. Its children are closed under the events below k: the recursion has closed those that
// were there, and the function fire has closed those that an event made. Where two are united, the
// union of closed sets is closed: an event leads from the union only to what it leads to from one
// of the two. The events of k are fired by saturateWindow until no child is dirty. An event above k
// is the business of its own level. No path skips a level (Forest), so that each level has its
// turn. So no event leads out of the root. With a constraint (SaturateWithin) it is the same with
// "leads out of the set, to a vector that the constraint allows": the recursion goes down the
// diagram of the constraint together with the node, and below value v it uses the constraint's
// child for v.
//
// A round of saturateWindow is a sweep up and one down. If the result is finite the rounds end:
// each adds a vector, except at most the last two, the last of which finds no dirty child. If it is
// infinite, memory, the context, or the range of values (ErrRange) ends them.
//
// What it costs: the nodes that are made, times the events of their level. The cache remembers for
// a node which closed node it became, and for a rule and a child what the rule made of it. A new
// result may take the place of an old one, which is computed again when it is needed. The number of
// nodes depends on the order of variables, and is exponential in the number of variables at worst,
// as with all decision diagrams: package order looks for a good order.
func (r *Relation) Saturate(ctx context.Context, n Node) (Node, error) {
	if r.releases { // a release leads from one value to any (Relation): the set would be infinite
		return Empty, errReleased
	}
	defer r.forest.within(ctx)()
	return r.forest.guarded([]Node{n}, func() Node { return r.saturate(n, anything) })
}

// SaturateWithin returns the vectors of n, and those to which firings of r's events lead from them
// where each vector after the first is in the set within. The vectors of n themselves need not be
// in that set. This is constrained saturation (Zhao, Ciardo, "Symbolic CTL model checking of
// asynchronous systems using constrained saturation", 2009).
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
// child for each value (setops.go). A child is dirty if it has changed since the events of the
// level were fired on it. At first all children are dirty.
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
	// A release is the inverse of an assignment: it leads from the assigned value to each value that
	// the guard of the assignment and within allow (Reverse).
	for _, a := range f.rules.of(rule) {
		if isRelease(a.delta) && value == releasedFrom(a.delta) {
			f.release(r, a, f.window[w.base+int(value-w.low)], within, w)
		}
	}
}
