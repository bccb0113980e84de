package bounds

import (
	"math"
	"slices"

	"pnmc/checker/internal/rephrase"
	"pnmc/internal/account"
	"pnmc/internal/arithmetic"
	"pnmc/internal/hashing"
	"pnmc/logic"
	"pnmc/petri"
)

// Joined returns flows with those of more that are not among them.
func Joined(flows, more []petri.Semiflow) []petri.Semiflow {
	key := func(f petri.Semiflow) uint64 {
		numbers := make([]int64, 0, 2*len(f.Terms))
		for _, a := range f.Terms {
			numbers = append(numbers, int64(a.Place), a.Weight)
		}
		return hashing.Numbers(numbers)
	}
	known := make(map[uint64][]int, len(flows))
	for i, f := range flows {
		known[key(f)] = append(known[key(f)], i)
	}
	for _, f := range more {
		if !slices.ContainsFunc(known[key(f)], func(i int) bool { return slices.Equal(flows[i].Terms, f.Terms) }) {
			flows = append(flows, f)
		}
	}
	return flows
}

// Units returns, as semiflows, the units of a nested-unit net whose own places together always have
// the same number of tokens. That is checked against each transition, not believed. It takes linear
// time.
func Units(net *petri.Net) []petri.Semiflow {
	nupn := net.NUPN()
	if nupn == nil {
		return nil
	}
	unitOf := make([]int, net.Places())
	for p := range unitOf {
		unitOf[p] = -1
	}
	flows, emptied := make([]petri.Semiflow, len(nupn.Units)), make([]bool, len(nupn.Units))
	for u, unit := range nupn.Units {
		for _, p := range unit.Places {
			unitOf[p] = u
		}
	}
	for p := range petri.Place(net.Places()) {
		if u := unitOf[p]; u >= 0 {
			emptied[u] = emptied[u] || net.Emptied(p)
			flows[u].Terms = append(flows[u].Terms, petri.Arc{Place: p, Weight: 1})
			flows[u].Value += min(net.InitialTokens(p), arithmetic.Small)
		}
	}
	for u, is := range emptied {
		if is {
			flows[u].Terms = nil
		}
	}
	change := make(map[int]int64)
	for t := range petri.Transition(net.Transitions()) {
		clear(change)
		for _, a := range net.Effect(t) {
			if u := unitOf[a.Place]; u >= 0 {
				change[u] += a.Weight
			}
		}
		for u, c := range change {
			if c != 0 {
				flows[u].Terms = nil
			}
		}
	}
	return slices.DeleteFunc(flows, func(f petri.Semiflow) bool { return len(f.Terms) == 0 || f.Value >= arithmetic.Small })
}

// mostSemiflows bounds how many of them are tried on a sum: some nets have tens of
// thousands.
const mostSemiflows = 2000

// Of returns an upper bound of a sum with positive coefficients, the least of those that it finds:
// by the bounds of the places, by each semiflow that has all of the places, and by several that have
// them together (cover.go). For example, with the semiflow p + q + r = 3 the bounds of p and q are 3
// each. The sum p + 2q is at most 3 + 6 = 9 by these; by the semiflow it is at most
// 2·(p + q + r) = 6. It reports false if it finds none.
func Of(sum logic.Sum, facts petri.Facts) (int64, bool) {
	best := int64(math.MaxInt64)
	total := sum.Constant
	for _, t := range sum.Terms {
		bound := facts.Bound(petri.Place(t.Place))
		if bound == petri.Unbounded || bound > arithmetic.Small || t.Coefficient > arithmetic.Small || t.Coefficient < 0 || total > arithmetic.Small*arithmetic.Small {
			total = math.MaxInt64
			break
		}
		total += t.Coefficient * bound
	}
	best = min(best, total)
	if len(sum.Terms) == 1 && facts.Bounds != nil {
		return best, best != math.MaxInt64 // bounds of places have all that semiflows tell of one
	}
	for _, f := range facts.Semiflows[:min(len(facts.Semiflows), mostSemiflows)] {
		// Σ c·m ≤ k·Σ w·m = k·value where c ≤ k·w for all places.
		factor := int64(0)
		for _, t := range sum.Terms {
			w := f.Weight(petri.Place(t.Place))
			if w == 0 || t.Coefficient < 0 || t.Coefficient > arithmetic.Small {
				factor = -1
				break
			}
			factor = max(factor, (t.Coefficient+w-1)/w)
		}
		if factor >= 0 && f.Value <= arithmetic.Small && factor <= arithmetic.Small {
			best = min(best, sum.Constant+factor*f.Value)
		}
	}
	if bound, ok := covered(sum, facts); ok {
		best = min(best, bound)
	}
	return best, best != math.MaxInt64 && len(sum.Terms) > 0
}

// OfNumber bounds a number as Of does, but allows products. It multiplies the bounds of factors
// that are never negative.
func OfNumber(number logic.Polynomial, facts petri.Facts) (int64, bool) {
	if len(number.Products) == 0 {
		return Of(number.Sum, facts)
	}
	total := number.Sum.Constant
	if len(number.Sum.Terms) > 0 {
		bound, ok := Of(number.Sum, facts)
		if !ok {
			return 0, false
		}
		total = bound
	}
	for _, product := range number.Products {
		value := product.Coefficient
		if value < 0 {
			return 0, false
		}
		for _, f := range product.Factors {
			// Of factors that are never negative, the largest values multiply.
			bound, ok := Of(f, facts)
			if !ok || f.Constant < 0 || slices.ContainsFunc(f.Terms, func(t logic.Term) bool { return t.Coefficient < 0 }) {
				return 0, false
			}
			if value, ok = arithmetic.Multiply(value, bound); !ok {
				return 0, false
			}
		}
		sum, ok := arithmetic.Add(total, value)
		if !ok {
			return 0, false
		}
		total = sum
	}
	return total, true
}

