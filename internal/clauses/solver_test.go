package clauses

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
)

// TestSolverAgreesWithTruthTables: clauses are added in portions, with a search after each. A solution
// satisfies all clauses so far. Where there is none, no row of the truth table does.
func TestSolverAgreesWithTruthTables(t *testing.T) {
	solved, refuted, late := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return solved > 500 && refuted > 100 && late > 50 }, func(t *rapid.T) {
		s := New(&account.Account{})
		var all [][]Literal
		variables := rapid.IntRange(1, 8).Draw(t, "variables")
		width := rapid.IntRange(2, 3).Draw(t, "width")
		for range variables {
			s.Variable()
		}
		for portion := range rapid.IntRange(1, 8).Draw(t, "portions") {
			for range rapid.IntRange(0, 12).Draw(t, "clauses") {
				var clause []Literal
				for range rapid.IntRange(1, width+1).Draw(t, "literals") {
					clause = append(clause, Literal(rapid.IntRange(0, 2*variables-1).Draw(t, "literal")))
				}
				if len(clause) > 1 || rapid.IntRange(0, 5).Draw(t, "single") == 0 {
					all = append(all, clause)
					s.Add(clause...)
				}
			}
			found, err := s.Solve()
			if err != nil {
				t.Fatal(err)
			}
			if found {
				solved++
				row := 0
				for v := range variables {
					if s.True(Variable(v)) {
						row |= 1 << v
					}
				}
				if !satisfies(all, row) {
					t.Fatalf("%b is no solution of %v", row, all)
				}
				continue
			}
			for row := range 1 << variables {
				if satisfies(all, row) {
					t.Fatalf("%b is a solution of %v", row, all)
				}
			}
			if refuted++; portion > 0 {
				late++
			}
		}
	}) {
		t.Errorf("%d solved, %d refuted, %d of them later than at first", solved, refuted, late)
	}
}

func satisfies(all [][]Literal, row int) bool {
	for _, clause := range all {
		some := false
		for _, l := range clause {
			some = some || row>>l.Variable()&1 == int(l&1^1)
		}
		if !some {
			return false
		}
	}
	return true
}

// TestSolutionsOfMany: what is said to be a solution of hundreds of clauses is one.
func TestSolutionsOfMany(t *testing.T) {
	solved := 0
	if !petritest.CheckUntil(t, func() bool { return solved > 50 }, func(t *rapid.T) {
		const variables = 60
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		s := New(&account.Account{})
		for range variables {
			s.Variable()
		}
		var all [][]Literal
		for range 4 * variables {
			var clause []Literal
			for range 3 {
				clause = append(clause, Literal(random.IntN(2*variables)))
			}
			all = append(all, clause)
			s.Add(clause...)
		}
		found, err := s.Solve()
		if err != nil {
			t.Fatal(err)
		}
		row := 0
		for v := range variables {
			if s.True(Variable(v)) {
				row |= 1 << v
			}
		}
		if found && !satisfies(all, row) {
			t.Fatalf("%b is no solution of %v", row, all)
		}
		if found {
			solved++
		}
	}) {
		t.Errorf("%d solved", solved)
	}
}

// holes adds clauses that say that each of some pigeons is in one of some holes, which no two share.
func holes(s *Solver, pigeons, holes int) {
	in := make([][]Literal, pigeons)
	for i := range in {
		for range holes {
			in[i] = append(in[i], Is(s.Variable()))
		}
		s.Add(in[i]...)
		for j := range i {
			for h := range holes {
				s.Add(in[i][h].Not(), in[j][h].Not())
			}
		}
	}
}

// TestPigeons: what needs thousands of conflicts and restarts is decided, and what ends early is not.
func TestPigeons(t *testing.T) {
	for pigeons, want := range map[int]bool{7: true, 8: false} {
		s := New(&account.Account{})
		holes(s, pigeons, 7)
		if found, err := s.Solve(); err != nil || found != want {
			t.Errorf("%d pigeons in 7 holes: %t, %v", pigeons, found, err)
		}
	}
	a := &account.Account{}
	a.Begin(account.EndsAfter(20))
	s := New(a)
	holes(s, 12, 11)
	if found, err := s.Solve(); found || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("found %t: %v", found, err)
	}
}

func TestLuby(t *testing.T) {
	for i, want := range []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1} {
		if got := luby(i + 1); got != want {
			t.Errorf("luby(%d) = %d, expected %d", i+1, got, want)
		}
	}
}
