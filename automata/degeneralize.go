package automata

import (
	"context"
	"errors"
	"slices"
)

// Limits of the search for a good order of acceptance sets.
const (
	// orderedSets is the number of sets up to which all orders are tried.
	orderedSets = 5
	// orderWork bounds orders × edges tried in one component.
	orderWork = 1 << 18
	// triedOrders is the number of rotations tried to the end.
	triedOrders = 8
	// manyCopiedEdges is the number of edges, counted for each level, above which
	// one order is tried to the end, for merging takes seconds then.
	manyCopiedEdges = 1 << 12
	// degeneralizeWork is the work after which no further way to degeneralize is tried:
	// states × edges of the results, as merging takes the longer the more there are. Twenty
	// acceptance sets on ten states reach it in a second, usual formulas do not.
	degeneralizeWork = 1 << 20
)

// Degeneralize makes a Büchi automaton of a, which has generalized Büchi
// acceptance: one acceptance set, in which are all or none of the edges that
// leave a state. It counts, as is usual, in copies of a component up to which
// acceptance set a run has got ("levels"), but
//
//   - each component by itself, with the sets that it needs, in the order that
//     needs fewest copies, and one copy where every cycle is accepted or none;
//   - with marks that all edges into a state share, or all out of it, counted
//     where that is best;
//   - entering a component where that makes no copy more.
//
// Source: Babiak, Badie, Duret-Lutz, Křetínský, Strejček, "Compositional
// approach to suspension and other improvements to LTL translation" (2013),
// section 5. States that simulate each other are merged afterwards, and in a second
// attempt parts whose languages are obligations are determinized before; the smallest
// of several results is taken, of fewer where these are large, of a large automaton of
// only two, and one without merging where labels are too large for it. It has at most
// states × (sets + 1) + 1 states.
func Degeneralize(ctx context.Context, a *Automaton) (*Automaton, error) {
	if a.Edges()*len(a.Propositions) > manyLabelLiterals {
		return plainDegeneralization(ctx, a)
	}
	best, err := smallestDegeneralization(ctx, a)
	if errors.Is(err, ErrFunctionTooLarge) {
		return plainDegeneralization(ctx, a)
	}
	if err != nil || isLargeToDegeneralize(a) {
		return best, err
	}
	weak, replaced, err := replaceObligations(ctx, a)
	if err != nil || !replaced {
		return best, err
	}
	if other, err := smallestDegeneralization(ctx, weak); err == nil && smallerThan(other, best) {
		best = other
	}
	return best, ctx.Err()
}

// plainDegeneralization merges nothing.
func plainDegeneralization(ctx context.Context, a *Automaton) (*Automaton, error) {
	return transform(ctx, a, func(ctx context.Context, r *reducible) error {
		r.prune()
		if err := r.degeneralize(ctx, levels{order: someOrders(a.Acceptance.Sets)[0]}); err != nil {
			return err
		}
		r.pruneStateBased()
		return r.functions.Err()
	})
}

// isLargeToDegeneralize tells whether few ways to degeneralize a are to be tried.
func isLargeToDegeneralize(a *Automaton) bool {
	return a.Edges()*(a.Acceptance.Sets+1) > manyCopiedEdges
}

// smallerThan compares automata by states, then by edges.
func smallerThan(a, b *Automaton) bool {
	return a.States() < b.States() || a.States() == b.States() && a.Edges() < b.Edges()
}

// smallestDegeneralization does what Degeneralize says to a as it is.
func smallestDegeneralization(ctx context.Context, a *Automaton) (*Automaton, error) {
	var best *Automaton
	work := 0
	try := func(how levels, simulated, rooted bool) error {
		b, err := transform(ctx, a, func(ctx context.Context, r *reducible) error {
			r.prune()
			if simulated {
				if err := r.reduceBySimulation(ctx); err != nil {
					return err
				}
			}
			if err := r.degeneralize(ctx, how); err != nil {
				return err
			}
			if rooted {
				if err := r.mergeRooted(ctx); err != nil {
					return err
				}
			}
			return r.mergeStateBased(ctx)
		})
		if err != nil {
			return err
		}
		work += b.States() * b.Edges()
		if best == nil || smallerThan(b, best) {
			best = b
		}
		return nil
	}
	large := isLargeToDegeneralize(a)
	orders := someOrders(a.Acceptance.Sets)
	if large {
		orders = orders[:1]
	}
	for _, order := range orders {
		if work > degeneralizeWork {
			return best, nil
		}
		for _, simulated := range [2]bool{false, true} { // neither is always better
			if err := try(levels{order: order}, simulated, false); err != nil {
				return nil, err
			}
		}
	}
	if large {
		return best, nil
	}
	for variant := range 4 {
		if work > degeneralizeWork {
			break
		}
		if err := try(levels{asMarked: variant&1 != 0}, variant&2 != 0, true); err != nil {
			return nil, err
		}
	}
	return best, nil
}

