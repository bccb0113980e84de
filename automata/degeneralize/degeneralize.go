package degeneralize

import (
	"context"
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
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
func Degeneralize(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	if a.Edges()*len(a.Propositions) > marked.ManyLabelLiterals {
		return plainDegeneralization(ctx, a)
	}
	best, err := smallestDegeneralization(ctx, a)
	if errors.Is(err, bdd.ErrTooLarge) {
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
func plainDegeneralization(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	return marked.Transform(ctx, a, func(ctx context.Context, r *marked.Reducible) error {
		r.Prune()
		if err := degeneralize(r, ctx, levels{order: someOrders(a.Acceptance.Sets)[0]}); err != nil {
			return err
		}
		pruneStateBased(r)
		return r.Functions.Err()
	})
}

// isLargeToDegeneralize reports whether few ways to degeneralize a are to be tried.
func isLargeToDegeneralize(a *automata.Automaton) bool {
	return a.Edges()*(a.Acceptance.Sets+1) > manyCopiedEdges
}

// smallerThan compares automata by states, then by edges.
func smallerThan(a, b *automata.Automaton) bool {
	return a.States() < b.States() || a.States() == b.States() && a.Edges() < b.Edges()
}

// smallestDegeneralization does what Degeneralize says to a as it is.
func smallestDegeneralization(ctx context.Context, a *automata.Automaton) (*automata.Automaton, error) {
	var best *automata.Automaton
	work := 0
	try := func(how levels, simulated, rooted bool) error {
		b, err := marked.Transform(ctx, a, func(ctx context.Context, r *marked.Reducible) error {
			r.Prune()
			if simulated {
				if err := r.ReduceBySimulation(ctx); err != nil {
					return err
				}
			}
			if err := degeneralize(r, ctx, how); err != nil {
				return err
			}
			if rooted {
				if err := mergeRooted(r, ctx); err != nil {
					return err
				}
			}
			return mergeStateBased(r, ctx)
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
func degeneralize(r *marked.Reducible, ctx context.Context, how levels) error {
	c, meanings := r.NormalizeMarks()
	// Which copies there are of each state, and the next copy for each edge.
	levellings := make([]levelling, c.Count())
	first := make([]automata.State, len(r.Out)) // copy of a state where its component is entered
	var copies []stateCopy
	number := map[stateCopy]automata.State{}
	add := func(s automata.State, level int) {
		number[stateCopy{s, level}] = automata.State(len(copies))
		copies = append(copies, stateCopy{s, level})
	}
	for n := range levellings {
		if err := ctx.Err(); err != nil {
			return err
		}
		states := c.States(automata.Component(n))
		if meanings[n] != marked.MarksDecide {
			for _, s := range states {
				first[s] = automata.State(len(copies))
				add(s, 0)
			}
			continue
		}
		levellings[n] = bestLevelling(r, c, automata.Component(n), how)
		for _, s := range states {
			first[s] = automata.State(len(copies))
			for level := range levellings[n].sets() + 1 {
				if levellings[n].used[stateCopy{s, level}] {
					add(s, level)
				}
			}
		}
	}
	out := make([][]marked.Link, len(copies))
	for i, k := range copies {
		n := c.Of(k.state)
		marks := uint64(0)
		if meanings[n] == marked.AllAccepted || meanings[n] == marked.MarksDecide && k.level == levellings[n].sets() {
			marks = 1
		}
		for j, e := range r.Out[k.state] {
			to := first[e.To]
			if c.Of(e.To) == n && meanings[n] == marked.MarksDecide {
				to = number[stateCopy{e.To, levellings[n].next(k.level, levellings[n].marks[k.state][j])}]
			}
			out[i] = append(out[i], marked.Link{To: to, Marks: marks, Label: e.Label})
		}
	}
	for i, s := range r.Initial {
		r.Initial[i] = first[s]
	}
	r.Out, r.Sets = out, 1
	for s := range r.Out {
		r.Merge(automata.State(s))
	}
	return nil
}

// stateCopy is a state at a level.
type stateCopy struct {
	state automata.State
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
func bestLevelling(r *marked.Reducible, c *automata.Components, n automata.Component, how levels) levelling {
	needed := r.NeededSets(c, n)
	order := marked.Members(needed)
	edges := 0
	for _, s := range c.States(n) {
		edges += len(r.Out[s])
	}
	var best levelling
	work := 0
	placements := equivalentMarks(r, c, n)
	if how.asMarked {
		placements = placements[plainPlacement : plainPlacement+1]
	}
	for _, marks := range placements {
		try := func(order []int) bool {
			t := levelling{order: slices.Clone(order), marks: marks}
			useCopies(r, &t, c, n)
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
type edgeMarks map[automata.State][]uint64

// plainPlacement is the position among equivalentMarks of the marks as they are.
const plainPlacement = 3

// equivalentMarks are several ways to place marks in component n with the same
// meaning. Where all edges into a state have a mark, those out of it may have it
// or not, because a run takes both infinitely often or neither; and likewise
// with into and out of exchanged.
func equivalentMarks(r *marked.Reducible, c *automata.Components, n automata.Component) []edgeMarks {
	plain := edgeMarks{}
	for _, s := range c.States(n) {
		for _, e := range r.Out[s] {
			plain[s] = append(plain[s], e.Marks)
		}
	}
	before := spreadMarks(r, plain, c, n, false, true)
	both := spreadMarks(r, plain, c, n, true, true)
	return []edgeMarks{
		dropRepeated(r, before, c, n), dropRepeated(r, both, c, n), dropRepeated(r, plain, c, n), plain, before, both,
	}
}

// shared are the marks that all edges into each state of component n have, and
// those that all edges out of it have, as far as they stay in n.
func shared(r *marked.Reducible, marks edgeMarks, c *automata.Components, n automata.Component) (into, outOf map[automata.State]uint64) {
	into, outOf = map[automata.State]uint64{}, map[automata.State]uint64{}
	for _, s := range c.States(n) {
		into[s], outOf[s] = r.All(), r.All()
	}
	for _, s := range c.States(n) {
		for j, e := range r.Out[s] {
			if c.Of(e.To) == n {
				into[e.To] &= marks[s][j]
				outOf[s] &= marks[s][j]
			}
		}
	}
	return into, outOf
}

// spreadMarks adds to edges the marks that all edges before them have, or all
// edges after them, or both.
func spreadMarks(r *marked.Reducible, from edgeMarks, c *automata.Components, n automata.Component, after, before bool) edgeMarks {
	marks := edgeMarks{}
	for s, list := range from {
		marks[s] = slices.Clone(list)
	}
	for changed := true; changed; {
		changed = false
		into, outOf := shared(r, marks, c, n)
		for _, s := range c.States(n) {
			for j, e := range r.Out[s] {
				m := marks[s][j]
				if after {
					m |= into[s]
				}
				if before {
					m |= outOf[e.To]
				}
				if c.Of(e.To) == n && m != marks[s][j] {
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
func dropRepeated(r *marked.Reducible, from edgeMarks, c *automata.Components, n automata.Component) edgeMarks {
	marks := spreadMarks(r, from, c, n, false, false)
	for _, s := range c.States(n) {
		into, _ := shared(r, marks, c, n)
		for j, e := range r.Out[s] {
			if e.To != s {
				marks[s][j] &^= into[s]
			}
		}
	}
	return marks
}

// useCopies chooses which copies of component n there are: those of a smallest
// set of copies that has one of each state and is closed under edges inside.
func useCopies(r *marked.Reducible, l *levelling, c *automata.Components, n automata.Component) {
	size := l.sets() + 1
	states := c.States(n)
	place := map[automata.State]int{}
	for i, s := range states {
		place[s] = i
	}
	graph := &marked.Reducible{Out: make([][]marked.Link, size*len(states))}
	for i, s := range states {
		for level := range size {
			from := i*size + level
			for j, e := range r.Out[s] {
				if c.Of(e.To) == n {
					to := place[e.To]*size + l.next(level, l.marks[s][j])
					graph.Out[from] = append(graph.Out[from], marked.Link{To: automata.State(to), Label: bdd.TrueFunction})
				}
			}
		}
	}
	parts := graph.Components()
	best := automata.Component(0) // has no edge to another one
	for p := range parts.Count() {
		closedPart := true
		for _, k := range parts.States(automata.Component(p)) {
			for _, e := range graph.Out[k] {
				closedPart = closedPart && parts.Of(e.To) == automata.Component(p)
			}
		}
		if closedPart && len(parts.States(automata.Component(p))) < len(parts.States(best)) {
			best = automata.Component(p)
		}
	}
	l.used = map[stateCopy]bool{}
	for _, k := range parts.States(best) {
		l.used[stateCopy{states[int(k)/size], int(k) % size}] = true
	}
}
