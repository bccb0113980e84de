package hoa

import (
	"pnmc/automata"
	"pnmc/automata/bdd"
)

// cubesCompared is up to how many cubes a state's labels are compared pair by
// pair; beyond that decision diagrams are used.
const cubesCompared = 64

// deterministic reports whether a has at most one initial state, and no valuation
// is matched by two edges of one state. The error is that of labels whose
// decision diagram is too large.
func deterministic(a *automata.Automaton) (bool, error) {
	if len(a.Initial()) > 1 {
		return false, nil
	}
	var check determinism
	for s := range automata.State(a.States()) {
		if one, err := check.of(a, s); !one || err != nil {
			return false, err
		}
	}
	return true, nil
}

// complete reports whether a has an initial state, and every valuation is matched
// by some edge of each state.
func complete(a *automata.Automaton) (bool, error) {
	if len(a.Initial()) == 0 {
		return false, nil
	}
	var check completeness
	for s := range automata.State(a.States()) {
		if whole, err := check.of(a, s); !whole || err != nil {
			return false, err
		}
	}
	return true, nil
}

// determinism looks at one state of an automaton after the other.
type determinism struct {
	f *bdd.Functions // made when first needed
}

// of reports whether no valuation is matched by two edges of s.
func (d *determinism) of(a *automata.Automaton, s automata.State) (bool, error) {
	first, end := a.Out(s)
	if cubesOf(a, s) <= cubesCompared {
		return disjoint(a, first, end), nil
	}
	d.f = diagrams(d.f, a)
	before := bdd.FalseFunction
	for e := first; e < end; e++ {
		g := d.f.OfEdge(a, e)
		if d.f.And(before, g) != bdd.FalseFunction {
			return false, d.f.Err()
		}
		before = d.f.Or(before, g)
	}
	return d.f.Err() == nil, d.f.Err()
}

// completeness looks at one state of an automaton after the other.
type completeness struct {
	f *bdd.Functions // made when first needed
}

// of reports whether every valuation is matched by some edge of s.
func (c *completeness) of(a *automata.Automaton, s automata.State) (bool, error) {
	first, end := a.Out(s)
	if whole, certain := covers(a, first, end); certain {
		return whole, nil
	}
	c.f = diagrams(c.f, a)
	union := bdd.FalseFunction
	for e := first; e < end && union != bdd.TrueFunction; e++ {
		union = c.f.Or(union, c.f.OfEdge(a, e))
	}
	if err := c.f.Err(); err != nil {
		return false, err
	}
	return union == bdd.TrueFunction, nil
}

// diagrams is f, or a new one, with room for another state's labels.
func diagrams(f *bdd.Functions, a *automata.Automaton) *bdd.Functions {
	if f == nil {
		return bdd.New(len(a.Propositions), functionNodes)
	}
	if f.Nodes() > functionNodes/2 {
		f.Reset()
	}
	return f
}

// cubesOf is the number of cubes on the edges of s.
func cubesOf(a *automata.Automaton, s automata.State) int {
	n := 0
	for e, end := a.Out(s); e < end; e++ {
		n += a.Cubes(e)
	}
	return n
}

// disjoint reports whether no two edges have a valuation in common.
func disjoint(a *automata.Automaton, first, end automata.Edge) bool {
	for e := first; e < end; e++ {
		for d := first; d < e; d++ {
			for i := range a.Cubes(e) {
				for j := range a.Cubes(d) {
					if a.Cube(e, i).Intersects(a.Cube(d, j)) {
						return false
					}
				}
			}
		}
	}
	return true
}

// covers reports whether the edges match every valuation, where counting can
// tell: cubes that are pairwise disjoint match the sum of 2^-literals of all
// valuations, and others match less than that sum.
func covers(a *automata.Automaton, first, end automata.Edge) (whole, certain bool) {
	const one = 1 << 62
	sum, cubes, exact := uint64(0), 0, true
	for e := first; e < end; e++ {
		for i := range a.Cubes(e) {
			n := a.Cube(e, i).Literals()
			if n == 0 {
				return true, true
			}
			if n > 60 {
				exact = false
				continue
			}
			cubes++
			sum = min(sum+one>>n, 2*one)
		}
	}
	if !exact {
		return false, false
	}
	if sum < one {
		return false, true
	}
	if sum > one || cubes > cubesCompared {
		return false, false
	}
	return separate(a, first, end)
}

// separate reports whether the cubes of the edges, whose sizes add up to all
// valuations, match them all: exactly when no two have one in common.
func separate(a *automata.Automaton, first, end automata.Edge) (whole, certain bool) {
	var cubes []automata.Cube
	for e := first; e < end; e++ {
		for i := range a.Cubes(e) {
			c := a.Cube(e, i)
			for _, d := range cubes {
				if c.Intersects(d) {
					return false, true
				}
			}
			cubes = append(cubes, c)
		}
	}
	return true, true
}
