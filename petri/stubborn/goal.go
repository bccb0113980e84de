package stubborn

import (
	"pnmc/internal/account"
	"pnmc/internal/arithmetic"
	"pnmc/logic"
	"pnmc/petri"
)

// Goal is what is to be reached: markings where Predicate holds, or if it is nil, ones where
// Maximum and Products together are as large as they get.
type Goal struct {
	Predicate *logic.Predicate
	Maximum   *logic.Sum
	Products  []logic.Product
}

// condition is a goal laid out flat, without negations: operands come before their operators, the
// root is last. Negations went inwards when it was laid out, so that ¬(p + q ≤ 3) is the node p + q
// - 3 > 0.
//
// In a marking where the goal fails, each node that fails knows which transitions may bring it
// nearer, and how many they are, its interest:
//
//   - For a sum that has to grow these are the transitions that raise it; for one that has to be
//     exactly 0, those that move it toward 0.
//   - For a disjunction, those of all operands: whichever holds first, its transition is among them.
//   - For a conjunction, those of one operand that fails: the goal cannot hold before that one
//     does. The one with least interest is chosen, so that few transitions are asked for.
//   - For a deadlock, all transitions that can disable one enabled transition, the one that fewest
//     can.
//
// For example, in (p ≥ 1 ∧ q ≥ 1) ∨ r ≥ 2, with all empty, let 3 transitions raise p, one q, and
// two r. The conjunction takes q, with interest 1, the disjunction has 3: one for q and two for r.
type condition struct {
	nodes    []node
	operands []int32
	terms    []logic.Term
	rising   bool // the goal is a maximum: the only node is a sum to be made large

	holds    []bool  // of nodes, in the marking at hand
	interest []int64 // how many transitions may bring a node nearer that does not hold
	key      int     // position in the list of those enabled of the one that fewest can disable
	todo     []int32
	full     error // why it is not laid out as a whole
	making   *account.Account
}

// node is an operator, or a comparison of a sum with 0.
type node struct {
	kind       kind
	first, end int32 // operands, or terms
	constant   int64
	// raising and lowering transitions change the sum that way.
	raising, lowering []uint32
}

type kind uint8

const (
	always   kind = iota
	never         // can't hold
	both          // all operands hold
	either        // some operand holds
	atMost        // sum ≤ 0
	above         // sum > 0
	equal         // sum = 0
	unequal       // sum ≠ 0
	deadlock      // nothing is enabled
	alive         // something is enabled
	unclear       // too large to be laid out: every transition may bring it nearer
)

// mostNodes bounds a condition. An equivalence lays out each operand twice, once negated, so that
// nested ones grow exponentially.
const mostNodes = 1 << 14

// newCondition lays a goal out. If that is too large, some nodes are unclear, and nothing is left out.
func newCondition(a *account.Account, r *relations, g Goal) *condition {
	c := &condition{rising: g.Predicate == nil, making: a}
	switch {
	case c.rising && len(g.Products) > 0:
		c.push(node{kind: unclear})
	case c.rising:
		c.sum(r, above, g.Maximum)
	default:
		c.add(r, g.Predicate, true)
	}
	c.makeRoom()
	return c
}

// makeRoom makes room for what is found of the nodes in a marking.
func (c *condition) makeRoom() {
	c.holds, c.interest = make([]bool, len(c.nodes)), make([]int64, len(c.nodes))
}

// another returns the same condition with room of its own.
func (c *condition) another() *condition {
	a := *c
	a.todo = nil
	a.makeRoom()
	return &a
}

