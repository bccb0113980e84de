package walk

import (
	"iter"
	"math/bits"
	"slices"

	"pnmc/internal/bitset"
	"pnmc/internal/hashing"
	"pnmc/logic"
)

// A walk looks for many goals at once, and their conditions can have a thousand terms each. To
// evaluate them after each of its millions of steps would take nearly all the time. So the truths
// of all parts of conditions are kept up to date along the walk, and a step looks only at what the
// firing changed:
//
//   - A sum changes by what the transition adds to it, which is found once for each transition
//     (shifts). Sums of the same terms are one.
//   - A comparison is looked at when its sum changes.
//   - A fireability is looked at when a transition of it begins or ceases to be enabled.
//   - A connective is looked at when an operand changes. It counts those that hold (holding).
//
// For example, in (p + q <= 3) & fireable(t) let a firing of u move a token from p to q. Its shift
// of p + q is 0, so the comparison is not looked at. Let it enable t: the fireability comes to hold,
// the conjunction then has two of two operands, and the goal is noted as reached.
//
// Why it is right: each part depends only on the sums, on which transitions are enabled, and on
// its operands. It is looked at whenever one of these changes. So, by induction over operands, it
// is up to date. Where a shift needs more than 32 bits, or an arc resets a place, all is read anew.
// A test compares with the evaluation by definition after each step.
//
// What it costs: a step costs the sums that the transition shifts, and the parts above them
// that change. Shifts of transitions that have fired take memory, up to mostShifts.

// truths are the truths of conditions on a board, and the values of sums.
type truths struct {
	board *board
	nodes []truthNode
	sums  []wideSum // by number, without constants
	calm  []calm    // by sum
	terms [][]logic.Term
	dead  bool // whether nothing is enabled
	begin *truths
	// Who is to be told: the comparisons and the goals of each sum, the fireabilities of each
	// transition, and the questions for a deadlock.
	comparisons, maxima, fireables [][]int32
	deadlocks                      []int32
	// Comparisons with products, by the places that they look at, and their polynomials.
	products    [][]int32
	polynomials []logic.Polynomial
	always      []int32 // maxima with products, which each step may change; products is set then

	inSums [][]sumTerm // by place
	shifts []sumShift  // of transitions that fired before
	known  []span      // by transition, where these are
	// shift is, by sum, what is added to it together, zero between calls unless something is supposed. touched is
	// the set of sums where it may be another.
	shift       []wideSum
	touched     []uint64
	supposition []sumShift // what is added where something is supposed

	changed []int32 // goals that hold now, or whose sum has changed
	noted   []bool  // goals that are there
}

// truthNode is a part of a condition.
type truthNode struct {
	operator logic.Operator
	holds    bool
	parent   int32 // or ^goal of the whole condition of a goal
	operands int32
	// holding is how many operands hold, or how many transitions of a fireability are enabled.
	holding  int32
	sum      int32 // of a comparison; the polynomial of one with products
	constant int64
}

// sumTerm is a place in a sum.
type sumTerm struct {
	sum         int32
	coefficient int64
}

// sumShift is what a transition adds to a sum. Walks read the shifts of one transition after the other, from all over
// memory, so that they are small.
type sumShift struct{ sum, by int32 }

// times returns what so many firings add.
func (s sumShift) times(firings int64) wideSum {
	if firings == int64(int32(firings)) {
		by := int64(s.by) * firings
		return wideSum{by >> 63, uint64(by)}
	}
	return product(int64(s.by), firings)
}

// span is a part of a list. One with an end of zero is not known yet; tooWide stands for
// shifts that 32 bits don't hold.
type span struct{ first, end int32 }

var tooWide = span{-1, 1}

// mostShifts bounds the shifts that are kept, to 32 MB of memory.
const mostShifts = 1 << 22

