package order

import (
	"fmt"
	"slices"
	"strings"
)

// A Heuristic finds an order of the variables, or nil where it says nothing.
type Heuristic struct {
	Name string
	find func(*Search) []int
}

// heuristics are all of them, the most promising first. The order and the names matter to the race of
// orders (symbolic/race.go): of a further encoding of a net it tries the first five only, and it
// tries "sloan-reversed" again later. Groups help where there
// are some: the tokens of a semiflow are counted on the way from its first variable
// to its last, and nodes tell the counts apart.
var heuristics = []Heuristic{
	{"groups-follow", func(s *Search) []int { return s.grouped().followBest(false) }},
	{"force", func(s *Search) []int { return s.supports().force(Declared(s.variables)) }},
	{"groups-force", func(s *Search) []int { return s.grouped().force(Declared(s.variables)) }},
	{"groups-sloan-force", func(s *Search) []int { return s.grouped().force(s.sloan()) }},
	{"sloan-force", func(s *Search) []int { return s.supports().force(s.sloan()) }},
	{"follow-first", func(s *Search) []int { return s.supports().follow(0) }},
	{"follow-last-reversed", func(s *Search) []int { return reversed(s.supports().follow(s.variables - 1)) }},
	{"declared", func(s *Search) []int { return Declared(s.variables) }},
	{"sloan-reversed", func(s *Search) []int { return reversed(s.sloan()) }},
	{"groups-follow-reversed", func(s *Search) []int { return s.grouped().followBest(true) }},
}

// Heuristics lists all heuristics, the most promising first.
func Heuristics() []Heuristic { return slices.Clone(heuristics) }

// Names lists the names of the Heuristics.
func Names() []string {
	names := make([]string, len(heuristics))
	for i, h := range heuristics {
		names[i] = h.Name
	}
	return names
}

// Named returns the heuristic of that name.
func Named(name string) (Heuristic, error) {
	for _, h := range heuristics {
		if h.Name == name {
			return h, nil
		}
	}
	return Heuristic{}, fmt.Errorf("expected one of %s, found %q", strings.Join(Names(), ", "), name)
}

// Declared returns the order in which n variables were declared, the first on top.
func Declared(n int) []int {
	o := make([]int, n)
	for i := range o {
		o[i] = n - 1 - i
	}
	return o
}

// reversed returns o upside down: an order that is bad one way may be good the other.
func reversed(o []int) []int {
	if o == nil {
		return nil
	}
	r := slices.Clone(o)
	slices.Reverse(r)
	return r
}

// positions returns the inverse of an order.
func positions(o []int) []int {
	at := make([]int, len(o))
	for i, v := range o {
		at[v] = i
	}
	return at
}
