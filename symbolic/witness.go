package symbolic

import (
	"errors"
	"slices"

	"pnmc/automata"
)

// Stutter stands for a step of a Run in which a state without successors repeats
// itself.
const Stutter = -1

// A Run is an infinite run of a system: the events of Prefix once, those of
// Cycle, at least one, for ever. Steps may be Stutter.
type Run struct {
	Prefix, Cycle []int
}

// errWitness tells of a defect: the set left by the emptiness check has no cycle.
var errWitness = errors.New("no accepting cycle where one must be")

// A witnessSearch walks backwards through the states left by the emptiness check,
// set by set, and picks single states on the way back.
//
// Each of these states has, for each acceptance set, a predecessor on some path
// inside that takes an edge of the set. Collecting such paths backwards from a
// state, set after set, leads to states that either can be reached from where
// the walk began, which closes an accepting cycle, or lie in a component
// further up, from which the walk begins again. Components are finitely many.
type witnessSearch struct {
	p         *product
	inside    Node // kept: the states left
	reached   Node // kept: all states of the product that are reachable
	backwards *Relation
	accepting []*Relation // backwards
}

// A productStep leads from a state of the product to another.
type productStep struct {
	event int
	to    []uint32
	marks automata.Marks
}

func (p *product) witness(reached, inside Node) (*Run, error) {
	w := &witnessSearch{p: p, inside: inside, reached: reached, backwards: p.step.Reverse()}
	for _, r := range p.accepting {
		w.accepting = append(w.accepting, r.Reverse())
	}
	begin := p.forest.first(inside)
	for {
		at, cycle := begin, []int(nil)
		sets := w.accepting
		if len(sets) == 0 {
			sets = []*Relation{w.backwards}
		}
		for set, r := range sets {
			from, path, err := w.segment(at, set, r)
			if err != nil {
				return nil, err
			}
			at, cycle = from, append(path, cycle...)
		}
		closing, err := w.path(begin, at, inside)
		if err == nil {
			prefix, err := w.prefix(begin)
			return &Run{Prefix: prefix, Cycle: append(closing, cycle...)}, err
		}
		if !errors.Is(err, errWitness) {
			return nil, err
		}
		begin = at
	}
}

// first is the least vector of n, which is not empty.
func (f *Forest) first(n Node) []uint32 {
	vector := make([]uint32, f.Level(n))
	for level := len(vector); level > 0; level-- {
		e := f.edge(n, 0)
		vector[level-1], n = e.Value, e.Child
	}
	return vector
}

// rings are the sets of states within that have a path of 0, 1, … steps to the
// state, and no shorter one, until done says so of one. All are kept.
func (w *witnessSearch) rings(to []uint32, within Node, done func(ring Node) (bool, error)) ([]Node, error) {
	f := w.p.forest
	ring, err := f.Singleton(to)
	if err != nil {
		return nil, err
	}
	rings := []Node{f.Keep(ring)}
	seen := f.Keep(ring)
	defer func() { f.Release(seen) }()
	for {
		if found, err := done(ring); found || err != nil {
			return rings, err
		}
		next, err := f.guarded([]Node{ring, seen, within}, func() Node {
			before := f.image(w.backwards, ring)
			f.push(before)
			before = f.combine(operationIntersection, before, within)
			f.push(before)
			return f.combine(operationDifference, before, seen)
		})
		if err != nil {
			return rings, err
		}
		if next == Empty {
			return rings, errWitness
		}
		ring = f.Keep(next)
		rings = append(rings, ring)
		all, err := f.Union(seen, ring)
		if err != nil {
			return rings, err
		}
		f.Keep(all)
		f.Release(seen)
		seen = all
	}
}

func (w *witnessSearch) release(rings []Node) {
	for _, r := range rings {
		w.p.forest.Release(r)
	}
}

// descend goes from the state forwards through the rings, the last first.
func (w *witnessSearch) descend(from []uint32, rings []Node) ([]int, error) {
	var path []int
	for i := len(rings) - 1; i >= 0; i-- {
		steps := w.p.successors(from)
		next := slices.IndexFunc(steps, func(s productStep) bool { return w.p.forest.Contains(rings[i], s.to) })
		if next < 0 {
			return nil, errWitness
		}
		path, from = append(path, steps[next].event), steps[next].to
	}
	return path, nil
}

