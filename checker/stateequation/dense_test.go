package stateequation

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// TestDense: dense rows say what lists say. Two equations of a random net are asked the same, one of
// which has dense rows from some question on. No reachable marking satisfies what either refutes, a
// bound is one of all reachable markings, and all rows are what the forms' definitions give.
func TestDense(t *testing.T) {
	var census petritest.Census
	refuted, bounds, differ, asked := 0, 0, 0, 0
	if !petritest.CheckManyUntil(t, 2000, func() bool { return refuted > 20 && bounds > 20 }, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		census.Add(net)
		lists, arrays := New(context.Background(), net), New(context.Background(), net)
		begin := rapid.IntRange(0, 3).Draw(t, "begin")
		for i := range 6 {
			if i == begin {
				arrays.simplex.becomeDense()
			}
			p := drawComparisons(t, net)
			contradicts := arrays.Contradicts(context.Background(), p)
			if contradicts {
				refuted++
				for _, m := range g.Markings {
					if witness.Satisfies(net, m, p) {
						t.Fatalf("%v is reachable", m)
					}
				}
			}
			if asked++; contradicts != lists.Contradicts(context.Background(), p) {
				differ++ // another solution may lead to other traps
			}
			sum := p.Operands[0].Sum
			bound, ok := arrays.UpperBound(context.Background(), sum)
			if same, also := lists.UpperBound(context.Background(), sum); ok && also && same == bound {
				bounds++
			} else if ok != also && arrays.traps.count == lists.traps.count {
				t.Fatalf("bound %d, %v, by lists %d, %v", bound, ok, same, also)
			}
			for _, m := range g.Markings {
				if ok && valueOf(sum, m) > bound {
					t.Fatalf("%v has %d, more than %d", m, valueOf(sum, m), bound)
				}
			}
			checkRows(t, arrays.simplex)
			checkRows(t, lists.simplex)
		}
	}) {
		t.Errorf("%d refuted, %d bounds", refuted, bounds)
	}
	if differ*50 > asked {
		t.Errorf("%d of %d predicates are refuted by one form of rows only", differ, asked)
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "inhibitor arcs", "reset arcs")
}

// TestDenseRowsAreBounded asks for more sums than arrays have room for: those beyond are not decided.
func TestDenseRowsAreBounded(t *testing.T) {
	const room = 300 // rows
	net := petritest.Machines(mostCells / room)
	e := New(context.Background(), net)
	e.simplex.becomeDense()
	decided := 0
	for p := range uint32(40) {
		sum := logic.Sum{Constant: 1, Terms: []logic.Term{{Place: p, Coefficient: 1}, {Place: p + 1, Coefficient: 1}}}
		if e.Contradicts(context.Background(), &logic.Predicate{Operator: logic.AtMost, Sum: sum}) {
			decided++
		}
	}
	if rows := len(e.simplex.rows); rows != room || decided != room-net.Places() {
		t.Errorf("%d rows and %d sums are decided", rows, decided)
	}
}

// drawComparisons draws a conjunction of two comparisons.
func drawComparisons(t *rapid.T, net *petri.Net) *logic.Predicate {
	and := &logic.Predicate{Operator: logic.And}
	for range 2 {
		s := logic.Sum{Constant: rapid.Int64Range(-3, 3).Draw(t, "constant")}
		for p := range net.Places() {
			if c := rapid.SampledFrom([]int64{0, 0, 1, -1, 2}).Draw(t, "coefficient"); c != 0 {
				s.Terms = append(s.Terms, logic.Term{Place: uint32(p), Coefficient: c})
			}
		}
		and.Operands = append(and.Operands, &logic.Predicate{Operator: logic.AtMost, Sum: s})
	}
	return and
}

func valueOf(s logic.Sum, m petri.Marking) int64 {
	v := s.Constant
	for _, t := range s.Terms {
		v += t.Coefficient * m[t.Place]
	}
	return v
}

// checkRows replaces the non-basic variables of each row by their columns: the result must be what
// defines its basic variable.
func checkRows(t *rapid.T, s *simplex) {
	columnsOf := func(v int32) map[int32]float64 {
		if int(v) < s.columns {
			return map[int32]float64{v: 1}
		}
		columns := make(map[int32]float64)
		for _, term := range s.forms[int(v)-s.columns].terms {
			columns[term.column] += float64(term.coefficient)
		}
		return columns
	}
	for r := range s.rows {
		difference := columnsOf(s.rows[r].basic)
		for _, e := range s.entriesOf(int32(r)) {
			for column, c := range columnsOf(e.variable) {
				difference[column] -= e.value * c
			}
		}
		for column, d := range difference {
			if math.Abs(d) > 1e-5 && !s.isAbsent(column) {
				t.Fatalf("row %d: column %d is off by %v", r, column, d)
			}
		}
	}
}
