package symmetric

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/account"
	"pnmc/internal/automatatest"
)

// said returns as a guard what n says at a date.
func (n *dated) said(now int32) *Guard {
	if n.leaf != nil {
		return n.leaf
	}
	g := &Guard{Operator: n.operator}
	for i := range n.operands {
		if n.operands[i].date <= now {
			g.Operands = append(g.Operands, n.operands[i].said(now))
		}
	}
	return g
}

// randomTransition draws a net with one transition of some variables, input arcs and a deep guard.
func randomTransition(t *rapid.T) *Net {
	below := func(n int, what string) int { return rapid.IntRange(0, n-1).Draw(t, what) }
	var classes []*Class
	for i := range 3 {
		classes = append(classes, &Class{Name: fmt.Sprint("C", i), Size: int64(2 + below(3, "size")), Cyclic: true})
	}
	tr := Transition{ID: "t"}
	for v := range 1 + below(7, "variables") {
		tr.Variables = append(tr.Variables, VariableDeclaration{fmt.Sprint("x", v), classes[below(3, "class")]})
	}
	term := func() (Term, *Class) {
		v := below(len(tr.Variables), "variable")
		if class := tr.Variables[v].Class; below(5, "constant") == 0 {
			return Term{Value: int64(below(int(class.Size), "colour"))}, class
		} else {
			return Term{Variable, v, int64(below(int(class.Size), "steps"))}, class
		}
	}
	net := &Net{}
	for i := range below(5, "places") {
		p, m := Place{ID: fmt.Sprint("p", i)}, Monomial{Coefficient: 1}
		for range below(4, "width") {
			term, class := term()
			m.Terms, p.Domain = append(m.Terms, term), append(p.Domain, class)
		}
		net.Places = append(net.Places, p)
		for range 1 + below(2, "monomials") {
			tr.Pre = append(tr.Pre, Arc{i, Expression{m}})
		}
	}
	tr.Guard = randomGuard(below, 4, 4, func(g *Guard) {
		var class *Class
		g.Left.Term, class = term()
		g.Left.Class = class
		g.Right = Operand{Term: Term{Value: int64(below(int(class.Size), "colour"))}, Class: class}
		for v, declared := range tr.Variables {
			if declared.Class == class && below(2, "variable") == 0 {
				g.Right.Term = Term{Variable, v, int64(below(int(class.Size), "steps"))}
			}
		}
		if below(8, "partition") == 0 {
			parts := make([]int64, class.Size)
			g.Left.Element, g.Right.Element = parts, parts
		}
	})
	net.Transitions = []Transition{tr}
	return net
}

// unlimited are limits that are never reached.
var unlimited = planLimits{func(int) bool { return true }, func(int) bool { return true }}

// TestPlansOfRandomTransitions compares plans with those of the naive planner: steps, what they look
// up, and what is tested at each of them.
func TestPlansOfRandomTransitions(t *testing.T) {
	disjunctions := 0
	rapid.Check(t, func(t *rapid.T) {
		net := randomTransition(t)
		if rapid.Bool().Draw(t, "net") {
			net = randomNet(t)
		}
		for i := range net.Transitions {
			tr := &net.Transitions[i]
			names := make([]int, len(tr.Variables))
			for v := range names {
				names[v] = v
			}
			gotIndexes, wantIndexes := make(indexes, len(net.Places)), make(indexes, len(net.Places))
			register := func(x indexes) func(int, []int) *index {
				return func(place int, positions []int) *index { return x.register(net, place, positions, false) }
			}
			p, naive := newPlanner(net, tr, nil, unlimited, register(gotIndexes)), newNaivePlanner(net, tr, nil, register(wantIndexes))
			tests := func(list []test, work int) []string {
				texts := []string{fmt.Sprint(work)}
				for _, x := range list {
					if x.guard.leaf == nil {
						disjunctions++
					}
					texts = append(texts, x.guard.said(x.date).text(names))
				}
				return texts
			}
			naiveTests := func(list []*Guard, work int) []string {
				texts := []string{fmt.Sprint(work)}
				for _, g := range list {
					texts = append(texts, g.text(names))
				}
				return texts
			}
			compare := func(got *plan, want *naivePlan) {
				if len(got.steps) != len(want.steps) || !slices.Equal(tests(got.before, got.work), naiveTests(want.before, want.work)) {
					t.Fatalf("%d steps after %v, want %d after %v", len(got.steps), tests(got.before, got.work), len(want.steps), naiveTests(want.before, want.work))
				}
				for k, s := range got.steps {
					w := want.steps[k]
					same := s.variable == w.variable && (s.match == nil) == (w.match == nil) && (s.equation == nil) == (w.equation == nil)
					if same && s.match != nil {
						same = s.match.atom.order == w.match.atom.order && slices.Equal(s.match.bound, w.match.bound) && slices.Equal(s.match.free, w.match.free)
					}
					if same && s.equation != nil {
						same = s.equation.variable == w.equation.variable && s.equation.steps == w.equation.steps && s.equation.other.Term == w.equation.other.Term
					}
					if !same || !slices.Equal(tests(s.tests, s.work), naiveTests(w.tests, w.work)) {
						t.Fatalf("step %d: %+v with %v, want %+v with %v", k, s, tests(s.tests, s.work), w, naiveTests(w.tests, w.work))
					}
				}
			}
			compare(p.plan(nil, false), naive.plan(nil, false))
			compare(p.plan(nil, true), naive.plan(nil, true))
			for k := range p.atoms {
				compare(p.plan(p.atoms[k], true), naive.plan(naive.atoms[k], true))
			}
			for place := range gotIndexes {
				if len(gotIndexes[place]) != len(wantIndexes[place]) {
					t.Fatalf("place %d: %d indexes, want %d", place, len(gotIndexes[place]), len(wantIndexes[place]))
				}
			}
		}
	})
	if disjunctions == 0 {
		t.Error("no disjunction is tested")
	}
}

