package symbolic

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
)

// A condition is a set of vectors that is described by what its variables must fulfil. It is
// another kind of decision diagram than a Node. Its nodes cut the values of a level into intervals,
// and it skips levels that it does not depend on. It knows nothing of the values that occur. So a
// condition on few variables is small, however many levels and values there are.
//
// For example, 3 ≤ x ≤ 5 is one node, at the level of x, with three parts. Values up to 2 lead to
// never, values up to 5 to always, and all others to never. x ≤ 1 ∧ y ≤ 1, with x above y, is two
// nodes: for x up to 1 it leads to the node of y ≤ 1, and otherwise to never. As set of vectors
// with values up to a thousand, the complement would have a thousand edges; as condition it has the
// same two nodes.
//
// Equal conditions have equal numbers, as neighbouring parts never lead to the same condition, a
// node with one part is left out, and nodes are looked up before they are made.
//
// A condition is used in two ways: as a filter for a set (StateSpace.Satisfying), and as a guard of an
// event, before or after it (guardedEvent).
type condition uint32

const (
	never  condition = 0
	always condition = 1
)

// maximalConditions bounds the table of conditions, which no Forest counts in its memory.
const maximalConditions = 1 << 22

// ErrCondition says that a predicate needs too large a diagram, or numbers beyond 62 bits.
var ErrCondition = errors.New("predicate is too large for decision diagrams")

// conditions is the table of all conditions over a forest. Node c of level
// levels[c] leads, for the values up to parts[i].high and above those of the
// part before, to parts[i].next, where i runs from starts[c] to starts[c+1].
// The high of the last part is noLimit; neighbours differ.
type conditions struct {
	levels  []uint32
	starts  []uint32
	parts   []part
	numbers map[string]condition
	joined  map[[3]uint32]condition
	forest  *Forest // is asked whether to go on, and for memory; it may stop
}

// A part leads to next for the values up to high that are above those of the part before.
type part struct {
	high uint32
	next condition
}

// newConditions returns a table of two conditions, never and always, which have no parts.
func newConditions(f *Forest) *conditions {
	return &conditions{
		levels: []uint32{0, 0}, starts: []uint32{0, 0, 0},
		numbers: map[string]condition{}, joined: map[[3]uint32]condition{}, forest: f,
	}
}

// of returns the parts of c.
func (t *conditions) of(c condition) []part { return t.parts[t.starts[c]:t.starts[c+1]] }

// node returns the condition of that level with these parts. Neighbours that lead to the same
// condition are joined.
func (t *conditions) node(level uint32, parts []part) condition {
	merged := parts[:0:0] // parts may belong to another node: a copy
	for _, p := range parts {
		merged = withPart(merged, p.high, p.next)
	}
	if len(merged) == 1 {
		return merged[0].next
	}
	key := binary.LittleEndian.AppendUint32(nil, level)
	for _, p := range merged {
		key = binary.LittleEndian.AppendUint32(key, p.high)
		key = binary.LittleEndian.AppendUint32(key, uint32(p.next))
	}
	if c, ok := t.numbers[string(key)]; ok {
		return c
	}
	t.forest.poll()
	if len(t.levels) > maximalConditions {
		panic(stop{ErrCondition})
	}
	affordRoom(t.forest, t.levels, 1)
	affordRoom(t.forest, t.starts, 1)
	affordRoom(t.forest, t.parts, len(merged))
	c := condition(len(t.levels))
	t.numbers[string(key)] = c
	t.levels = append(t.levels, level)
	t.parts = append(t.parts, merged...)
	t.starts = append(t.starts, uint32(len(t.parts)))
	return c
}

// withPart returns parts with one more value, which leads to next as the value before may do.
func withPart(parts []part, value uint32, next condition) []part {
	if n := len(parts); n > 0 && parts[n-1].next == next {
		parts[n-1].high = value
		return parts
	}
	return append(parts, part{value, next})
}

// between returns the condition low ≤ value ≤ high at that level.
func (t *conditions) between(level, low, high uint32) condition {
	var parts []part
	if low > high {
		return never
	}
	if low > 0 {
		parts = append(parts, part{low - 1, never})
	}
	parts = append(parts, part{high, always})
	if high < noLimit {
		parts = append(parts, part{noLimit, never})
	}
	return t.node(level, parts)
}

// The ways to join two conditions. All commute, so that operands can be sorted. To differ from
// always is negation.
const (
	joinAnd uint32 = iota
	joinOr
	joinDiffer
)

// and returns the condition that both hold.
func (t *conditions) and(a, b condition) condition { return t.join(joinAnd, a, b) }

// or returns the condition that one of them holds.
func (t *conditions) or(a, b condition) condition { return t.join(joinOr, a, b) }

// not returns the condition that a does not hold.
func (t *conditions) not(a condition) condition { return t.join(joinDiffer, a, always) }

// join applies a connective, node by node from the top. Each pair is joined once, so that
// time is at most the product of the nodes of both.
func (t *conditions) join(how uint32, a, b condition) condition {
	if a > b {
		a, b = b, a
	}
	switch {
	case how == joinAnd && (a == never || a == b), how == joinOr && (b == always || a == b):
		if how == joinOr {
			return b
		}
		return a
	case how == joinAnd && a == always, how != joinAnd && a == never:
		return b
	case how == joinOr && a == always:
		return always
	case how == joinDiffer && a == b:
		return never
	}
	key := [3]uint32{how, uint32(a), uint32(b)}
	if c, ok := t.joined[key]; ok {
		return c
	}
	t.forest.poll()
	level := max(t.levels[a], t.levels[b])
	var parts []part
	// Both lists of intervals end at noLimit; the shorter of the first two decides
	// how far the result goes.
	for x, y := t.cut(a, level), t.cut(b, level); len(x) > 0; {
		high := min(x[0].high, y[0].high)
		parts = append(parts, part{high, t.join(how, x[0].next, y[0].next)})
		if x[0].high == high {
			x = x[1:]
		}
		if y[0].high == high {
			y = y[1:]
		}
	}
	c := t.node(level, parts)
	t.joined[key] = c
	return c
}

