package checker

import (
	"context"
	"math"
	"slices"
)

// simplex decides linear constraints over non-negative variables: the general
// simplex of Dutertre and de Moura ("A fast linear-arithmetic solver for
// DPLL(T)", 2006). Variables are columns, at least 0, and forms: integer linear
// forms over columns with bounds that come and go.
//
// It calculates in floating point and is therefore never believed: what it says
// impossible it explains by multipliers, which certify checks in integers.
type simplex struct {
	columns int
	forms   []form
	// Per variable, columns first: bounds, the present value, and where it is
	// basic its row, else -1.
	lower, upper []float64
	value        []float64
	rowOf        []int32
	rows         []simplexRow
	// occurs lists for each variable rows that may contain it; rows are removed
	// lazily.
	occurs  [][]int32
	trail   []boundChange
	scratch []entry
	pivots  int
}

// form is an integer linear form over columns, by which answers are certified.
type form struct {
	terms        []integerTerm
	lower, upper int64 // infinite: minInfinite, maxInfinite
}

type integerTerm struct {
	column      int32
	coefficient int64
}

const (
	minInfinite = math.MinInt64
	maxInfinite = math.MaxInt64
)

// entry is a coefficient in a row.
type entry struct {
	variable int32
	value    float64
}

// simplexRow says that basic = Σ entries, all of them non-basic, ascending.
type simplexRow struct {
	basic   int32
	entries []entry
}

type boundChange struct {
	form         int32
	lower, upper int64
}

const (
	tiny    = 1e-9 // coefficients below are taken for 0
	epsilon = 1e-7 // violations below are taken for none
)

func newSimplex(columns int) *simplex {
	s := &simplex{columns: columns}
	for range columns {
		s.addVariable(0, math.Inf(1))
	}
	return s
}

func (s *simplex) addVariable(lower, upper float64) int32 {
	s.lower, s.upper = append(s.lower, lower), append(s.upper, upper)
	s.value = append(s.value, max(0, lower))
	s.rowOf = append(s.rowOf, -1)
	s.occurs = append(s.occurs, nil)
	return int32(len(s.lower) - 1)
}

// addForm adds a form without bounds and returns its number. Terms ascend.
func (s *simplex) addForm(terms []integerTerm) int32 {
	f := int32(len(s.forms))
	s.forms = append(s.forms, form{terms, minInfinite, maxInfinite})
	v := s.addVariable(math.Inf(-1), math.Inf(1))
	var entries []entry
	value := 0.0
	for _, t := range terms {
		c := float64(t.coefficient)
		value += c * s.value[t.column]
		if r := s.rowOf[t.column]; r >= 0 {
			entries = s.combine(entries, s.rows[r].entries, c)
		} else {
			entries = s.combine(entries, []entry{{t.column, 1}}, c)
		}
	}
	s.value[v] = value
	s.rowOf[v] = int32(len(s.rows))
	s.rows = append(s.rows, simplexRow{v, entries})
	for _, e := range entries {
		s.occurs[e.variable] = append(s.occurs[e.variable], s.rowOf[v])
	}
	return f
}

// variable is the variable that holds the value of a form.
func (s *simplex) variable(form int32) int32 { return int32(s.columns) + form }

// combine is a + factor·b, in fresh storage.
func (s *simplex) combine(a, b []entry, factor float64) []entry {
	out := s.scratch[:0]
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].variable < b[0].variable:
			out = append(out, a[0])
			a = a[1:]
		case len(a) == 0 || b[0].variable < a[0].variable:
			out = append(out, entry{b[0].variable, factor * b[0].value})
			b = b[1:]
		default:
			if v := a[0].value + factor*b[0].value; math.Abs(v) > tiny {
				out = append(out, entry{a[0].variable, v})
			}
			a, b = a[1:], b[1:]
		}
	}
	s.scratch = out
	return slices.Clone(out)
}

// mark remembers the bounds, for undo.
func (s *simplex) mark() int { return len(s.trail) }

// undo takes back the bounds set since mark.
func (s *simplex) undo(mark int) {
	for len(s.trail) > mark {
		c := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.setBounds(c.form, c.lower, c.upper)
	}
}

// bound restricts a form further.
func (s *simplex) bound(f int32, lower, upper int64) {
	old := s.forms[f]
	s.trail = append(s.trail, boundChange{f, old.lower, old.upper})
	s.setBounds(f, max(lower, old.lower), min(upper, old.upper))
}

func (s *simplex) setBounds(f int32, lower, upper int64) {
	s.forms[f].lower, s.forms[f].upper = lower, upper
	v := s.variable(f)
	s.lower[v], s.upper[v] = math.Inf(-1), math.Inf(1)
	if lower != minInfinite {
		s.lower[v] = float64(lower)
	}
	if upper != maxInfinite {
		s.upper[v] = float64(upper)
	}
	if s.rowOf[v] < 0 && s.lower[v] <= s.upper[v] { // non-basic variables keep within their bounds
		if s.value[v] < s.lower[v] {
			s.move(v, s.lower[v])
		} else if s.value[v] > s.upper[v] {
			s.move(v, s.upper[v])
		}
	}
}

// move changes the value of a non-basic variable, and of the basic ones with it.
func (s *simplex) move(v int32, to float64) {
	delta := to - s.value[v]
	s.value[v] = to
	s.eachRow(v, func(r int32, c float64) { s.value[s.rows[r].basic] += c * delta })
}

