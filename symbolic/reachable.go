package symbolic

// A layout lists the nodes that a root reaches by level, and numbers them, for
// passes over a diagram that is not changed meanwhile.
type layout struct {
	nodes  []Node   // ascending by level; Unit is first
	starts []int    // by level: index of its first node; height+2 entries
	index  []uint32 // by Node: index in nodes plus one, or 0
}

// reachable lays out the nodes that n reaches, n included.
// Time is linear in their edges, space in the table of nodes.
func (f *Forest) reachable(n Node) layout {
	l := layout{index: make([]uint32, len(f.nodes)), starts: make([]int, f.height+2)}
	if n == Empty {
		return l
	}
	rest := []Node{n}
	l.index[n] = 1
	found := []Node{n}
	for len(rest) > 0 {
		n := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		for _, e := range f.Edges(n) {
			if l.index[e.Child] == 0 {
				l.index[e.Child] = 1
				rest = append(rest, e.Child)
				found = append(found, e.Child)
			}
		}
	}
	// Counting sort by level.
	for _, n := range found {
		l.starts[f.nodes[n].level+1]++
	}
	for k := range f.height + 1 {
		l.starts[k+1] += l.starts[k]
	}
	l.nodes = make([]Node, len(found))
	next := append([]int(nil), l.starts...)
	for _, n := range found {
		at := next[f.nodes[n].level]
		next[f.nodes[n].level]++
		l.nodes[at] = n
		l.index[n] = uint32(at) + 1
	}
	return l
}

// of is the number of n within the layout: its index in nodes.
func (l *layout) of(n Node) int { return int(l.index[n]) - 1 }

// level are the nodes of level k.
func (l *layout) level(k int) []Node { return l.nodes[l.starts[k]:l.starts[k+1]] }

// Size is the number of nodes that n reaches, n included and Unit not.
func (f *Forest) Size(n Node) int {
	if n <= Unit {
		return 0
	}
	return len(f.reachable(n).nodes) - 1
}
