package walk

// A plan for a large sum is for one transition that makes the sum larger. Judged by one of its places
// alone, that may be one that takes as much from the sum as it adds: where tokens are on places of the
// sum, moving one from such a place to another is always near, and brings nothing. So what a firing
// adds in all is what counts here, and what makes the sum smaller on the way is dear. So what was
// reached stays, and the next token comes to it.

// raising returns the goal if its sum is to grow, or nil if it is another one, or has products.
func (r *relaxedPlan) raising(g *walkGoal) *walkGoal {
	if g.maximum == nil || len(g.products) > 0 {
		return nil
	}
	if g.coefficients == nil {
		g.coefficients = make([]float64, len(r.board.marking))
		for _, t := range g.terms {
			g.coefficients[t.Place] += float64(t.Coefficient)
		}
	}
	return g
}

// wasteCost is the cost of a firing that makes smaller what is to grow, in firings.
const wasteCost = 1 << 10

// waste returns what t costs beyond its firing.
func (r *relaxedPlan) waste(t uint32) int32 {
	if r.raised != nil && r.raised.gain(r.board.game.effect(t)) < 0 {
		return wasteCost
	}
	return 0
}

// cheapestRaise returns a transition of least cost that makes the sum of the goal larger, one at random
// if there are several; -1 if there is none.
func (r *relaxedPlan) cheapestRaise(g *walkGoal) int32 {
	if r.raised == nil {
		return r.cheapestChange(g.terms, 1)
	}
	best, equal := int32(-1), 0
	for _, term := range g.terms {
		list := r.producers[term.Place]
		if term.Coefficient < 0 {
			list = r.drains[term.Place]
		}
		for _, t := range list {
			cost := r.cost[t]
			if cost == unplanned || best >= 0 && cost > r.cost[best] || g.gain(r.board.game.effect(t)) <= 0 {
				continue
			}
			if best < 0 || cost < r.cost[best] {
				equal = 0
			}
			if equal++; r.rng.IntN(equal) == 0 {
				best = int32(t)
			}
		}
	}
	return best
}

// gain returns about what a firing adds to the sum.
func (g *walkGoal) gain(effect []change) float64 {
	total := 0.0
	for _, c := range effect {
		total += g.coefficients[c.place] * float64(c.delta)
	}
	return total
}

// wasteful reports whether a step of a plan is to be left out, since it makes the sum of the goal
// smaller. One in so many is not, where nothing else leads on.
func (w *Walk) wasteful(t uint32, g *walkGoal) bool {
	return g.coefficients != nil && g.gain(w.board.game.effect(t)) < 0 && w.rng.IntN(wastefulOften) > 0
}

// wastefulOften: one wasteful step in so many is fired.
const wastefulOften = 8
