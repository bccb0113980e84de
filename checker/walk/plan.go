package walk

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"pnmc/logic"
)

// relaxedPlan finds transitions to fire in order to come nearer to a goal. It plans as if firing
// took no tokens away and nothing were inhibited, as Hoffmann and Nebel do ("The FF planning
// system", 2001). From the plan it picks a transition that is enabled.
//
// The problem. A goal may need many steps that each bring nothing by themselves. Let the goal be a
// token on d, with transitions a→b, b→c and c→d and a token on a. The distance by tokens missing on
// d is 1 until the last firing, so that it says nothing about the first one.
//
// The idea. Without the taking of tokens, what is enabled stays enabled. So one pass forward
// suffices: supply begins with the enabled transitions, marks what they produce, thereby enables
// further ones, and so on. Each place gets a supporter, the first transition that supplies it, and
// each transition a cost, about how many firings come before it. Then the plan is read off
// backwards. The goal needs the cheapest transition that changes it the right way. Each place that
// this transition lacks needs the place's supporter. This goes on down to transitions that are
// enabled now. These are the steps.
//
// In the example supply finds a→b at cost 0, b→c at cost 1, c→d at cost 2. The goal wants c→d,
// which lacks c, whose supporter is b→c, which lacks b, whose supporter is a→b. That one is
// enabled: the step.
//
// A relaxed plan is no real plan, as two of its transitions may need the same token. So it is only
// followed for a while, then made anew. Its costs are no bounds either way. It takes time linear in
// the net.
type relaxedPlan struct {
	board *board
	rng   *rand.Rand
	// producers lists for each place the transitions that add to it, drains those that take
	// from it.
	producers, drains [][]uint32

	lacking   []lacking // by transition
	cost      []int32   // of transitions: firings before it, about, and what they waste; unplanned for none
	supporter []int32   // of places: the transition that supplies it, or -1
	queue     []uint32
	marked    []bool // transitions of the plan
	plan      []uint32
	raised    *walkGoal // whose sum is to grow; or nil
}

// lacking is what a transition lacks: places not yet supplied, and what those cost together that were supplied.
type lacking struct{ places, cost int32 }

const unplanned = -1

// mostCost bounds costs: they add up along a plan.
const mostCost = 1 << 24

// newRelaxedPlan returns plans for the goals of a board. Which of several plans it is, and the order of
// steps, are drawn from rng.
//
// It takes bytesOfPlan.
func newRelaxedPlan(b *board, rng *rand.Rand) *relaxedPlan {
	n := b.game.net
	r := &relaxedPlan{
		board: b, rng: rng, producers: make([][]uint32, n.Places()), drains: make([][]uint32, n.Places()),
		lacking: make([]lacking, n.Transitions()), cost: make([]int32, n.Transitions()),
		supporter: make([]int32, n.Places()), marked: make([]bool, n.Transitions()),
	}
	for t := range uint32(n.Transitions()) {
		for _, c := range b.game.effect(t) {
			if c.delta > 0 {
				r.producers[c.place] = append(r.producers[c.place], t)
			} else if c.delta < 0 {
				r.drains[c.place] = append(r.drains[c.place], t)
			}
		}
	}
	return r
}

// bytesOfPlan returns about what a plan takes on a board of a game.
func bytesOfPlan(g *tokenGame) int {
	return 8*len(g.changes) + 64*(g.net.Places()+g.net.Transitions())
}

// steps appends to steps the enabled transitions of a plan for g on the present marking, in random
// order. There are none if the goal is reached, or cannot be planned for. If later ones are wanted,
// too, these come before, so that the last one of the list is to be fired first: that is for nets on
// which a plan costs as much as many firings.
func (r *relaxedPlan) steps(g *walkGoal, steps []uint32, later bool) []uint32 {
	r.raised = r.raising(g)
	r.supply()
	r.plan = r.plan[:0]
	if g.condition != nil {
		root := int32(len(g.condition.nodes) - 1)
		if r.price(g.condition, root, true) < mostCost {
			r.choose(g.condition, root, true)
		}
	} else {
		r.want(r.cheapestRaise(g))
	}
	return r.unroll(steps, later)
}