// path is the events of a shortest path between two states within a set.
func (w *witnessSearch) path(from, to []uint32, within Node) ([]int, error) {
	rings, err := w.rings(to, within, func(ring Node) (bool, error) {
		return w.p.forest.Contains(ring, from), nil
	})
	defer w.release(rings)
	if err != nil {
		return nil, err
	}
	return w.descend(from, rings[:len(rings)-1])
}

// segment is a path inside to the state that begins with an edge of the set, and
// the state where it begins. Without sets any edge will do.
func (w *witnessSearch) segment(to []uint32, set int, backwards *Relation) ([]uint32, []int, error) {
	f := w.p.forest
	sources := Empty // kept
	rings, err := w.rings(to, w.inside, func(ring Node) (bool, error) {
		n, err := f.guarded([]Node{ring}, func() Node {
			before := f.image(backwards, ring)
			f.push(before)
			return f.combine(operationIntersection, before, w.inside)
		})
		sources = f.Keep(n)
		return n != Empty, err
	})
	defer w.release(rings)
	if err != nil {
		return nil, nil, err
	}
	defer f.Release(sources)
	from := f.first(sources)
	last := rings[len(rings)-1]
	for _, s := range w.p.successors(from) {
		if (len(w.accepting) == 0 || s.marks.Has(set)) && f.Contains(last, s.to) {
			rest, err := w.descend(s.to, rings[:len(rings)-1])
			return from, append([]int{s.event}, rest...), err
		}
	}
	return nil, nil, errWitness
}

// prefix is the events of a shortest path from an initial state of the product.
func (w *witnessSearch) prefix(to []uint32) ([]int, error) {
	f := w.p.forest
	start := Empty // kept
	rings, err := w.rings(to, w.reached, func(ring Node) (bool, error) {
		n, err := f.Intersection(ring, w.p.start)
		start = f.Keep(n)
		return n != Empty, err
	})
	defer w.release(rings)
	if err != nil {
		return nil, err
	}
	defer f.Release(start)
	return w.descend(f.first(start), rings[:len(rings)-1])
}

// successors are the steps from a state of the product, found one by one.
func (p *product) successors(from []uint32) []productStep {
	var steps []productStep
	vector, q := from[:p.top-1], automata.State(from[p.top-1])
	before := p.valuation(vector)
	synchronize := func(event int, next []uint32) {
		letter := slices.Clone(before)
		if p.automaton.Kind == automata.TGTA {
			for i, word := range p.valuation(next) {
				letter[i] ^= word
			}
		}
		first, end := p.automaton.Out(q)
		for e := first; e < end; e++ {
			if p.automaton.Matches(e, letter) {
				to := append(slices.Clone(next), uint32(p.automaton.Destination(e)))
				steps = append(steps, productStep{event, to, p.automaton.Marks(e)})
			}
		}
	}
	dead := true
	for t := range p.space.System.Events {
		if next, possible := p.fire(t, vector); possible {
			dead = false
			synchronize(t, next)
		}
	}
	if dead {
		synchronize(Stutter, vector)
	}
	return steps
}

// fire is the vector by level after the event, if it is possible.
func (p *product) fire(event int, vector []uint32) (next []uint32, possible bool) {
	for _, g := range p.space.System.Events[event] {
		if v := vector[p.space.Levels[g.Variable]-1]; v < g.Low || v > g.High {
			return nil, false
		}
	}
	next = slices.Clone(vector)
	for _, g := range p.space.System.Events[event] {
		level := p.space.Levels[g.Variable]
		next[level-1] = displaced(next[level-1], g.Delta)
	}
	return next, true
}

func (p *product) valuation(vector []uint32) automata.Valuation {
	v := make(automata.Valuation, p.automaton.ValuationWords())
	for i, c := range p.propositions {
		if p.conditions.holds(c, vector) {
			v[i/64] |= 1 << (i % 64)
		}
	}
	return v
}
