package symbolic

import "context"

// Saturate is the set of vectors reachable by r, in any number of steps, from
// some vector of n.
//
// Instead of firing events on the whole set, saturation closes the nodes of the
// diagram from the bottom up: a node of level k is closed under the events whose
// topmost step is at k or below, and whatever firing such an event makes below k
// is closed at once. When an event fires, most nodes below it are closed already, and
// intermediate diagrams stay small (Ciardo, Marmorstein, Siminiceanu,
// "Saturation unbound", 2003).
//
// For example, take two counters, x above y, that events raise to 9 each on their own. The
// node of y is closed first, to 0…9, by its event alone. Then x is raised: its ten children
// are all that one closed node, and no event of y fires again. Breadth first it would be
// eighteen sets, most of them larger as diagrams than the last.
//
// Why it is right: nothing but what events make is added, so all vectors of the result are
// reachable. Conversely, by induction over levels: what saturate returns for a node of level
// k has children that are closed under the events below k, by the recursion for those that
// were there, and by fire for those that an event made; and saturateWindow fires the events
// of k until none of them changes a child. An event above k is fired where its own level is
// closed. So no event leads out of the root. The rounds end where the result is finite, as
// each but the last adds a vector. Where it is infinite, memory or the context ends them.
//
// What it costs: the cache sees to it that each node is closed once, and each event fired
// once on each child as it is. So the time is that of the nodes that are made, times the
// events of a level. The number of nodes depends on the order of variables, and is
// exponential in their number at worst, as with all decision diagrams: package order looks
// for a good order.
func (r *Relation) Saturate(ctx context.Context, n Node) (Node, error) {
	if r.releases {
		return Empty, errReleased
	}
	defer r.forest.within(ctx)()
	return r.forest.guarded([]Node{n}, func() Node { return r.saturate(n, anything) })
}

// SaturateWithin is the set of vectors reachable by r from some vector of n such
// that every vector on the way, apart from the first, is in within: constrained
// saturation (Zhao, Ciardo, "Symbolic CTL model checking of asynchronous systems
// using constrained saturation", 2009).
func (r *Relation) SaturateWithin(ctx context.Context, n, within Node) (Node, error) {
	defer r.forest.within(ctx)()
	return r.forest.guarded([]Node{n, within}, func() Node { return r.saturate(n, within) })
}

// saturate is the recursion behind Saturate and SaturateWithin. Results are remembered under the number of the
// relation, r.own, since different relations close the same node differently.
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
	f.level = level
	r.saturateWindow(level, &w, within)
	s := f.closeWindow(w)
	f.cache.put(operation, n, within, s)
	return s
}

// saturateWindow fires the events of level on the children of w, as far as they
// stay in within, until none changes any more. A child is marked dirty while
// some event has not been fired on it as it is.
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
	for i := range f.rules.of(rule) {
		if a := f.rules.of(rule)[i]; isRelease(a.delta) && value == releasedFrom(a.delta) {
			f.release(r, a, f.window[w.base+int(value-w.low)], within, w)
		}
	}
}
