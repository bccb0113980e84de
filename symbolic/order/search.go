package order

import (
	"context"
	"slices"

	"pnmc/internal/account"
)

// largestSloanEdge bounds the edges whose members Sloan's algorithm takes as
// adjacent.
const largestSloanEdge = 64

// A Search finds orders for one system, and keeps what several heuristics need, made when
// first asked for.
type Search struct {
	variables  int
	supportsOf func() [][]uint32
	groups     [][]uint32
	plain      *hypergraph // of the supports
	withGroups *hypergraph
	narrow     []int // by Sloan's algorithm
	ctx        context.Context
	work       *work // of the heuristic at hand
}

// NewSearch makes a search for orders of the variables 0 to variables-1. Supports lists, for
// each event, the variables that it reads or writes; it is asked once, when it is needed.
// Groups are variables that belong together, such as the places of a semiflow.
func NewSearch(variables int, supports func() [][]uint32, groups [][]uint32) *Search {
	return &Search{variables: variables, supportsOf: supports, groups: groups}
}

// Watch makes searches end with the context, and bounds the work of each.
func (s *Search) Watch(ctx context.Context) { s.ctx = ctx }

// Find returns the order that a heuristic finds, from the bottom level up, or nil where the
// heuristic says nothing or takes too long.
func (s *Search) Find(h Heuristic) []int {
	if s.variables == 0 {
		return []int{}
	}
	if s.ctx != nil {
		s.work = newWork(s.ctx)
	}
	return h.find(s)
}

// Cost returns the weighted event span of an order, with groups as events: lower is better.
func (s *Search) Cost(order []int) float64 { return s.grouped().cost(order) }

// supports returns the hypergraph of the supports of the events.
func (s *Search) supports() *hypergraph {
	if s.plain == nil {
		s.plain = s.hypergraph(s.supportsOf())
	}
	return s.atWork(&s.plain)
}

// grouped returns a graph that also has the groups as edges.
func (s *Search) grouped() *hypergraph {
	if len(s.groups) == 0 {
		return s.supports()
	}
	if s.withGroups == nil {
		s.withGroups = s.hypergraph(slices.Concat(s.supportsOf(), s.groups))
	}
	return s.atWork(&s.withGroups)
}

// atWork returns a hypergraph for the heuristic at hand. For want of room it is one without edges, which is not kept.
func (s *Search) atWork(kept **hypergraph) *hypergraph {
	g := *kept
	if g == nil {
		g = newHypergraph(s.variables, nil)
	}
	g.work = s.work
	return g
}

// hypergraph returns that of the supports, or nil where there is no room for it, or the context has ended.
func (s *Search) hypergraph(supports [][]uint32) *hypergraph {
	members := 0
	for _, x := range supports {
		members += len(x)
	}
	if account.Of(s.ctx).Reserve(4*4*members) != nil {
		return nil
	}
	return newHypergraph(s.variables, supports)
}

// sloan returns the order of Sloan's algorithm, made once: several heuristics begin with it.
func (s *Search) sloan() []int {
	if s.narrow == nil {
		s.narrow = s.supports().sloan(largestSloanEdge)
	}
	return s.narrow
}