// Possible reports whether p, or with wanted false its negation, may hold in some marking that
// keeps the bounds of places and satisfies the semiflows. It looks at the parts of p one by one. So
// false is a proof, and true means nothing: p ≥ 1 ∧ q ≥ 1 is possible if each part is, even if a
// semiflow p + q = 1 excludes both at once. Once the account has ended, it looks at no further part.
func Possible(work *account.Account, p *logic.Predicate, wanted bool, facts petri.Facts) bool {
	switch p.Operator {
	case logic.True, logic.False:
		return (p.Operator == logic.True) == wanted
	case logic.Not:
		return Possible(work, p.Operands[0], !wanted, facts)
	case logic.And, logic.Or:
		every := (p.Operator == logic.And) == wanted
		for _, q := range p.Operands {
			if Possible(work, q, wanted, facts) != every {
				return !every
			}
		}
		return every
	case logic.AtMost, logic.Equal:
		if work.Charge(rangeWork(p.Sum, facts)) != nil {
			return true
		}
		least, most, ok := rangeOf(p.Sum, facts)
		switch {
		case !ok:
			return true
		case p.Operator == logic.AtMost && wanted:
			return least <= 0
		case p.Operator == logic.AtMost:
			return most > 0
		case wanted:
			return least <= 0 && most >= 0
		}
		return least != 0 || most != 0
	}
	return true
}

// Settled returns p with a constant for each part that the facts decide, until the account ends.
func Settled(work *account.Account, net *petri.Net, p *logic.Predicate, facts petri.Facts) *logic.Predicate {
	switch p.Operator {
	case logic.AtMost, logic.Equal, logic.Fireable:
		q := rephrase.OverPlaces(net, p)
		if !Possible(work, q, true, facts) {
			return &logic.Predicate{Operator: logic.False}
		}
		if !Possible(work, q, false, facts) {
			return &logic.Predicate{Operator: logic.True}
		}
		return p
	}
	if len(p.Operands) == 0 {
		return p
	}
	q := &logic.Predicate{Operator: p.Operator, Operands: make([]*logic.Predicate, len(p.Operands))}
	for i, o := range p.Operands {
		q.Operands[i] = Settled(work, net, o, facts)
	}
	return q.Simplify()
}

// rangeWork is about what rangeOf takes, in nanoseconds: it looks up each place in each semiflow.
func rangeWork(s logic.Sum, facts petri.Facts) int {
	const sumWork, placeWork = 200, 40
	return sumWork + placeWork*len(s.Terms)*(1+min(len(facts.Semiflows), mostSemiflows))
}

// rangeOf returns values between which a sum lies. ok is false if numbers get large. If the sum has
// several places, it looks for semiflows that bound those with positive coefficients together, and
// likewise the others.
func rangeOf(s logic.Sum, facts petri.Facts) (least, most int64, ok bool) {
	least, most, ok = rangeByPlaces(s, facts.Bounds)
	if !ok || len(s.Terms) < 2 || len(s.Terms) > mostTogether || len(facts.Semiflows) == 0 {
		return least, most, ok
	}
	added, taken := logic.Sum{Constant: s.Constant}, logic.Sum{Constant: -s.Constant}
	for _, t := range s.Terms {
		if t.Coefficient > 0 {
			added.Terms = append(added.Terms, t)
		} else {
			taken.Terms = append(taken.Terms, logic.Term{Place: t.Place, Coefficient: -t.Coefficient})
		}
	}
	if bound, ok := Of(added, facts); ok {
		most = min(most, bound)
	}
	if bound, ok := Of(taken, facts); ok {
		least = max(least, -bound)
	}
	return least, most, true
}

// mostTogether bounds the sums for which semiflows are searched.
const mostTogether = 1000

// rangeByPlaces returns the least and largest value of a sum by the bounds of single places.
func rangeByPlaces(s logic.Sum, bounds []int64) (least, most int64, ok bool) {
	const far = math.MaxInt64 / 4
	if s.Constant > arithmetic.Small || s.Constant < -arithmetic.Small || len(s.Terms) > arithmetic.Small {
		return 0, 0, false
	}
	least, most = s.Constant, s.Constant
	for _, t := range s.Terms {
		if t.Coefficient > arithmetic.Small || t.Coefficient < -arithmetic.Small {
			return 0, 0, false
		}
		bound := int64(petri.Unbounded)
		if bounds != nil {
			bound = bounds[t.Place]
		}
		extreme := int64(far) // beyond all sums of small numbers
		if bound != petri.Unbounded && bound <= arithmetic.Small {
			extreme = bound * max(t.Coefficient, -t.Coefficient)
		}
		if t.Coefficient > 0 {
			most = min(far, most+extreme)
		} else {
			least = max(-far, least-extreme)
		}
	}
	return least, most, true
}