// joinAll joins conditions, from those of the lowest levels up: where each looks at a level of its own, it adds one node
// on top. It sorts the list, and returns empty if there is none.
func (t *conditions) joinAll(how uint32, empty condition, list []condition) condition {
	slices.SortStableFunc(list, func(a, b condition) int { return cmp.Compare(t.levels[a], t.levels[b]) })
	for _, c := range list {
		empty = t.join(how, empty, c)
	}
	return empty
}

// cut returns the parts of c at a level that is its own or higher. If it is higher, c does not
// depend on it: that is one part for all values.
func (t *conditions) cut(c condition, level uint32) []part {
	if t.levels[c] == level && c > always {
		return t.of(c)
	}
	return []part{{noLimit, c}}
}

// shifted returns c with each level so much higher.
func (t *conditions) shifted(c condition, by uint32) condition {
	if by == 0 {
		return c
	}
	done := map[condition]condition{never: never, always: always}
	var shift func(c condition) condition
	shift = func(c condition) condition {
		if d, ok := done[c]; ok {
			return d
		}
		var parts []part
		for _, x := range t.of(c) {
			parts = append(parts, part{x.high, shift(x.next)})
		}
		d := t.node(t.levels[c]+by, parts)
		done[c] = d
		return d
	}
	return shift(c)
}

// depends sets support for the levels on which c depends.
func (t *conditions) depends(c condition, support []bool, seen map[condition]bool) {
	if c <= always || seen[c] {
		return
	}
	seen[c] = true
	support[t.levels[c]] = true
	for _, p := range t.of(c) {
		t.depends(p.next, support, seen)
	}
}

// holds reports whether the vector, with the value of level k at k-1, fulfils c.
func (t *conditions) holds(c condition, vector []uint32) bool {
	for c > always {
		value := vector[t.levels[c]-1]
		for _, p := range t.of(c) {
			if value <= p.high {
				c = p.next
				break
			}
		}
	}
	return c == always
}

// A guardedEvent builds rules for an event under a condition on the state before it and one on the
// state after it.
//
// For example, let the event add 1 to x, let x ≤ 3 be wanted before and x ≥ 2 after. Said of the
// value before, the second is x ≥ 1. The values are cut where either condition changes: at 0 the
// second fails, from 1 to 3 both hold, and from 4 on the first fails. So the rule is "from 1 to 3,
// add 1". Where a condition depends on further levels, the rule goes on with what is left of both
// conditions there.
type guardedEvent struct {
	relation *Relation
	table    *conditions
	steps    []Step // descending by level
	end      uint32 // the rule that follows, of a lower level
	done     map[[3]uint32]guardedRule
}

// A guardedRule is a rule, or none where possible is false.
type guardedRule struct {
	rule     uint32
	possible bool
}

// newGuardedEvent prepares the rules of an event. Its steps must be descending by level.
func newGuardedEvent(r *Relation, t *conditions, steps []Step) *guardedEvent {
	return &guardedEvent{r, t, steps, identity, map[[3]uint32]guardedRule{}}
}

// rule returns the rule for the event's steps from the given one on, where the states before and after
// fulfil the conditions. It is remembered for each triple.
func (g *guardedEvent) rule(step int, before, after condition) guardedRule {
	if before == never || after == never {
		return guardedRule{}
	}
	if step == len(g.steps) && before == always && after == always {
		return guardedRule{g.end, true}
	}
	key := [3]uint32{uint32(step), uint32(before), uint32(after)}
	if r, ok := g.done[key]; ok {
		return r
	}
	if g.relation.forest.guards > 0 {
		g.relation.forest.poll() // large conditions take long for each event
	}
	// A level that only conditions look at is a step that changes nothing.
	level := max(g.table.levels[before], g.table.levels[after])
	s := Step{Level: int(level), High: noLimit}
	rest := step
	if step < len(g.steps) && g.steps[step].Level >= int(level) {
		s, rest = g.steps[step], step+1
	}
	var alternatives []alternative
	x, y := g.table.cut(before, uint32(s.Level)), g.table.cut(after, uint32(s.Level))
	// Intervals of values before on which both conditions go on in one way: those of
	// the condition after are moved back by what the event adds.
	for low := int64(s.Low); low <= int64(s.High); {
		for int64(x[0].high) < low {
			x = x[1:]
		}
		assigned := assigns(s.Delta)
		for y[0].high != noLimit && (assigned && assign(y[0].high) < s.Delta || !assigned && int64(y[0].high) < low+s.Delta) {
			y = y[1:]
		}
		high := min(int64(s.High), int64(x[0].high))
		if y[0].high != noLimit && !assigned {
			high = min(high, int64(y[0].high)-s.Delta)
		}
		if next := g.rule(rest, x[0].next, y[0].next); next.possible {
			a := alternative{s.Delta, uint32(low), uint32(high), next.rule}
			if n := len(alternatives); n > 0 && alternatives[n-1].next == a.next && int64(alternatives[n-1].high)+1 == low {
				alternatives[n-1].high = a.high
			} else {
				alternatives = append(alternatives, a)
			}
		}
		low = high + 1
	}
	var r guardedRule
	if len(alternatives) > 0 {
		r = guardedRule{g.relation.rule(s.Level, alternatives), true}
	}
	g.done[key] = r
	return r
}
