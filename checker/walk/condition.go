package walk

import (
	"math"
	"slices"

	"pnmc/logic"
	"pnmc/petri"
)

// A walk asks two things of a goal: does it hold here, and if not, how far away may it be? It asks
// the second of several successors at each step, of goals with up to thousands of terms.
//
// The idea. A predicate is laid out as flat slices: nodes with numbers, operands before what they are
// operands of. So truths (truth.go) can keep the truth of each node and the value of each sum by
// number, along the walk. Where they do, a comparison is answered without reading its terms. Where
// they do not, evaluate and estimate go through the nodes by definition.
//
// The distance of a comparison is the number of missing tokens, or of those in excess. A conjunction
// adds up the distances of its operands, and a disjunction takes the least, as TAPAAL does (Jensen,
// Nielsen, Oestergaard, Srba, "TAPAAL and reachability analysis of P/T nets", 2016). A negation is
// never built: wanted says whether a node is to hold or to fail.
//
// For example, let p have one token and q two, and let the goal be (p >= 3 | q <= 1) & !fireable(t).
// The disjuncts are 2 tokens and 1 token away, so their disjunction has distance 1. If t is enabled,
// the other conjunct has distance 1, too, and the goal has distance 2. A firing that takes a token
// from q and disables t leads to distance 0, and is preferred.
//
// Why it is right. A distance only says where to go, so that it need not be a bound. Whether a goal
// holds is decided by truths, or by evaluate: signs of sums are exact in 128 bits, and products are
// exact (logic.Polynomial). What a walk finds is replayed before it is an answer.
//
// What it costs. Evaluation by definition is linear in the condition and stops at the first operand
// that decides. An estimate is linear, too, in the condition and in the arcs of its transitions:
// bothWays asks both distances of an equivalence at once, as separate calls would double the work
// at each level.

// Condition is a state predicate laid out flat for evaluation on a board.
type Condition struct {
	nodes       []conditionNode // operands come before; the root is last
	operands    []int32
	terms       []logic.Term
	transitions []uint32
	polynomials []logic.Polynomial

	truths *truths // of a walk, in which the nodes begin at base; or nil
	base   int32
}

type conditionNode struct {
	operator logic.Operator
	// first and end delimit operands, terms or transitions; of a comparison with products first
	// is the number of its polynomial.
	first, end int32
	constant   int64
}

// NewCondition lays p out.
func NewCondition(p *logic.Predicate) *Condition {
	c := new(Condition)
	c.add(p)
	return c
}

// add appends the nodes of p, operands first, and returns the number of the last one, which is p.
func (c *Condition) add(p *logic.Predicate) int32 {
	n := conditionNode{operator: p.Operator}
	switch p.Operator {
	case logic.Not, logic.And, logic.Or, logic.Equivalent:
		numbers := make([]int32, len(p.Operands))
		for i, q := range p.Operands {
			numbers[i] = c.add(q)
		}
		n.first = int32(len(c.operands))
		c.operands = append(c.operands, numbers...)
		n.end = int32(len(c.operands))
	case logic.AtMost, logic.Equal:
		n.constant = p.Sum.Constant
		n.first = int32(len(c.terms))
		c.terms = append(c.terms, p.Sum.Terms...)
		n.end = int32(len(c.terms))
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		n.first = int32(len(c.polynomials))
		c.polynomials = append(c.polynomials, p.Polynomial())
	case logic.Fireable:
		n.first = int32(len(c.transitions))
		c.transitions = append(c.transitions, p.Transitions...)
		n.end = int32(len(c.transitions))
	}
	c.nodes = append(c.nodes, n)
	return int32(len(c.nodes) - 1)
}

// holdsNow reports the truth that is followed along a walk.
func (c *Condition) holdsNow() bool { return c.truths.nodes[int(c.base)+len(c.nodes)-1].holds }

// HoldsIn reports whether the condition holds in a marking of net.
func (c *Condition) HoldsIn(net *petri.Net, m petri.Marking) bool {
	return c.evaluate(&board{game: &tokenGame{net: net}, marking: m}, int32(len(c.nodes)-1))
}

// evaluate reports whether node i holds on a board. It looks at operands until the result is known.
func (c *Condition) evaluate(b *board, i int32) bool {
	n := &c.nodes[i]
	switch n.operator {
	case logic.True:
		return true
	case logic.Not:
		return !c.evaluate(b, c.operands[n.first])
	case logic.And, logic.Or:
		for _, o := range c.operands[n.first:n.end] {
			if c.evaluate(b, o) == (n.operator == logic.Or) {
				return n.operator == logic.Or
			}
		}
		return n.operator == logic.And
	case logic.Equivalent:
		return c.evaluate(b, c.operands[n.first]) == c.evaluate(b, c.operands[n.first+1])
	case logic.AtMost:
		return c.signOf(b, i) <= 0
	case logic.Equal:
		return c.signOf(b, i) == 0
	case logic.PolynomialAtMost:
		return c.polynomials[n.first].Sign(b.marking) <= 0
	case logic.PolynomialEqual:
		return c.polynomials[n.first].Sign(b.marking) == 0
	case logic.Fireable:
		for _, t := range c.transitions[n.first:n.end] {
			if b.isEnabled(t) {
				return true
			}
		}
		return false
	case logic.Deadlocked:
		return b.isDeadlock()
	}
	return false
}

// signOf returns the sign of a comparison's sum, exact in 128 bits: with fewer than 2^63 terms
// of products below 2^126 there is no overflow in practice, and tokens on a board are below
// 2^61.
func (c *Condition) signOf(b *board, i int32) int {
	n := &c.nodes[i]
	if c.truths != nil {
		return c.truths.sums[c.truths.nodes[c.base+i].sum].sign(n.constant)
	}
	var sum wideSum
	for _, t := range c.terms[n.first:n.end] {
		sum = sum.plus(product(t.Coefficient, b.marking[t.Place]))
	}
	return sum.sign(n.constant)
}

