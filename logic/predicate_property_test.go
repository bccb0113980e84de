package logic

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/arithmetic"
	"pnmc/logic/internal/logictest"
)

// state is a marking of logictest.Small and which transitions are enabled.
type state struct {
	marking []int64
	enabled []bool
}

func (s state) holds(p *Predicate) bool {
	return p.Holds(s.marking, len(s.enabled), func(t uint32) bool { return s.enabled[t] })
}

func drawState(t *rapid.T) state {
	count := rapid.OneOf(rapid.Int64Range(0, 4), rapid.Int64Range(math.MaxInt64-2, math.MaxInt64))
	return state{
		marking: rapid.SliceOfN(count, 3, 3).Draw(t, "marking"),
		enabled: rapid.SliceOfN(rapid.Bool(), 2, 2).Draw(t, "enabled"),
	}
}

// meaning is a number or a proposition together with its text; it is evaluated
// while it is drawn, without a tree.
type meaning struct {
	text   string
	number *big.Int
	truth  bool
}

// drawNumber draws a sum of places and constants.
func drawNumber(t *rapid.T, s state, depth int) meaning {
	switch choice := rapid.IntRange(0, 2+4*min(max(depth, 0), 1)).Draw(t, "number"); choice {
	case 0, 1:
		p := rapid.IntRange(0, 2).Draw(t, "place")
		quoted := rapid.SampledFrom([]string{"%s", `"%s"`, "'%s'", "tokens(%s)", `tokens-count("%s")`}).Draw(t, "quotes")
		return meaning{text: fmt.Sprintf(quoted, logictest.Small.PlaceIDs[p]), number: big.NewInt(s.marking[p])}
	case 2:
		n := rapid.Int64Range(0, 5).Draw(t, "constant")
		return meaning{text: fmt.Sprint(n), number: big.NewInt(n)}
	case 3:
		a := drawNumber(t, s, depth-1)
		n := rapid.Int64Range(-3, 3).Draw(t, "factor")
		return meaning{fmt.Sprintf("%d*(%s)", n, a.text), new(big.Int).Mul(a.number, big.NewInt(n)), false}
	default:
		a, b := drawNumber(t, s, depth-1), drawNumber(t, s, depth-1)
		if choice == 6 {
			return meaning{"(" + a.text + ") * (" + b.text + ")", new(big.Int).Mul(a.number, b.number), false}
		}
		if choice == 4 {
			return meaning{a.text + " + " + b.text, new(big.Int).Add(a.number, b.number), false}
		}
		return meaning{a.text + " - (" + b.text + ")", new(big.Int).Sub(a.number, b.number), false}
	}
}

// drawProposition draws a proposition.
func drawProposition(t *rapid.T, s state, depth int) meaning {
	switch rapid.IntRange(0, 4+7*min(max(depth, 0), 1)).Draw(t, "proposition") {
	case 0, 1, 2:
		a, b := drawNumber(t, s, 2), drawNumber(t, s, 2)
		sign := a.number.Cmp(b.number)
		operator := rapid.SampledFrom([]string{"<", "<=", ">", ">=", "==", "=", "!="}).Draw(t, "comparison")
		truth := map[string]bool{"<": sign < 0, "<=": sign <= 0, ">": sign > 0, ">=": sign >= 0,
			"==": sign == 0, "=": sign == 0, "!=": sign != 0}[operator]
		return meaning{text: a.text + operator + b.text, truth: truth}
	case 3:
		text := rapid.SampledFrom([]string{"true", "false", "deadlock", "fireable(t)", "fireable(u,t)", "p"}).Draw(t, "constant")
		truth := map[string]bool{"true": true, "deadlock": !s.enabled[0] && !s.enabled[1],
			"fireable(t)": s.enabled[0], "fireable(u,t)": s.enabled[0] || s.enabled[1],
			"p": s.marking[0] > 0}[text]
		return meaning{text: text, truth: truth}
	case 4, 5:
		a := drawProposition(t, s, depth-1)
		return meaning{text: "!(" + a.text + ")", truth: !a.truth}
	default:
		a, b := drawProposition(t, s, depth-1), drawProposition(t, s, depth-1)
		operator := rapid.SampledFrom([]string{"&", "|", "->", "<->", "xor", "=="}).Draw(t, "connective")
		truth := map[string]bool{"&": a.truth && b.truth, "|": a.truth || b.truth,
			"->": !a.truth || b.truth, "<->": a.truth == b.truth, "xor": a.truth != b.truth,
			"==": a.truth == b.truth}[operator]
		return meaning{text: "(" + a.text + ") " + operator + " (" + b.text + ")", truth: truth}
	}
}