// newTruths prepares for the goals that are not done.
func newTruths(b *board, goals []walkGoal) *truths {
	net := b.game.net
	w := &truths{
		board: b, fireables: make([][]int32, net.Transitions()), inSums: make([][]sumTerm, net.Places()),
		known: make([]span, net.Transitions()), noted: make([]bool, len(goals)),
	}
	numbers := make(map[uint64][]int32)
	for i := range goals {
		switch g := &goals[i]; {
		case g.done:
		case g.condition != nil:
			g.condition.truths, g.condition.base = w, int32(len(w.nodes))
			w.add(g.condition, int32(i), numbers)
		case len(g.products) > 0:
			w.always = append(w.always, int32(i))
			if w.products == nil {
				w.products = make([][]int32, len(w.inSums))
			}
		default:
			g.sum = w.number(g.maximum.Terms, numbers)
			w.maxima[g.sum] = append(w.maxima[g.sum], int32(i))
		}
	}
	w.shift, w.calm, w.touched = make([]wideSum, len(w.sums)), make([]calm, len(w.sums)), make([]uint64, bitset.WordsFor(len(w.sums)))
	w.read()
	for s := range w.calm {
		w.calm[s] = w.calmOf(int32(s))
	}
	w.begin = &truths{nodes: slices.Clone(w.nodes), sums: slices.Clone(w.sums), calm: slices.Clone(w.calm), dead: w.dead}
	return w
}

// add adds the nodes of a condition, in its order.
func (w *truths) add(c *Condition, goal int32, numbers map[uint64][]int32) {
	for i, n := range c.nodes {
		node := truthNode{operator: n.operator, parent: ^goal, constant: n.constant}
		number := c.base + int32(i)
		switch n.operator {
		case logic.Not, logic.And, logic.Or, logic.Equivalent:
			node.operands = n.end - n.first
			for _, o := range c.operands[n.first:n.end] {
				w.nodes[c.base+o].parent = number
			}
		case logic.AtMost, logic.Equal:
			node.sum = w.number(c.terms[n.first:n.end], numbers)
			w.comparisons[node.sum] = append(w.comparisons[node.sum], number)
		case logic.PolynomialAtMost, logic.PolynomialEqual:
			node.sum = w.polynomial(c.polynomials[n.first], number)
		case logic.Fireable:
			w.board.tells = true
			for _, t := range c.transitions[n.first:n.end] {
				w.fireables[t] = append(w.fireables[t], number)
			}
		case logic.Deadlocked:
			w.deadlocks = append(w.deadlocks, number)
		}
		w.nodes = append(w.nodes, node)
	}
}

// number returns that of the sum with these terms.
func (w *truths) number(terms []logic.Term, numbers map[uint64][]int32) int32 {
	key := make([]int64, 0, 2*len(terms))
	for _, t := range terms {
		key = append(key, int64(t.Place), t.Coefficient)
	}
	h := hashing.Numbers(key)
	for _, s := range numbers[h] {
		if slices.Equal(w.terms[s], terms) {
			return s
		}
	}
	s := int32(len(w.sums))
	numbers[h] = append(numbers[h], s)
	w.sums, w.terms = append(w.sums, wideSum{}), append(w.terms, terms)
	w.comparisons, w.maxima = append(w.comparisons, nil), append(w.maxima, nil)
	for _, t := range terms {
		w.inSums[t.Place] = append(w.inSums[t.Place], sumTerm{s, t.Coefficient})
	}
	return s
}

// polynomial returns the number of p, which a node compares.
func (w *truths) polynomial(p logic.Polynomial, node int32) int32 {
	if w.products == nil {
		w.products = make([][]int32, len(w.inSums))
	}
	of := logic.Predicate{Sum: p.Sum, Products: p.Products}
	for s := range of.Sums() {
		for _, t := range s.Terms {
			if list := w.products[t.Place]; len(list) == 0 || list[len(list)-1] != node {
				w.products[t.Place] = append(list, node)
			}
		}
	}
	w.polynomials = append(w.polynomials, p)
	return int32(len(w.polynomials) - 1)
}

