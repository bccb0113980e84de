package symbolic

import (
	"math"
	"slices"

	"pnmc/logic"
)

// Satisfying returns the set of reachable states in which p holds. Places and transitions of p are the
// places and events of s.System. s must be complete. An error is ErrCondition, or that of a limit.
func (s *StateSpace) Satisfying(p *logic.Predicate) (Node, error) {
	b := s.predicates()
	return s.Forest.guarded([]Node{s.Reachable}, func() Node {
		r := s.Forest.NewRelation()
		only := newGuardedEvent(r, b.table, nil).rule(0, b.condition(p), always)
		if !only.possible {
			return Empty
		}
		return s.Forest.fire(nil, only.rule, s.Reachable, anything)
	})
}

// Predicates become conditions: diagrams over intervals of values (condition.go). These are joined
// by the connectives of the predicate without looking at the reachable states, and applied to them
// once. So intermediate results are as large as the predicate, not as the state space.
//
// A comparison is the interesting case. Take p + 2q ≤ 3, with q above p. The node of q asks for
// each value of q what is left for p:
//
//	q = 0     p ≤ 3
//	q = 1     p ≤ 1
//	q ≥ 2     never, as no p makes up for it
//
// So the condition has three nodes. In general there is a node for each level of the sum and each
// partial sum that occurs there. Two bounds cut that down. If even the least that can still come is
// too much, the result is never. If even the most is not too much, the result is always. So only
// partial sums near the limit need nodes.

// A predicateBuilder makes conditions of predicates over the reachable states.
// Its methods may stop; they run within guarded.
type predicateBuilder struct {
	table  *conditions
	space  *StateSpace
	dead   condition
	isDead bool // dead is made
}

// predicates returns a builder. Making conditions ends with the context of the forest.
func (s *StateSpace) predicates() *predicateBuilder {
	return &predicateBuilder{table: newConditions(s.Forest), space: s}
}

// condition returns the condition that p holds. It recurs as deep as p is nested.
func (b *predicateBuilder) condition(p *logic.Predicate) condition {
	t := b.table
	switch p.Operator {
	case logic.True:
		return always
	case logic.Not:
		return t.not(b.condition(p.Operands[0]))
	case logic.And:
		return t.joinAll(joinAnd, always, b.conditions(p.Operands))
	case logic.Or:
		return t.joinAll(joinOr, never, b.conditions(p.Operands))
	case logic.Equivalent:
		x, y := b.condition(p.Operands[0]), b.condition(p.Operands[1])
		return t.or(t.and(x, y), t.and(t.not(x), t.not(y)))
	case logic.AtMost, logic.Equal:
		return b.comparison(p.Sum, p.Operator == logic.Equal)
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		return b.polynomial(p.Polynomial(), p.Operator == logic.PolynomialEqual)
	case logic.Fireable:
		var list []condition
		for _, e := range p.Transitions {
			list = append(list, b.enabled(b.space.System.Events[e]))
		}
		return t.joinAll(joinOr, never, list)
	case logic.Deadlocked:
		return b.deadlocked()
	}
	return never
}

// conditions returns the conditions that predicates hold.
func (b *predicateBuilder) conditions(predicates []*logic.Predicate) []condition {
	var list []condition
	for _, p := range predicates {
		list = append(list, b.condition(p))
	}
	return list
}

// enabled returns the condition that the event is possible.
func (b *predicateBuilder) enabled(e Event) condition {
	var list []condition
	for _, g := range e {
		list = append(list, b.table.between(uint32(b.space.Levels[g.Variable]), g.Low, g.High))
	}
	return b.table.joinAll(joinAnd, always, list)
}

// deadlocked returns a condition that holds in a reachable state if it has no successors. It lists
// these states. As a condition on all vectors, that no event is possible could be huge.
func (b *predicateBuilder) deadlocked() condition {
	if !b.isDead {
		dead, err := b.space.deadlocks()
		if err != nil {
			panic(stop{err})
		}
		done := map[Node]condition{Empty: never, Unit: always}
		b.dead, b.isDead = b.table.listed(b.space.Forest, dead, done), true
	}
	return b.dead
}

