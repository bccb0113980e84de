package symbolic

import (
	"errors"
	"slices"
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
	p       *product
	inside  Node // kept: the states left
	reached Node // kept: all states of the product that are reachable
	// T* as a whole and by acceptance set, and T∅, backwards.
	changing, stutter *Relation
	accepted          []*Relation
}

func (p *product) witness(reached, inside Node) (*Run, error) {
	w := &witnessSearch{p: p, inside: inside, reached: reached, changing: p.changing.Reverse()}
	for _, r := range p.accepted {
		w.accepted = append(w.accepted, r.Reverse())
	}
	if p.stutter != nil {
		w.stutter = p.stutter.Reverse()
	}
	begin := p.forest.first(inside)
	for {
		at, cycle := begin, []int(nil)
		for set := range max(1, p.sets) {
			if p.sets == 0 {
				set = anySet
			}
			from, path, err := w.segment(at, set)
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

// anySet stands for steps in any acceptance set or none.
const anySet = -1

// before is the set of states with a step into n that is in the acceptance set.
// It runs within guarded; n is a root.
func (w *witnessSearch) before(n Node, set int) Node {
	f := w.p.forest
	changing := w.changing
	if set != anySet {
		changing = w.accepted[set]
	}
	changed := f.image(changing, n)
	if w.stutter == nil {
		return changed
	}
	f.push(changed)
	stuttered := f.image(w.stutter, n)
	if set != anySet {
		f.push(stuttered)
		stuttered = f.image(w.p.lasting[set], stuttered)
		f.pop()
	}
	f.push(stuttered)
	changed = f.union(changed, stuttered)
	f.pop()
	f.pop()
	return changed
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
			before := w.before(ring, anySet)
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
func (w *witnessSearch) segment(to []uint32, set int) ([]uint32, []int, error) {
	f := w.p.forest
	sources := Empty // kept
	rings, err := w.rings(to, w.inside, func(ring Node) (bool, error) {
		n, err := f.guarded([]Node{ring}, func() Node {
			before := w.before(ring, set)
			f.push(before)
			before = f.combine(operationIntersection, before, w.inside)
			f.pop()
			return before
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
		if (set == anySet || s.has(set)) && f.Contains(last, s.to) {
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
