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

// errWitness means a defect of the program: the set left by the emptiness check has no
// cycle.
var errWitness = errors.New("no accepting cycle where one must be")

// A witnessSearch walks backwards through the states left by the emptiness check, set by set, and
// picks single states on the way.
//
// The emptiness check leaves states each of which is reached from an accepting cycle. So each has,
// for each acceptance set, a path inside that leads to it and begins with an edge of the set. The
// search begins at some state b. It goes backwards along such a path for the first set, from where
// that begins along one for the second, and so on. Say it ends at a. Then a path leads from a to b
// with an edge of each set. Two cases are possible:
//
//   - a can be reached from b inside. Then b → a → b is an accepting cycle.
//   - It cannot. Then a lies in a component further up. The search begins again from a. Components
//     are finitely many.
//
// For example, let the states left be 1→2, 2→1 with edges of sets 0 and 1, and 2→3, 3→3 without
// marks. From b = 3 the first path backwards is, for set 0, 1→2→3, and the one for set 1 leads from
// 2 to 1. So a = 2, which cannot be reached from 3. From b = 2 the same finds 1→2 and 2→1, with a =
// 2: the cycle is closed.
//
// Paths are found by rings: the states one step before a state, those two steps before it, and so
// on. Single states are then chosen forwards, one in each ring.
type witnessSearch struct {
	p        *product
	inside   Node // kept: the states left
	reached  Node // kept: all states of the product that are reachable
	start    Node // kept: the initial ones
	phase    *phase
	stutters bool // the cycle is one of T∅ alone
	// Backwards: T* of all phases as a whole, and in the acceptance sets of the
	// phase with the cycle; T∅, or nil.
	changing, stutter *Relation
	accepted          []*Relation
}

// witness returns an accepted run, once the emptiness check has found something among the reached
// states.
func (p *product) witness(reached Node, found *finding) (*Run, error) {
	w := &witnessSearch{p: p, inside: found.set, reached: reached, phase: found.phase, stutters: found.stutters}
	_, err := p.forest.guarded(nil, func() Node {
		w.prepare()
		return Empty
	})
	if err != nil {
		return nil, err
	}
	return w.run()
}

// prepare makes the relations.
func (w *witnessSearch) prepare() {
	p := w.p
	// States of the first phase don't stutter, so that T∅ backwards asks for the
	// automaton's state here even where it needs not in the emptiness check.
	all := slices.Clone(p.crossing)
	for _, x := range p.phases {
		all = append(all, x.transfers...)
		if x.stuttering != nil {
			w.stutter = p.relation(x.loopTransfers(p.withDeadlocks(x.stuttering)), nil).Reverse()
		}
		old := w.start
		w.start = p.forest.Keep(p.forest.union(old, x.start))
		p.forest.Release(old)
	}
	w.changing = p.relation(all, nil).Reverse()
	for set := range p.sets {
		w.accepted = append(w.accepted, w.phase.accepted(set).Reverse())
	}
}

// run finds the run.
func (w *witnessSearch) run() (*Run, error) {
	begin := w.p.forest.first(w.inside)
	for {
		at, cycle := begin, []int(nil)
		for set := range w.segments() {
			switch {
			case w.stutters:
				set = stutteringStep
			case w.p.sets == 0:
				set = changingStep // stuttering alone need not be accepted
			}
			from, path, err := w.segment(at, set)
			if err != nil {
				return nil, err
			}
			at, cycle = from, append(path, cycle...)
		}
		closing, err := w.path(begin, at)
		if err == nil {
			prefix, err := w.prefix(begin)
			return &Run{Prefix: prefix, Cycle: append(closing, cycle...)}, err
		}
		if !errors.Is(err, errWitness) {
			return nil, err
		}
		begin = at // in a component further up: no path leads there from begin
	}
}

// segments returns the number of segments of the cycle, one for each acceptance set that
// it has to see to.
func (w *witnessSearch) segments() int {
	if w.stutters {
		return 1
	}
	return max(1, w.p.sets)
}

// Kinds of steps, in place of the number of an acceptance set.
const (
	anyStep        = -1
	stutteringStep = -2 // of T∅
	changingStep   = -3 // of T*
)

// inCycle returns what steps of the cycle must be.
func (w *witnessSearch) inCycle() int {
	if w.stutters {
		return stutteringStep
	}
	return anyStep
}

