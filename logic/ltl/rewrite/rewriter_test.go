package rewrite_test

import (
	"fmt"
	"testing"

	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

func formula(t *testing.T, s *ltl.Formulas, text string) *ltl.Formula {
	t.Helper()
	f, err := ltl.Parse(text, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Each rule at work, on a formula for which it is needed. Formulas are equal to
// what is expected as formulas, not as text.
func TestSimplify(t *testing.T) {
	for _, test := range []struct{ from, to string }{
		// negation normal form
		{"!(a U b)", "!a R !b"},
		{"!(a W Xb)", "!a M X!b"},
		{"!G(a -> Fb)", "F(a & G!b)"},
		{"a xor Xb", "(a & X!b) | (!a & Xb)"},
		// Boolean formulas
		{"(a & b) | (a & !b)", "a"},
		{"a & (!a | b)", "a & b"},
		{"(a | b) & (a | !b) & !a", "0"},
		// X
		{"Xa & Xb", "X(a & b)"},
		{"X(a & GFb)", "Xa & GFb"},
		{"FXa", "XFa"},
		{"Xa U Xb", "X(a U b)"},
		// F and G
		{"F(a | Fb)", "F(a | b)"},
		{"G(a & Gb)", "G(a & b)"},
		{"F(a U b)", "Fb"},
		{"G(a R b)", "Gb"},
		{"F(a W b)", "Fb | FGa"},
		{"G(a U b)", "G(a | b) & GFb"},
		{"FGF(a | b)", "GF(a | b)"},
		{"GF(a & Fb)", "G(Fa & Fb)"},
		{"FG(a & Fb)", "FGa & GFb"},
		{"GF(a & XFc)", "G(Fa & Fc)"},
		{"G(a | GFb)", "Ga | GFb"},
		{"G(Fa | Gb)", "G(Fa | Gb)"},
		// U, W, R, M
		{"a U Fb", "Fb"},
		{"!a U a", "Fa"},
		{"!a W a", "1"},
		{"a U (a & b)", "b M a"},
		{"a U (b | Ga)", "a W b"},
		{"a R (a | b)", "b W a"},
		{"a R (b & Fa)", "a M b"},
		{"a R Gb", "Gb"},
		{"Fa M b", "Fa & b"},
		{"(a | b) U b", "a U b"},
		{"(a & !b) U b", "a U b"},
		{"(a & b) R b", "a R b"},
		{"(a U b) U b", "a U b"},
		{"(a W b) U b", "a U b"},
		{"a U ((a | b) U c)", "(a | b) U c"},
		{"a W (a U b)", "a W b"},
		{"a U (b & GFc)", "(a U b) & GFc"},
		// conjunctions and disjunctions
		{"(a U c) & (b W c)", "(a & b) U c"},
		{"(a R b) & (a M c)", "a M (b & c)"},
		{"(a U b) | (a W c)", "a W (b | c)"},
		{"(a R c) | (b R c)", "(a | b) R c"},
		{"(a W b) & Fb", "a U b"},
		{"(a M b) | Gb", "a R b"},
		{"a & XGa", "Ga"},
		{"b | (a & X(a U b))", "a U b"},
		{"Ga & (b U (a & c))", "Ga & (b U c)"},
		{"Fa | (b U (a & c))", "Fa"},
		{"GFa & Fa", "GFa"},
		{"Ga & F!a", "0"},
	} {
		s := ltl.NewFormulas()
		f := formula(t, s, test.from)
		got, want := rewrite.New(s).Simplify(f), formula(t, s, test.to)
		if got != want {
			t.Errorf("%s: %s, want %s", test.from, s.Text(got, ltl.SpotSyntax), test.to)
		}
	}
}

func TestGather(t *testing.T) {
	for _, test := range []struct{ from, to string }{
		{"Fa | GFb", "F(a | GFb)"},
		{"FGa | GFb | c", "F(Ga | GFb) | c"},
		{"X(Fa | GFb)", "XF(a | GFb)"},
		{"Ga | GFb", "Ga | GFb"},
	} {
		s := ltl.NewFormulas()
		f := formula(t, s, test.from)
		got := rewrite.New(s).Gather(f)
		if want := formula(t, s, test.to); got != want {
			t.Errorf("%s: %s, want %s", test.from, s.Text(got, ltl.SpotSyntax), test.to)
		}
	}
}

func TestWait(t *testing.T) {
	for _, test := range []struct{ from, to string }{
		{"G(a | Gb)", "a W Gb"},
		{"G(a | c | G(b | X Gc))", "(a | c) W (b W X Gc)"},
		{"F(d & G(a | Gb | (Gc & XGd)))", "F(d & (a W (Gb | (Gc & XGd))))"},
		{"G(a | Fb)", "G(a | Fb)"},
		{"G(a | GFb)", "G(a | GFb)"},
		{"G(Ga | Gb)", "G(Ga | Gb)"},
		{"!a U G(a | b)", "!a U G(a | b)"},
	} {
		s := ltl.NewFormulas()
		f := formula(t, s, test.from)
		got := rewrite.New(s).Wait(f)
		if want := formula(t, s, test.to); got != want {
			t.Errorf("%s: %s, want %s", test.from, s.Text(got, ltl.SpotSyntax), test.to)
		}
	}
}

// Simplifying twice changes nothing.
func TestSimplifyIsIdempotent(t *testing.T) {
	for _, text := range []string{
		"(a U (b R c)) W (X(d & Ga) M Fb)", "!(GFa -> (GFb <-> FGc))", "G(a -> X(b U c)) & F(a & X!b)",
	} {
		s := ltl.NewFormulas()
		f := formula(t, s, text)
		once := rewrite.New(s).Simplify(f)
		if twice := rewrite.New(s).Simplify(once); twice != once {
			t.Errorf("%s: %s, then %s", text, s.Text(once, ltl.SpotSyntax), s.Text(twice, ltl.SpotSyntax))
		}
	}
}

// Rules that lead in a circle end.
func TestSimplifyCircle(t *testing.T) {
	s := ltl.NewFormulas()
	f := formula(t, s, "l^j^L^ll^L^GL^l^l^j^L^l^l^L^l")
	w := rewrite.New(s)
	for _, g := range []*ltl.Formula{f, s.Not(f)} {
		if simple := w.Simplify(g); !simple.Has(ltl.NegationNormal) {
			t.Errorf("%s", s.Text(simple, ltl.SpotSyntax))
		}
	}
}

func TestImplies(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     bool
	}{
		{"a & b", "a", true},
		{"a", "a & b", false},
		{"Ga", "a", true},
		{"Ga", "XXa", true},
		{"Ga", "a W b", true},
		{"GFa", "XFa", true},
		{"a U b", "Fb", true},
		{"a U b", "a W b", true},
		{"a W b", "a U b", false},
		{"a M b", "b U a", true},
		{"a R b", "b W a", true},
		{"a R b", "b", true},
		{"Xa", "Xa | b", true},
		{"XFa", "Fa", true},
		{"(a & c) U (b & c)", "c R (a | b)", true},
		{"Fa", "a", false},
	} {
		s := ltl.NewFormulas()
		f, g := formula(t, s, test.from), formula(t, s, test.to)
		if got := rewrite.New(s).Implies(f, g); got != test.want {
			t.Errorf("%s implies %s: %v", test.from, test.to, got)
		}
	}
}

func TestTraits(t *testing.T) {
	for _, test := range []struct {
		text     string
		has, not ltl.Traits
	}{
		{"a & !b", ltl.Boolean | ltl.Safety | ltl.Guarantee | ltl.StutterInvariant | ltl.NegationNormal, ltl.Eventual},
		{"Fa", ltl.Eventual | ltl.Guarantee | ltl.Obligation, ltl.Universal | ltl.Safety | ltl.Boolean},
		{"Ga", ltl.Universal | ltl.Safety, ltl.Eventual | ltl.Guarantee},
		{"GFa", ltl.Suspendable | ltl.Recurrence, ltl.Persistence | ltl.Obligation},
		{"FGa", ltl.Suspendable | ltl.Persistence, ltl.Recurrence},
		{"GFa -> GFb", ltl.Suspendable, ltl.Recurrence | ltl.NegationNormal},
		{"!Fa", ltl.Universal | ltl.Safety, ltl.NegationNormal},
		{"Xa", ltl.Safety | ltl.Guarantee, ltl.StutterInvariant | ltl.Boolean},
		{"(Fa | Gb) U c", ltl.Obligation, ltl.Safety | ltl.Guarantee},
		{"a W (Fb & Gc)", ltl.Obligation, ltl.Safety},
		{"(a U b) R c", ltl.Obligation, ltl.Safety},
		{"Ga <-> Fb", ltl.Obligation, ltl.Safety},
		{"G(a -> Fb)", ltl.Recurrence | ltl.Universal, ltl.Persistence | ltl.Eventual},
	} {
		s := ltl.NewFormulas()
		f := formula(t, s, test.text)
		for trait := ltl.Boolean; trait <= ltl.NegationNormal; trait <<= 1 {
			if test.has&trait != 0 && !f.Has(trait) || test.not&trait != 0 && f.Has(trait) {
				t.Errorf("%s: trait %b is %v", test.text, trait, f.Has(trait))
			}
		}
	}
}

// Equal formulas are one node, and constructors normalize trivial cases.
func TestFormulasAreKeptOnce(t *testing.T) {
	s := ltl.NewFormulas()
	a, b := s.Atom("a"), s.Atom("b")
	for i, pair := range [][2]*ltl.Formula{
		{s.And(a, b), s.And(b, a, a)},
		{s.And(a, s.And(b, s.True())), s.And(a, b)},
		{s.Or(a, s.Not(a)), s.True()},
		{s.And(), s.True()},
		{s.Or(), s.False()},
		{s.Until(s.True(), a), s.Finally(a)},
		{s.Release(s.False(), a), s.Globally(a)},
		{s.WeakUntil(a, s.False()), s.Globally(a)},
		{s.StrongRelease(a, s.True()), s.Finally(a)},
		{s.WeakUntil(s.True(), a), s.True()},
		{s.Not(s.Not(a)), a},
		{s.Xor(a, a), s.False()},
		{s.Equivalent(a, s.True()), a},
		{s.Implies(a, s.False()), s.Not(a)},
		{s.Next(s.True()), s.True()},
		{s.Atom("a"), a},
	} {
		if pair[0] != pair[1] {
			t.Errorf("pair %d: %s and %s", i, s.Text(pair[0], ltl.SpotSyntax), s.Text(pair[1], ltl.SpotSyntax))
		}
	}
	other := ltl.NewFormulas()
	f := s.Until(a, s.Next(b))
	if got := other.Text(other.Import(f, s), ltl.SpotSyntax); got != s.Text(f, ltl.SpotSyntax) {
		t.Errorf("imported: %s", got)
	}
}

func ExampleRewriter_Simplify() {
	formulas := ltl.NewFormulas()
	f, _ := ltl.Parse("!(G(a -> Fb) | FGF a)", formulas)
	simple := rewrite.New(formulas).Simplify(f)
	fmt.Println(formulas.Text(simple, ltl.SpotSyntax))
	// Output: F(a & G!b) & FG!a
}
