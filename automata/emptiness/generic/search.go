package generic

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/internal/components"
)

// Search looks for components of subgraphs, with tables that are allocated once.
//
// It takes the marks of a component together, and replaces what they decide by constants. For a bit
// that no edge has, Inf is false and Fin is true. If the rest holds for all marks, the component
// accepts. If not, some Fin is in the way. If a Fin is a conjunct, every accepted run must obey it.
// So its edges are cut at once, and the parts that are left are searched in the same way. Any other
// Fin is obeyed first, and then given up: two branches, and so exponentially many at worst.
//
// For example, Fin(0) & Inf(1) on nodes x and y with edges x to y in set 1, y to x in no set, and a
// loop of x in sets 0 and 1. The marks of all are {0, 1}, for which Fin(0) is false. Without the loop,
// x and y are one component still. Its marks are {1}, Fin(0) is true of them and Inf(1) holds: it
// accepts. Were the edge from y to x in set 0, it would be cut too, and no cycle would be left.
type Search struct {
	g      *Graph
	group  []uint32 // the subgraph that a node was last put in
	last   uint32
	search components.Search

	ctx  context.Context // nil: nothing ends the search
	work int             // edges and parts of conditions before the next look at ctx
	Err  error           // of ctx: the search has ended without an answer
}

// searchWork is how many edges and parts of conditions are looked at between looks
// at the context: less than a millisecond.
const searchWork = 1 << 15

// NewSearch returns a search of g that ends with ctx; nil: nothing ends it.
func NewSearch(ctx context.Context, g *Graph) *Search {
	s := &Search{g: g, group: make([]uint32, g.Nodes()), ctx: ctx, work: searchWork}
	s.search.Grow(g.Nodes())
	return s
}

// ended counts work, and reports whether the search is to end without an answer.
func (s *Search) ended(work int) bool {
	if s.work -= work; s.work < 0 && s.ctx != nil && s.Err == nil {
		s.work = searchWork
		s.Err = account.Reason(s.ctx)
	}
	return s.Err != nil
}

// stamp makes nodes the subgraph to be looked at, and names it.
func (s *Search) stamp(nodes []uint32) uint32 {
	s.last++
	for _, n := range nodes {
		s.group[n] = s.last
	}
	return s.last
}

// Among searches the subgraph of these nodes without the forbidden edges. Nothing is
// found once the search has ended.
func (s *Search) Among(nodes []uint32, forbidden []uint64, f *Formula) *Component {
	for _, part := range s.Components(nodes, forbidden) {
		marks, cyclic := s.union(part, forbidden)
		if s.Err != nil {
			return nil
		}
		if !cyclic {
			continue
		}
		if c := s.within(&Component{part, forbidden, marks}, f); c != nil {
			return c
		}
	}
	return nil
}

// Accepts reports whether part, a component of the subgraph without the forbidden edges, has
// an accepting cycle. False means nothing once the search has ended.
func (s *Search) Accepts(part []uint32, forbidden []uint64, f *Formula) bool {
	marks, cyclic := s.union(part, forbidden)
	return cyclic && s.within(&Component{part, forbidden, marks}, f) != nil
}

// within searches one strongly connected component.
func (s *Search) within(c *Component, f *Formula) *Component {
	leaves := 0
	f = f.replace(func(l *Formula) *Formula {
		leaves++
		switch {
		case bitset.Has(c.marks, l.bit):
			return l
		case l.operator == automata.Inf:
			return False
		}
		return True
	})
	if s.ended(leaves) || f.operator == automata.ConditionFalse {
		return nil
	}
	if f.Holds(c.marks) {
		return c
	}
	disjuncts := []*Formula{f}
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
func (s *Search) withinDisjunct(c *Component, d *Formula) *Component {
	forbidden := append([]uint64(nil), c.forbidden...)
	if d.addForcedFin(forbidden) {
		return s.Among(c.Nodes, forbidden, d)
	}
	bit, some := d.someFin()
	if !some {
		return nil
	}
	// Either the edges of the bit are avoided, or its Fin is given up.
	bitset.Add(forbidden, bit)
	if found := s.Among(c.Nodes, forbidden, d); found != nil {
		return found
	}
	return s.within(c, d.replace(func(l *Formula) *Formula {
		if l.operator == automata.Fin && l.bit == bit {
			return False
		}
		return l
	}))
}

// addForcedFin adds the bits that must not recur for f to hold, and reports whether
// there is one.
func (f *Formula) addForcedFin(bits []uint64) bool {
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

// someFin returns the bit of the first Fin in f, if there is one.
func (f *Formula) someFin() (int, bool) {
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

// union returns the union of the marks of the edges within nodes, and whether there is
// such an edge.
func (s *Search) union(nodes []uint32, forbidden []uint64) (marks []uint64, cyclic bool) {
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

// Components returns the strongly connected components of the subgraph, also those of one node
// without an edge. If the search ends, some are missing. Linear in the subgraph.
func (s *Search) Components(nodes []uint32, forbidden []uint64) [][]uint32 {
	group := s.stamp(nodes)
	search := &s.search
	for _, n := range nodes {
		search.Forget(n)
	}
	parts := make([][]uint32, 0, 1)
	found := make([]uint32, 0, len(nodes)) // grouped by part
	for _, root := range nodes {
		if s.Err != nil {
			break
		}
		if search.Met(root) {
			continue
		}
		search.Enter(root, s.g.Start[root])
		for search.Active() {
			top := search.Top()
			n := top.Node
			if e := top.Next; e < s.g.Start[n+1] {
				top.Next++
				m := s.g.Destination[e]
				if s.group[m] == group && !haveCommonBit(s.g.EdgeMarks(e), forbidden) && search.Look(top, m) == components.New {
					search.Enter(m, s.g.Start[m])
				}
				continue
			}
			if s.ended(1 + int(s.g.Start[n+1]-s.g.Start[n])) {
				break
			}
			if members := search.Leave(); members != nil {
				first := len(found)
				found = append(found, members...)
				slices.Reverse(found[first:]) // the last one met comes first
				parts = append(parts, found[first:len(found):len(found)])
			}
		}
	}
	return parts
}

// Uniform reports whether all edges within part have the same of the bits that c
// speaks of.
func (s *Search) Uniform(part []uint32, c *Condition) bool {
	group := s.stamp(part)
	var first []uint64
	for _, n := range part {
		for e := s.g.Start[n]; e < s.g.Start[n+1]; e++ {
			if s.group[s.g.Destination[e]] != group {
				continue
			}
			marks := s.g.EdgeMarks(e)
			if first == nil {
				first = marks
			}
			for i, w := range marks {
				if (w^first[i])&c.used[i] != 0 {
					return false
				}
			}
		}
	}
	return true
}