// read finds all truths anew from the board.
func (w *truths) read() {
	for s, terms := range w.terms {
		w.sums[s], w.calm[s] = wideSum{}, unknownCalm
		for _, t := range terms {
			w.sums[s] = w.sums[s].plus(product(t.Coefficient, w.board.marking[t.Place]))
		}
	}
	w.dead = w.board.isDeadlock()
	for i := range w.nodes {
		w.nodes[i].holding = 0
	}
	for _, t := range w.board.enabled {
		for _, i := range w.fireables[t] {
			w.nodes[i].holding++
		}
	}
	for i := range w.nodes { // operands come before
		n := &w.nodes[i]
		n.holds = w.truth(n)
		if n.holds && n.parent >= 0 {
			w.nodes[n.parent].holding++
		}
	}
}

// restart finds the truths at the initial marking, which is on the board.
func (w *truths) restart() {
	copy(w.nodes, w.begin.nodes)
	copy(w.sums, w.begin.sums)
	copy(w.calm, w.begin.calm)
	w.dead = w.begin.dead
}

// truth reports whether n holds. The operands and the sum of n must be up to date.
func (w *truths) truth(n *truthNode) bool {
	switch n.operator {
	case logic.True:
		return true
	case logic.Not:
		return n.holding == 0
	case logic.And:
		return n.holding == n.operands
	case logic.Or, logic.Fireable:
		return n.holding > 0
	case logic.Equivalent:
		return n.holding != 1
	case logic.AtMost:
		return w.sums[n.sum].sign(n.constant) <= 0
	case logic.Equal:
		return w.sums[n.sum].sign(n.constant) == 0
	case logic.PolynomialAtMost:
		return w.polynomials[n.sum].Sign(w.board.marking) <= 0
	case logic.PolynomialEqual:
		return w.polynomials[n.sum].Sign(w.board.marking) == 0
	case logic.Deadlocked:
		return w.dead
	}
	return false
}

// fired follows a firing of t on the board, the last one there.
func (w *truths) fired(t uint32, times int64) {
	shifts, ok := w.shiftsOf(t)
	if !ok {
		w.read()
		for g := range w.noted {
			w.note(int32(g))
		}
		return
	}
	for _, s := range shifts {
		w.shiftSum(s.sum, s.times(times))
	}
	if w.products != nil {
		w.lookAtProducts(w.board.game.effect(t))
	}
	w.lookAtEnabled()
}

// takenBack follows firings that were taken back together.
func (w *truths) takenBack(run []burst) {
	fit := true
	for _, f := range run {
		shifts, ok := w.shiftsOf(uint32(f.Transition))
		fit = fit && ok
		for _, s := range shifts {
			w.shift[s.sum] = w.shift[s.sum].plus(s.times(-f.Times))
			bitset.Add(w.touched, s.sum)
		}
	}
	for s := range w.takeTouched() {
		by := w.shift[s]
		if w.shift[s] = (wideSum{}); by != (wideSum{}) {
			w.shiftSum(s, by)
		}
	}
	if !fit {
		w.read()
		for g := range w.noted {
			w.note(int32(g))
		}
		return
	}
	if w.products != nil {
		w.lookAtProducts(w.board.changes)
	}
	w.lookAtEnabled()
}

// lookAtSum looks at the comparisons and maxima of a sum that has changed.
func (w *truths) lookAtSum(s int32) {
	for _, i := range w.comparisons[s] {
		w.look(i)
	}
	for _, g := range w.maxima[s] {
		w.note(g)
	}
}

// lookAtProducts looks at the products that changes concern.
func (w *truths) lookAtProducts(changes []change) {
	for _, c := range changes {
		for _, i := range w.products[c.place] {
			w.look(i)
		}
	}
	for _, g := range w.always {
		w.note(g)
	}
}

