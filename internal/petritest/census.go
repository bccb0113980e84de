package petritest

import (
	"slices"
	"strings"
	"testing"

	"pnmc/petri"
)

// classes are what makes nets hard for engines. Each says of a net, and of the first markings that it
// reaches, whether it has that.
var classes = []struct {
	name string
	has  func(net *petri.Net, g *Graph, complete bool) bool
}{
	{"weights", func(net *petri.Net, _ *Graph, _ bool) bool {
		return someTransition(net, func(t petri.Transition) bool {
			heavy := func(a petri.Arc) bool { return a.Weight > 1 }
			return slices.ContainsFunc(net.Pre(t), heavy) || slices.ContainsFunc(net.Post(t), heavy)
		})
	}},
	{"self loops", func(net *petri.Net, _ *Graph, _ bool) bool {
		return someTransition(net, func(t petri.Transition) bool { return gives(net, t, func(in, out int64) bool { return in != out }) })
	}},
	{"read arcs", func(net *petri.Net, _ *Graph, _ bool) bool {
		return someTransition(net, func(t petri.Transition) bool { return gives(net, t, func(in, out int64) bool { return in == out }) })
	}},
	{"sources", func(net *petri.Net, _ *Graph, _ bool) bool {
		return someTransition(net, func(t petri.Transition) bool { return len(net.Pre(t)) == 0 })
	}},
	{"inhibitor arcs", func(net *petri.Net, _ *Graph, _ bool) bool {
		return someTransition(net, func(t petri.Transition) bool { return len(net.Inhibitors(t)) > 0 })
	}},
	{"reset arcs", func(net *petri.Net, _ *Graph, _ bool) bool {
		return someTransition(net, func(t petri.Transition) bool { return len(net.Resets(t)) > 0 })
	}},
	{"capacities", func(net *petri.Net, _ *Graph, _ bool) bool {
		for p := range petri.Place(net.Places()) {
			if net.Capacity(p) != petri.Unbounded {
				return true
			}
		}
		return false
	}},
	{"no transitions", func(net *petri.Net, _ *Graph, _ bool) bool { return net.Transitions() == 0 }},
	{"deadlocks", func(_ *petri.Net, g *Graph, _ bool) bool {
		return slices.ContainsFunc(g.Edges, func(edges []Firing) bool { return len(edges) == 0 })
	}},
	{"unbounded", func(net *petri.Net, g *Graph, complete bool) bool { return !complete && net.Plain() && g.grows() }},
}

func someTransition(net *petri.Net, has func(t petri.Transition) bool) bool {
	for t := range petri.Transition(net.Transitions()) {
		if has(t) {
			return true
		}
	}
	return false
}

// gives reports whether t gives back to a place that it takes from, with weights that are like that.
func gives(net *petri.Net, t petri.Transition, like func(in, out int64) bool) bool {
	return slices.ContainsFunc(net.Pre(t), func(in petri.Arc) bool {
		return slices.ContainsFunc(net.Post(t), func(out petri.Arc) bool { return in.Place == out.Place && like(in.Weight, out.Weight) })
	})
}

// grows reports whether a marking has nowhere fewer tokens, and somewhere more, than one on the way to it.
// In a net without special arcs all that was fired between the two can then be fired again and again.
func (g *Graph) grows() bool {
	parent := make([]int, len(g.Markings))
	for i, edges := range g.Edges {
		for _, e := range edges {
			if parent[e.To] == 0 && e.To > i {
				parent[e.To] = i
			}
		}
	}
	for i := len(g.Markings) - 1; i > 0; i-- {
		for j := i; j > 0; {
			j = parent[j]
			if !slices.ContainsFunc(numbers(len(g.Markings[i])), func(p int) bool { return g.Markings[i][p] < g.Markings[j][p] }) {
				return true // markings differ
			}
		}
	}
	return false
}

// Census counts how many of the nets of a test have what makes nets hard, so that a test can say that it
// met them. It looks at the first thousand.
type Census struct {
	nets  int
	count map[string]int
}

// Add counts a net.
func (c *Census) Add(net *petri.Net) {
	const mostNets, markings = 1000, 60
	if c.nets == mostNets {
		return
	}
	if c.count == nil {
		c.count = map[string]int{}
	}
	c.nets++
	g, complete := Explore(net, markings)
	for _, class := range classes {
		if class.has(net, g, complete) {
			c.count[class.name]++
		}
	}
}

// Require fails the test unless, of so many nets, at least one is of each of the named classes. These are
// weights, self loops (with another weight back), read arcs, sources, inhibitor arcs, reset arcs,
// capacities, no transitions, deadlocks, unbounded. Fewer than 500 nets, as with -short, tell too little.
func (c *Census) Require(t testing.TB, oneOf int, named ...string) {
	t.Helper()
	var all []string
	for _, class := range classes {
		all = append(all, class.name)
	}
	t.Logf("of %d nets %v", c.nets, c.count)
	for _, name := range named {
		if !slices.Contains(all, name) {
			t.Fatalf("there is no class %q, but %s", name, strings.Join(all, ", "))
		}
		if !(testing.Short() && c.nets < 500) && c.count[name]*oneOf < max(1, c.nets) {
			t.Errorf("%d of %d nets have %s, expected one of %d", c.count[name], c.nets, name, oneOf)
		}
	}
}