// add lays out p, or with positive false its negation, and returns the number of its node.
func (c *condition) add(r *relations, p *logic.Predicate, positive bool) int32 {
	if len(c.nodes) > mostNodes {
		return c.push(node{kind: unclear})
	}
	choose := func(yes, no kind) kind {
		if positive {
			return yes
		}
		return no
	}
	switch p.Operator {
	case logic.True:
		return c.push(node{kind: choose(always, never)})
	case logic.False:
		return c.push(node{kind: choose(never, always)})
	case logic.Not:
		return c.add(r, p.Operands[0], !positive)
	case logic.And, logic.Or:
		operands := make([]int32, len(p.Operands))
		for i, o := range p.Operands {
			operands[i] = c.add(r, o, positive)
		}
		if p.Operator == logic.And {
			return c.join(choose(both, either), operands...)
		}
		return c.join(choose(either, both), operands...)
	case logic.Equivalent:
		x, y := p.Operands[0], p.Operands[1]
		return c.join(either,
			c.join(both, c.add(r, x, true), c.add(r, y, positive)),
			c.join(both, c.add(r, x, false), c.add(r, y, !positive)))
	case logic.AtMost:
		return c.sum(r, choose(atMost, above), &p.Sum)
	case logic.Equal:
		return c.sum(r, choose(equal, unequal), &p.Sum)
	case logic.Fireable:
		return c.fireable(r, p, positive)
	case logic.Deadlocked:
		return c.push(node{kind: choose(deadlock, alive)})
	}
	return c.push(node{kind: unclear})
}

// fireable lays out that some transition is enabled, or with positive false that none is, in terms
// of tokens.
func (c *condition) fireable(r *relations, p *logic.Predicate, positive bool) int32 {
	inner, outer, compare := both, either, atMost
	if !positive {
		inner, outer, compare = either, both, above
	}
	var transitions []int32
	for _, t := range p.Transitions {
		var places []int32
		for _, a := range r.net.Pre(petri.Transition(t)) { // weight - tokens ≤ 0
			places = append(places, c.sum(r, compare, &logic.Sum{Constant: a.Weight, Terms: []logic.Term{{Place: uint32(a.Place), Coefficient: -1}}}))
		}
		for _, a := range r.net.Ceilings(petri.Transition(t)) { // tokens - weight + 1 ≤ 0
			places = append(places, c.sum(r, compare, &logic.Sum{Constant: 1 - a.Weight, Terms: []logic.Term{{Place: uint32(a.Place), Coefficient: 1}}}))
		}
		transitions = append(transitions, c.join(inner, places...))
	}
	return c.join(outer, transitions...)
}

// push appends a node and returns its number.
func (c *condition) push(n node) int32 {
	c.nodes = append(c.nodes, n)
	return int32(len(c.nodes) - 1)
}

// join appends a node with operands and returns its number.
func (c *condition) join(k kind, operands ...int32) int32 {
	n := node{kind: k, first: int32(len(c.operands))}
	c.operands = append(c.operands, operands...)
	n.end = int32(len(c.operands))
	return c.push(n)
}

// sum lays out a comparison, with the transitions that change its sum. A transition whose effect on
// the sum exceeds 64 bits is taken to change it both ways.
func (c *condition) sum(r *relations, k kind, s *logic.Sum) int32 {
	n := node{kind: k, constant: s.Constant, first: int32(len(c.terms))}
	c.terms = append(c.terms, s.Terms...)
	n.end = int32(len(c.terms))
	if len(s.Terms) == 1 {
		p := s.Terms[0].Place
		if n.raising, n.lowering = r.raises.of(p), r.lowers.of(p); s.Terms[0].Coefficient < 0 {
			n.raising, n.lowering = n.lowering, n.raising
		}
		return c.push(n)
	}
	coefficient := map[petri.Place]int64{}
	for _, t := range s.Terms {
		coefficient[petri.Place(t.Place)] = t.Coefficient
	}
	known := map[uint32]bool{}
	for _, t := range s.Terms {
		for _, list := range [][]uint32{r.raises.of(t.Place), r.lowers.of(t.Place)} {
			for _, u := range list {
				if c.full != nil {
					return c.push(node{kind: unclear})
				}
				if c.full = c.making.Charge(arcWork); !known[u] {
					known[u] = true
					c.file(r, &n, u, coefficient)
				}
			}
		}
	}
	return c.push(n)
}

