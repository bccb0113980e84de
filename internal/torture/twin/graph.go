package twin

import (
	"encoding/binary"
	"slices"
)

// Graph is the part of a net's state graph that was explored, breadth first.
type Graph struct {
	Net      *Net
	Markings [][]int64
	Edges    [][]Edge
	// Whole tells that all reachable markings are there, with their edges.
	Whole bool
}

// Edge is a firing: the transition, and the number of the marking it leads to.
type Edge struct{ Transition, To int }

// key returns a marking as the key of a map.
func key(m []int64) string {
	var b []byte
	for _, x := range m {
		b = binary.AppendVarint(b, x)
	}
	return string(b)
}

// mostTokens is about how many numbers of tokens Explore looks at.
const mostTokens = 20 << 20

// Explore returns the markings that are reachable, or up to limit of them, and not many
// more edges than mostEdges, fewer where there are many places.
func (n *Net) Explore(limit int) *Graph {
	g := &Graph{Net: n, Whole: true}
	numbers := map[string]int{}
	visit := func(m []int64) int {
		k := key(m)
		i, known := numbers[k]
		if !known {
			i = len(g.Markings)
			numbers[k] = i
			g.Markings = append(g.Markings, m)
		}
		return i
	}
	visit(n.Initial)
	count := 0
	for i := 0; i < len(g.Markings); i++ {
		if count > mostEdges || count*len(n.Initial) > mostTokens {
			g.Whole = false
			return g
		}
		var edges []Edge
		for t := range n.Inputs {
			if !n.Enabled(g.Markings[i], t) {
				continue
			}
			m, err := n.Fire(g.Markings[i], t)
			if err != nil {
				g.Whole = false
				continue
			}
			edges = append(edges, Edge{t, visit(m)})
			if len(g.Markings) > limit {
				g.Whole = false
				return g
			}
		}
		count += len(edges)
		g.Edges = append(g.Edges, edges)
	}
	return g
}

// Omega stands for arbitrarily many tokens in what Cover returns.
const Omega = -1

// Cover returns the nodes of a coverability tree by Karp and Miller ("Parallel
// program schemata", 1969), or false if it has more than limit. The largest sum of
// some places over all reachable markings is that over these nodes.
//
// A marking that has at least as many tokens everywhere as one before it, and more in some places,
// was reached by firings that can be repeated: those places have arbitrarily many tokens. For
// example, a transition takes one token from p and puts one into p and one into q. From p: 1, q: 0
// it leads to p: 1, q: 1, which covers the first: q becomes Omega, and nothing new follows.
func (n *Net) Cover(limit int) ([][]int64, bool) {
	if !n.Plain() {
		return nil, false // more tokens may enable less
	}
	type node struct {
		marking []int64
		parent  int
	}
	nodes := []node{{n.Initial, -1}}
	seen := map[string]bool{key(n.Initial): true}
	for i := 0; i < len(nodes); i++ {
		for t := range n.Inputs {
			m, ok := n.fireOmega(nodes[i].marking, t)
			if !ok {
				continue
			}
			for a := i; a >= 0; a = nodes[a].parent {
				pump(nodes[a].marking, m)
			}
			if k := key(m); !seen[k] {
				seen[k] = true
				nodes = append(nodes, node{m, i})
			}
			if len(nodes) > limit {
				return nil, false
			}
		}
	}
	var list [][]int64
	for _, x := range nodes {
		list = append(list, x.marking)
	}
	return list, true
}

// pump replaces by Omega what m has more than the ancestor that it covers.
func pump(ancestor, m []int64) {
	for p := range m {
		if m[p] != Omega && (ancestor[p] == Omega || ancestor[p] > m[p]) {
			return
		}
	}
	for p := range m {
		if m[p] != Omega && ancestor[p] < m[p] {
			m[p] = Omega
		}
	}
}

// fireOmega fires t where it is enabled.
func (n *Net) fireOmega(m []int64, t int) ([]int64, bool) {
	next := slices.Clone(m)
	for _, a := range n.Inputs[t] {
		if m[a.Place] == Omega {
			continue
		}
		if next[a.Place] -= a.Weight; next[a.Place] < 0 {
			return nil, false
		}
	}
	for _, a := range n.Outputs[t] {
		if next[a.Place] == Omega {
			continue
		}
		if next[a.Place] += a.Weight; next[a.Place] < 0 {
			next[a.Place] = Omega // more than 63 bits hold: good enough for a bound
		}
	}
	return next, true
}
