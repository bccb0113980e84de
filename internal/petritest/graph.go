package petritest

import (
	"encoding/binary"
	"slices"

	"pnmc/petri"
)

// Graph is a state graph found by following the definitions: markings as maps'
// keys, every transition tried in each. The initial marking is number 0, and the others are numbered
// in the order in which a search breadth first meets them.
type Graph struct {
	Markings []petri.Marking
	// Edges has for each marking its firings, by transition; a deadlock has none.
	Edges [][]Firing
}

// Firing is an edge of a Graph: the transition and the number of the marking it
// leads to.
type Firing struct {
	Transition petri.Transition
	To         int
}

// Key returns a text that equal markings have, and no others. It takes a fifth of the time that printing
// takes, and twins make millions.
func Key(m petri.Marking) string {
	key := make([]byte, 0, 2*len(m))
	for _, tokens := range m {
		key = binary.AppendVarint(key, tokens)
	}
	return string(key)
}

// Explore returns the state graph of net, or a part of it and false if it has more than
// limit markings: those that come first, not all of them with edges.
func Explore(net *petri.Net, limit int) (*Graph, bool) {
	g := &Graph{}
	number := map[string]int{}
	visit := func(m petri.Marking) int {
		key := Key(m)
		n, known := number[key]
		if !known {
			n = len(g.Markings)
			number[key] = n
			g.Markings = append(g.Markings, slices.Clone(m))
		}
		return n
	}
	visit(net.Initial())
	next := make(petri.Marking, net.Places())
	for i := 0; i < len(g.Markings); i++ {
		if len(g.Markings) > limit {
			return g, false
		}
		var edges []Firing
		for t := range petri.Transition(net.Transitions()) {
			copy(next, g.Markings[i])
			if !net.Plain() {
				if m := Fires(net, next, t); m != nil {
					edges = append(edges, Firing{t, visit(m)})
				}
			} else if net.Fire(next, t) {
				edges = append(edges, Firing{t, visit(next)})
			}
		}
		g.Edges = append(g.Edges, edges)
	}
	return g, true
}