// What is parsed, printed and simplified means what the text means.
func TestPredicateMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawState(t)
		want := drawProposition(t, s, 4)
		p, err := ParsePredicate(want.text, logictest.Small)
		if err != nil {
			t.Fatalf("%s: %v", want.text, err)
		}
		if s.holds(p) != want.truth {
			t.Fatalf("%s: parsed as %s", want.text, p.Text(logictest.Small))
		}
		again, err := ParsePredicate(p.Text(logictest.Small), logictest.Small)
		if err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("%s prints as %s: %v", want.text, p.Text(logictest.Small), err)
		}
		simple := p.Simplify()
		if s.holds(simple) != want.truth {
			t.Fatalf("%s is simplified to %s", p.Text(logictest.Small), simple.Text(logictest.Small))
		}
		if once := simple.Simplify(); !reflect.DeepEqual(once, simple) {
			t.Fatalf("%s is simplified to %s, and that to %s", p.Text(logictest.Small), simple.Text(logictest.Small), once.Text(logictest.Small))
		}
		again, err = ParsePredicate(simple.Text(logictest.Small), logictest.Small)
		if err != nil || !reflect.DeepEqual(simple, again) {
			t.Fatalf("simplified %s prints differently: %v", simple.Text(logictest.Small), err)
		}
		checkSimple(t, simple, true)
	})
}

// checkSimple verifies what Simplify promises.
func checkSimple(t *rapid.T, p *Predicate, root bool) {
	for _, o := range p.Operands {
		if o.Operator == p.Operator && (p.Operator == And || p.Operator == Or) ||
			p.Operator == Not && (o.Operator == Not || o.Operator == AtMost || o.Operator == PolynomialAtMost) {
			t.Fatalf("%s in %s", o.Text(logictest.Small), p.Text(logictest.Small))
		}
		checkSimple(t, o, false)
	}
	if !root && (p.Operator == True || p.Operator == False) {
		t.Fatalf("a constant below the root")
	}
}

// Sign agrees with integers of any size where 64 bits overflow, and Value with steps that each
// report whether they fit.
func TestSumSign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Int64Range(-3, 3), rapid.Int64Range(math.MinInt64, math.MinInt64+3),
			rapid.Int64Range(math.MaxInt64-3, math.MaxInt64))
		s := Sum{Constant: number.Draw(t, "constant")}
		var marking []int64
		for i := range rapid.IntRange(0, 4).Draw(t, "terms") {
			s.Terms = append(s.Terms, Term{uint32(i), number.Draw(t, "coefficient")})
			marking = append(marking, number.Draw(t, "tokens"))
		}
		if got, want := s.Sign(marking), s.valueBig(marking).Sign(); got != want {
			t.Fatalf("%v in %v: %d, want %d", s, marking, got, want)
		}
		want, fits := s.Constant, true
		for _, term := range s.Terms {
			product, small := arithmetic.Multiply(term.Coefficient, marking[term.Place])
			next, sums := arithmetic.Add(want, product)
			want, fits = next, fits && small && sums
		}
		if got, ok := s.Value(marking); ok != fits || ok && got != want {
			t.Fatalf("%v in %v: %d, %v, want %d, %v", s, marking, got, ok, want, fits)
		}
	})
}

