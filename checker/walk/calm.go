package walk

import (
	"math"

	"pnmc/logic"
)

// calm is where a sum may be without a change of any comparison. It is empty, with low above high, where that
// is not known, and where a goal is a maximum of the sum.
type calm struct{ low, high int64 }

var unknownCalm = calm{1, 0}

// shiftSum adds to a sum, and looks at what depends on it unless nothing does in its new place.
func (w *truths) shiftSum(s int32, by wideSum) {
	sum := w.sums[s].plus(by)
	w.sums[s] = sum
	if value := int64(sum.low); value < w.calm[s].low || value > w.calm[s].high || sum.high != value>>63 {
		w.lookAtSum(s)
		w.calm[s] = w.calmOf(s)
	}
}

// calmOf returns between which values no comparison of the sum changes from what it is.
func (w *truths) calmOf(s int32) calm {
	value, fits := w.sums[s].exact(0)
	if !fits || len(w.maxima[s]) > 0 {
		return unknownCalm
	}
	c := calm{math.MinInt64, math.MaxInt64}
	for _, i := range w.comparisons[s] {
		n := &w.nodes[i]
		if n.constant < -math.MaxInt64/2 || n.constant > math.MaxInt64/2 {
			return unknownCalm
		}
		switch limit := -n.constant; {
		case n.operator == logic.Equal && value == limit:
			c.low, c.high = limit, limit
		case n.operator == logic.Equal && value < limit:
			c.high = min(c.high, limit-1)
		case n.operator == logic.AtMost && value <= limit:
			c.high = min(c.high, limit)
		default:
			c.low = max(c.low, limit+1)
		}
	}
	return c
}