// eachRow calls f with the rows that contain v, and cleans the list of them.
func (s *simplex) eachRow(v int32, f func(r int32, coefficient float64)) {
	list := s.occurs[v]
	slices.Sort(list)
	kept := list[:0]
	last := int32(-1)
	for _, r := range list {
		if r == last {
			continue
		}
		if c := coefficient(s.rows[r].entries, v); c != 0 {
			kept = append(kept, r)
			last = r
			f(r, c)
		}
	}
	s.occurs[v] = kept
}

func coefficient(entries []entry, v int32) float64 {
	low, high := 0, len(entries)
	for low < high {
		middle := (low + high) / 2
		if entries[middle].variable < v {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < len(entries) && entries[low].variable == v {
		return entries[low].value
	}
	return 0
}

// pivot makes the non-basic v basic in row r instead of its present variable.
func (s *simplex) pivot(r, v int32) {
	s.pivots++
	row := &s.rows[r]
	a := coefficient(row.entries, v)
	out := row.basic
	entries := make([]entry, 0, len(row.entries))
	placed := false
	for _, e := range row.entries {
		if !placed && e.variable > out {
			entries, placed = append(entries, entry{out, 1 / a}), true
		}
		if e.variable != v {
			entries = append(entries, entry{e.variable, -e.value / a})
		}
	}
	if !placed {
		entries = append(entries, entry{out, 1 / a})
	}
	row.basic, row.entries = v, entries
	s.rowOf[out], s.rowOf[v] = -1, r
	s.occurs[out] = append(s.occurs[out][:0], r)
	list := slices.Clone(s.occurs[v])
	slices.Sort(list)
	for _, i := range slices.Compact(list) {
		if i == r {
			continue
		}
		c := coefficient(s.rows[i].entries, v)
		if c == 0 {
			continue
		}
		combined := s.combine(s.rows[i].entries, entries, c)
		combined = slices.DeleteFunc(combined, func(e entry) bool { return e.variable == v })
		for _, e := range entries {
			if coefficient(s.rows[i].entries, e.variable) == 0 {
				s.occurs[e.variable] = append(s.occurs[e.variable], i)
			}
		}
		s.rows[i].entries = combined
	}
	s.occurs[v] = s.occurs[v][:0]
}

// verdict is what a check of the constraints finds.
type verdict uint8

const (
	gaveUp verdict = iota // out of time
	possible
	impossible
)

// maxPivots bounds one check; greedyPivots of them choose the largest violation,
// the rest the first one, which cannot cycle.
const (
	maxPivots    = 20_000
	greedyPivots = 2_000
)

// check looks for values within all bounds. Where there are none it returns the
// row that shows it.
func (s *simplex) check(ctx context.Context) (verdict, int32) {
	for f := range s.forms {
		if s.forms[f].lower > s.forms[f].upper {
			return impossible, -1 - int32(f)
		}
	}
	for n := range maxPivots {
		if n%16 == 15 && ctx.Err() != nil {
			return gaveUp, 0
		}
		r := s.violated(n < greedyPivots)
		if r < 0 {
			return possible, 0
		}
		b := s.rows[r].basic
		target := s.lower[b]
		if s.value[b] > s.upper[b] {
			target = s.upper[b]
		}
		v := s.entering(r, target > s.value[b], n < greedyPivots)
		if v < 0 {
			return impossible, r
		}
		a := coefficient(s.rows[r].entries, v)
		s.move(v, s.value[v]+(target-s.value[b])/a)
		s.value[b] = target
		s.pivot(r, v)
	}
	return gaveUp, 0
}

// violated is a row whose basic variable is out of its bounds, or -1.
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

// entering is a non-basic variable that can move the basic one of row r up, or
// down; greedily the one in fewest rows, else the first.
func (s *simplex) entering(r int32, up, greedy bool) int32 {
	best, fewest := int32(-1), 0
	for _, e := range s.rows[r].entries {
		v := e.variable
		if math.Abs(e.value) < tiny {
			continue
		}
		if (e.value > 0) == up {
			if s.value[v] >= s.upper[v]-epsilon/10 {
				continue
			}
		} else if s.value[v] <= s.lower[v]+epsilon/10 {
			continue
		}
		if !greedy {
			return v
		}
		if n := len(s.occurs[v]); best < 0 || n < fewest {
			best, fewest = v, n
		}
	}
	return best
}

// maximize moves within all bounds, which must hold, to where the form is
// largest. It returns the row of the form, whose entries explain the optimum;
// impossible stands for no limit.
func (s *simplex) maximize(ctx context.Context, f int32) (verdict, int32) {
	v := s.variable(f)
	if s.rowOf[v] < 0 {
		if !s.makeBasic(v) {
			return gaveUp, 0
		}
	}
	for n := range maxPivots {
		if n%16 == 15 && ctx.Err() != nil {
			return gaveUp, 0
		}
		r := s.rowOf[v]
		e := s.entering(r, true, n < greedyPivots)
		if e < 0 {
			return possible, r
		}
		up := coefficient(s.rows[r].entries, e) > 0
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

// makeBasic brings a non-basic variable into some row, without moving it.
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

// ratio is how far the non-basic e can move up, or down, and the row that stops
// it, -1 if that is its own bound. The row of kept never leaves.
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