// manyVariables returns a net with a transition of so many variables, which an input arc each takes if
// taken is set. Its guard is of two conjunctions over all of them: one of both must hold, or if both
// is set each of them.
func manyVariables(variables int, both, taken bool) *Net {
	class := &Class{Name: "c", Size: 100}
	net := &Net{Places: []Place{{ID: "p", Domain: Domain{class}}}, Transitions: []Transition{{ID: "t", Guard: &Guard{Operator: Or}}}}
	t := &net.Transitions[0]
	if both {
		t.Guard.Operator = And
	}
	for range 2 {
		t.Guard.Operands = append(t.Guard.Operands, &Guard{Operator: And})
	}
	for v := range variables {
		x := Term{Variable, v, 0}
		t.Variables = append(t.Variables, VariableDeclaration{fmt.Sprint("x", v), class})
		for k, g := range t.Guard.Operands {
			y := Term{Variable, (v + k + 1) % variables, 0}
			g.Operands = append(g.Operands, &Guard{Operator: Less, Left: Operand{Term: x, Class: class}, Right: Operand{Term: y, Class: class}})
		}
		if taken {
			t.Pre = append(t.Pre, Arc{0, Expression{{1, []Term{x}}}})
		}
	}
	return net
}

// TestPlansTakeLittle: a plan takes memory in the length of guard and arcs, for which it asks before.
func TestPlansTakeLittle(t *testing.T) {
	for _, both := range []bool{false, true} {
		for _, taken := range []bool{false, true} {
			net := manyVariables(4000, both, taken)
			asked, worked := 0, 0
			limits := planLimits{func(work int) bool { worked += work; return true }, func(bytes int) bool { asked += bytes; return true }}
			indexes := make(indexes, len(net.Places))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p := newPlanner(net, &net.Transitions[0], nil, limits, func(place int, positions []int) *index { return indexes.register(net, place, positions, false) })
			plan := p.plan(nil, true)
			runtime.ReadMemStats(&after)
			made := int(after.TotalAlloc - before.TotalAlloc)
			if plan == nil || made > 8<<20 || made > 2*asked || asked > 8<<20 || worked < 4000 || worked > 100_000 {
				t.Errorf("both %v, taken %v: %d KB were made, %d asked for, %d looked at", both, taken, made>>10, asked>>10, worked)
			}
		}
	}
}

// TestPlansWithinLimits: planning ends with the context, also of a walk, and where no memory is left.
func TestPlansWithinLimits(t *testing.T) {
	net := manyVariables(250, false, true) // 250 plans of 250 steps
	automatatest.EndsAtEachLook(t, "unfolding", 10, func(ctx context.Context) (any, error) {
		u := newUnfolder(ctx, net, Options{})
		return len(u.triggers[0]), u.err
	})
	automatatest.EndsAtEachLook(t, "walk", 10, func(ctx context.Context) (any, error) {
		w, err := net.Walk(ctx, rand.New(rand.NewPCG(1, 1)), 1000)
		if err != nil {
			return nil, err
		}
		return len(w.plans[0]), nil
	})
	for name, begin := range map[string]func(ctx context.Context) error{
		"unfolding": func(ctx context.Context) error { return newUnfolder(ctx, net, Options{}).err },
		"walk": func(ctx context.Context) error {
			_, err := net.Walk(ctx, rand.New(rand.NewPCG(1, 1)), 1000)
			return err
		},
	} {
		debug.FreeOSMemory()
		before := account.InUse()
		ctx, stop := account.Within(t.Context(), account.Budget{MemoryBytes: before + 6<<20})
		if err, made := begin(ctx), account.InUse()-before; !errors.As(context.Cause(ctx), new(*account.MemoryError)) || err == nil || made > 8<<20 {
			t.Errorf("%s: %v, %d MB were made", name, err, made>>20)
		}
		stop(nil)
	}
}
