package symbolic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Step is what an event says about one variable, that of level Level. The event is possible
// while Low ≤ value ≤ High. It adds Delta to the value, or makes it c if Delta is assign(c).
type Step struct {
	Level     int
	Low, High uint32
	Delta     int64
}

// noLimit is the High of a step whose value has no upper guard.
const noLimit = math.MaxUint32

// A Relation between the vectors of a Forest is a set of events. An event is
// the conjunction of its steps; variables without a step stay as they are.
//
// The problem: a relation as a diagram over pairs of vectors has a level for each variable before
// and one after, grows with the ranges of values, and must be made anew when these grow. An event
// of a Petri net says little: of some variables, that they have at least so much, and that it adds
// so much to them. So events are kept as rules (implicit relations: Biswal, Miner, 2019). A rule is
// one step followed by a rule of a lower level, and equal rules have one number, so that events
// share their ends. Each event is listed at the level of its first, topmost step, where saturation
// fires it (saturation.go).
//
// For example, an event takes one token from the variable of level 5 and adds two to that of level
// 2. Its rule is "level 5, from 1 up, add -1, then R", where R is "level 2, from 0 up, add 2, then
// identity". Nothing in it says how large values are.
//
// Where a reset arc empties a place the step assigns: its Delta is assign(c), a number far outside
// of what can be added. The inverse of an assignment leads from c to any value, and is called a
// release. It would make infinite sets, and so is used only within a set that is known (imageInto,
// SaturateWithin).
//
// Why it is right: the image of a set under a rule is, by definition, the set of vectors with the
// value changed at one level and the rest changed by the next rule. Computed child by child, with
// results remembered by rule and node, it takes time in the nodes met times the alternatives of
// a rule.
type Relation struct {
	forest *Forest
	own    uint32          // a rule number that stands for the relation as a whole
	top    [][]uint32      // by level: the rules of the events whose first step is there
	listed map[uint32]bool // the rules in top
	bottom int             // no event begins below; see lowest
	idle   bool            // some event without steps: identity is part of the relation
	// releases says that some value leads to many, as the inverse of an assignment does. Then
	// images are of use within a set only.
	releases bool
}

// NewRelation makes a relation without events.
func (f *Forest) NewRelation() *Relation {
	f.affordRules(int64(f.height+1) * listBytes)
	own := f.rules.number(math.MaxUint32, uint32(len(f.rules.levels)), nil)
	f.rules.lists += f.height + 1
	return &Relation{forest: f, own: own, top: make([][]uint32, f.height+1), listed: map[uint32]bool{}}
}

// Add adds an event, before the relation is first used: what it leads to is remembered. Its steps
// are in any order, at most one a level. An error reports two steps of one level, a level that
// does not exist, or a step that leads below zero.
func (r *Relation) Add(steps []Step) error {
	steps = slices.Clone(steps)
	slices.SortFunc(steps, func(a, b Step) int { return a.Level - b.Level })
	for i, s := range steps {
		switch {
		case s.Level < 1 || s.Level > r.forest.height:
			return fmt.Errorf("step at level %d of %d", s.Level, r.forest.height)
		case i > 0 && steps[i-1].Level == s.Level:
			return fmt.Errorf("two steps at level %d", s.Level)
		case s.Low > s.High:
			return nil // never possible
		case int64(s.Low)+s.Delta < 0:
			return errors.New("step leads below zero")
		}
	}
	rule := uint32(identity)
	for _, s := range steps {
		rule = r.rule(s.Level, []alternative{{s.Delta, s.Low, s.High, rule}})
	}
	r.addRule(rule)
	return nil
}

// rule returns the rule of r with these alternatives, made if there was none.
func (r *Relation) rule(level int, alternatives []alternative) uint32 {
	if r.forest.rules.isFull(len(alternatives)) {
		r.forest.affordRules(r.forest.rules.memory())
	}
	return r.forest.rules.number(r.own, uint32(level), alternatives)
}

// addRule makes the rule an event, once.
func (r *Relation) addRule(rule uint32) {
	if rule == identity {
		r.idle = true
		return
	}
	if !r.listed[rule] {
		r.forest.affordRules(listedBytes)
		r.listed[rule] = true
		r.forest.rules.listed++
		level := r.forest.rules.levels[rule]
		r.top[level] = append(r.top[level], rule)
		r.bottom = min(r.bottom, int(level))
	}
}

// Reverse returns the inverse relation: (y, x) for each (x, y) of r, which has no releases. Where r
// assigns a value, the inverse has a release: from that value to all from low to high that are
// in the set which the image is within.
func (r *Relation) Reverse() *Relation {
	t := &r.forest.rules
	reverse := r.forest.NewRelation()
	reverse.idle = r.idle
	done := map[uint32]uint32{identity: identity}
	var visit func(rule uint32) uint32
	visit = func(rule uint32) uint32 {
		if n, ok := done[rule]; ok {
			return n
		}
		r.forest.charge(ruleWork)
		var inverse []alternative
		for _, a := range slices.Clone(t.of(rule)) {
			if assigns(a.delta) {
				reverse.releases, r.forest.releases = true, true
				inverse = append(inverse, released(a, visit(a.next)))
				continue
			}
			high := int64(a.high) + a.delta
			if a.high == noLimit {
				high = noLimit
			}
			inverse = append(inverse, alternative{-a.delta, uint32(int64(a.low) + a.delta), uint32(min(high, noLimit)), visit(a.next)})
		}
		n := reverse.rule(int(t.levels[rule]), inverse)
		done[rule] = n
		return n
	}
	for _, rules := range r.top {
		for _, rule := range rules {
			reverse.addRule(visit(rule))
		}
	}
	return reverse
}

