package hoa

import (
	"pnmc/automata"
	"pnmc/automata/bdd"
)

// What is decided here state by state is what automata.IsDeterministic and automata.IsComplete
// decide of whole automata, by the same comparisons; but where these give up, for claims are
// optional, a reader has to know what a file declares, and goes on with decision diagrams,
// which package automata can't import.

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
		for e := first; e < end; e++ {
			for d := first; d < e; d++ {
				if automata.LabelsMeet(a, e, d) {
					return false, nil
				}
			}
		}
		return true, nil
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
	f     *bdd.Functions // made when first needed
	union automata.Label
}

// of reports whether every valuation is matched by some edge of s.
func (c *completeness) of(a *automata.Automaton, s automata.State) (bool, error) {
	first, end := a.Out(s)
	c.union = c.union[:0]
	for e := first; e < end; e++ {
		for i := range a.Cubes(e) {
			c.union = append(c.union, a.Cube(e, i))
		}
	}
	if whole, certain := c.union.ValidByCounting(); certain {
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