// stepsTo is steps for the cheapest of some transitions that are not enabled, to fire it.
func (r *relaxedPlan) stepsTo(transitions, steps []uint32) []uint32 {
	r.raised = nil
	r.supply()
	r.plan = r.plan[:0]
	r.want(r.cheapest(transitions, -1))
	return r.unroll(steps, true)
}

// unroll appends to steps those of a plan that fires what is wanted.
func (r *relaxedPlan) unroll(steps []uint32, later bool) []uint32 {
	for i := 0; i < len(r.plan); i++ {
		t := r.plan[i]
		if r.board.isEnabled(t) {
			steps = append(steps, t)
			continue
		}
		for _, a := range r.board.game.preSet(t) {
			if r.board.marking[a.Place] < a.Weight {
				r.want(r.supporter[a.Place])
			}
		}
		if r.board.game.ceilings != nil {
			for _, a := range r.board.game.ceilings[t] {
				if r.board.marking[a.Place] >= a.Weight {
					r.want(r.cheapest(r.drains[a.Place], -1))
				}
			}
		}
	}
	for _, t := range r.plan {
		r.marked[t] = false
	}
	r.rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	if later {
		now := len(steps)
		for _, t := range r.plan {
			if !r.board.isEnabled(t) {
				steps = append(steps, t)
			}
		}
		slices.SortStableFunc(steps[now:], func(t, u uint32) int { return cmp.Compare(r.cost[t], r.cost[u]) })
		slices.Reverse(steps)
	}
	return steps
}

// want puts a transition into the plan, once; -1 is none.
func (r *relaxedPlan) want(t int32) {
	if t >= 0 && !r.marked[t] {
		r.marked[t] = true
		r.plan = append(r.plan, uint32(t))
	}
}

// supply finds the supporters of places and the costs of transitions, from the present marking on.
func (r *relaxedPlan) supply() {
	b := r.board
	for t, inputs := range b.game.inputs {
		r.lacking[t] = lacking{places: inputs}
	}
	for p, tokens := range b.marking {
		if tokens == 0 {
			continue
		}
		for _, w := range b.game.watches[b.game.first[p]:b.game.first[p+1]] {
			if w.weight > tokens {
				break
			}
			r.lacking[w.transition].places--
		}
	}
	for t := range r.cost {
		r.cost[t] = unplanned
	}
	for p := range r.supporter {
		r.supporter[p] = -1
	}
	// Another order each time, for other plans of the same length.
	turn := 0
	if len(b.enabled) > 0 {
		turn = r.rng.IntN(len(b.enabled))
	}
	r.queue = append(append(r.queue[:0], b.enabled[turn:]...), b.enabled[:turn]...)
	for _, t := range r.queue {
		r.cost[t] = r.waste(t)
	}
	if b.game.ceilings != nil {
		for t := range b.game.ceilings {
			if r.lacking[t].places == 0 && r.cost[t] == unplanned { // only a ceiling disables it
				r.cost[t] = 1
				r.queue = append(r.queue, uint32(t))
			}
		}
	}
	for head := 0; head < len(r.queue); head++ {
		t := r.queue[head]
		cost := r.cost[t]
		for _, c := range b.game.effect(t) {
			if c.delta <= 0 || r.supporter[c.place] >= 0 {
				continue
			}
			r.supporter[c.place] = int32(t)
			watches := b.game.watches[b.game.first[c.place]:b.game.first[c.place+1]]
			for i := len(watches) - 1; i >= 0 && watches[i].weight > b.marking[c.place]; i-- {
				u := watches[i].transition
				l := &r.lacking[u]
				l.cost = min(mostCost, l.cost+1+cost)
				if l.places--; l.places == 0 {
					r.cost[u] = min(mostCost, l.cost+r.waste(u))
					r.queue = append(r.queue, u)
				}
			}
		}
	}
}

// cheapest returns the transition of least cost in the list, or best if none is cheaper; -1 is none.
func (r *relaxedPlan) cheapest(list []uint32, best int32) int32 {
	for _, t := range list {
		if c := r.cost[t]; c != unplanned && (best < 0 || c < r.cost[best]) {
			best = int32(t)
		}
	}
	return best
}