// Image returns the set of vectors to which r relates some vector of n, which is of
// the forest's height.
func (r *Relation) Image(n Node) (Node, error) {
	return r.forest.guarded([]Node{n}, func() Node { return r.forest.image(r, n) })
}

// imageInto returns a part of image that has all that is in within. Both are roots.
func (f *Forest) imageInto(r *Relation, n, within Node) Node {
	if r.releases {
		return f.imageWithin(r, n, within)
	}
	return f.image(r, n)
}

// image returns the image of a root n.
func (f *Forest) image(r *Relation, n Node) Node { return f.imageWithin(r, n, anything) }

// imageWithin returns the part of image in within. All are roots.
func (f *Forest) imageWithin(r *Relation, n, within Node) Node {
	if r.releases && within == anything {
		panic(stop{errReleased})
	}
	result := r.imageBelow(n, within)
	if r.idle {
		f.push(result)
		idle := n
		if within != anything {
			idle = f.combine(operationIntersection, n, within)
		}
		f.push(idle)
		result = f.union(result, idle)
		f.pop()
		f.pop()
	}
	return result
}

// imageBelow returns the part in within of what the events make of n that change nothing above the
// level of n.
//
// Events could be fired one by one on the whole diagram, and the results united. Then each event of a
// low level goes down to it through all nodes above, and each union goes through all levels: a diagram
// of a thousand levels, each with an event and some nodes, would take millions of steps for one image.
// Here each node is met once. Its image is that of its own level's events, and for each value the image
// of the child below by the events of lower levels. Saturation goes down in the same way.
//
// For example, one event takes a token from level 5, and one from level 2. The image of a node of level 5
// has, for value v, the child of v+1 as it is, and the image of the child of v under the second event.
func (r *Relation) imageBelow(n, within Node) Node {
	if n <= Unit || within == Empty {
		return Empty
	}
	f := r.forest
	level := int(f.nodes[n].level)
	if level < r.lowest() {
		return Empty
	}
	operation := operationRules + ruleOperations*r.own + ruleImage
	if image, ok := f.cache.find(operation, n, within); ok {
		return image
	}
	f.step(int(f.degree(n)))
	w := f.openWindow(level)
	for i, size := uint32(0), f.degree(n); i < size; i++ {
		e := f.edge(n, i)
		if image := r.imageBelow(e.Child, f.constraint(within, e.Value)); image != Empty {
			w.add(f, e.Value, image)
		}
	}
	for _, rule := range r.top[level] {
		f.fireInto(nil, rule, n, within, &w)
	}
	image := f.closeWindow(w)
	f.cache.put(operation, n, within, image)
	return image
}

// lowest returns the lowest level at which an event begins, or one above all.
func (r *Relation) lowest() int {
	for r.bottom < len(r.top) && len(r.top[r.bottom]) == 0 {
		r.bottom++
	}
	return r.bottom
}

// withFired returns set, with what the rule makes of n in within. All three are roots.
func (f *Forest) withFired(set Node, rule uint32, n, within Node) Node {
	f.push(set)
	next := f.fire(nil, rule, n, within)
	f.push(next)
	set = f.union(set, next)
	f.pop()
	f.pop()
	return set
}

// anything is the constraint that every vector fulfils, at every level.
const anything = Unit

// fire returns the set of vectors in within to which the rule relates some vector of n.
// If saturating is a relation, the result is closed under its events that stay in
// within, provided that n is closed under those below its own level.
func (f *Forest) fire(saturating *Relation, rule uint32, n, within Node) Node {
	if n == Empty || within == Empty {
		return Empty
	}
	if rule == identity {
		return f.idle(saturating, n, within)
	}
	operation := operationRules + ruleOperations*rule + ruleFire
	if saturating != nil {
		operation += ruleFireSaturate
	}
	if r, ok := f.cache.find(operation, n, within); ok {
		return r
	}
	f.step(int(f.degree(n)))
	level := f.nodes[n].level
	// Results come in any order of values: they are gathered in a window, which is
	// a root all the while.
	w := f.openWindow(int(level))
	size := f.degree(n)
	if f.rules.levels[rule] < level {
		for i := range size {
			e := f.edge(n, i)
			if next := f.fire(saturating, rule, e.Child, f.constraint(within, e.Value)); next != Empty {
				w.add(f, e.Value, next)
			}
		}
	} else {
		f.fireInto(saturating, rule, n, within, &w)
	}
	if saturating != nil && len(f.window) > w.base {
		saturating.saturateWindow(int(level), &w, within)
	}
	r := f.closeWindow(w)
	f.cache.put(operation, n, within, r)
	return r
}

