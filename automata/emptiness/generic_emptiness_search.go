package emptiness

import (
	"context"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// componentSearch holds what Tarjan's algorithm needs, allocated once for all
// subgraphs.
type componentSearch struct {
	g     *MarkedGraph
	group []uint32 // the subgraph that a node was last put in
	last  uint32
	order []uint32 // in a subgraph: 1, 2, … as discovered; 0: not yet
	low   []uint32
	path  []componentFrame
	stack []uint32

	ctx  context.Context // nil: nothing ends the search
	work int             // edges and parts of conditions before the next look at ctx
	err  error           // of ctx: the search has ended without an answer
}

// searchWork is how many edges and parts of conditions are looked at between looks
// at the context: less than a millisecond.
const searchWork = 1 << 15

type componentFrame struct{ node, edge uint32 }

func newComponentSearch(ctx context.Context, g *MarkedGraph) *componentSearch {
	n := g.nodes()
	return &componentSearch{
		g: g, group: make([]uint32, n), order: make([]uint32, n), low: make([]uint32, n), ctx: ctx, work: searchWork,
	}
}

// ended counts work, and tells whether the search is to end without an answer.
func (s *componentSearch) ended(work int) bool {
	if s.work -= work; s.work < 0 && s.ctx != nil && s.err == nil {
		s.work = searchWork
		s.err = account.Reason(s.ctx)
	}
	return s.err != nil
}

// stamp makes nodes the subgraph to be looked at, and names it.
func (s *componentSearch) stamp(nodes []uint32) uint32 {
	s.last++
	for _, n := range nodes {
		s.group[n] = s.last
	}
	return s.last
}

// among searches the subgraph of these nodes without the forbidden edges. Nothing is
// found once the search has ended.
func (s *componentSearch) among(nodes []uint32, forbidden []uint64, f *MarkFormula) *MarkedComponent {
	for _, part := range s.components(nodes, forbidden) {
		marks, cyclic := s.union(part, forbidden)
		if s.err != nil {
			return nil
		}
		if !cyclic {
			continue
		}
		if c := s.within(&MarkedComponent{part, forbidden, marks}, f); c != nil {
			return c
		}
	}
	return nil
}

// within searches one strongly connected component.
func (s *componentSearch) within(c *MarkedComponent, f *MarkFormula) *MarkedComponent {
	leaves := 0
	f = f.replaceMarks(func(l *MarkFormula) *MarkFormula {
		leaves++
		switch {
		case bitset.Has(c.marks, l.bit):
			return l
		case l.operator == automata.Inf:
			return markFalse
		}
		return markTrue
	})
	if s.ended(leaves) || f.operator == automata.ConditionFalse {
		return nil
	}
	if f.holds(c.marks) {
		return c
	}
	disjuncts := []*MarkFormula{f}
	if f.operator == automata.ConditionOr {
		disjuncts = f.operands
	}
	for _, d := range disjuncts {
		if found := s.withinDisjunct(c, d); found != nil {
			return found
		}
	}
	return nil
}

// withinDisjunct searches a component whose marks do not satisfy d. Every bit of
// d occurs in the component, so that d has a Fin, or has no accepting part.
func (s *componentSearch) withinDisjunct(c *MarkedComponent, d *MarkFormula) *MarkedComponent {
	forbidden := append([]uint64(nil), c.forbidden...)
	if d.addForcedFin(forbidden) {
		return s.among(c.Nodes, forbidden, d)
	}
	bit, some := d.someFin()
	if !some {
		return nil
	}
	// Either the edges of the bit are avoided, or its Fin is given up.
	bitset.Add(forbidden, bit)
	if found := s.among(c.Nodes, forbidden, d); found != nil {
		return found
	}
	return s.within(c, d.replaceMarks(func(l *MarkFormula) *MarkFormula {
		if l.operator == automata.Fin && l.bit == bit {
			return markFalse
		}
		return l
	}))
}

// addForcedFin adds the bits that must not recur for f to hold, and tells whether
// there is one.
func (f *MarkFormula) addForcedFin(bits []uint64) bool {
	if f.operator == automata.Fin {
		bitset.Add(bits, f.bit)
		return true
	}
	added := false
	if f.operator == automata.ConditionAnd {
		for _, o := range f.operands {
			if o.operator == automata.Fin {
				bitset.Add(bits, o.bit)
				added = true
			}
		}
	}
	return added
}

// someFin is the bit of the first Fin in f, if there is one.
func (f *MarkFormula) someFin() (int, bool) {
	if f.operator == automata.Fin {
		return f.bit, true
	}
	for _, o := range f.operands {
		if bit, some := o.someFin(); some {
			return bit, true
		}
	}
	return 0, false
}

// union is the union of the marks of the edges within nodes, and whether there is
// such an edge.
func (s *componentSearch) union(nodes []uint32, forbidden []uint64) (marks []uint64, cyclic bool) {
	group := s.stamp(nodes)
	marks = make([]uint64, s.g.Words)
	for _, n := range nodes {
		if s.ended(int(s.g.Start[n+1] - s.g.Start[n])) {
			break
		}
		for e := s.g.Start[n]; e < s.g.Start[n+1]; e++ {
			if s.group[s.g.Destination[e]] == group && !haveCommonBit(s.g.EdgeMarks(e), forbidden) {
				cyclic = true
				for i, w := range s.g.EdgeMarks(e) {
					marks[i] |= w
				}
			}
		}
	}
	return marks, cyclic
}

// haveCommonBit reports whether two sets of bits of the same length have one in common.
func haveCommonBit(a, b []uint64) bool {
	for i, w := range a {
		if w&b[i] != 0 {
			return true
		}
	}
	return false
}

// components are the strongly connected components of the subgraph, by Tarjan's
// algorithm without recursion; those of one node without an edge too. If the search
// ends, some are missing.
func (s *componentSearch) components(nodes []uint32, forbidden []uint64) [][]uint32 {
	group := s.stamp(nodes)
	for _, n := range nodes {
		s.order[n] = 0
	}
	parts := make([][]uint32, 0, 1)
	found := make([]uint32, 0, len(nodes)) // grouped by part
	count := uint32(0)
	open := func(n uint32) {
		count++
		s.order[n], s.low[n] = count, count
		s.stack = append(s.stack, n)
		s.path = append(s.path, componentFrame{n, s.g.Start[n]})
	}
	const done = ^uint32(0)
	for _, root := range nodes {
		if s.err != nil {
			break
		}
		if s.order[root] != 0 {
			continue
		}
		open(root)
		for len(s.path) > 0 {
			top := &s.path[len(s.path)-1]
			n := top.node
			if top.edge < s.g.Start[n+1] {
				e := top.edge
				top.edge++
				m := s.g.Destination[e]
				switch {
				case s.group[m] != group || haveCommonBit(s.g.EdgeMarks(e), forbidden):
				case s.order[m] == 0:
					open(m)
				case s.low[m] != done:
					s.low[n] = min(s.low[n], s.order[m])
				}
				continue
			}
			if s.ended(1 + int(s.g.Start[n+1]-s.g.Start[n])) {
				break
			}
			s.path = s.path[:len(s.path)-1]
			if len(s.path) > 0 {
				parent := s.path[len(s.path)-1].node
				s.low[parent] = min(s.low[parent], s.low[n])
			}
			if s.low[n] != s.order[n] {
				continue
			}
			first := len(found)
			for {
				m := s.stack[len(s.stack)-1]
				s.stack = s.stack[:len(s.stack)-1]
				s.low[m] = done
				found = append(found, m)
				if m == n {
					break
				}
			}
			parts = append(parts, found[first:len(found):len(found)])
		}
	}
	return parts
}