// far is a distance that no marking has.
const far = math.MaxInt32

// distance estimates how many firings it takes until the condition holds, or
// with wanted false does not hold: 0 if that is so already.
func (c *Condition) distance(b *board) int64 { return c.estimate(b, int32(len(c.nodes)-1), true) }

// estimate returns the distance of node i. A comparison counts the tokens that are missing: for p ≥ 3
// with one token on p the distance is 2. A conjunction adds up, as if each firing helped one part
// only; a disjunction takes the least. For a deadlock it counts the enabled transitions. A firing may
// move several tokens, or undo what another one did, so the result is no bound either way.
func (c *Condition) estimate(b *board, i int32, wanted bool) int64 {
	n := &c.nodes[i]
	switch n.operator {
	case logic.True, logic.False:
		if (n.operator == logic.True) == wanted {
			return 0
		}
		return far
	case logic.Not:
		return c.estimate(b, c.operands[n.first], !wanted)
	case logic.And, logic.Or:
		if (n.operator == logic.And) == wanted {
			return c.total(b, n, wanted)
		}
		return c.least(b, n, wanted)
	case logic.Equivalent:
		holds, fails := c.bothWays(b, i)
		if wanted {
			return holds
		}
		return fails
	case logic.AtMost, logic.Equal:
		v := c.valueOf(b, i)
		switch {
		case n.operator == logic.Equal && wanted:
			return min(max(v, -v), far)
		case n.operator == logic.Equal:
			if v == 0 {
				return 1
			}
			return 0
		case wanted:
			return min(max(0, v), far)
		}
		return min(max(0, 1-v), far)
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		if c.evaluate(b, i) == wanted {
			return 0
		}
		v, ok := c.polynomials[n.first].Value(b.marking)
		if v = max(v, -v); !ok || v < 0 {
			return far
		}
		return min(1+v, far)
	case logic.Fireable:
		return c.fireableDistance(b, c.transitions[n.first:n.end], wanted)
	}
	if wanted {
		return int64(len(b.enabled))
	}
	if len(b.enabled) > 0 {
		return 0
	}
	return far
}

// bothWays returns the distance of node i to where it holds, and to where it fails. An equivalence
// asks both of both of its operands: by two calls for each, nested ones would take exponential time.
func (c *Condition) bothWays(b *board, i int32) (holds, fails int64) {
	n := &c.nodes[i]
	switch n.operator {
	case logic.Not:
		fails, holds = c.bothWays(b, c.operands[n.first])
	case logic.And, logic.Or:
		holds, fails = 0, far
		for _, o := range c.operands[n.first:n.end] {
			h, f := c.bothWays(b, o)
			if n.operator == logic.Or {
				h, f = f, h
			}
			holds, fails = min(far, holds+h), min(fails, f)
		}
		if n.operator == logic.Or {
			holds, fails = fails, holds
		}
	case logic.Equivalent:
		lh, lf := c.bothWays(b, c.operands[n.first])
		rh, rf := c.bothWays(b, c.operands[n.first+1])
		holds, fails = min(far, lh+rh, lf+rf), min(far, lh+rf, lf+rh)
	default:
		holds, fails = c.estimate(b, i, true), c.estimate(b, i, false)
	}
	return holds, fails
}

// valueOf returns the value of a comparison's sum, at most far from zero.
func (c *Condition) valueOf(b *board, i int32) int64 {
	n := &c.nodes[i]
	if c.truths != nil {
		return c.truths.value(c.truths.nodes[c.base+i].sum, n.constant)
	}
	sum := logic.Sum{Constant: n.constant, Terms: c.terms[n.first:n.end]}
	v, ok := sum.Value(b.marking)
	if !ok {
		return far
	}
	return min(max(v, -far), far)
}

// looksAround reports whether the condition asks what is enabled, or for products: what a firing
// changes of that is seen once it has fired.
func (c *Condition) looksAround() bool {
	return slices.ContainsFunc(c.nodes, func(n conditionNode) bool {
		return n.operator == logic.Fireable || n.operator == logic.Deadlocked ||
			n.operator == logic.PolynomialAtMost || n.operator == logic.PolynomialEqual
	})
}

// total returns the sum of the operands' distances, at most far.
func (c *Condition) total(b *board, n *conditionNode, wanted bool) int64 {
	total := int64(0)
	for _, o := range c.operands[n.first:n.end] {
		total = min(far, total+c.estimate(b, o, wanted))
	}
	return total
}

// least returns the smallest of the operands' distances.
func (c *Condition) least(b *board, n *conditionNode, wanted bool) int64 {
	least := int64(far)
	for _, o := range c.operands[n.first:n.end] {
		if least = min(least, c.estimate(b, o, wanted)); least == 0 {
			break
		}
	}
	return least
}

// fireableDistance counts the tokens missing for the best of transitions, or
// the transitions to be disabled.
func (c *Condition) fireableDistance(b *board, transitions []uint32, wanted bool) int64 {
	best, enabled := int64(far), int64(0)
	for _, t := range transitions {
		if b.isEnabled(t) {
			if wanted {
				return 0
			}
			enabled++
			continue
		}
		if !wanted {
			continue
		}
		need := int64(0)
		for _, a := range b.game.preSet(t) {
			need = min(far, need+max(0, a.Weight-b.marking[a.Place]))
		}
		if b.game.ceilings != nil {
			for _, a := range b.game.ceilings[t] {
				need = min(far, need+max(0, b.marking[a.Place]-a.Weight+1))
			}
		}
		best = min(best, need)
	}
	if wanted {
		return best
	}
	return enabled
}