// file puts t into the lists of n that its effect belongs to.
func (c *condition) file(r *relations, n *node, t uint32, coefficient map[petri.Place]int64) {
	total, exact := int64(0), true
	raises, lowers := false, false
	for _, p := range r.net.Resets(petri.Transition(t)) {
		// It leaves fewer tokens there than any number that it finds, or some more.
		raises, lowers = raises || coefficient[p] < 0, lowers || coefficient[p] > 0
	}
	effect := r.net.Effect(petri.Transition(t))
	c.making.Add(arcWork * len(effect))
	for _, a := range effect {
		product, ok := arithmetic.Multiply(a.Weight, coefficient[a.Place])
		sum, fits := plus(total, product)
		total, exact = sum, exact && ok && fits
	}
	if total > 0 || !exact || raises {
		n.raising = append(n.raising, t)
	}
	if total < 0 || !exact || lowers {
		n.lowering = append(n.lowering, t)
	}
}

// plus returns a + b. It reports false if that wraps around.
func plus(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (a^sum)&(b^sum) >= 0
}

// value returns the sum of a comparison in m. It reports false if that exceeds 64 bits.
func (c *condition) value(n *node, m petri.Marking) (total int64, ok bool) {
	total = n.constant
	for _, t := range c.terms[n.first:n.end] {
		product, fits := arithmetic.Multiply(t.Coefficient, m[t.Place])
		if total, ok = plus(total, product); !ok || !fits {
			return 0, false
		}
	}
	return total, true
}

// ways returns the transitions that may bring a comparison nearer that does not hold: one list or
// two, by its kind and the present sum.
func (n *node) ways(sum int64) (first, second []uint32) {
	switch {
	case n.kind == above || n.kind == equal && sum < 0:
		return n.raising, nil
	case n.kind == atMost || n.kind == equal:
		return n.lowering, nil
	}
	return n.raising, n.lowering
}

// evaluate finds for all nodes whether they hold in m, and their interest. It reports false if the
// goal holds, or nothing is known of it: then no transition may be left out.
func (c *condition) evaluate(r *relations, m petri.Marking, enabled []petri.Transition) bool {
	c.key = -1
	for i := range c.nodes {
		n := &c.nodes[i]
		c.interest[i] = 0
		switch n.kind {
		case always, never:
			c.holds[i] = n.kind == always
		case alive:
			c.holds[i] = len(enabled) > 0
		case unclear:
			return false
		case deadlock:
			if c.holds[i] = len(enabled) == 0; !c.holds[i] {
				c.interest[i] = c.easiest(r, enabled)
			}
		case both, either:
			c.judge(i)
		default:
			sum, ok := c.value(n, m)
			if !ok {
				return false
			}
			if c.holds[i] = !c.rising && n.accepts(sum); !c.holds[i] {
				raising, lowering := n.ways(sum)
				c.interest[i] = int64(len(raising) + len(lowering))
			}
		}
	}
	return !c.holds[len(c.nodes)-1]
}

// accepts reports whether the comparison holds of a sum.
func (n *node) accepts(sum int64) bool {
	switch n.kind {
	case atMost:
		return sum <= 0
	case above:
		return sum > 0
	case equal:
		return sum == 0
	}
	return sum != 0
}

// judge finds whether an operator holds, from its operands, and its interest: the sum of theirs for a
// disjunction, the least of those that fail for a conjunction.
func (c *condition) judge(i int) {
	n := &c.nodes[i]
	all := n.kind == both
	c.holds[i] = all
	for _, o := range c.operands[n.first:n.end] {
		switch {
		case c.holds[o] && !all:
			c.holds[i] = true
			return
		case c.holds[o]:
		case !all:
			c.interest[i] += c.interest[o]
		case c.holds[i] || c.interest[o] < c.interest[i]:
			c.holds[i], c.interest[i] = false, c.interest[o]
		}
	}
}

// easiest makes the enabled transition that fewest others can disable the key, and returns about
// how many these are.
func (c *condition) easiest(r *relations, enabled []petri.Transition) int64 {
	least := int64(-1)
	for i, t := range enabled {
		n := int64(0)
		for _, a := range r.net.Pre(t) {
			n += int64(len(r.lowers.of(uint32(a.Place))))
		}
		for _, a := range r.net.Ceilings(t) {
			n += int64(len(r.raises.of(uint32(a.Place))))
		}
		if least < 0 || n < least {
			least, c.key = n, i
		}
	}
	return least
}
