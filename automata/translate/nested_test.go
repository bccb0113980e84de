package translate_test

import (
	"context"
	"fmt"
	"testing"

	"pnmc/automata/degeneralize"
	"pnmc/automata/translate"
	"pnmc/logic/ltl"
)

// family makes a formula of the size n.
type family func(s *ltl.Formulas, n int) *ltl.Formula

// proposition returns proposition number i.
func proposition(s *ltl.Formulas, i int) *ltl.Formula { return s.Atom(fmt.Sprintf("p%d", i)) }

// leftNested returns ((p0 U p1) U p2) U …, with any operator.
func leftNested(operator func(s *ltl.Formulas, f, g *ltl.Formula) *ltl.Formula) family {
	return func(s *ltl.Formulas, n int) *ltl.Formula {
		f := proposition(s, 0)
		for i := 1; i < n; i++ {
			f = operator(s, f, proposition(s, i))
		}
		return f
	}
}

// rightNested returns p0 U (p1 U (p2 …)), with any operator.
func rightNested(operator func(s *ltl.Formulas, f, g *ltl.Formula) *ltl.Formula) family {
	return func(s *ltl.Formulas, n int) *ltl.Formula {
		f := proposition(s, n-1)
		for i := n - 2; i >= 0; i-- {
			f = operator(s, proposition(s, i), f)
		}
		return f
	}
}

// each joins the formulas for 0 to n-1.
func each(join func(s *ltl.Formulas, list ...*ltl.Formula) *ltl.Formula, part func(s *ltl.Formulas, i int) *ltl.Formula) family {
	return func(s *ltl.Formulas, n int) *ltl.Formula {
		list := make([]*ltl.Formula, n)
		for i := range list {
			list[i] = part(s, i)
		}
		return join(s, list...)
	}
}

// nextTimes returns X … X f.
func nextTimes(s *ltl.Formulas, n int, f *ltl.Formula) *ltl.Formula {
	for range n {
		f = s.Next(f)
	}
	return f
}

// TestNestedIsCheap: the automaton has a state for each operator, and an edge for each pair
// of them. The diagrams of a formula share that of the formula within, and labels take a node
// for each edge.
func TestNestedIsCheap(t *testing.T) {
	const n = 100
	for name, f := range map[string]family{
		"(p0 R p1) R p2": leftNested((*ltl.Formulas).Release), "(p0 M p1) M p2": leftNested((*ltl.Formulas).StrongRelease),
		"p0 R (p1 R p2)": rightNested((*ltl.Formulas).Release), "p0 M (p1 M p2)": rightNested((*ltl.Formulas).StrongRelease),
		"p0 U (p1 U p2)": rightNested((*ltl.Formulas).Until), "p0 W (p1 W p2)": rightNested((*ltl.Formulas).WeakUntil),
	} {
		s := ltl.NewFormulas()
		a, err := translate.ToAutomaton(t.Context(), s, f(s, n), translate.Options{MaxNodes: n * (n + 20) / 2})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if a.States() != n || a.Edges() != n*(n+1)/2 {
			t.Errorf("%s: %d states, %d edges", name, a.States(), a.Edges())
		}
	}
}

// TestLeftNestedUntilIsLarge: no Büchi automaton of fn, where f0 is p0 and f(i+1) is
// fi U p(i+1), has fewer than 2^n states, so that nothing is to be gained there. Let S be a set
// of numbers from 1 to n. After {p0} and {p0} with pi for all i not in S, what is left to be
// satisfied is fi for each i in S. The rest that has pi for i in T first, and nothing
// thereafter, satisfies the fi with i in T. So it is accepted after the beginning for S if and
// only if S is a subset of T, and for two such sets, one rest is rejected after the beginning
// of the other. Hence runs that accept different sets' own words are in different states in
// between (Birget, "Intersection and union of regular languages and state complexity", 1992).
func TestLeftNestedUntilIsLarge(t *testing.T) {
	for n := 1; n <= 6; n++ {
		s := ltl.NewFormulas()
		f := leftNested((*ltl.Formulas).Until)(s, n+1)
		all := uint64(1)<<(n+1) - 2
		for below := uint64(0); below <= all; below += 2 {
			for other := uint64(0); other <= all; other += 2 {
				letters := []uint64{1, 1 | all&^below, other, 0}
				word := ltl.Word{Length: len(letters), Loop: len(letters) - 1, Holds: func(p, at int) bool { return letters[at]>>p&1 == 1 }}
				if got, want := word.Satisfies(f), below&^other == 0; got != want {
					t.Fatalf("n = %d: the rest for %b after the beginning for %b satisfies the formula: %v, want %v", n, other, below, got, want)
				}
			}
		}
		if a := translated(t, s, f, false); a.States() != 1<<n {
			t.Errorf("n = %d: %d states, expected %d", n, a.States(), 1<<n)
		}
	}
}

