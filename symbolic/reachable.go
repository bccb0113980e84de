package symbolic

// A layout lists the nodes that a root reaches by level, and numbers them, for
// passes over a diagram that is not changed meanwhile.
type layout struct {
	nodes  []Node   // ascending by level; Unit is first
	starts []int    // by level: index of its first node; height+2 entries
	index  []uint32 // by Node: index in nodes plus one, or 0
}

// layoutBytes is what a layout takes for each node, at most.
const layoutBytes = 8

// reachable lays out the nodes that n reaches, n included.
// Time is linear in their edges, and in the table of nodes; so is space, which is
// layoutBytes for each node of the table, and counted in Memory before it is used. Within
// guarded it may stop.
func (f *Forest) reachable(n Node) layout {
	f.charge(len(f.nodes))
	l := layout{index: make([]uint32, len(f.nodes)), starts: make([]int, f.height+2)}
	if n == Empty {
		return l
	}
	rest := append(f.markRest[:0], n) // free but for collections
	l.index[n] = 1
	for len(rest) > 0 {
		n := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		l.starts[f.nodes[n].level+1]++
		f.charge(edgeWork * (1 + int(f.degree(n))))
		for _, e := range f.Edges(n) {
			if l.index[e.Child] == 0 {
				l.index[e.Child] = 1
				rest = append(rest, e.Child)
			}
		}
	}
	f.markRest = rest
	// Counting sort by level.
	for k := range f.height + 1 {
		l.starts[k+1] += l.starts[k]
	}
	l.nodes = make([]Node, l.starts[f.height+1])
	next := append([]int(nil), l.starts...)
	for n, met := range l.index {
		if met != 0 {
			at := next[f.nodes[n].level]
			next[f.nodes[n].level]++
			l.nodes[at] = Node(n)
			l.index[n] = uint32(at) + 1
		}
	}
	return l
}

// of returns the number of n within the layout: its index in nodes.
func (l *layout) of(n Node) int { return int(l.index[n]) - 1 }

// level returns the nodes of level k.
func (l *layout) level(k int) []Node { return l.nodes[l.starts[k]:l.starts[k+1]] }

// Size returns the number of nodes that n reaches, n included and Unit not.
func (f *Forest) Size(n Node) int {
	if n <= Unit {
		return 0
	}
	return len(f.reachable(n).nodes) - 1
}
