package stateequation

import (
	"cmp"
	"math"
	"slices"
)

// Where transitions are very many and places few, a row with an entry for each column is long, each pivot
// makes nearly all of them full, and a question may take minutes. But no more columns are basic than there are
// rows, and all others are 0. So columns are absent at first, and come in when they are needed: column
// generation (Ford, Fulkerson, "A suggested computation for maximal multi-commodity network flows", 1958).
//
// A column that is absent is non-basic and 0. It has no entry in rows. What holds with some columns absent holds
// with all of them at 0: values within all bounds are that with absent columns, too. What can't be repaired,
// or made larger, may be with a column that is absent. So before that is said, the columns are priced that could move
// the row's variable: what their entries in that row would be is found from forms.
//
// Let the row of b be b = Σ c·v. It says the same of all columns, which forms are sums of: the entry of column j
// is what j is in b, less Σ c times what j is in v, for all v that are forms. If b = p, p = -σ1 + σ2, x = σ1, and the
// row is p = -x, with σ2 absent, the entry of σ2 is 1 + 0 = 1: it can move p up.
//
// Those with the largest entries come in, some at a time. Their entries in all rows are found in the same way. A
// certificate is one about all columns in any case (certificate.go), so that an error here can't make an answer
// wrong.

const (
	// absentCells is from how many cells of a table on columns are absent at first, if there are absentShare times as
	// many as forms. Tables of less become dense when they fill up.
	absentCells = mostCells
	absentShare = 8
	// columnsAtATime is how many columns come in together.
	columnsAtATime = 32
	// leastPrice is what an entry must be for its column to come in.
	leastPrice = 1e-7
)

// alwaysAbsent has columns be absent at first in any net, for tests.
var alwaysAbsent bool

// absence is which columns are absent, and room for prices.
type absence struct {
	is      []bool
	present int       // how many are not
	prices  []float64 // by column
	slot    []int32   // by column, of those that come in, plus one
}

// leaveOut makes all columns absent. No row has an entry yet.
func (s *simplex) leaveOut() {
	s.absent = &absence{is: make([]bool, s.columns), prices: make([]float64, s.columns), slot: make([]int32, s.columns)}
	for c := range s.absent.is {
		s.absent.is[c] = true
	}
}

// isAbsent reports whether a column is absent.
func (s *simplex) isAbsent(column int32) bool { return s.absent != nil && s.absent.is[column] }

// bringIn has columns come in that can move the basic variable of row r up, or down. It reports false if there are
// none.
func (s *simplex) bringIn(r int32, up bool) bool {
	best := s.wanted(r, up)
	if len(best) == 0 {
		return false
	}
	if len(best) > columnsAtATime {
		prices := s.absent.prices
		slices.SortStableFunc(best, func(a, b int32) int { return cmp.Compare(math.Abs(prices[b]), math.Abs(prices[a])) })
		best = best[:columnsAtATime]
		slices.Sort(best)
	}
	s.enterColumns(best)
	return true
}

// leeway is by how much bounds of a form are wider than they are, where columns are absent. Most places of such nets
// are empty, and most pivots would move nothing: thousands go by before something does. With bounds that differ a little,
// each pivot moves something (Charnes, "Optimality and degeneracy in linear programming", 1952). A value that depends on many
// such bounds, or on large weights, may be off by more than the tolerance of those who read it: then a branch is taken that
// was not needed. Nothing is proven by it, as certificates have the bounds as they are.
func (s *simplex) leeway(f int32) float64 {
	if s.absent == nil {
		return 0
	}
	return leastLeeway * (1 + float64(uint32(f)*2654435761>>8)/(1<<24))
}

// leastLeeway is the least of them, and half the largest.
const leastLeeway = 1e-6

// wanted returns the absent columns that can move the basic variable of row r up, or down, ascending.
func (s *simplex) wanted(r int32, up bool) (columns []int32) {
	if s.absent == nil {
		return nil
	}
	prices := s.absent.prices
	clear(prices)
	s.work += len(prices)
	s.eachForm(&s.rows[r], func(f int32, coefficient float64) {
		terms := s.forms[f].terms
		s.work += 2 * len(terms)
		for _, t := range terms {
			prices[t.column] += coefficient * float64(t.coefficient)
		}
	})
	for c, price := range prices {
		if s.absent.is[c] && (price > leastPrice && up || price < -leastPrice && !up) {
			columns = append(columns, int32(c))
		}
	}
	return columns
}

// eachForm calls visit with the forms in a row, and with what their columns count for an entry of the row.
func (s *simplex) eachForm(row *simplexRow, visit func(f int32, coefficient float64)) {
	if int(row.basic) >= s.columns {
		visit(row.basic-int32(s.columns), 1)
	}
	if s.isDense() {
		s.work += len(row.cells)
		for i, x := range row.cells {
			if v := s.nonBasic[i]; x != 0 && int(v) >= s.columns {
				visit(v-int32(s.columns), -x)
			}
		}
		return
	}
	for _, e := range row.entries {
		if int(e.variable) >= s.columns {
			visit(e.variable-int32(s.columns), -e.value)
		}
	}
}

// enterColumns gives absent columns, which ascend, their entries in all rows.
func (s *simplex) enterColumns(columns []int32) {
	for i, c := range columns {
		s.absent.is[c], s.absent.slot[c] = false, int32(i+1)
		if s.absent.present++; s.isDense() {
			s.at[c] = int32(len(s.nonBasic))
			s.nonBasic = append(s.nonBasic, c)
		}
	}
	// What each form has of the columns.
	parts := make([][]entry, len(s.forms))
	for f := range s.forms {
		s.work += len(s.forms[f].terms)
		for _, t := range s.forms[f].terms {
			if i := s.absent.slot[t.column]; i > 0 {
				parts[f] = append(parts[f], entry{i - 1, float64(t.coefficient)})
			}
		}
	}
	for _, c := range columns {
		s.absent.slot[c] = 0
	}
	sums := make([]float64, len(columns))
	for r := range s.rows {
		row := &s.rows[r]
		clear(sums)
		s.eachForm(row, func(f int32, coefficient float64) {
			s.work += 1 + len(parts[f])
			for _, p := range parts[f] {
				sums[p.variable] += coefficient * p.value
			}
		})
		if s.isDense() {
			clean(sums)
			row.cells = append(row.cells, sums...)
			continue
		}
		var fresh []entry
		for i, c := range columns {
			if math.Abs(sums[i]) > tiny {
				fresh = append(fresh, entry{c, sums[i]})
				s.occurs[c] = append(s.occurs[c], int32(r))
			}
		}
		if len(fresh) > 0 {
			s.work += entryWork * (len(row.entries) + len(fresh))
			row.entries = s.combine(row.entries, fresh, 1)
			s.fill += len(fresh)
		}
	}
}
