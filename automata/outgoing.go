package automata

import (
	"context"

	"pnmc/automata/internal/effort"
)

// labelWork bounds what is done to find out one thing about labels, in words of cubes that
// are looked at, a nanosecond each: some tenths of a second.
const labelWork = 1 << 28

// Outgoing finds out how many of the edges that leave a state match a valuation: at most one
// in a deterministic state, at least one in a complete state. All that asks so asks here.
//
// The first question is quadratic in the cubes of a state at worst, the second exponential
// in their propositions. One bound is for all states that one Outgoing is asked about:
// labelWork, and so much for each cube of the automaton that easy states never meet it. An
// error says that the bound or the context ended the search.
type Outgoing struct {
	a     *Automaton
	bound *effort.Bound
	cubes []ownedCube // of the state that is looked at
	union Label       // the same
}

// ownedCube is a cube of an edge's label.
type ownedCube struct {
	of Edge
	Cube
}

// workOfCube is what each cube of an automaton adds to the bound.
const workOfCube = 256

// NewOutgoing returns an Outgoing for the states of a.
func NewOutgoing(ctx context.Context, a *Automaton) *Outgoing {
	return &Outgoing{a: a, bound: effort.New(ctx, labelWork+workOfCube*int(a.cubeStart[a.Edges()]))}
}

// Deterministic reports whether no valuation is matched by two of those edges of s that
// satisfy keep; nil keeps all.
func (o *Outgoing) Deterministic(s State, keep func(Edge) bool) (bool, error) {
	apart := o.apart(o.cubesOf(s, keep))
	return apart && o.bound.Err == nil, o.bound.Err
}

// Complete reports whether every valuation is matched by one of those edges of s that
// satisfy keep; nil keeps all.
func (o *Outgoing) Complete(s State, keep func(Edge) bool) (bool, error) {
	o.union = o.union[:0]
	for _, c := range o.cubesOf(s, keep) {
		o.union = append(o.union, c.Cube)
	}
	return o.union.valid(o.bound), o.bound.Err
}

// cubesOf returns the cubes of the edges of s that satisfy keep, in the order of the edges.
func (o *Outgoing) cubesOf(s State, keep func(Edge) bool) []ownedCube {
	o.cubes = o.cubes[:0]
	for e, end := o.a.Out(s); e < end; e++ {
		if keep != nil && !keep(e) {
			continue
		}
		for i := range o.a.Cubes(e) {
			o.cubes = append(o.cubes, ownedCube{e, o.a.Cube(e, i)})
		}
	}
	return o.cubes
}

// pairedCubes is up to how many cubes apart compares pair by pair.
const pairedCubes = 16

// apart reports whether no valuation matches cubes of two edges; the answer is void when the
// bound has ended it. It compares pairs. Many cubes are first divided in two parts: those that
// allow some proposition to be false, and those that allow it to be true. A cube without the
// proposition is in both. That is done only if it saves a quarter of the pairs or more. So it
// takes quadratic time at worst, and n log n if each valuation has its edge.
func (o *Outgoing) apart(cubes []ownedCube) bool {
	for len(cubes) > pairedCubes {
		if cubes[0].of == cubes[len(cubes)-1].of { // they are in the order of the edges
			return true
		}
		if !o.bound.Spend(4 * len(cubes) * len(cubes[0].Cube)) {
			return false
		}
		p, saves := splitting(cubes)
		if !saves {
			break
		}
		if !o.apart(allowing(cubes, p, false)) {
			return false
		}
		cubes = allowing(cubes, p, true)
	}
	for i, c := range cubes {
		if !o.bound.Spend(4 + i*len(c.Cube)) {
			return false
		}
		for _, d := range cubes[:i] {
			if c.of != d.of && c.Intersects(d.Cube) {
				return false
			}
		}
	}
	return true
}

// splitting returns the proposition that leaves the fewest pairs to compare in its two parts, and
// reports whether they are at most three quarters of those there are.
func splitting(cubes []ownedCube) (proposition int, saves bool) {
	signs := make([][2]int, 32*len(cubes[0].Cube)) // of each proposition: cubes with it negated, and unnegated
	for _, c := range cubes {
		c.eachLiteral(func(p int, positive bool) {
			if positive {
				signs[p][1]++
			} else {
				signs[p][0]++
			}
		})
	}
	n := len(cubes)
	least := n * n
	for p, s := range signs {
		if pairs := (n-s[0])*(n-s[0]) + (n-s[1])*(n-s[1]); pairs < least {
			proposition, least = p, pairs
		}
	}
	return proposition, 4*least <= 3*n*n
}

// allowing returns the cubes that some valuation matches in which p has this value, in their order.
func allowing(cubes []ownedCube, p int, value bool) []ownedCube {
	var rest []ownedCube
	for _, c := range cubes {
		if occurs, positive := c.Literal(p); !occurs || positive == value {
			rest = append(rest, c)
		}
	}
	return rest
}

// IsDeterministic reports whether a has at most one run for each word: at most one initial
// state, and in each state at most one edge for each valuation. An error says that it is
// too hard to find out, or is that of the context. The answer is then false, which is
// always safe to assume.
func IsDeterministic(ctx context.Context, a *Automaton) (bool, error) {
	if len(a.initial) > 1 {
		return false, nil
	}
	return everyState(a, NewOutgoing(ctx, a).Deterministic)
}

// IsComplete reports whether a has an initial state, and every state has an edge for each
// valuation. An error says that it is too hard to find out, or is that of the context.
func IsComplete(ctx context.Context, a *Automaton) (bool, error) {
	if len(a.initial) == 0 {
		return false, nil
	}
	return everyState(a, NewOutgoing(ctx, a).Complete)
}

// everyState reports whether all edges of every state are as asked.
func everyState(a *Automaton, holds func(State, func(Edge) bool) (bool, error)) (bool, error) {
	for s := range State(a.States()) {
		if is, err := holds(s, nil); !is || err != nil {
			return false, err
		}
	}
	return true, nil
}

// labelsMeet reports whether some valuation matches both e and f. Quadratic in their cubes.
func labelsMeet(a *Automaton, e, f Edge) bool {
	for i := range a.Cubes(e) {
		c := a.Cube(e, i)
		for j := range a.Cubes(f) {
			if c.Intersects(a.Cube(f, j)) {
				return true
			}
		}
	}
	return false
}