// cheapestChange returns the cheapest transition that makes a sum larger, or with sign -1 smaller,
// judged by one of its places alone.
func (r *relaxedPlan) cheapestChange(terms []logic.Term, sign int64) int32 {
	best := int32(-1)
	for _, t := range terms {
		if t.Coefficient*sign > 0 {
			best = r.cheapest(r.producers[t.Place], best)
		} else {
			best = r.cheapest(r.drains[t.Place], best)
		}
	}
	return best
}

// priceOf returns the cost of firing t, mostCost if there is none.
func (r *relaxedPlan) priceOf(t int32) int32 {
	if t < 0 {
		return mostCost
	}
	return min(mostCost, 1+r.cost[t])
}

// change returns in which direction the sum of a comparison has to change for the comparison to
// have the wanted truth: 1 up, -1 down, 0 if it has that truth.
func (c *Condition) change(b *board, i int32, wanted bool) int64 {
	n := &c.nodes[i]
	sign := int64(c.signOf(b, i))
	switch {
	case n.operator == logic.AtMost && wanted:
		return -max(0, sign)
	case n.operator == logic.AtMost && sign <= 0:
		return 1
	case n.operator == logic.Equal && wanted:
		return -sign
	case n.operator == logic.Equal && sign == 0:
		return 1
	}
	return 0
}

// price returns what it costs to give a part of a condition the wanted truth, or mostCost if no
// plan is known.
func (r *relaxedPlan) price(c *Condition, i int32, wanted bool) int32 {
	n := &c.nodes[i]
	switch n.operator {
	case logic.Not:
		return r.price(c, c.operands[n.first], !wanted)
	case logic.And, logic.Or:
		total, least := int32(0), int32(mostCost)
		for _, o := range c.operands[n.first:n.end] {
			p := r.price(c, o, wanted)
			total, least = min(mostCost, total+p), min(least, p)
		}
		if (n.operator == logic.And) == wanted {
			return total
		}
		return least
	case logic.AtMost, logic.Equal:
		if sign := c.change(r.board, i, wanted); sign != 0 {
			return r.priceOf(r.cheapestChange(c.terms[n.first:n.end], sign))
		}
		return 0
	case logic.Fireable:
		if wanted {
			t := r.cheapest(c.transitions[n.first:n.end], -1)
			if t >= 0 {
				return r.cost[t]
			}
			return mostCost
		}
	}
	if c.evaluate(r.board, i) == wanted {
		return 0
	}
	return mostCost / 4 // by chance
}

// choose puts into the plan the transitions that price counted.
func (r *relaxedPlan) choose(c *Condition, i int32, wanted bool) {
	n := &c.nodes[i]
	switch n.operator {
	case logic.Not:
		r.choose(c, c.operands[n.first], !wanted)
	case logic.And, logic.Or:
		operands := c.operands[n.first:n.end]
		if (n.operator == logic.And) != wanted {
			operands = []int32{slices.MinFunc(operands, func(a, b int32) int {
				return int(r.price(c, a, wanted)) - int(r.price(c, b, wanted))
			})}
		}
		for _, o := range operands {
			r.choose(c, o, wanted)
		}
	case logic.AtMost, logic.Equal:
		if sign := c.change(r.board, i, wanted); sign != 0 {
			r.want(r.cheapestChange(c.terms[n.first:n.end], sign))
		}
	case logic.Fireable:
		if wanted && !c.evaluate(r.board, i) {
			r.want(r.cheapest(c.transitions[n.first:n.end], -1))
			return
		}
		if !wanted {
			r.disable(c.transitions[n.first:n.end])
		}
	}
}

// disable plans for each enabled transition of the list to take from a place that it needs.
func (r *relaxedPlan) disable(transitions []uint32) {
	for _, t := range transitions {
		if !r.board.isEnabled(t) {
			continue
		}
		best := int32(-1)
		for _, a := range r.board.game.preSet(t) {
			best = r.cheapest(r.drains[a.Place], best)
		}
		r.want(best)
	}
}
