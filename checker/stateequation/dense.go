package stateequation

import (
	"context"
	"math"
)

// This file has rows that are dense. Pivots fill rows up: of PolyORBLF-PT-S02J04T06, a third of all
// coefficients are not 0 after some thousand pivots. To merge lists of them is then more than ten
// times slower than to add up arrays. So when rows have filled up they become arrays, with one cell
// for each non-basic variable, and stay arrays. A pivot exchanges two variables: the cell of the
// one that becomes basic goes to the other.

// Rows become dense once more than one coefficient in denseShare is not 0. Tables of less than
// leastCells cells keep lists, which are quick enough there. Tables of more than mostCells, which
// are 16 MB, keep lists as well.
const (
	denseShare = 12
	leastCells = 1 << 12
	mostCells  = 2 << 20
)

// isDense reports whether rows are arrays.
func (s *simplex) isDense() bool { return s.nonBasic != nil }

// present returns the number of columns that are not absent, and so of non-basic variables with entries.
func (s *simplex) present() int {
	if s.absent == nil {
		return s.columns
	}
	return s.absent.present
}

// hasFilled reports whether rows are to become dense.
func (s *simplex) hasFilled() bool {
	cells := len(s.rows) * s.present()
	return s.fill > cells/denseShare && cells >= leastCells && cells <= mostCells
}

// isFull reports whether rows are dense and one more would take them past mostCells.
func (s *simplex) isFull() bool { return s.isDense() && (len(s.rows)+1)*s.present() > mostCells }

// becomeDense turns rows into arrays.
func (s *simplex) becomeDense() {
	s.nonBasic, s.at = make([]int32, 0, s.present()), make([]int32, len(s.value))
	for v, r := range s.rowOf {
		s.at[v] = -1
		if r < 0 && (v >= s.columns || !s.isAbsent(int32(v))) {
			s.at[v] = int32(len(s.nonBasic))
			s.nonBasic = append(s.nonBasic, int32(v))
		}
	}
	for r := range s.rows {
		cells := make([]float64, len(s.nonBasic))
		for _, e := range s.rows[r].entries {
			cells[s.at[e.variable]] = e.value
		}
		s.rows[r].cells, s.rows[r].entries = cells, nil
	}
	s.occurs, s.scratch = make([][]int32, len(s.occurs)), nil
	s.work += entryWork * len(s.rows) * len(s.nonBasic)
}

// denseRow returns the row of a new form as an array. It reports false if ctx ended.
func (s *simplex) denseRow(ctx context.Context, terms []integerTerm) (cells []float64, ok bool) {
	cells = make([]float64, len(s.nonBasic))
	for _, t := range terms {
		if s.isOver(ctx) {
			return nil, false
		}
		c := float64(t.coefficient)
		if r := s.rowOf[t.column]; r >= 0 {
			s.work += cellWork * len(cells)
			for i, x := range s.rows[r].cells {
				cells[i] += c * x
			}
		} else if !s.isAbsent(t.column) {
			cells[s.at[t.column]] += c
		}
	}
	clean(cells)
	return cells, true
}

// clean sets to 0 what is 0 but for rounding.
func clean(cells []float64) {
	for i, x := range cells {
		if math.Abs(x) <= tiny {
			cells[i] = 0
		}
	}
}

// coefficient returns the coefficient of the non-basic v in row r.
func (s *simplex) coefficient(r, v int32) float64 {
	if s.isDense() {
		return s.rows[r].cells[s.at[v]]
	}
	return coefficient(s.rows[r].entries, v)
}

// entriesOf returns the entries of a row, which ascend if rows are not dense.
func (s *simplex) entriesOf(r int32) []entry {
	if !s.isDense() {
		return s.rows[r].entries
	}
	var entries []entry
	for i, x := range s.rows[r].cells {
		if x != 0 {
			entries = append(entries, entry{s.nonBasic[i], x})
		}
	}
	return entries
}

// enteringDense chooses the entering variable in dense rows. It takes the variable with the
// largest coefficient: dense rows cannot fill up further, and large coefficients keep
// rounding errors small.
func (s *simplex) enteringDense(r int32, up, greedy bool) int32 {
	best, largest := int32(-1), 0.0
	s.work += cellWork * len(s.nonBasic)
	for i, x := range s.rows[r].cells {
		if x == 0 {
			continue
		}
		v := s.nonBasic[i]
		if !s.moves(v, x, up) {
			continue
		}
		if !greedy {
			if best < 0 || v < best {
				best = v
			}
		} else if math.Abs(x) > largest {
			best, largest = v, math.Abs(x)
		}
	}
	return best
}

// pivotDense exchanges two variables as pivot does, for dense rows.
func (s *simplex) pivotDense(r, v int32) {
	row := &s.rows[r]
	at, out := s.at[v], row.basic
	a := row.cells[at]
	for i := range row.cells {
		row.cells[i] /= -a
	}
	row.cells[at] = 1 / a
	clean(row.cells)
	row.basic = v
	s.nonBasic[at], s.at[out], s.at[v] = out, at, -1
	s.rowOf[out], s.rowOf[v] = -1, r
	s.filled, s.factors = s.filled[:0], s.factors[:0]
	for i, x := range row.cells {
		if x != 0 {
			s.filled, s.factors = append(s.filled, int32(i)), append(s.factors, x)
		}
	}
	for i := range s.rows {
		if cells := s.rows[i].cells; int32(i) != r && cells[at] != 0 {
			c := cells[at]
			cells[at] = 0
			addMultiple(cells, s.filled, s.factors, c)
			s.work += cellWork * len(s.filled)
		}
	}
	s.work += len(s.rows)
}

// addMultiple adds factor·b to some cells, and sets to 0 what is 0 but for rounding.
func addMultiple(cells []float64, at []int32, b []float64, factor float64) {
	b = b[:len(at)]
	for i, j := range at {
		y := cells[j] + factor*b[i]
		if y < tiny && y > -tiny {
			y = 0
		}
		cells[j] = y
	}
}

// cellWork is what a cell costs, in about nanoseconds.
const cellWork = 1
