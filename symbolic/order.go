package symbolic

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// An Order lists the variables of a System from the bottom level up.
type Order []int

// largestSloanEdge bounds the edges whose members Sloan's algorithm takes as
// adjacent.
const largestSloanEdge = 64

// positions is the inverse of an order.
func (o Order) positions() []int {
	at := make([]int, len(o))
	for i, v := range o {
		at[v] = i
	}
	return at
}

// reversed is o upside down: an order that is bad one way may be good the other.
func (o Order) reversed() Order {
	if o == nil {
		return nil
	}
	r := slices.Clone(o)
	slices.Reverse(r)
	return r
}

// declared is the order in which variables were declared, the first on top.
func declared(n int) Order {
	o := make(Order, n)
	for i := range o {
		o[i] = n - 1 - i
	}
	return o
}

// A heuristic finds an order for a system, or nil where it says nothing.
type heuristic struct {
	name string
	find func(*orderSearch) Order
}

// heuristics are all of them, the most promising first. Groups help where there
// are some: the tokens of a semiflow are counted on the way from its first variable
// to its last, and nodes tell the counts apart.
var heuristics = []heuristic{
	{"groups-follow", func(o *orderSearch) Order { return o.grouped().followBest(false) }},
	{"force", func(o *orderSearch) Order { return o.supports().force(o.declared()) }},
	{"groups-force", func(o *orderSearch) Order { return o.grouped().force(o.declared()) }},
	{"groups-sloan-force", func(o *orderSearch) Order { return o.grouped().force(o.sloan()) }},
	{"sloan-force", func(o *orderSearch) Order { return o.supports().force(o.sloan()) }},
	{"follow-first", func(o *orderSearch) Order { return o.supports().follow(0) }},
	{"follow-last-reversed", func(o *orderSearch) Order {
		return o.supports().follow(len(o.system.Names) - 1).reversed()
	}},
	{"declared", func(o *orderSearch) Order { return o.declared() }},
	{"sloan-reversed", func(o *orderSearch) Order { return o.sloan().reversed() }},
	{"groups-follow-reversed", func(o *orderSearch) Order { return o.grouped().followBest(true) }},
}

// Heuristics names the heuristics that find orders.
func Heuristics() []string {
	names := make([]string, len(heuristics))
	for i, h := range heuristics {
		names[i] = h.name
	}
	return names
}

// CheckHeuristic reports whether Heuristics lists that name, by the error if not.
func CheckHeuristic(name string) error {
	_, err := heuristicOf(name)
	return err
}

// heuristicOf is the heuristic of that name.
func heuristicOf(name string) (heuristic, error) {
	for _, h := range heuristics {
		if h.name == name {
			return h, nil
		}
	}
	return heuristic{}, fmt.Errorf("expected one of %s, found %q", strings.Join(Heuristics(), ", "), name)
}

// An orderSearch keeps what several heuristics need, made when first asked for.
type orderSearch struct {
	system *System
	plain  *hypergraph // of the supports of events
	groups *hypergraph // with the groups
	narrow Order       // by Sloan's algorithm
	ctx    context.Context
	work   *orderWork // of the heuristic at hand
}

func (o *orderSearch) declared() Order { return declared(len(o.system.Names)) }

// supports is the hypergraph of the supports of the events.
func (o *orderSearch) supports() *hypergraph {
	if o.plain == nil {
		o.plain = newHypergraph(len(o.system.Names), o.system.supports())
	}
	o.plain.work = o.work
	return o.plain
}

// grouped also has the system's groups as edges.
func (o *orderSearch) grouped() *hypergraph {
	if len(o.system.Groups) == 0 {
		return o.supports()
	}
	if o.groups == nil {
		o.groups = newHypergraph(len(o.system.Names), slices.Concat(o.system.supports(), o.system.Groups))
	}
	o.groups.work = o.work
	return o.groups
}

// sloan is made once: several heuristics begin with it.
func (o *orderSearch) sloan() Order {
	if o.narrow == nil {
		o.narrow = o.supports().sloan(largestSloanEdge)
	}
	return o.narrow
}

// find is the order of a heuristic, or nil where it says nothing.
func (o *orderSearch) find(h heuristic) Order {
	if len(o.system.Names) == 0 {
		return Order{}
	}
	if o.ctx != nil {
		o.work = newOrderWork(o.ctx)
	}
	return h.find(o)
}

// supports lists the variables of each event.
func (s *System) supports() [][]uint32 {
	supports := make([][]uint32, len(s.Events))
	for i, e := range s.Events {
		for _, g := range e {
			supports[i] = append(supports[i], g.Variable)
		}
	}
	return supports
}
