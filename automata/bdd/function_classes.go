package bdd

import "slices"

// Split returns the first proposition that g depends on, and what g becomes where that
// proposition is false and where it is true. g must not be a constant.
func (f *Functions) Split(g Function) (proposition int, low, high Function) {
	n := f.nodes[g]
	return int(n.variable), n.low, n.high
}

// Classes splits the valuations of the propositions below count by what g becomes under
// them. Where Condition holds, g is Rest, which depends on none of these propositions.
// Rests differ, are not false, and come in the order of the diagram. Where there are
// more than limit classes, none are returned.
//
// It is how a tableau finds the edges of a state: the first count variables are propositions,
// which a letter decides, the others say what is asked of the next state. For example, let g = p &
// n | !p & m, where p is below count and n and m are not. There are two classes: m under the
// condition !p, and n under the condition p. Each is an edge, labelled with the condition.
//
// The rests are the first nodes on each path that test nothing below count. So they are found in
// one pass over the diagram. Their conditions take one pass each: O(classes × nodes).
func (f *Functions) Classes(g Function, count, limit int) []Class {
	order := f.above(g, count)
	seen := map[Function]bool{}
	var rests []Function
	add := func(h Function) {
		if h != FalseFunction && int(f.nodes[h].variable) >= count && !seen[h] {
			seen[h] = true
			rests = append(rests, h)
		}
	}
	add(g)
	for _, h := range order {
		add(f.nodes[h].low)
		add(f.nodes[h].high)
		if len(rests) > limit {
			return nil
		}
	}
	classes := make([]Class, len(rests))
	paths := f.pathsBetween(order, rests)
	for i, r := range rests {
		classes[i] = Class{Condition: paths.to(i), Rest: r}
	}
	return classes
}

// paths are the ways through a diagram from its root to what remains of it when the
// first propositions are read.
type paths struct {
	*Functions
	nodes      []pathNode // successors first, the root last
	conditions []Function // room: of each rest, then each node
	rests      int
}

// pathNode tests a variable; low and high are numbers of conditions.
type pathNode struct {
	variable  uint32
	low, high uint32
}

// pathsBetween returns the paths to the rests by way of the nodes in order. Each node comes
// after those that lead to it. Number 0 stands for what is false, the next ones for the rests,
// and the ones after for the nodes, the root last.
func (f *Functions) pathsBetween(order, rests []Function) *paths {
	number := make(map[Function]uint32, 1+len(rests)+len(order))
	number[FalseFunction] = 0
	for _, r := range rests {
		number[r] = uint32(len(number))
	}
	p := &paths{Functions: f, rests: len(rests)}
	for _, h := range slices.Backward(order) {
		n := f.nodes[h]
		p.nodes = append(p.nodes, pathNode{n.variable, number[n.low], number[n.high]})
		number[h] = uint32(len(number))
	}
	p.conditions = make([]Function, len(number))
	return p
}

// to returns the function that is true on the valuations that lead to the rest of that number.
// It goes from the rests up to the root. The condition of a node is the Choice of the conditions of
// its two successors, so that no diagram is copied.
func (p *paths) to(rest int) Function {
	clear(p.conditions)
	p.conditions[1+rest] = TrueFunction
	last := 1 + rest
	for i, n := range p.nodes {
		if !p.step() {
			return FalseFunction
		}
		last = 1 + p.rests + i
		p.conditions[last] = p.Choice(n.variable, p.conditions[n.low], p.conditions[n.high])
	}
	return p.conditions[last]
}

// Class is a set of valuations of some propositions under which a function
// becomes the same function of the other ones.
type Class struct {
	Condition, Rest Function
}

// above returns the nodes of g that test a proposition below count, each after the
// ones that lead to it.
func (f *Functions) above(g Function, count int) []Function {
	var order []Function
	seen := map[Function]bool{}
	var visit func(h Function)
	visit = func(h Function) { // as deep as there are propositions
		if seen[h] || int(f.nodes[h].variable) >= count {
			return
		}
		seen[h] = true
		visit(f.nodes[h].low)
		visit(f.nodes[h].high)
		order = append(order, h)
	}
	visit(g)
	slices.Reverse(order)
	return order
}
