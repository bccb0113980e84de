package symbolic

import "slices"

// Operations on sets work on both diagrams at once, node by node from the top, and
// remember the result for each pair of nodes. Their depth is the height. Unfinished
// nodes are in Forest.scratch, where they are roots, should nodes be collected.
//
// For example, let a have the children x for 0 and y for 1, and b the children y for 1 and z for 2.
// The union has x for 0, y for 1 and z for 2, and no pair below is looked at, as both have the same
// y. The intersection has y for 1 only, and the difference of a and b has x for 0 only. If the
// children for 1 were different, they would be combined in the same way, one level below.

// Union returns the set of vectors in a or b. a and b are of the same level. Time is
// at most the product of their nodes, usually far less.
func (f *Forest) Union(a, b Node) (Node, error) {
	return f.guarded([]Node{a, b}, func() Node { return f.combine(operationUnion, a, b) })
}

// Intersection returns the set of vectors in both a and b, which are of the same
// level.
func (f *Forest) Intersection(a, b Node) (Node, error) {
	return f.guarded([]Node{a, b}, func() Node { return f.combine(operationIntersection, a, b) })
}

// Difference returns the set of vectors in a but not in b, which are of the same
// level.
func (f *Forest) Difference(a, b Node) (Node, error) {
	return f.guarded([]Node{a, b}, func() Node { return f.combine(operationDifference, a, b) })
}

// union returns the states that are in a or b.
func (f *Forest) union(a, b Node) Node { return f.combine(operationUnion, a, b) }

// combine applies one of the three operations to sets that are roots.
func (f *Forest) combine(operation uint32, a, b Node) Node {
	switch operation {
	case operationUnion:
		if a == b || b == Empty {
			return a
		}
		if a == Empty {
			return b
		}
	case operationIntersection:
		if a == b || a == Empty {
			return a
		}
		if b == Empty {
			return b
		}
	case operationDifference:
		if a == b || a == Empty {
			return Empty
		}
		if b == Empty {
			return a
		}
	}
	if a > b && operation != operationDifference {
		a, b = b, a
	}
	if r, ok := f.cache.find(operation, a, b); ok {
		return r
	}
	f.step(int(f.degree(a) + f.degree(b)))
	// One pass over both lists of edges, which ascend by value; what only one of the
	// sets has is taken over or not.
	onlyA, onlyB := operation != operationIntersection, operation == operationUnion
	base := len(f.scratch)
	sizeA, sizeB := f.degree(a), f.degree(b)
	for i, j := uint32(0), uint32(0); i < sizeA || j < sizeB; {
		switch {
		case j == sizeB || i < sizeA && f.edge(a, i).Value < f.edge(b, j).Value:
			if onlyA {
				f.begin(f.edge(a, i))
			} else if j == sizeB {
				i = sizeA
				continue
			}
			i++
		case i == sizeA || f.edge(b, j).Value < f.edge(a, i).Value:
			if onlyB {
				f.begin(f.edge(b, j))
			} else if i == sizeA {
				j = sizeB
				continue
			}
			j++
		default:
			e := f.edge(a, i)
			if child := f.combine(operation, e.Child, f.edge(b, j).Child); child != Empty {
				f.begin(Edge{e.Value, child})
			}
			i, j = i+1, j+1
		}
	}
	r := f.makeNode(int(f.nodes[a].level), base)
	f.cache.put(operation, a, b, r)
	return r
}

// A window is a node under construction: children indexed by value, at the end
// of Forest.window, growing to both sides as values appear. Only the topmost
// window grows.
type window struct {
	base  int    // index of the child of value low
	low   uint32 // value of the first child
	level uint32
}

// openWindow returns an empty window above those that are open.
func (f *Forest) openWindow(level int) window {
	return window{base: len(f.window), level: uint32(level)}
}

// add unites the child for value with n, and reports whether that changed it.
func (w *window) add(f *Forest, value uint32, n Node) bool {
	i := w.base + int(value-w.low)
	if uint(value-w.low) >= uint(len(f.window)-w.base) { // where value < w.low this is beyond all slots
		i = w.slot(f, value)
	}
	old := f.window[i]
	if n == old || n == Empty {
		return false
	}
	if old != Empty {
		f.push(n)
		n = f.union(old, n)
		f.pop()
		if n == old {
			return false
		}
	}
	f.window[i], f.dirty[i] = n, true
	return true
}

// slot returns the index of the child for value, made as there was none. Slots behind the others
// are charged where the window is closed.
func (w *window) slot(f *Forest, value uint32) int {
	size := len(f.window) - w.base
	if size == 0 {
		w.low = value
	}
	if value < w.low {
		shift := int(w.low - value)
		f.checkSpread(size + shift)
		f.charge(size + shift)
		f.extend(shift)
		copy(f.window[w.base+shift:], f.window[w.base:w.base+size])
		copy(f.dirty[w.base+shift:], f.dirty[w.base:w.base+size])
		clear(f.window[w.base : w.base+shift])
		clear(f.dirty[w.base : w.base+shift])
		w.low = value
		return w.base
	}
	f.checkSpread(int(value - w.low))
	f.grow(int(w.level), value)
	if more := int(value-w.low) + 1 - size; more == 1 && len(f.window) < min(cap(f.window), cap(f.dirty)) {
		f.window, f.dirty = append(f.window, Empty), append(f.dirty, false) // as most often, without a call
	} else {
		f.extend(more)
	}
	return w.base + int(value-w.low)
}

// checkSpread stops the operation rather than make a window of a size that one
// event of a large weight would ask for.
func (f *Forest) checkSpread(spread int) {
	if spread > maximalSpread {
		panic(stop{ErrRange})
	}
}

// extend appends that many empty slots, within the budget.
func (f *Forest) extend(n int) {
	size := len(f.window)
	if size+n > cap(f.window) {
		f.afford(int64(2*cap(f.window)+n) * 5)
		f.window = slices.Grow(f.window, n)
	}
	f.dirty = slices.Grow(f.dirty, n)
	f.window, f.dirty = f.window[:size+n], f.dirty[:size+n]
	clear(f.window[size:])
	clear(f.dirty[size:])
}

// closeWindow makes the node and takes the window off.
func (f *Forest) closeWindow(w window) Node {
	f.charge(2 * (len(f.window) - w.base)) // for filling it, too
	base := len(f.scratch)
	for i, n := range f.window[w.base:] {
		if n != Empty {
			f.begin(Edge{w.low + uint32(i), n})
		}
	}
	f.window, f.dirty = f.window[:w.base], f.dirty[:w.base]
	return f.makeNode(int(w.level), base)
}
