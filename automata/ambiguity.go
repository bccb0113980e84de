package automata

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// ambiguityWork bounds the pairs of cubes that Unambiguous compares, and so the
// product that it builds.
const ambiguityWork = 1 << 22

var errAmbiguityWork = errors.New("too large a product with itself")

// Unambiguous reports whether a has at most one accepting run for each word, where
// transitions differ if they lead elsewhere or have other marks. It builds the
// product of a with itself after the first difference of two runs, and looks for
// a cycle that both accept. Quadratic in a, but for edges that lead to the same state with the same marks,
// which are not compared; an error beyond a bound, or of ctx.
//
// For example, F a as a state that waits, with a loop for every letter, and an edge labelled a to
// a state that accepts. On a the run may stay or go on. The two runs stand at (waiting, accepting)
// then. On the next a they meet in the second state, and both are accepted: the automaton is
// ambiguous. If the loop is labelled !a, no two edges of a state match one letter, and it is not.
func Unambiguous(ctx context.Context, a *Automaton) (bool, error) {
	c := FindComponents(a)
	accepting, err := AcceptingComponents(ctx, a, c)
	if err != nil {
		return false, err
	}
	p := &selfProduct{ctx: ctx, a: a, useful: make([]bool, a.States()), number: map[[2]State]State{},
		builder: NewBuilder(nil, conjunction(a.Acceptance, a.Acceptance))}
	p.builder.Within(ctx)
	for n := range accepting { // components come after those they lead to
		useful := accepting[n]
		for _, s := range c.States(Component(n)) {
			for e, end := a.Out(s); e < end; e++ {
				useful = useful || p.useful[a.destination[e]]
			}
		}
		for _, s := range c.States(Component(n)) {
			p.useful[s] = useful
		}
	}
	p.differ()
	for i := 0; i < len(p.pairs) && p.goesOn(1); i++ {
		p.follow(p.pairs[i])
	}
	if p.err != nil {
		return false, p.err
	}
	if p.work > ambiguityWork {
		return false, errAmbiguityWork
	}
	product, err := p.builder.Build()
	if err != nil {
		return false, err
	}
	both, err := AcceptingComponents(ctx, product, FindComponents(product))
	return !slices.Contains(both, true), err
}

// selfProduct is the part of the product of a with itself that is reached after
// two runs have differed. States that reach no accepted cycle are left out.
type selfProduct struct {
	a       *Automaton
	useful  []bool
	builder *Builder
	number  map[[2]State]State
	pairs   [][2]State
	work    int

	ctx  context.Context
	look int   // pairs of edges and of cubes until the next look at ctx
	err  error // of ctx
}

// pairsBetweenLooks is how many pairs of edges or of cubes there are between two looks at the context: some
// milliseconds at most.
const pairsBetweenLooks = 1 << 16

// goesOn counts pairs of edges or of cubes, and reports whether the context and the bound let it go on.
func (p *selfProduct) goesOn(pairs int) bool {
	if p.look -= pairs; p.look < 0 && p.err == nil {
		p.look = pairsBetweenLooks
		p.err = account.Reason(p.ctx)
	}
	return p.err == nil && p.work <= ambiguityWork
}

// pair returns the number of the product's state for s and t.
func (p *selfProduct) pair(s, t State) State {
	n, known := p.number[[2]State{s, t}]
	if !known {
		n = p.builder.AddState("")
		p.number[[2]State{s, t}] = n
		p.pairs = append(p.pairs, [2]State{s, t})
	}
	return n
}

// differ adds the pairs at which two runs stand that differ for the first time.
func (p *selfProduct) differ() {
	a := p.a
	for i, s := range a.initial {
		for _, t := range a.initial[:i] {
			if p.work++; !p.goesOn(1) {
				return
			}
			if s != t && p.useful[s] && p.useful[t] {
				p.pair(s, t)
			}
		}
	}
	for s, reached := range Reachable(a) {
		if !reached || !p.useful[s] {
			continue
		}
		edges, group := p.sortedEdges(State(s)), 0
		for i, e := range edges {
			if i > 0 && p.compare(edges[i-1], e) != 0 {
				group = i
			}
			for _, f := range edges[:group] {
				if !p.goesOn(1) {
					return
				}
				if p.meet(e, f) {
					p.pair(a.destination[e], a.destination[f])
				}
			}
		}
	}
}

// sortedEdges returns the edges of a state by where they lead and by their marks. Two runs that take edges
// that are equal in this order have not differed.
func (p *selfProduct) sortedEdges(s State) []Edge {
	var edges []Edge
	first, end := p.a.Out(s)
	for e := first; e < end; e++ {
		edges = append(edges, e)
	}
	slices.SortFunc(edges, p.compare)
	return edges
}

// compare returns the order of edges by where they lead, then by their marks.
func (p *selfProduct) compare(e, f Edge) int {
	p.goesOn(p.a.markWords)
	if order := cmp.Compare(p.a.destination[e], p.a.destination[f]); order != 0 {
		return order
	}
	return slices.Compare(p.a.Marks(e), p.a.Marks(f))
}

// follow adds the edges of a pair.
func (p *selfProduct) follow(pair [2]State) {
	a, sets := p.a, p.a.Acceptance.Sets
	from := p.number[pair]
	for e, end := a.Out(pair[0]); e < end; e++ {
		for f, end := a.Out(pair[1]); f < end && p.goesOn(1); f++ {
			if !p.meet(e, f) {
				continue
			}
			marks := NewMarks(2 * sets)
			for i := range sets {
				if a.Marks(e).Has(i) {
					bitset.Add(marks, i)
				}
				if a.Marks(f).Has(i) {
					bitset.Add(marks, sets+i)
				}
			}
			p.work += sets
			p.builder.AddEdge(from, Label{NewCube(0)}, marks, p.pair(a.destination[e], a.destination[f]))
		}
	}
}

// meet reports whether both edges lead to useful states for some valuation.
func (p *selfProduct) meet(e, f Edge) bool {
	a := p.a
	p.work++
	if !p.useful[a.destination[e]] || !p.useful[a.destination[f]] {
		return false
	}
	p.work += a.Cubes(e) * a.Cubes(f)
	return p.goesOn(a.Cubes(e)*a.Cubes(f)) && labelsMeet(a, e, f)
}