// is reports whether s is in the acceptance set, or of the kind that stands in place of one.
func (s productStep) is(set int) bool {
	switch set {
	case anyStep:
		return true
	case stutteringStep:
		return s.stutters
	case changingStep:
		return !s.stutters
	}
	return s.accepted[set]
}

// before returns the set of states with a step into n that is in the acceptance set, at least of
// those in within. It runs within guarded; both are roots.
func (w *witnessSearch) before(n Node, set int, within Node) Node {
	f := w.p.forest
	if set == stutteringStep {
		return f.imageInto(w.stutter, n, within)
	}
	changing := w.changing
	if set >= 0 {
		changing = w.accepted[set]
	}
	changed := f.imageInto(changing, n, within)
	if w.stutter == nil || set == changingStep || set >= 0 && !w.phase.lasts(set) {
		return changed
	}
	f.push(changed)
	stuttered := f.imageInto(w.stutter, n, within)
	if set >= 0 {
		f.push(stuttered)
		stuttered = f.image(w.phase.lasting(set), stuttered)
		f.pop()
	}
	f.push(stuttered)
	changed = f.union(changed, stuttered)
	f.pop()
	f.pop()
	return changed
}

// first returns the least vector of n, which is not empty.
func (f *Forest) first(n Node) []uint32 {
	vector := make([]uint32, f.Level(n))
	for level := len(vector); level > 0; level-- {
		e := f.edge(n, 0)
		vector[level-1], n = e.Value, e.Child
	}
	return vector
}

// rings returns sets of states within: those whose shortest path to the state in the
// set has 0, 1, … steps. It stops when done reports true of one of them. All are kept.
func (w *witnessSearch) rings(to []uint32, within Node, set int, done func(ring Node) (bool, error)) ([]Node, error) {
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
			before := w.before(ring, set, within)
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

// release lets go of sets that rings kept.
func (w *witnessSearch) release(rings []Node) {
	for _, r := range rings {
		w.p.forest.Release(r)
	}
}

// descend goes from the state forwards through the rings, the last first.
func (w *witnessSearch) descend(from []uint32, rings []Node, set int) ([]int, error) {
	var path []int
	for i := len(rings) - 1; i >= 0; i-- {
		steps, err := w.p.successors(from)
		if err != nil {
			return nil, err
		}
		next := slices.IndexFunc(steps, func(s productStep) bool { return s.is(set) && w.p.forest.Contains(rings[i], s.to) })
		if next < 0 {
			return nil, errWitness
		}
		path, from = append(path, steps[next].event), steps[next].to
	}
	return path, nil
}

// path returns the events of a shortest path between two states inside.
func (w *witnessSearch) path(from, to []uint32) ([]int, error) {
	rings, err := w.rings(to, w.inside, w.inCycle(), func(ring Node) (bool, error) {
		return w.p.forest.Contains(ring, from), nil
	})
	defer w.release(rings)
	if err != nil {
		return nil, err
	}
	return w.descend(from, rings[:len(rings)-1], w.inCycle())
}

// segment returns a path inside to the state that begins with an edge of the set, and
// the state where it begins. Without sets any edge will do.
func (w *witnessSearch) segment(to []uint32, set int) ([]uint32, []int, error) {
	f := w.p.forest
	sources := Empty // kept
	rings, err := w.rings(to, w.inside, w.inCycle(), func(ring Node) (bool, error) {
		n, err := f.guarded([]Node{ring}, func() Node {
			before := w.before(ring, set, w.inside)
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
	// The first step is one of the set; the rings lead on from where it ends.
	from := f.first(sources)
	last := rings[len(rings)-1]
	steps, err := w.p.successors(from)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range steps {
		if s.is(set) && f.Contains(last, s.to) {
			rest, err := w.descend(s.to, rings[:len(rings)-1], w.inCycle())
			return from, append([]int{s.event}, rest...), err
		}
	}
	return nil, nil, errWitness
}

// prefix returns the events of a shortest path from an initial state of the product.
func (w *witnessSearch) prefix(to []uint32) ([]int, error) {
	f := w.p.forest
	start := Empty // kept
	rings, err := w.rings(to, w.reached, anyStep, func(ring Node) (bool, error) {
		n, err := f.Intersection(ring, w.start)
		start = f.Keep(n)
		return n != Empty, err
	})
	defer w.release(rings)
	if err != nil {
		return nil, err
	}
	defer f.Release(start)
	return w.descend(f.first(start), rings[:len(rings)-1], anyStep)
}
