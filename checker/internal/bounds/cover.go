package bounds

import (
	"cmp"
	"maps"
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
	"pnmc/petri"
)

// A sum over many places is seldom bounded by one semiflow, but several may have its places among
// them: Σ c·m is at most the sum of k·value over semiflows that have all places, where each place
// that a semiflow is there for has c ≤ k·w. Which ones make the least bound is a linear program. A
// good bound comes from choosing one semiflow after the other: the one that saves most, compared with
// what its places would cost by their own bounds.
//
// For example, with machines p1 + p2 + p3 = 1 and q1 + q2 = 1 the sum p1 + p2 + q1 + q2 is at most 4
// by the places. The first machine costs 1 instead of 2, and so does the second one: the sum is at
// most 2.

// covered returns such a bound of a sum with positive coefficients, or false if there is none, or if
// numbers are large.
func covered(sum logic.Sum, facts petri.Facts) (int64, bool) {
	if len(sum.Terms) < 2 || len(sum.Terms) > mostCovered || max(sum.Constant, -sum.Constant) > farCost {
		return 0, false
	}
	c := cover{costs: make([]int64, len(sum.Terms)), coefficients: make([]int64, len(sum.Terms))}
	termOf := make(map[petri.Place]int, len(sum.Terms))
	for i, t := range sum.Terms {
		if t.Coefficient <= 0 || t.Coefficient > arithmetic.Small {
			return 0, false
		}
		c.coefficients[i], c.costs[i] = t.Coefficient, farCost
		if bound := facts.Bound(petri.Place(t.Place)); bound != petri.Unbounded && bound <= arithmetic.Small {
			c.costs[i] = min(farCost, t.Coefficient*bound)
		}
		termOf[petri.Place(t.Place)] = i
	}
	if len(termOf) < len(sum.Terms) {
		return 0, false // a place comes twice
	}
	byPlace := slices.SortedFunc(maps.Values(termOf), func(i, j int) int { return cmp.Compare(sum.Terms[i].Place, sum.Terms[j].Place) })
	for _, f := range facts.Semiflows[:min(len(facts.Semiflows), mostSemiflows)] {
		if f.Value > arithmetic.Small {
			continue
		}
		part := part{value: f.Value}
		add := func(term int, weight int64) {
			part.terms, part.weights = append(part.terms, term), append(part.weights, weight)
		}
		if lookedUp*len(byPlace) < len(f.Terms) {
			for _, i := range byPlace {
				if w := f.Weight(petri.Place(sum.Terms[i].Place)); w > 0 {
					add(i, w)
				}
			}
		} else {
			for _, a := range f.Terms {
				if i, ok := termOf[a.Place]; ok {
					add(i, a.Weight)
				}
			}
		}
		if len(part.terms) > 1 {
			c.parts = append(c.parts, part)
		}
	}
	total := sum.Constant
	for work := 0; work < coveringWork; {
		best, bestCost, bestSaving := -1, int64(0), int64(0)
		for i := range c.parts {
			work += len(c.parts[i].terms)
			if cost, saving := c.offer(&c.parts[i]); saving > bestSaving {
				best, bestCost, bestSaving = i, cost, saving
			}
		}
		if best < 0 {
			break
		}
		total += bestCost
		for _, i := range c.parts[best].terms {
			c.costs[i] = 0
		}
	}
	for _, cost := range c.costs {
		if cost == farCost {
			return 0, false
		}
		total += cost
	}
	return total, true
}

const (
	// mostCovered bounds the places of a sum, and coveringWork the looks at places in semiflows: some
	// milliseconds.
	mostCovered  = 1 << 14
	coveringWork = 1 << 22
	// lookedUp is how many places of a semiflow are passed in the time that looking one up takes.
	lookedUp = 4
	// farCost stands for a place without a bound. So many of them add up in 64 bits.
	farCost = 1 << 44
)

// cover is a sum whose places are being covered: what each of them costs yet.
type cover struct {
	coefficients, costs []int64
	parts               []part
}

// part is the part of a semiflow that the sum has, by numbers of terms.
type part struct {
	terms   []int
	weights []int64
	value   int64
}

// offer returns what the semiflow costs if it covers all its places that still cost something, and
// what is saved by that.
func (c *cover) offer(p *part) (cost, saving int64) {
	factor := int64(0)
	for i, term := range p.terms {
		if c.costs[term] > 0 {
			saving += c.costs[term]
			factor = max(factor, (c.coefficients[term]+p.weights[i]-1)/p.weights[i])
		}
	}
	cost = factor * p.value
	return cost, saving - cost
}