func TestSimplify(t *testing.T) {
	for text, want := range map[string]string{
		"p >= 0":                     "true",
		"p < 0":                      "false",
		"p + 1 == 0":                 "false",
		"0 == -1 - p":                "false",
		"2*p <= 5":                   "p <= 2",
		"2*p >= 5":                   "p >= 3",
		"2*p == 5":                   "false",
		"2*p + 4*q == 6":             "p + 2*q == 3",
		"!(p <= 2)":                  "p >= 3",
		"!(p == 2)":                  "p != 2",
		"p & (q & r) & true":         "p & q & r",
		"p & !!(q | false)":          "p & q",
		"p & 1 > 2":                  "false",
		"p | 1 < 2":                  "true",
		"true <-> p":                 "p",
		"p <-> false":                "p <= 0",
		"p xor q":                    "!(p <-> q)",
		"1 == 1":                     "true",
		"deadlock -> fireable(t, u)": "!deadlock | fireable(t,u)",
		"p <= -9223372036854775807":  "false",
		"p*q >= 0":                   "true",
		"p*q + r < 0":                "false",
		"p*q - q*p + r <= 3":         "r <= 3",
		"!(p*q <= 2)":                "p*q >= 3",
		"!(p*q == 2)":                "p*q != 2",
		"(p-1)*(q-1) = 0 & true":     "(q-1)*(p-1) = 0",
		"0*p*q + 1 = 0":              "false",
	} {
		p, err := ParsePredicate(text, logictest.Small)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		w, err := ParsePredicate(want, logictest.Small)
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		if got := p.Simplify(); !reflect.DeepEqual(got, w) {
			t.Errorf("%s: got %s, want %s", text, got.Text(logictest.Small), want)
		}
	}
}

// FuzzParsePolynomial reads any text as a number: a sum is what has no products.
func FuzzParsePolynomial(f *testing.F) {
	for _, text := range []string{"p", "p1 + 2*p2", "p1 * p2", "3 - 2*(p - 1) * (p + 4)", "tokens(p, p1)", "group", "9223372036854775807*2", "(p*p1)*(p2*p)", "p * 0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		number, err := PredicateParser{Vocabulary: logictest.Names}.ParsePolynomial(text)
		sum, sumErr := ParseSum(text, logictest.Names)
		var syntax *SyntaxError
		for _, err := range []error{err, sumErr} {
			if err != nil && !errors.As(err, &syntax) {
				t.Fatalf("%q: %v is no syntax error", text, err)
			}
		}
		if (sumErr == nil) != (err == nil && len(number.Products) == 0) || sumErr == nil && !reflect.DeepEqual(sum, number.Sum) {
			t.Fatalf("%q is %v, %v, and the sum %v, %v", text, number, err, sum, sumErr)
		}
	})
}

func FuzzParsePredicate(f *testing.F) {
	for _, file := range []string{"predicates.txt", "predicate_errors.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if line != "" && line[0] != '#' && line[0] != '\t' {
				f.Add(line)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePredicate(text, logictest.Names)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("%q: %v is no syntax error", text, err)
			}
			if syntax.Offset < 0 || syntax.Offset > len(text) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("%q: %v at offset %d", text, err, syntax.Offset)
			}
			return
		}
		printed := p.Text(logictest.Names)
		again, err := ParsePredicate(printed, logictest.Names)
		if err != nil {
			t.Fatalf("%q prints as %q: %v", text, printed, err)
		}
		if !reflect.DeepEqual(p, again) {
			t.Fatalf("%q prints as %q, which prints as %q", text, printed, again.Text(logictest.Names))
		}
		s := state{marking: make([]int64, len(logictest.Names.PlaceIDs)), enabled: make([]bool, len(logictest.Names.TransitionIDs))}
		for i := range s.marking {
			s.marking[i] = int64(i * i)
		}
		if simple := p.Simplify(); s.holds(p) != s.holds(simple) {
			t.Fatalf("%q is simplified to %q", text, simple.Text(logictest.Names))
		}
	})
}

func ExampleParsePredicate() {
	for _, text := range []string{"p1 + p2 < 3 & !is-fireable(t)", "Catch1_4 >= 1"} {
		p, err := ParsePredicate(text, logictest.Names)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(p.Text(logictest.Names))
	}
	// Output:
	// tokens-count("p1", "p2") <= 2 & !is-fireable("t")
	// 1:1: no place "Catch1_4"; did you mean "Catch1_3"?
}