// levels says what is fixed of how components count acceptance sets.
type levels struct {
	// order of the acceptance sets, unless nil.
	order []int
	// asMarked counts marks where they are, rather than where that makes fewest
	// copies.
	asMarked bool
}

// someOrders are orders of acceptance sets to try: none, which leaves the choice
// to the number of copies, all rotations, and all rotations of the reverse.
func someOrders(sets int) [][]int {
	orders := [][]int{nil}
	for i := range min(sets, triedOrders) {
		up, down := make([]int, sets), make([]int, sets)
		for j := range sets {
			up[j] = (i + j) % sets
			down[sets-1-j] = up[j]
		}
		orders = append(orders, up)
		if sets > 2 {
			orders = append(orders, down)
		}
	}
	if sets < 2 {
		return orders[:1]
	}
	return orders
}

// degeneralize does what Degeneralize says to what prune left, without merging.
func (r *reducible) degeneralize(ctx context.Context, how levels) error {
	c, meanings := r.normalizeMarks()
	// Which copies there are of each state, and the next copy for each edge.
	levellings := make([]levelling, c.Count())
	first := make([]State, len(r.out)) // copy of a state where its component is entered
	var copies []stateCopy
	number := map[stateCopy]State{}
	add := func(s State, level int) {
		number[stateCopy{s, level}] = State(len(copies))
		copies = append(copies, stateCopy{s, level})
	}
	for n := range levellings {
		if err := ctx.Err(); err != nil {
			return err
		}
		states := c.States(Component(n))
		if meanings[n] != marksDecide {
			for _, s := range states {
				first[s] = State(len(copies))
				add(s, 0)
			}
			continue
		}
		levellings[n] = r.bestLevelling(c, Component(n), how)
		for _, s := range states {
			first[s] = State(len(copies))
			for level := range levellings[n].sets() + 1 {
				if levellings[n].used[stateCopy{s, level}] {
					add(s, level)
				}
			}
		}
	}
	out := make([][]link, len(copies))
	for i, k := range copies {
		n := c.Of(k.state)
		marks := uint64(0)
		if meanings[n] == allAccepted || meanings[n] == marksDecide && k.level == levellings[n].sets() {
			marks = 1
		}
		for j, e := range r.out[k.state] {
			to := first[e.to]
			if c.Of(e.to) == n && meanings[n] == marksDecide {
				to = number[stateCopy{e.to, levellings[n].next(k.level, levellings[n].marks[k.state][j])}]
			}
			out[i] = append(out[i], link{to, marks, e.label})
		}
	}
	for i, s := range r.initial {
		r.initial[i] = first[s]
	}
	r.out, r.sets = out, 1
	for s := range r.out {
		r.merge(State(s))
	}
	return nil
}

// stateCopy is a state at a level.
type stateCopy struct {
	state State
	level int
}

// levelling says how one component counts its acceptance sets.
type levelling struct {
	order []int              // the sets, in the order in which they are waited for
	marks edgeMarks          // where they count
	used  map[stateCopy]bool // the copies that there are
}

func (l *levelling) sets() int { return len(l.order) }

// next is the level after an edge with these marks.
func (l *levelling) next(level int, marks uint64) int {
	if level == l.sets() {
		level = 0
	}
	for level < l.sets() && marks>>l.order[level]&1 == 1 {
		level++
	}
	return level
}

// bestLevelling finds the marks and the order with the fewest copies in
// component n.
func (r *reducible) bestLevelling(c *Components, n Component, how levels) levelling {
	needed := r.neededSets(c, n)
	order := members(needed)
	edges := 0
	for _, s := range c.States(n) {
		edges += len(r.out[s])
	}
	var best levelling
	work := 0
	placements := r.equivalentMarks(c, n)
	if how.asMarked {
		placements = placements[plainPlacement : plainPlacement+1]
	}
	for _, marks := range placements {
		try := func(order []int) bool {
			t := levelling{order: slices.Clone(order), marks: marks}
			r.useCopies(&t, c, n)
			if best.used == nil || len(t.used) < len(best.used) {
				best = t
			}
			work += edges * (len(order) + 1)
			return work < orderWork
		}
		if how.order != nil {
			try(slices.DeleteFunc(slices.Clone(how.order), func(set int) bool { return needed>>set&1 == 0 }))
			continue
		}
		if len(order) <= orderedSets {
			eachOrder(order, len(order), try)
			continue
		}
		try(order)
		improveOrder(order, func() bool {
			copies := len(best.used)
			return try(order) && len(best.used) < copies
		}, func() bool { return work < orderWork })
	}
	return best
}

