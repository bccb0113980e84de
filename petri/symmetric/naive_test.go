package symmetric

import (
	"fmt"
	"sort"
	"strings"
)

// naive is a coloured interpreter that enumerates everything: the twin that
// Unfold is compared with. It shares only the evaluation of guards' operands.
type naive struct {
	net *Net
}

// bag counts tokens by "place[colour,colour]".
type bag map[string]int64

// key names a coloured token as unfolded places are named.
func (n naive) key(place int, colours []int64) string {
	p := n.net.Places[place]
	names := make([]string, len(colours))
	for i, c := range colours {
		names[i] = p.Domain[i].Colour(c)
	}
	return title(p.ID, p.Name, strings.Join(names, ","))
}

// add adds the tokens of an expression, colour by colour of the whole domain.
func (n naive) add(b bag, place int, e Expression, binding []int64) {
	domain := n.net.Places[place].Domain
	each(sizes(domain), func(colours []int64) {
		for _, m := range e {
			matches := true
			for i, t := range m.Terms {
				switch t.Kind {
				case Constant:
					matches = matches && colours[i] == t.Value
				case Variable:
					matches = matches && colours[i] == (binding[t.Variable]+t.Value)%domain[i].Size
				}
			}
			if matches {
				b[n.key(place, colours)] += m.Coefficient
			}
		}
	})
}

func sizes(classes []*Class) []int64 {
	list := make([]int64, len(classes))
	for i, c := range classes {
		list[i] = c.Size
	}
	return list
}

// each calls f for each combination of numbers below the sizes.
func each(sizes []int64, f func([]int64)) {
	values := make([]int64, len(sizes))
	for {
		f(values)
		i := len(sizes) - 1
		for ; i >= 0; i-- {
			if values[i]++; values[i] < sizes[i] {
				break
			}
			values[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// firing is a binding of a transition and what it moves.
type firing struct {
	transition int
	name       string
	pre, post  bag
	inhibitors []Inhibitor
}

// enables reports whether a marking lets f fire.
func (n naive) enables(m bag, f firing) bool {
	for key, count := range f.pre {
		if m[key] < count {
			return false
		}
	}
	for _, a := range f.inhibitors {
		sum := int64(0)
		each(sizes(n.net.Places[a.Place].Domain), func(colours []int64) { sum += m[n.key(a.Place, colours)] })
		if sum >= a.Weight {
			return false
		}
	}
	return true
}

// firings lists all bindings that guards allow; it reports false if one moves a
// negative number of tokens.
func (n naive) firings() ([]firing, bool) {
	var list []firing
	negative := false
	for i, t := range n.net.Transitions {
		var classes []*Class
		for _, v := range t.Variables {
			classes = append(classes, v.Class)
		}
		each(sizes(classes), func(binding []int64) {
			if t.Guard != nil && !t.Guard.Holds(binding) {
				return
			}
			f := firing{i, title(t.ID, t.Name, t.Binding(binding)), bag{}, bag{}, t.Inhibitors}
			for _, side := range []struct {
				arcs []Arc
				bag  bag
			}{{t.Pre, f.pre}, {t.Post, f.post}} {
				for _, a := range side.arcs {
					one := bag{}
					n.add(one, a.Place, a.Expression, binding)
					for key, count := range one {
						negative = negative || count < 0
						side.bag[key] += count
					}
				}
			}
			list = append(list, f)
		})
	}
	return list, !negative
}

func (n naive) initial() bag {
	b := bag{}
	for p, place := range n.net.Places {
		n.add(b, p, place.Initial, nil)
	}
	return b
}

// relaxed counts the tokens and firings that are reachable when tokens are
// never used up.
func (n naive) relaxed(firings []firing) (tokens, bindings int) {
	marked := map[string]bool{}
	for key, count := range n.initial() {
		if count > 0 {
			marked[key] = true
		}
	}
	fired := make([]bool, len(firings))
	for changed := true; changed; {
		changed = false
		for i, f := range firings {
			enabled := !fired[i]
			for key, count := range f.pre {
				enabled = enabled && (count == 0 || marked[key])
			}
			if !enabled {
				continue
			}
			changed, fired[i] = true, true
			bindings++
			for key, count := range f.post {
				if count > 0 {
					marked[key] = true
				}
			}
		}
	}
	return len(marked), bindings
}

// text writes a bag in a canonical way.
func (b bag) text() string {
	var parts []string
	for key, count := range b {
		if count != 0 {
			parts = append(parts, fmt.Sprintf("%s:%d", key, count))
		}
	}
	sort.Strings(parts)
	return strings.Join(parts, " ")
}

// graph lists the edges "marking --binding--> marking" of the state graph,
// sorted, ending after the given number of states.
func (n naive) graph(firings []firing, limit int) []string {
	start := n.initial()
	seen := map[string]bool{start.text(): true}
	queue := []bag{start}
	var edges []string
	for len(queue) > 0 && len(seen) < limit {
		m := queue[0]
		queue = queue[1:]
		for _, f := range firings {
			if !n.enables(m, f) {
				continue
			}
			after := bag{}
			for key, count := range m {
				after[key] = count
			}
			for key, count := range f.pre {
				after[key] -= count
			}
			for key, count := range f.post {
				after[key] += count
			}
			edges = append(edges, m.text()+" --"+f.name+"--> "+after.text())
			if !seen[after.text()] {
				seen[after.text()] = true
				queue = append(queue, after)
			}
		}
	}
	sort.Strings(edges)
	return edges
}
