package stateequation

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/checker/internal/checkertest"
	"pnmc/checker/witness"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
)

// isSolution fails unless the simplex holds together, and its values are within all bounds. It reports
// whether they are whole.
func isSolution(t *rapid.T, s *simplex) (whole bool) {
	const near = 1e-4
	if len(s.rows) != len(s.forms) || len(s.value) != s.columns+len(s.forms) {
		t.Fatalf("%d rows, %d forms, %d columns, %d values", len(s.rows), len(s.forms), s.columns, len(s.value))
	}
	whole = true
	for c := range s.columns {
		if s.value[c] < -near {
			t.Fatalf("column %d is %v", c, s.value[c])
		}
		whole = whole && math.Abs(s.value[c]-math.Round(s.value[c])) < 1e-6
	}
	for f, form := range s.forms {
		sum := 0.0
		for _, term := range form.terms {
			sum += float64(term.coefficient) * s.value[term.column]
		}
		v := s.value[s.columns+f]
		if math.Abs(v-sum) > near {
			t.Fatalf("form %d is %v, and its columns make %v", f, v, sum)
		}
		if form.lower != minInfinite && v < float64(form.lower)-near || form.upper != maxInfinite && v > float64(form.upper)+near {
			t.Fatalf("form %d is %v, beyond %d and %d", f, v, form.lower, form.upper)
		}
	}
	for r := range s.rows {
		sum := 0.0
		for _, e := range s.entriesOf(int32(r)) {
			if s.rowOf[e.variable] >= 0 {
				t.Fatalf("row %d has the basic variable %d", r, e.variable)
			}
			sum += e.value * s.value[e.variable]
		}
		if b := s.rows[r].basic; s.rowOf[b] != int32(r) || math.Abs(s.value[b]-sum) > near {
			t.Fatalf("row %d of variable %d makes %v of it, not %v", r, b, sum, s.value[b])
		}
	}
	return whole
}

// after returns the initial marking changed by counts; ok is false if a place has less than no tokens.
func after(net *petri.Net, counts []witness.Burst) (m petri.Marking, ok bool) {
	m, ok = net.Initial(), true
	for _, b := range counts {
		for _, a := range net.Effect(b.Transition) {
			m[a.Place] += a.Weight * b.Times
		}
	}
	for _, tokens := range m {
		ok = ok && tokens >= 0
	}
	return m, ok
}

// isRounded reports whether counts are those of the present solution, rounded up.
func isRounded(e *Equation, counts []witness.Burst) bool {
	for u := range e.net.Transitions() {
		times, v := int64(0), e.simplex.value[u]
		if len(counts) > 0 && counts[0].Transition == petri.Transition(u) {
			times, counts = counts[0].Times, counts[1:]
		}
		if float64(times) < v-1e-4 || float64(times) >= v+1 {
			return false
		}
	}
	return len(counts) == 0
}

// multiplies reports whether p has products, which the state equation leaves out.
func multiplies(p *logic.Predicate) bool {
	return p.Operator == logic.PolynomialAtMost || p.Operator == logic.PolynomialEqual || slices.ContainsFunc(p.Operands, multiplies)
}

// TestSolutionsSolveTheEquation: of questions one after the other, each solution that is left is one of
// the simplex, within all bounds, rounded up. One of whole counts leads to a marking that satisfies the
// predicate, or where the sum is as large as its bound, in whole numbers.
func TestSolutionsSolveTheEquation(t *testing.T) {
	whole, several, largest := 0, 0, 0
	if !petritest.CheckUntil(t, func() bool { return whole > 20 && several > 20 && largest > 5 }, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		e := New(context.Background(), net)
		e.KeepSolutions(rapid.IntRange(1, 4).Draw(t, "solutions"), rapid.Uint64().Draw(t, "seed"))
		for range 4 {
			if rapid.Bool().Draw(t, "bound") {
				sum := checkertest.Sum(t, net)
				bound, ok := e.UpperBound(t.Context(), sum)
				if !ok {
					continue
				}
				if len(e.Solutions()) == 0 {
					t.Fatalf("no solution where the sum is %d", bound)
				}
				last := e.Solutions()[len(e.Solutions())-1]
				if !isRounded(e, last) {
					t.Fatalf("solution %v is not the last one", last)
				}
				if isSolution(t, e.simplex) && !net.HasResets() {
					m, ok := after(net, last)
					if v, fits := sum.Value(m); !ok || !fits || v != bound {
						t.Fatalf("after %v the marking is %v, where the sum is not %d", last, m, bound)
					}
					largest++
				}
				continue
			}
			p := checkertest.Goal(t, net, 2)
			s := &refutation{equation: e, ctx: t.Context(), budget: maxBranches}
			mark := e.simplex.mark()
			e.begin()
			if s.assert(p, true) && !s.refute(0) && !s.failed && len(e.Solutions()) > 0 {
				e.simplex.undo(mark)
				last := e.Solutions()[len(e.Solutions())-1]
				// The simplex may be at one that was left out, as it violates a disjunction.
				if isSolution(t, e.simplex) && isRounded(e, last) && net.Plain() && !multiplies(p) {
					m, ok := after(net, last)
					if !ok || !witness.Satisfies(net, m, p) {
						t.Fatalf("after %v the marking is %v, and %+v does not hold", last, m, p)
					}
					whole++
				}
				if len(e.Solutions()) > 1 {
					several++
				}
			}
			e.simplex.undo(mark)
		}
	}) {
		t.Errorf("%d solutions are whole, %d times there are several, %d where a sum is largest", whole, several, largest)
	}
}