// eachOrder calls f with the orders of the first n members of list, in place,
// until it returns false (Heap's algorithm).
func eachOrder(list []int, n int, f func([]int) bool) bool {
	if n <= 1 {
		return f(list)
	}
	for i := range n {
		if !eachOrder(list, n-1, f) {
			return false
		}
		j := 0
		if n%2 == 0 {
			j = i
		}
		list[j], list[n-1] = list[n-1], list[j]
	}
	return true
}

// improveOrder exchanges two members of list as long as that is better.
func improveOrder(list []int, better, more func() bool) {
	for improved := true; improved; {
		improved = false
		for i := range list {
			for j := range i {
				if !more() {
					return
				}
				list[i], list[j] = list[j], list[i]
				if better() {
					improved = true
				} else {
					list[i], list[j] = list[j], list[i]
				}
			}
		}
	}
}

// edgeMarks are marks of the edges out of each state of a component.
type edgeMarks map[State][]uint64

// plainPlacement is the position among equivalentMarks of the marks as they are.
const plainPlacement = 3

// equivalentMarks are several ways to place marks in component n with the same
// meaning. Where all edges into a state have a mark, those out of it may have it
// or not, because a run takes both infinitely often or neither; and likewise
// with into and out of exchanged.
func (r *reducible) equivalentMarks(c *Components, n Component) []edgeMarks {
	plain := edgeMarks{}
	for _, s := range c.States(n) {
		for _, e := range r.out[s] {
			plain[s] = append(plain[s], e.marks)
		}
	}
	before := r.spreadMarks(plain, c, n, false, true)
	both := r.spreadMarks(plain, c, n, true, true)
	return []edgeMarks{
		r.dropRepeated(before, c, n), r.dropRepeated(both, c, n), r.dropRepeated(plain, c, n), plain, before, both,
	}
}

// shared are the marks that all edges into each state of component n have, and
// those that all edges out of it have, as far as they stay in n.
func (r *reducible) shared(marks edgeMarks, c *Components, n Component) (into, outOf map[State]uint64) {
	into, outOf = map[State]uint64{}, map[State]uint64{}
	for _, s := range c.States(n) {
		into[s], outOf[s] = r.all(), r.all()
	}
	for _, s := range c.States(n) {
		for j, e := range r.out[s] {
			if c.Of(e.to) == n {
				into[e.to] &= marks[s][j]
				outOf[s] &= marks[s][j]
			}
		}
	}
	return into, outOf
}

// spreadMarks adds to edges the marks that all edges before them have, or all
// edges after them, or both.
func (r *reducible) spreadMarks(from edgeMarks, c *Components, n Component, after, before bool) edgeMarks {
	marks := edgeMarks{}
	for s, list := range from {
		marks[s] = slices.Clone(list)
	}
	for changed := true; changed; {
		changed = false
		into, outOf := r.shared(marks, c, n)
		for _, s := range c.States(n) {
			for j, e := range r.out[s] {
				m := marks[s][j]
				if after {
					m |= into[s]
				}
				if before {
					m |= outOf[e.to]
				}
				if c.Of(e.to) == n && m != marks[s][j] {
					marks[s][j] = m
					changed = true
				}
			}
		}
	}
	return marks
}

// dropRepeated takes from the edges out of each state, one state after the
// other, the marks that all edges into it have, but for its loops.
func (r *reducible) dropRepeated(from edgeMarks, c *Components, n Component) edgeMarks {
	marks := r.spreadMarks(from, c, n, false, false)
	for _, s := range c.States(n) {
		into, _ := r.shared(marks, c, n)
		for j, e := range r.out[s] {
			if e.to != s {
				marks[s][j] &^= into[s]
			}
		}
	}
	return marks
}

// useCopies chooses which copies of component n there are: those of a smallest
// set of copies that has one of each state and is closed under edges inside.
func (r *reducible) useCopies(l *levelling, c *Components, n Component) {
	size := l.sets() + 1
	states := c.States(n)
	place := map[State]int{}
	for i, s := range states {
		place[s] = i
	}
	graph := &reducible{out: make([][]link, size*len(states))}
	for i, s := range states {
		for level := range size {
			from := i*size + level
			for j, e := range r.out[s] {
				if c.Of(e.to) == n {
					to := place[e.to]*size + l.next(level, l.marks[s][j])
					graph.out[from] = append(graph.out[from], link{to: State(to), label: TrueFunction})
				}
			}
		}
	}
	parts := graph.components()
	best := Component(0) // has no edge to another one
	for p := range parts.Count() {
		closedPart := true
		for _, k := range parts.States(Component(p)) {
			for _, e := range graph.out[k] {
				closedPart = closedPart && parts.Of(e.to) == Component(p)
			}
		}
		if closedPart && len(parts.States(Component(p))) < len(parts.States(best)) {
			best = Component(p)
		}
	}
	l.used = map[stateCopy]bool{}
	for _, k := range parts.States(best) {
		l.used[stateCopy{states[int(k)/size], int(k) % size}] = true
	}
}
