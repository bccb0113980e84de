package stateequation

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pnmc/internal/account"
)

// simplex decides linear constraints over non-negative variables: the general simplex of Dutertre and
// de Moura ("A fast linear-arithmetic solver for DPLL(T)", 2006).
//
// There are two kinds of variables. Columns count firings and are at least 0. Forms are sums of
// columns with integer coefficients. A form is the change of a place, or of a sum of places, since
// the initial marking. The search gives it bounds, and takes them back. At any time some variables
// are basic. Each of these has a row, which expresses it by the others, the non-basic ones. At
// first the forms are basic:
//
//	p = -σ    p ≥ -1     place p has one token, and firing takes it
//	x = σ     x ≥ 0      place x has none, and firing puts one there
//
// The values are those of changes: p ≥ -1 says that the place has at least 0 tokens. Non-basic
// variables are always within their bounds. Basic ones may be outside, and check repairs that: it
// moves a non-basic variable until a basic one is at its bound, and then exchanges the two. This
// exchange is a pivot. Let x ≥ 1 be wanted too. σ moves from 0 to 1, and x becomes non-basic in its
// place:
//
//	p = -x    p ≥ -1     now p is -1
//	σ = x     x ≥ 1      now x is 1
//
// All bounds hold: this is a solution. Now let p ≥ 0 be added. The row of p has only x, which must
// go down for p to go up, and is at its lower bound. So there is no solution, and the row says why:
// p is at most -1 because x is at least 1. certificate.go turns that into multipliers.
//
// A bound that is added or taken back changes no row. So the search goes on from the last solution,
// with few pivots as a rule: that is what makes this form of the method good at searches with many
// splits.
//
// It calculates in floating point and is therefore never believed: if it says that something is
// impossible, it explains that by multipliers, which certificate.go checks in integers. A pivot costs
// the entries of the rows that contain the variable; maxPivots bounds their number. Rows are lists at
// first, and arrays once they have filled up (dense.go).
type simplex struct {
	columns int
	forms   []form
	// Of each variable, columns first: its bounds, its present value, and its row if it is
	// basic, else -1.
	lower, upper []float64
	value        []float64
	rowOf        []int32
	rows         []simplexRow
	// occurs lists for each variable rows that may contain it. Rows that no longer do are
	// removed when the list is used.
	occurs  [][]int32
	trail   []boundChange
	scratch []entry
	fill    int // entries of all rows
	// Once rows have filled up, they are dense (dense.go). Then nonBasic has the variable of each
	// cell, and at has the cell of each non-basic variable; entries and occurs are not used any
	// more.
	nonBasic []int32
	at       []int32
	absent   *absence // columns that rows have no entries of (columns.go); nil: none
	filled   []int32  // cells of the pivot's row that are not 0, and what is in them
	factors  []float64
	pivots   int
	work     int // since the last look at the context, in about nanoseconds
	looks    int // at the context: each is lookWork
}

// form is a sum of columns with integer coefficients. Answers are certified by forms, not by rows.
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

// simplexRow says that basic = Σ entries. Their variables are non-basic, and ascend.
type simplexRow struct {
	basic   int32
	entries []entry
	cells   []float64 // once rows are dense
}

// boundChange is what the bounds of a form were before a change.
type boundChange struct {
	form         int32
	lower, upper int64
}

const (
	tiny    = 1e-9 // coefficients below are taken for 0
	epsilon = 1e-7 // violations below are taken for none
)

// newSimplex returns a simplex with that many columns and no forms.
func newSimplex(columns int) *simplex {
	s := &simplex{columns: columns}
	for range columns {
		s.addVariable(0, math.Inf(1))
	}
	return s
}

// addVariable adds a non-basic variable and returns its number.
func (s *simplex) addVariable(lower, upper float64) int32 {
	s.lower, s.upper = append(s.lower, lower), append(s.upper, upper)
	s.value = append(s.value, max(0, lower))
	s.rowOf = append(s.rowOf, -1)
	s.occurs = append(s.occurs, nil)
	if s.isDense() {
		s.at = append(s.at, -1)
	}
	return int32(len(s.lower) - 1)
}

// addForm adds a form without bounds and returns its number. Its terms must ascend. Rows have
// non-basic variables only: so in the row of the form, a column that is basic at the time is
// replaced by its own row. For many basic columns with long rows that takes a while: if ctx ends
// first, it adds nothing and reports false.
func (s *simplex) addForm(ctx context.Context, terms []integerTerm) (f int32, ok bool) {
	row := simplexRow{basic: s.variable(int32(len(s.forms)))}
	if s.isDense() {
		row.cells, ok = s.denseRow(ctx, terms)
	} else {
		row.entries, ok = s.sparseRow(ctx, terms)
	}
	if !ok {
		return -1, false
	}
	return s.enter(terms, row), true
}