// TestSolutionsAreLight: after a question whose solution fires a lot, the solution of the next one fires
// what it needs and no more.
func TestSolutionsAreLight(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 50)
	q, _ := b.AddPlace("q", "", 0)
	move, _ := b.AddTransition("move", "")
	around, _ := b.AddTransition("around", "")
	if b.AddInput(p, move, 1) != nil || b.AddOutput(move, q, 1) != nil || b.AddInput(q, around, 1) != nil || b.AddOutput(around, p, 1) != nil {
		t.Fatal("arc refused")
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	e := New(context.Background(), net)
	e.KeepSolutions(1, 1)
	for _, tokens := range []int64{50, 3, 20, 1} {
		goal := &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: tokens, Terms: []logic.Term{{Place: uint32(q), Coefficient: -1}}}}
		if e.Contradicts(t.Context(), goal) {
			t.Fatalf("%d tokens are refuted", tokens)
		}
		if got := e.Solutions(); len(got) != 1 || !slices.Equal(got[0], []witness.Burst{{Transition: move, Times: tokens}}) {
			t.Errorf("%d tokens: solutions %v", tokens, got)
		}
	}
}

// TestLongFormHasTheSameRow: the row of a long form is the one that merging lists makes.
func TestLongFormHasTheSameRow(t *testing.T) {
	replaced := 0
	if !petritest.CheckUntil(t, func() bool { return replaced > 20 }, func(t *rapid.T) {
		net, _ := checkertest.AnyNet(t)
		e := New(context.Background(), net)
		for range 3 {
			e.Contradicts(t.Context(), checkertest.Goal(t, net, 2))
		}
		s := e.simplex
		if s.isDense() {
			return
		}
		terms := make([]integerTerm, s.columns)
		for c := range terms {
			terms[c] = integerTerm{int32(c), rapid.Int64Range(-3, -1).Draw(t, "coefficient")}
			if s.rowOf[c] >= 0 {
				replaced++
			}
		}
		want, _ := s.sparseRow(t.Context(), terms)
		f, _ := s.addLong(t.Context(), terms)
		got := s.rows[s.rowOf[s.variable(f)]].entries
		if !slices.EqualFunc(got, want, func(a, b entry) bool { return a.variable == b.variable && math.Abs(a.value-b.value) < 1e-6 }) {
			t.Fatalf("%v, merged %v", got, want)
		}
		s.dropForm()
		if len(s.rows) != len(s.forms) {
			t.Fatal("a row is left")
		}
	}) {
		t.Errorf("%d basic columns", replaced)
	}
}

// TestContradictionLeavesNoSolution: what is refuted leaves nothing of the question before.
func TestContradictionLeavesNoSolution(t *testing.T) {
	net := petritest.Philosophers(3)
	e := New(context.Background(), net)
	e.KeepSolutions(2, 1)
	atLeast := func(tokens int64) *logic.Predicate {
		return &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: tokens, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}}
	}
	if e.Contradicts(t.Context(), atLeast(1)) || len(e.Solutions()) == 0 {
		t.Errorf("a token leaves the solutions %v", e.Solutions())
	}
	if !e.Contradicts(t.Context(), atLeast(2)) || len(e.Solutions()) != 0 {
		t.Errorf("two tokens leave the solutions %v", e.Solutions())
	}
}

// TestRefutedBranchesLeaveNoSolution: p has two tokens, and a transition takes two and gives one back. By
// the equation alone p can get empty, and a trap refutes it. The solution before the trap was found is not
// left.
func TestRefutedBranchesLeaveNoSolution(t *testing.T) {
	var b petri.Builder
	p, _ := b.AddPlace("p", "", 2)
	lose, _ := b.AddTransition("lose", "")
	if b.AddInput(p, lose, 2) != nil || b.AddOutput(lose, p, 1) != nil {
		t.Fatal("arc refused")
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	e := New(context.Background(), net)
	e.KeepSolutions(2, 1)
	if !e.Contradicts(t.Context(), &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Terms: []logic.Term{{Place: 0, Coefficient: 1}}}}) {
		t.Error("that p gets empty is not refuted")
	}
	if len(e.Solutions()) > 0 {
		t.Errorf("solutions %v are left", e.Solutions())
	}
}

// TestSpoiltSolutionIsLeftOut: values that rounding errors have spoilt are no solution.
func TestSpoiltSolutionIsLeftOut(t *testing.T) {
	e := New(context.Background(), petritest.Philosophers(3))
	if !e.add() {
		t.Error("the initial marking is left out")
	}
	for _, v := range []float64{2, -1, 1 << 50} {
		e.simplex.value[0] = v
		if e.add() {
			t.Errorf("%v firings are kept that forms know nothing of", v)
		}
	}
	if len(e.Solutions()) != 1 || len(e.Solutions()[0]) != 0 {
		t.Errorf("solutions: %v", e.Solutions())
	}
}