// fireInto adds to the window what a rule of the level of n makes of n, as fire does.
func (f *Forest) fireInto(saturating *Relation, rule uint32, n, within Node, w *window) {
	size := f.degree(n)
	for _, a := range f.rules.of(rule) {
		for i := f.firstEdge(n, a.low); i < size; i++ {
			e := f.edge(n, i)
			if e.Value > a.high {
				break
			}
			value := displaced(e.Value, a.delta)
			if next := f.fire(saturating, a.next, e.Child, f.constraint(within, value)); next != Empty {
				w.add(f, value, next)
			}
		}
	}
	if within != anything && f.releases {
		f.releaseNode(saturating, rule, n, within, w)
	}
}

// firstEdge returns the index of the first edge of n with that value or a larger one.
func (f *Forest) firstEdge(n Node, value uint32) uint32 {
	if value == 0 {
		return 0
	}
	i, _ := slices.BinarySearchFunc(f.Edges(n), value, func(e Edge, v uint32) int { return cmp.Compare(e.Value, v) })
	return uint32(i)
}

// startingAt returns the alternatives of a rule without some that the value does not
// allow; those left are to be checked.
func (t *ruleTable) startingAt(rule, value uint32) []alternative {
	all := t.of(rule)
	if !t.exact[rule] {
		return all
	}
	i, _ := slices.BinarySearchFunc(all, value, func(a alternative, v uint32) int { return cmp.Compare(a.low, v) })
	j := i
	for j < len(all) && all[j].low == value {
		j++
	}
	return all[i:j]
}

// idle fires the identity. n is closed, but perhaps within another
// constraint. So the part of n in within is closed anew.
func (f *Forest) idle(saturating *Relation, n, within Node) Node {
	if within == anything {
		return n
	}
	n = f.combine(operationIntersection, n, within)
	if saturating == nil {
		return n
	}
	f.push(n)
	n = saturating.saturate(n, within)
	f.pop()
	return n
}

// constraint returns the constraint on what follows the value in a vector within it.
func (f *Forest) constraint(within Node, value uint32) Node {
	if within == anything {
		return anything
	}
	return f.childOf(within, value)
}

// childOf returns the child of n for the value, Empty where there is none.
func (f *Forest) childOf(n Node, value uint32) Node {
	edges := f.Edges(n)
	i, found := slices.BinarySearchFunc(edges, value, func(e Edge, v uint32) int { return cmp.Compare(e.Value, v) })
	if !found {
		return Empty
	}
	return edges[i].Child
}

// isRelease reports whether an alternative with this delta is a release.
func isRelease(delta int64) bool { return delta <= -assignment }

// released returns the inverse of an alternative that assigns. One that has no upper guard is told by
// its delta.
func released(a alternative, next uint32) alternative {
	if a.high == noLimit {
		return alternative{-a.delta - assignment, noLimit, a.low, next}
	}
	return alternative{-a.delta, a.high + 1, a.low, next}
}

// releasedFrom returns the value that a release leads away from.
func releasedFrom(delta int64) uint32 { return uint32(-delta) }

// releaseNode adds to the window what the releases of the rule make of n.
func (f *Forest) releaseNode(saturating *Relation, rule uint32, n, within Node, w *window) {
	for _, a := range f.rules.of(rule) {
		if isRelease(a.delta) {
			f.release(saturating, a, f.childOf(n, releasedFrom(a.delta)), within, w)
		}
	}
}

// release adds to the window what a release makes of the child that was assigned to, for each
// value that within has, which belongs to a root.
func (f *Forest) release(saturating *Relation, a alternative, child, within Node, w *window) {
	if child == Empty {
		return
	}
	f.push(child) // the window may get another one in its place
	defer f.pop()
	for i, size := f.firstEdge(within, a.high), f.degree(within); i < size; i++ {
		e := f.edge(within, i)
		if e.Value >= a.low && a.delta > -2*assignment {
			break
		}
		if next := f.fire(saturating, a.next, child, e.Child); next != Empty {
			w.add(f, e.Value, next)
		}
	}
}

// errReleased means a defect of the program: going back along an assignment would lead
// to any number of values.
var errReleased = errors.New("a relation that releases values has no image but within a set")

// displaced returns the value after an event; what leaves 32 bits stops the operation.
func displaced(value uint32, delta int64) uint32 {
	v := int64(value) + delta
	if v < 0 || v > math.MaxUint32 {
		if assigns(delta) {
			return uint32(delta - assignment)
		}
		panic(stop{ErrRange})
	}
	return uint32(v)
}

// sortSteps sorts from the top level down.
func sortSteps(steps []Step) {
	slices.SortFunc(steps, func(a, b Step) int { return b.Level - a.Level })
}

// distinct returns the rules, ascending, each once.
func distinct(rules []uint32) []uint32 {
	rules = slices.Clone(rules)
	slices.Sort(rules)
	return slices.Compact(rules)
}