// TestBuchiOfRecurrencesIsCheap: no function of all sets of propositions is made, of which
// there are 2^17; the work is counted in looks at the context.
func TestBuchiOfRecurrencesIsCheap(t *testing.T) {
	const n = 17
	s := ltl.NewFormulas()
	f := each((*ltl.Formulas).And, func(s *ltl.Formulas, i int) *ltl.Formula { return s.Globally(s.Finally(proposition(s, i))) })(s, n)
	a := translated(t, s, f, false)
	ctx := &countdown{Context: t.Context(), looks: 4000}
	b, err := degeneralize.Degeneralize(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	if b.States() != n+1 || b.Edges() != 2*(n+1) {
		t.Errorf("%d states, %d edges", b.States(), b.Edges())
	}
}

// BenchmarkTranslate takes formulas whose automata are small, and Büchi automata of them.
func BenchmarkTranslate(b *testing.B) {
	for _, c := range []struct {
		name    string
		formula family
		sizes   []int
		states  func(n int) int
	}{
		{"XXXp", func(s *ltl.Formulas, n int) *ltl.Formula { return nextTimes(s, n, proposition(s, 0)) }, []int{750, 1500, 3000, 6000}, func(n int) int { return n + 2 }},
		{"p0&Xp1&XXp2", each((*ltl.Formulas).And, func(s *ltl.Formulas, i int) *ltl.Formula { return nextTimes(s, i, proposition(s, i)) }), []int{100, 200, 400}, func(n int) int { return n + 1 }},
		{"(p0Rp1)Rp2", leftNested((*ltl.Formulas).Release), []int{50, 100, 200}, func(n int) int { return n }},
		{"(p0Mp1)Mp2", leftNested((*ltl.Formulas).StrongRelease), []int{50, 100, 200}, func(n int) int { return n }},
		{"p0U(p1Up2)", rightNested((*ltl.Formulas).Until), []int{50, 100, 200}, func(n int) int { return n }},
		{"p0R(p1Rp2)", rightNested((*ltl.Formulas).Release), []int{50, 100, 200}, func(n int) int { return n }},
		{"G(p0|p1|p2)", func(s *ltl.Formulas, n int) *ltl.Formula {
			return s.Globally(each((*ltl.Formulas).Or, proposition)(s, n))
		}, []int{750, 1500, 3000}, func(int) int { return 1 }},
		{"F(p0&p1&p2)", func(s *ltl.Formulas, n int) *ltl.Formula {
			return s.Finally(each((*ltl.Formulas).And, proposition)(s, n))
		}, []int{750, 1500, 3000}, func(int) int { return 2 }},
	} {
		for _, n := range c.sizes {
			b.Run(fmt.Sprintf("formula=%s/n=%d", c.name, n), func(b *testing.B) {
				s := ltl.NewFormulas()
				f := c.formula(s, n)
				for b.Loop() {
					a, err := translate.ToAutomaton(context.Background(), s, f, translate.Options{})
					if err != nil {
						b.Fatal(err)
					}
					buchi, err := degeneralize.Degeneralize(context.Background(), a)
					if err != nil || a.States() != c.states(n) || buchi.States() != a.States() {
						b.Fatalf("%d states, %d of a Büchi automaton, %v", a.States(), buchi.States(), err)
					}
				}
			})
		}
	}
}
