package invariant

// columns has the transitions that are not eliminated yet. It counts the rows that have an
// effect on each. A heap has those with such a row, the cheapest to eliminate first.
//
// The order matters. With p rows that gain from a transition and n that lose by it, p·n rows are
// made and p+n dropped. A transition with one of each makes one of two; one with ten of each makes
// a hundred of twenty, and each later step has more to do. So the cheapest is taken next.
//
// Many rows change in one step, so that the heap is put in order once, after it.
type columns struct {
	count   []columnCount
	cost    []int64  // by transition, as the heap is ordered
	heap    []uint32 // transitions
	place   []int32  // of each transition in heap, from 1; 0: it is not there
	changed []uint32 // transitions whose count changed since the heap was in order
	noted   []bool   // by transition: it is in changed
}

// columnCount is how many rows have a positive or a negative effect on a transition.
type columnCount struct{ positive, negative int32 }

// cost returns by how many the elimination of the transition changes the number of rows.
func (c columnCount) cost() int64 {
	p, n := int64(c.positive), int64(c.negative)
	return p*n - p - n
}

// newColumns returns the columns of so many transitions, with no rows.
func newColumns(transitions int) *columns {
	return &columns{
		count: make([]columnCount, transitions),
		cost:  make([]int64, transitions),
		place: make([]int32, transitions),
		noted: make([]bool, transitions),
	}
}

// add changes how many rows have an effect as that of x by that many.
func (c *columns) add(x entry, by int32) {
	if x.value > 0 {
		c.count[x.index].positive += by
	} else {
		c.count[x.index].negative += by
	}
	if !c.noted[x.index] {
		c.noted[x.index] = true
		c.changed = append(c.changed, x.index)
	}
}

// cheapest returns the transition whose elimination makes the fewest new rows, of several the
// first, or false if there is nothing left to eliminate. It also returns how many changes
// it had to put in order.
func (c *columns) cheapest() (t uint32, work int, ok bool) {
	work = len(c.changed)
	for _, t := range c.changed {
		c.noted[t] = false
		c.put(t)
	}
	c.changed = c.changed[:0]
	if len(c.heap) == 0 {
		return 0, work, false
	}
	return c.heap[0], work, true
}

// put gives a transition whose count has changed its place in the heap, or takes it out.
func (c *columns) put(t uint32) {
	at, used := int(c.place[t])-1, c.count[t] != columnCount{}
	if used {
		c.cost[t] = c.count[t].cost()
	}
	switch {
	case at < 0 && !used:
	case at < 0:
		c.heap = append(c.heap, t)
		c.set(len(c.heap)-1, t)
		c.up(len(c.heap) - 1)
	case !used:
		last := len(c.heap) - 1
		moved := c.heap[last]
		c.heap = c.heap[:last]
		c.place[t] = 0
		if at < last {
			c.set(at, moved)
			c.down(c.up(at))
		}
	default:
		c.down(c.up(at))
	}
}

// set puts t at a place of the heap.
func (c *columns) set(at int, t uint32) {
	c.heap[at] = t
	c.place[t] = int32(at) + 1
}

// less reports whether a comes before b: it is cheaper, or as cheap and has the smaller number.
func (c *columns) less(a, b uint32) bool {
	return c.cost[a] < c.cost[b] || c.cost[a] == c.cost[b] && a < b
}

// up moves an entry of the heap up as long as it is cheaper than the one above it. It returns its new
// place.
func (c *columns) up(at int) int {
	t := c.heap[at]
	for at > 0 && c.less(t, c.heap[(at-1)/2]) {
		c.set(at, c.heap[(at-1)/2])
		at = (at - 1) / 2
	}
	c.set(at, t)
	return at
}

// down moves what is at a place down as far as something below it is cheaper.
func (c *columns) down(at int) {
	t := c.heap[at]
	for 2*at+1 < len(c.heap) {
		below := 2*at + 1
		if below+1 < len(c.heap) && c.less(c.heap[below+1], c.heap[below]) {
			below++
		}
		if !c.less(c.heap[below], t) {
			break
		}
		c.set(at, c.heap[below])
		at = below
	}
	c.set(at, t)
}