// lookAtEnabled looks at what depends on the transitions that began or ceased to be enabled.
func (w *truths) lookAtEnabled() {
	for _, u := range w.board.ceased {
		for _, i := range w.fireables[u] {
			w.nodes[i].holding--
			w.look(i)
		}
	}
	for _, u := range w.board.began {
		for _, i := range w.fireables[u] {
			w.nodes[i].holding++
			w.look(i)
		}
	}
	if dead := w.board.isDeadlock(); dead != w.dead {
		w.dead = dead
		for _, i := range w.deadlocks {
			w.look(i)
		}
	}
}

// look finds the truth of a node, and of what depends on it, as far as truths change.
func (w *truths) look(i int32) {
	for {
		n := &w.nodes[i]
		holds := w.truth(n)
		if holds == n.holds {
			return
		}
		n.holds = holds
		if n.parent < 0 {
			if holds {
				w.note(^n.parent)
			}
			return
		}
		if i = n.parent; holds {
			w.nodes[i].holding++
		} else {
			w.nodes[i].holding--
		}
	}
}

// note has a goal looked at.
func (w *truths) note(goal int32) {
	if !w.noted[goal] {
		w.noted[goal] = true
		w.changed = append(w.changed, goal)
	}
}

// forget drops what was noted.
func (w *truths) forget() {
	for _, g := range w.changed {
		w.noted[g] = false
	}
	w.changed = w.changed[:0]
}

// shiftsOf returns what t adds to sums. It reports false where that is too much for 32 bits, or
// differs from firing to firing, since t resets a place.
func (w *truths) shiftsOf(t uint32) ([]sumShift, bool) {
	if w.board.game.empties(t) {
		return nil, false
	}
	s := w.known[t]
	if s.end == 0 {
		s = w.findShifts(t)
		w.known[t] = s
	}
	if s == tooWide {
		return nil, false
	}
	return w.shifts[s.first:s.end], true
}

// findShifts computes by how much each followed sum grows when t fires, from the effect of t on the
// places of the sums. It returns where the result lies in w.shifts, or tooWide if a number needs more
// than 32 bits. Sums that stay the same are left out.
func (w *truths) findShifts(t uint32) span {
	if len(w.shifts) > mostShifts {
		w.shifts = w.shifts[:0]
		clear(w.known)
	}
	if len(w.shifts) == 0 {
		w.shifts = append(w.shifts, sumShift{}) // so that no end is zero
	}
	for _, c := range w.board.game.effect(t) {
		for _, s := range w.inSums[c.place] {
			w.shift[s.sum] = w.shift[s.sum].plus(product(s.coefficient, c.delta))
			bitset.Add(w.touched, s.sum)
		}
	}
	found := span{first: int32(len(w.shifts))}
	fit := true
	for s := range w.takeTouched() {
		by, ok := w.shift[s].exact(0)
		if ok = ok && by == int64(int32(by)); by != 0 || !ok {
			w.shifts, fit = append(w.shifts, sumShift{s, int32(by)}), fit && ok
		}
		w.shift[s] = wideSum{}
	}
	if !fit {
		w.shifts = w.shifts[:found.first]
		return tooWide
	}
	found.end = int32(len(w.shifts))
	return found
}

// takeTouched yields the sums that are touched, ascending, and none is touched any more.
func (w *truths) takeTouched() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, word := range w.touched {
			for w.touched[i] = 0; word != 0; word &= word - 1 {
				yield(int32(i*64 + bits.TrailingZeros64(word)))
			}
		}
	}
}

// supposing has value answer as if t had fired, until supposed is called.
func (w *truths) supposing(t uint32) {
	w.supposition, _ = w.shiftsOf(t)
	for _, s := range w.supposition {
		w.shift[s.sum] = s.times(1)
	}
}

// supposed ends what supposing began: value answers for the present marking again.
func (w *truths) supposed() {
	for _, s := range w.supposition {
		w.shift[s.sum] = wideSum{}
	}
}

// value returns that of a sum and a constant, at most far from zero.
func (w *truths) value(sum int32, constant int64) int64 {
	return w.sums[sum].plus(w.shift[sum]).clamped(constant)
}
