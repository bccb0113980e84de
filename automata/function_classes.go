package automata

// Split is the first proposition that g, not a constant, depends on, and what g
// is where that proposition is false and where it is true.
func (f *Functions) Split(g Function) (proposition int, low, high Function) {
	n := f.nodes[g]
	return int(n.variable), n.low, n.high
}

// Classes splits the valuations of the propositions below count by what g
// becomes under them: on the valuations where Condition holds, g is Rest, which
// depends on none of them. Rests differ, are not false, and come in the order of
// the diagram. Where there are more than limit classes, none are returned.
func (f *Functions) Classes(g Function, count, limit int) []Class {
	conditions := map[Function]Function{g: TrueFunction}
	var rests []Function
	for _, h := range f.above(g, count) {
		v, low, high := f.Split(h)
		p := f.Proposition(v)
		for _, side := range [2][2]Function{{low, f.Not(p)}, {high, p}} {
			through := f.And(conditions[h], side[1])
			conditions[side[0]] = f.Or(conditions[side[0]], through)
		}
	}
	seen := map[Function]bool{}
	add := func(h Function) {
		if h != FalseFunction && int(f.nodes[h].variable) >= count && !seen[h] {
			seen[h] = true
			rests = append(rests, h)
		}
	}
	add(g)
	for _, h := range f.above(g, count) {
		_, low, high := f.Split(h)
		add(low)
		add(high)
		if len(rests) > limit {
			return nil
		}
	}
	classes := make([]Class, len(rests))
	for i, r := range rests {
		classes[i] = Class{Condition: conditions[r], Rest: r}
	}
	return classes
}

// Class is a set of valuations of some propositions under which a function
// becomes the same function of the other ones.
type Class struct {
	Condition, Rest Function
}

// above are the nodes of g that test a proposition below count, each after the
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
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}