// enter adds a form with its row.
func (s *simplex) enter(terms []integerTerm, row simplexRow) (f int32) {
	f = int32(len(s.forms))
	s.forms = append(s.forms, form{terms, minInfinite, maxInfinite})
	v := s.addVariable(math.Inf(-1), math.Inf(1))
	for _, t := range terms {
		s.value[v] += float64(t.coefficient) * s.value[t.column]
	}
	s.rowOf[v] = int32(len(s.rows))
	s.rows = append(s.rows, row)
	s.fill += len(row.entries)
	for _, e := range row.entries {
		s.occurs[e.variable] = append(s.occurs[e.variable], s.rowOf[v])
	}
	return f
}

// sparseRow returns the row of a new form as a list. It reports false if ctx ended.
func (s *simplex) sparseRow(ctx context.Context, terms []integerTerm) (entries []entry, ok bool) {
	// Non-basic columns are entered together: combine, which adds one row to another, would
	// copy the new row once for each.
	entries = make([]entry, 0, len(terms))
	for _, t := range terms {
		if s.rowOf[t.column] < 0 && !s.isAbsent(t.column) {
			entries = append(entries, entry{t.column, float64(t.coefficient)})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.variable, b.variable) })
	s.work += searchWork * len(terms)
	for _, t := range terms {
		if s.isOver(ctx) {
			return nil, false
		}
		if r := s.rowOf[t.column]; r >= 0 {
			s.work += entryWork * (len(entries) + len(s.rows[r].entries))
			entries = s.combine(entries, s.rows[r].entries, float64(t.coefficient))
		}
	}
	return entries, true
}

// variable returns the variable that holds the value of a form.
func (s *simplex) variable(form int32) int32 { return int32(s.columns) + form }

// combine returns a + factor·b, in fresh storage. Entries that cancel out are left out.
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

// mark returns the present length of the trail, for undo.
func (s *simplex) mark() int { return len(s.trail) }

// undo takes back the bounds that were set since mark. Values and rows stay as they are.
func (s *simplex) undo(mark int) {
	for len(s.trail) > mark {
		c := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.setBounds(c.form, c.lower, c.upper)
	}
}

// bound restricts a form further, until undo. Bounds that are weaker than the present ones change
// nothing.
func (s *simplex) bound(f int32, lower, upper int64) {
	old := s.forms[f]
	s.trail = append(s.trail, boundChange{f, old.lower, old.upper})
	s.setBounds(f, max(lower, old.lower), min(upper, old.upper))
}

// setBounds sets the bounds of a form. If it is non-basic, its value moves to the nearest one allowed.
func (s *simplex) setBounds(f int32, lower, upper int64) {
	s.forms[f].lower, s.forms[f].upper = lower, upper
	v := s.variable(f)
	s.lower[v], s.upper[v] = math.Inf(-1), math.Inf(1)
	if lower != minInfinite {
		s.lower[v] = float64(lower) - s.leeway(f)
	}
	if upper != maxInfinite {
		s.upper[v] = float64(upper) + s.leeway(f)
	}
	if s.rowOf[v] < 0 && s.lower[v] <= s.upper[v] { // non-basic variables keep within their bounds
		if s.value[v] < s.lower[v] {
			s.move(v, s.lower[v])
		} else if s.value[v] > s.upper[v] {
			s.move(v, s.upper[v])
		}
	}
}

// move changes the value of a non-basic variable, and of the basic ones that depend on it.
func (s *simplex) move(v int32, to float64) {
	delta := to - s.value[v]
	s.value[v] = to
	s.eachRow(v, func(r int32, c float64) { s.value[s.rows[r].basic] += c * delta })
}

// eachRow calls f with the rows that contain the non-basic v, and drops others from the list of them.
func (s *simplex) eachRow(v int32, f func(r int32, coefficient float64)) {
	if s.isDense() {
		s.work += len(s.rows)
		for r, at := 0, s.at[v]; r < len(s.rows); r++ {
			if c := s.rows[r].cells[at]; c != 0 {
				f(int32(r), c)
			}
		}
		return
	}
	list := s.occurs[v]
	s.work += searchWork * len(list)
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

// coefficient returns the coefficient of v in a row, 0 if it does not occur. It searches by halves.
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

// pivot makes the non-basic v basic in row r, instead of the row's present variable, and replaces v by
// that row in all others. Values do not change.
func (s *simplex) pivot(r, v int32) {
	s.pivots++
	if s.isDense() {
		s.pivotDense(r, v)
		return
	}
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
		s.work += entryWork*(len(s.rows[i].entries)+len(combined)) + searchWork*len(entries)
		s.fill += len(combined) - len(s.rows[i].entries)
		s.rows[i].entries = combined
	}
	s.occurs[v] = s.occurs[v][:0]
	if s.hasFilled() {
		s.becomeDense()
	}
}

// Work is counted in nanoseconds, about, so that a context that ends is noticed soon.
const (
	entryWork  = 6       // to copy an entry of a row
	searchWork = 30      // to look one up
	lookWork   = 500_000 // between two looks at the context
)

// isOver looks at the context once for each lookWork that was done, and reports whether it has
// ended, or the memory that it carries is used up.
func (s *simplex) isOver(ctx context.Context) bool {
	over := false
	for ; s.work >= lookWork; s.work -= lookWork {
		s.looks++
		over = account.Reason(ctx) != nil
	}
	return over
}