// listed returns the condition that holds for the vectors of n.
func (t *conditions) listed(f *Forest, n Node, done map[Node]condition) condition {
	if c, ok := done[n]; ok {
		return c
	}
	var parts []part
	// Values between the edges, and after the last, lead nowhere.
	next := uint64(0) // the least value not yet covered
	for _, e := range f.Edges(n) {
		if uint64(e.Value) > next {
			parts = append(parts, part{e.Value - 1, never})
		}
		parts = append(parts, part{e.Value, t.listed(f, e.Child, done)})
		next = uint64(e.Value) + 1
	}
	if next <= noLimit {
		parts = append(parts, part{noLimit, never})
	}
	c := t.node(f.nodes[n].level, parts)
	done[n] = c
	return c
}

// A sumComparison builds the condition of a comparison, from the topmost variable of the sum down,
// for each partial sum that occurs.
type sumComparison struct {
	b           *predicateBuilder
	terms       []levelTerm // descending by level
	least, most []int64     // what the terms from i on can add
	equal       bool
	done        map[[2]int64]condition
}

// A levelTerm is what a variable adds to a sum. Its values are at most bound.
type levelTerm struct {
	level, bound uint32
	weighting    weighting
}

// extremes returns the least and the largest weight of a value, or 0 if that is beyond them.
func (t *levelTerm) extremes() (least, most int64) {
	if t.weighting.Of == nil {
		extreme := t.weighting.small(t.bound)
		return min(0, extreme), max(0, extreme)
	}
	for _, w := range t.weighting.Of {
		least, most = min(least, w), max(most, w)
	}
	return least, most
}

// comparison returns the condition that the sum is at most zero, or equal to it. Places of one
// group are one term, as they are one variable. It stops with ErrCondition if numbers need more
// than 61 bits.
func (b *predicateBuilder) comparison(s logic.Sum, equal bool) condition {
	c := sumComparison{b: b, equal: equal, done: map[[2]int64]condition{}}
	magnitude := math.Abs(float64(s.Constant))
	byVariable := make(map[uint32]*levelTerm)
	for _, t := range s.Terms {
		code := b.space.System.code(t.Place)
		term := byVariable[code.Variable]
		if term == nil {
			term = &levelTerm{level: uint32(b.space.Levels[code.Variable]), bound: b.space.Bounds[code.Variable]}
			byVariable[code.Variable] = term
		}
		term.weighting.add(code, t.Coefficient)
		magnitude += math.Abs(float64(t.Coefficient)) * max(1, float64(term.bound))
	}
	if magnitude > 1<<61 {
		panic(stop{ErrCondition})
	}
	for _, term := range byVariable {
		c.terms = append(c.terms, *term)
	}
	slices.SortFunc(c.terms, func(x, y levelTerm) int { return int(y.level) - int(x.level) })
	c.least, c.most = make([]int64, len(c.terms)+1), make([]int64, len(c.terms)+1)
	for i := len(c.terms) - 1; i >= 0; i-- {
		least, most := c.terms[i].extremes()
		c.least[i], c.most[i] = c.least[i+1]+least, c.most[i+1]+most
	}
	return c.from(0, s.Constant)
}

// from returns the condition that partial plus the terms from i on is at most zero, or equal to it.
func (c *sumComparison) from(i int, partial int64) condition {
	least, most := partial+c.least[i], partial+c.most[i]
	switch {
	case least > 0, c.equal && most < 0:
		return never
	case !c.equal && most <= 0, c.equal && least == 0 && most == 0:
		return always
	}
	key := [2]int64{int64(i), partial}
	if r, ok := c.done[key]; ok {
		return r
	}
	if len(c.done) > maximalConditions {
		panic(stop{ErrCondition})
	}
	t := &c.terms[i]
	var parts []part
	for v := uint32(0); ; v++ {
		c.b.table.forest.poll() // a place may have billions of tokens
		sum := partial + t.weighting.small(v)
		next := c.from(i+1, sum)
		if v >= t.bound || c.stays(i, sum) {
			parts = append(parts, part{noLimit, next}) // values beyond bound do not occur
			break
		}
		parts = withPart(parts, v, next)
	}
	r := c.b.table.node(t.level, parts)
	c.done[key] = r
	return r
}

// stays reports whether all larger values of the i-th term lead to the same condition as sum: the
// sum is out of reach of the later terms already, and larger values lead farther away.
func (c *sumComparison) stays(i int, sum int64) bool {
	if c.terms[i].weighting.Of != nil {
		return false
	}
	each := c.terms[i].weighting.Each
	return each > 0 && sum+c.least[i+1] > 0 || each < 0 && sum+c.most[i+1] < 0
}
