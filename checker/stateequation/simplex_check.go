package stateequation

import (
	"context"
	"math"
)

// This file has the two ways in which a simplex moves. check repairs basic variables that are out of
// their bounds, one pivot at a time, until all bounds hold or a row shows that they cannot. maximize
// starts where all bounds hold, and moves to where a form is largest.
//
// The example of simplex.go again: p = -σ with p ≥ -1, and x = σ with x ≥ 0. How large can x get? σ
// may grow as far as the bounds of basic variables allow: p reaches -1 when σ is 1, so that p is
// what stops it. After the pivot the rows are σ = -p and x = -p. For x to grow, p would have to get
// less than -1: so 1 is the largest value of x, and the row of x says why.
//
// Termination. Repairing the largest violation first needs few pivots as a rule, but may go round in a
// cycle. Bland's rule, to take the first variable that is violated and the first that can repair it,
// cannot. So check is greedy for a while and then follows Bland's rule. Rounding errors may spoil even
// that; maxPivots ends it then, with gaveUp.

// feasibility is what a check of the constraints finds.
type feasibility uint8

const (
	gaveUp feasibility = iota // nothing is known: out of time, or of pivots, say
	possible
	impossible
)

// maxPivots bounds the pivots of one check. The first greedyPivots choose the largest violation, the
// rest follow Bland's rule.
const (
	maxPivots    = 20_000
	greedyPivots = 2_000
)

// check looks for values within all bounds. If there are none, it returns impossible, and the row
// that shows it. If form f alone shows it, with a lower bound above its upper one, it returns -1-f
// in place of a row.
func (s *simplex) check(ctx context.Context) (feasibility, int32) {
	for f := range s.forms {
		if s.forms[f].lower > s.forms[f].upper {
			return impossible, -1 - int32(f)
		}
	}
	for n := range maxPivots {
		if s.isOver(ctx) {
			return gaveUp, 0
		}
		r := s.violated(s.isGreedy(n))
		if r < 0 {
			return possible, 0
		}
		b := s.rows[r].basic
		target := s.lower[b]
		if s.value[b] > s.upper[b] {
			target = s.upper[b]
		}
		up := target > s.value[b]
		v := s.entering(r, up, s.isGreedy(n))
		if v < 0 {
			if s.bringIn(r, up) {
				continue
			}
			return impossible, r
		}
		a := s.coefficient(r, v)
		s.move(v, s.value[v]+(target-s.value[b])/a)
		s.value[b] = target
		s.pivot(r, v)
	}
	return gaveUp, 0
}

// isGreedy reports whether the n-th pivot chooses the largest violation. Where columns are absent each does, as bounds
// that differ a little keep pivots from going round (leeway).
func (s *simplex) isGreedy(n int) bool { return n < greedyPivots || s.absent != nil }

// violated returns a row whose basic variable is out of its bounds, or -1: greedily the one that is
// out most, else the one whose basic variable comes first.
func (s *simplex) violated(greedy bool) int32 {
	best, most := int32(-1), epsilon
	for r := range s.rows {
		b := s.rows[r].basic
		d := max(s.lower[b]-s.value[b], s.value[b]-s.upper[b])
		if d <= epsilon {
			continue
		}
		if !greedy {
			if best < 0 || b < s.rows[best].basic {
				best = int32(r)
			}
		} else if d > most {
			best, most = int32(r), d
		}
	}
	return best
}

// entering returns a non-basic variable that can move the basic one of row r up, or down, or -1:
// greedily the one that may occur in fewest rows, or with columns absent the one with the largest coefficient, else
// the first.
func (s *simplex) entering(r int32, up, greedy bool) int32 {
	if s.isDense() {
		return s.enteringDense(r, up, greedy)
	}
	best, fewest := int32(-1), 0
	for _, e := range s.rows[r].entries {
		v := e.variable
		if !s.moves(v, e.value, up) {
			continue
		}
		if !greedy {
			return v
		}
		n := len(s.occurs[v])
		if s.absent != nil { // rows have few columns, so that how far a step leads counts for more
			n = -int(min(math.Abs(e.value), 1<<20) * (1 << 20))
		}
		if best < 0 || n < fewest {
			best, fewest = v, n
		}
	}
	return best
}

// moves reports whether the non-basic v, which has a coefficient in a row, can move the row's variable
// up, or down.
func (s *simplex) moves(v int32, coefficient float64, up bool) bool {
	switch {
	case math.Abs(coefficient) < tiny:
		return false
	case (coefficient > 0) == up:
		return s.value[v] < s.upper[v]-epsilon/10
	}
	return s.value[v] > s.lower[v]+epsilon/10
}

// maximize moves to where form f is largest within all bounds, which must hold at the start. It
// returns possible and the row of the form, whose entries explain why it cannot be larger. The
// result impossible means that the form has no largest value.
func (s *simplex) maximize(ctx context.Context, f int32) (feasibility, int32) {
	return s.maximizeUntil(ctx, f, math.MaxInt)
}

// maximizeUntil is maximize that gives up when the simplex has looked at its context so often in all.
// All bounds hold wherever it ends.
func (s *simplex) maximizeUntil(ctx context.Context, f int32, looks int) (feasibility, int32) {
	v := s.variable(f)
	if s.rowOf[v] < 0 {
		if !s.makeBasic(v) {
			return gaveUp, 0
		}
	}
	for n := range maxPivots {
		if s.isOver(ctx) || s.looks >= looks {
			return gaveUp, 0
		}
		r := s.rowOf[v]
		e := s.entering(r, true, s.isGreedy(n))
		if e < 0 {
			if s.bringIn(r, true) {
				continue
			}
			return possible, r
		}
		up := s.coefficient(r, e) > 0
		leaving, step := s.ratio(e, up, v)
		if math.IsInf(step, 1) {
			return impossible, 0
		}
		to := s.value[e] + step
		if !up {
			to = s.value[e] - step
		}
		s.move(e, to)
		if leaving >= 0 {
			s.pivot(leaving, e)
		}
	}
	return gaveUp, 0
}

// makeBasic makes a non-basic variable basic, without moving it: in the row where its coefficient is
// largest. It reports false if it is in no row.
func (s *simplex) makeBasic(v int32) bool {
	best, largest := int32(-1), 0.0
	s.eachRow(v, func(r int32, c float64) {
		if math.Abs(c) > largest {
			best, largest = r, math.Abs(c)
		}
	})
	if best < 0 {
		return false
	}
	s.pivot(best, v)
	return true
}

// ratio returns how far the non-basic e can move up, or down, and the row that stops it; -1 if that
// is its own bound. The row of kept never stops it. Of rows that stop it at the same point, it
// takes the one with the largest coefficient, as dividing by small ones loses precision.
func (s *simplex) ratio(e int32, up bool, kept int32) (leaving int32, step float64) {
	leaving, step = -1, s.upper[e]-s.value[e]
	if !up {
		step = s.value[e] - s.lower[e]
	}
	pivotSize := 0.0
	s.eachRow(e, func(r int32, c float64) {
		b := s.rows[r].basic
		if b == kept || math.Abs(c) < tiny {
			return
		}
		room := s.upper[b] - s.value[b]
		if (c > 0) != up {
			room = s.value[b] - s.lower[b]
		}
		d := max(0, room) / math.Abs(c)
		if d < step-tiny || d < step+tiny && leaving >= 0 && math.Abs(c) > pivotSize {
			leaving, step, pivotSize = r, min(d, step), math.Abs(c)
		}
	})
	return leaving, max(0, step)
}
