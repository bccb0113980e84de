package translate_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pnmc/automata"
	"pnmc/automata/degeneralize"
	"pnmc/automata/translate"
	"pnmc/internal/account"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// conjunction joins a pattern for the numbers 0 to n-1, in which # stands for the
// number.
func conjunction(n int, pattern string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = "(" + strings.ReplaceAll(pattern, "#", fmt.Sprint(i)) + ")"
	}
	return strings.Join(parts, " & ")
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		text   string
		limits translate.Options
	}{
		{conjunction(8, "Fp#"), translate.Options{MaxStates: 50}},
		{conjunction(8, "Fp#"), translate.Options{MaxEdges: 100}},
		{conjunction(8, "p# U q#"), translate.Options{MaxFormulas: 100}},
		{conjunction(30, "G(p# -> Fq#)"), translate.Options{MaxNodes: 20_000}},
		{conjunction(20_000, "Xp#"), translate.Options{}},
		{strings.ReplaceAll(conjunction(30, "p#"), "&", "<->"), translate.Options{MaxNodes: 20_000}},
		{strings.Repeat("X", 50) + "a", translate.Options{MaxDepth: 20}},
	} {
		s := ltl.NewFormulas()
		_, err := translate.ToAutomaton(context.Background(), s, parse(t, s, test.text), test.limits)
		if !errors.Is(err, translate.ErrLimit) {
			t.Errorf("%.40s with %+v: %v", test.text, test.limits, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := ltl.NewFormulas()
	if _, err := translate.ToAutomaton(ctx, s, parse(t, s, "a U b"), translate.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What takes minutes notices that its time is up, wherever it is: in the rewriting
// of many operands, in large decision diagrams, in reductions.
func TestCancelledInTime(t *testing.T) {
	for _, text := range []string{
		strings.ReplaceAll(conjunction(400, "Fp#"), " & ", " xor "),
		conjunction(300, "p# U q#"),
		conjunction(300, "G(p# -> Fq#)"),
		"!(" + conjunction(30, "G(p# -> Fq#)") + ")",
	} {
		s := ltl.NewFormulas()
		f := parse(t, s, text)
		ctx := &countdown{Context: context.Background(), looks: 20}
		_, err := translate.ToAutomaton(ctx, s, f, translate.Options{Negate: true})
		if !errors.Is(err, context.Canceled) || ctx.looks < -500 {
			t.Errorf("%.40s: %v, %d looks after the end", text, err, -ctx.looks)
		}
	}
}

// countdown is a context that ends when it was looked at so many times.
type countdown struct {
	context.Context
	looks int
}

func (c *countdown) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// A Büchi automaton of many edges is made in few of the ways that are tried for
// small ones: the work is counted in looks at the context.
func TestLargeBuchi(t *testing.T) {
	s := ltl.NewFormulas()
	a := translated(t, s, parse(t, s, "G("+conjunction(5, "a# -> Fb#")+")"), false)
	ctx := &countdown{Context: context.Background(), looks: 3000}
	b, err := degeneralize.Degeneralize(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	if b.States() != 96 || b.Edges() != 3072 {
		t.Errorf("%d states, %d edges; want 96, 3072", b.States(), b.Edges())
	}
}

// Thirty propositions are no obstacle where the formula asks for little.
func TestManyPropositions(t *testing.T) {
	for _, test := range []struct {
		text          string
		states, edges int
	}{
		{"G(" + conjunction(30, "p#") + ")", 1, 1},
		{"F(" + conjunction(30, "p#") + ")", 2, 3},
		{conjunction(30, "GFp#"), 1, 31},
		{conjunction(3000, "p#"), 2, 2},
		{strings.ReplaceAll(conjunction(30, "Gp#"), "&", "|"), 31, 60},
		{strings.ReplaceAll(conjunction(30, "FGp#"), "&", "|"), 31, 61},
		{conjunction(200, "GFp#"), 1, 201},
		{"!(" + conjunction(12, "GFp#") + ")", 13, 25},
		{"!(" + conjunction(12, "G(p# -> Fq#)") + ")", 13, 25},
	} {
		s := ltl.NewFormulas()
		a := translated(t, s, parse(t, s, test.text), false)
		if a.States() != test.states || a.Edges() != test.edges {
			t.Errorf("%.40s: %d states, %d edges; want %d, %d", test.text, a.States(), a.Edges(), test.states, test.edges)
		}
	}
}

// Thousands of literals in one clause, or of positions to wait for, cost little where the
// automaton is small, in both polarities.
func TestLongFormulas(t *testing.T) {
	disjunction := func(n int, pattern string) string { return strings.ReplaceAll(conjunction(n, pattern), "&", "|") }
	for _, test := range []struct {
		text                   string
		states, edges          int
		negatedStates, negated int // edges
	}{
		{"G(" + disjunction(3000, "p#") + ")", 1, 1, 2, 3},
		{"G(" + disjunction(5000, "!p#") + ")", 1, 1, 2, 3},
		{"G(" + conjunction(5000, "p#") + ")", 1, 1, 2, 3},
		{"F(" + conjunction(5000, "p#") + ")", 2, 3, 1, 1},
		{"F(" + disjunction(3000, "p#") + ")", 2, 3, 1, 1},
		{"GF(" + conjunction(3000, "p#") + ")", 1, 2, 2, 3},
		{"G(a -> (" + disjunction(3000, "p#") + "))", 1, 1, 2, 3},
		{conjunction(1500, "Xp#"), 3, 3, 3, 3},
		{disjunction(3000, "Xp#"), 3, 3, 3, 3},
		{strings.Repeat("X ", 1500) + "a", 1502, 1502, 1502, 1502},
	} {
		for _, negate := range []bool{false, true} {
			s := ltl.NewFormulas()
			want := size{test.states, test.edges}
			if negate {
				want = size{test.negatedStates, test.negated}
			}
			if a := translated(t, s, parse(t, s, test.text), negate); (size{a.States(), a.Edges()}) != want {
				t.Errorf("%.40s, negated %v: %d states, %d edges; want %v", test.text, negate, a.States(), a.Edges(), want)
			}
		}
	}
}

// Operators in one another have an automaton with a state each, and a Büchi automaton that
// is no larger, also where labels of that many propositions are too large to merge states.
func TestChains(t *testing.T) {
	chain := func(n int, operator string) string {
		return strings.ReplaceAll(strings.NewReplacer("(", "", ")", "").Replace(conjunction(n, "p#")), "&", operator)
	}
	for _, test := range []struct {
		text   string
		negate bool
		states int
	}{
		{chain(20, "R"), false, 20},
		{chain(60, "R"), false, 60},
		{chain(60, "U"), true, 60},
		{chain(60, "U"), false, 60},
		{chain(100, "U"), false, 100},
		{chain(30, "W"), false, 30},
		{chain(20, "M"), false, 20},
		{chain(60, "M"), false, 60},
		{nested(60), true, 60},
		{nested(60), false, 61},
		{nested(200), true, 200},
		{nested(200), false, 201},
		{chain(200, "R"), false, 200},
		{chain(200, "U"), true, 200},
		{strings.Repeat("X ", 700) + "a", false, 702},
		{"F(" + strings.Repeat("X ", 300) + "a)", false, 302},
	} {
		s := ltl.NewFormulas()
		a := translated(t, s, parse(t, s, test.text), test.negate)
		if a.States() != test.states {
			t.Errorf("%.40s: %d states, expected %d", test.text, a.States(), test.states)
		}
		b, err := degeneralize.Degeneralize(t.Context(), a)
		if err != nil {
			t.Errorf("%.40s: %v", test.text, err)
		} else if b.States() != test.states {
			t.Errorf("%.40s: a Büchi automaton of %d states, expected %d", test.text, b.States(), test.states)
		}
	}
}

// nested returns F(p0 & F(p1 & …)) of n propositions.
func nested(n int) string {
	text := fmt.Sprintf("F p%d", n-1)
	for i := n - 2; i >= 0; i-- {
		text = fmt.Sprintf("F(p%d & %s)", i, text)
	}
	return text
}

func TestClaims(t *testing.T) {
	for _, test := range []struct {
		text   string
		claims automata.Claims
		not    automata.Claims
	}{
		{"a U b", automata.ClaimTerminal | automata.ClaimDeterministic | automata.ClaimStutterInvariant, 0},
		{"Ga", automata.ClaimWeak | automata.ClaimDeterministic, automata.ClaimTerminal},
		{"GFa", automata.ClaimDeterministic | automata.ClaimComplete, automata.ClaimInherentlyWeak},
		{"FGa", automata.ClaimVeryWeak | automata.ClaimStutterInvariant, automata.ClaimDeterministic},
		{"Xa", automata.ClaimTerminal, automata.ClaimStutterInvariant},
		{"F(!a & Xa)", automata.ClaimStutterInvariant, 0},
		{"1", automata.ClaimTerminal | automata.ClaimComplete, 0},
	} {
		s := ltl.NewFormulas()
		a := translated(t, s, parse(t, s, test.text), false)
		if a.Claims&test.claims != test.claims || a.Claims&test.not != 0 {
			t.Errorf("%s: claims %b, want %b and not %b", test.text, a.Claims, test.claims, test.not)
		}
	}
}

func FuzzToAutomaton(f *testing.F) {
	for _, text := range []string{"a U b", "G(a -> Fb)", "GFa <-> GFb", "!(a R (b W Xc)) xor F(a M b)", "X[3] a | G[1:2] b",
		"l^j^L^ll^L^GL^l^l^j^L^l^l^L^l"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := ltl.NewFormulas()
		g, err := ltl.Parse(text, s)
		if err != nil || s.Len() > 40 || len(s.Propositions()) > 8 {
			return
		}
		limits := translate.Options{MaxStates: 200, MaxEdges: 2000, MaxNodes: 50_000, MaxFormulas: 5000}
		a, err := translate.ToAutomaton(context.Background(), s, g, limits)
		if err != nil {
			return
		}
		limits.Negate = true
		n, err := translate.ToAutomaton(context.Background(), s, g, limits)
		if err != nil {
			return
		}
		if a.States()*n.States() < 10_000 && meets(t, a, n) {
			t.Fatalf("%q and its negation accept a common word", text)
		}
	})
}

func ExampleToAutomaton() {
	formulas := ltl.NewFormulas()
	f, _ := ltl.Parse("G(request -> F answer)", formulas)
	a, err := translate.ToAutomaton(context.Background(), formulas, f, translate.Options{})
	fmt.Println(a.States(), a.Edges(), a.Acceptance.Name, a.Propositions, err)
	// Output: 2 4 Buchi [request answer] <nil>
}

// TestManyVariablesOnTheWay: edges of one state make more variables than the words of
// its cubes had room for.
func TestManyVariablesOnTheWay(t *testing.T) {
	text := "(X p46)"
	for i := 45; i >= 0; i-- {
		text = fmt.Sprintf("(X p%d) U %s", i, text)
	}
	s := ltl.NewFormulas()
	limits := translate.Options{MaxStates: 300}
	_, err := translate.ToAutomaton(context.Background(), s, parse(t, s, "G("+text+")"), limits)
	if err != nil && !errors.Is(err, translate.ErrLimit) {
		t.Error(err)
	}
}

// lookedAt is a context that counts the looks at it.
type lookedAt struct {
	context.Context
	looks int
}

func (c *lookedAt) Err() error { c.looks++; return c.Context.Err() }

// TestLongFormulasEndWithContext: a formula of bounded operators has far more operands than its text has
// names. What rewrites it looks at the context, and ends at each look.
func TestLongFormulasEndWithContext(t *testing.T) {
	s := ltl.NewFormulas()
	f := parse(t, s, "F[0:100]("+strings.ReplaceAll(conjunction(2000, "p#"), "&", "|")+")")
	counted := &lookedAt{Context: t.Context()}
	if made, err := translate.RewrittenWithin(counted, s, f); err != nil || made < 200 {
		t.Fatalf("%d formulas, %v", made, err)
	}
	if counted.looks < 20 {
		t.Errorf("%d looks", counted.looks)
	}
	for looks := range counted.looks - 1 {
		if looks%7 == 0 {
			if _, err := translate.RewrittenWithin(account.EndsAfter(looks), s, f); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("after %d looks: %v", looks, err)
			}
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _ = translate.RewrittenWithin(account.EndsAfter(0), s, f)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; made > 1<<20 {
		t.Errorf("%d bytes are made after the end", made)
	}
	if err := translate.NegatedWithin(account.EndsAfter(0), s, parse(t, s, "a xor b")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a negation: %v", err)
	}
	ctx, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: account.InUse() + 8<<20})
	defer stop(nil)
	var full *petri.MemoryError
	if _, err := translate.ToAutomaton(ctx, s, f, translate.Options{}); !errors.As(err, &full) && !errors.As(context.Cause(ctx), &full) {
		t.Errorf("%v, %v, expected the end of the memory", err, context.Cause(ctx))
	}
}
