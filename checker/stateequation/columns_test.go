package stateequation

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
)

// absentAtFirst has all equations begin with all columns absent until the test ends.
func absentAtFirst(t *testing.T) {
	alwaysAbsent = true
	t.Cleanup(func() { alwaysAbsent = false })
}

// TestAbsentColumns: columns that come in when they are needed say what all of them say. Two equations of a random net
// are asked the same, one of which has no column at first. No reachable marking satisfies what either refutes, a
// bound is one of all reachable markings, and all rows are what the forms' definitions give of the columns that are in.
func TestAbsentColumns(t *testing.T) {
	absentAtFirst(t)
	var census petritest.Census
	refuted, bounds, differ, asked, left := 0, 0, 0, 0, 0
	if !petritest.CheckManyUntil(t, 2000, func() bool { return refuted > 20 && bounds > 20 && left > 20 }, func(t *rapid.T) {
		net, g := petritest.SmallNet(t)
		census.Add(net)
		few := New(context.Background(), net)
		alwaysAbsent = false
		all := New(context.Background(), net)
		alwaysAbsent = true
		begin := rapid.IntRange(0, 8).Draw(t, "dense from")
		for i := range 6 {
			if i == begin {
				few.simplex.becomeDense()
			}
			p := drawComparisons(t, net)
			contradicts := few.Contradicts(context.Background(), p)
			if contradicts {
				refuted++
				for _, m := range g.Markings {
					if witness.Satisfies(net, m, p) {
						t.Fatalf("%v is reachable", m)
					}
				}
			}
			if asked++; contradicts != all.Contradicts(context.Background(), p) {
				differ++ // another solution may lead to other traps
			}
			sum := p.Operands[0].Sum
			bound, ok := few.UpperBound(context.Background(), sum)
			if same, also := all.UpperBound(context.Background(), sum); ok && also && same == bound {
				bounds++
			} else if ok != also && few.traps.count == all.traps.count {
				t.Fatalf("bound %d, %v, with all columns %d, %v", bound, ok, same, also)
			}
			for _, m := range g.Markings {
				if ok && valueOf(sum, m) > bound {
					t.Fatalf("%v has %d, more than %d", m, valueOf(sum, m), bound)
				}
			}
			checkRows(t, few.simplex)
		}
		for c := range few.simplex.columns {
			if few.simplex.isAbsent(int32(c)) {
				left++
			}
		}
	}) {
		t.Errorf("%d refuted, %d bounds, %d columns stayed absent", refuted, bounds, left)
	}
	if differ*50 > asked {
		t.Errorf("%d of %d predicates are refuted in one way only", differ, asked)
	}
	census.Require(t, 25, "weights", "self loops", "read arcs", "deadlocks", "inhibitor arcs", "reset arcs")
}

// TestClausesWithAbsentColumns, and solutions: as with all columns.
func TestClausesWithAbsentColumns(t *testing.T) {
	absentAtFirst(t)
	t.Run("markings", TestClausesAgreeWithMarkings)
	t.Run("as much", TestClausesRefuteAsMuch)
	t.Run("solutions", TestSolutionsSolveTheEquation)
}

// TestFewColumnsComeIn: to bound places of a net of many wide transitions, a small part of the columns is needed.
func TestFewColumnsComeIn(t *testing.T) {
	net := petritest.Machines(8000)
	e := New(context.Background(), net)
	if e.simplex.absent == nil {
		t.Fatal("all columns are there at first")
	}
	for p := range uint32(5) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if bound, ok := e.UpperBound(ctx, logic.Sum{Terms: []logic.Term{{Place: p, Coefficient: 1}}}); !ok || bound != 1 {
			t.Errorf("place %d has at most %d tokens, %v; %d pivots", p, bound, ok, e.simplex.pivots)
		}
	}
	in := 0
	for c := range e.simplex.columns {
		if !e.simplex.isAbsent(int32(c)) {
			in++
		}
	}
	if t.Logf("%d columns, %d pivots", in, e.simplex.pivots); in == 0 || in > 2000 {
		t.Errorf("%d of 8000 columns came in", in)
	}
}
