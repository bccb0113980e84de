package smtlib

import (
	"bufio"
	"math"
	"strings"
	"testing"
)

// TestExpressions reads answers of solvers, and refuses what is none.
func TestExpressions(t *testing.T) {
	read := func(text string) (Expression, error) {
		r := reader{text: bufio.NewReader(strings.NewReader(text)), left: maxAnswer}
		return r.read(0)
	}
	for text, want := range map[string]string{
		"sat\n": "sat", "\r\n ; a comment (\nunsat ": "unsat", "()": "()", "((p0 1)\n (p1 (- 2)))": "((p0 1) (p1 (- 2)))",
		`(error "line 1 ) column")`: "(error line 1 ) column)", "|a b|": "a b", "(a\"b\"c)": "(a b c)", "(a;c\n)": "(a)",
	} {
		e, err := read(text)
		if err != nil || e.String() != want {
			t.Errorf("%q is read as %s, %v; expected %s", text, e, err, want)
		}
	}
	for _, text := range []string{"", " ", ")", "(a", "sat", `"a`, "|a", strings.Repeat("(", 200), strings.Repeat("x", maxAnswer+1) + " ",
		"(" + strings.Repeat("a ", maxAnswer/64) + ")"} {
		if e, err := read(text); err == nil {
			t.Errorf("%.20q is read as %s", text, e)
		}
	}
	for text, want := range map[string]int64{"5 ": 5, "(- 5)": -5, "-5 ": -5, "(- 9223372036854775808)": math.MinInt64} {
		e, err := read(text)
		if n, ok := e.Integer(); !ok || n != want || err != nil {
			t.Errorf("%q is %d, %t, %v", text, n, ok, err)
		}
	}
	for _, text := range []string{"a ", "9223372036854775808 ", "(- 9223372036854775809)", "(- -5)", "(- 5 6)", "(+ 5)", "(- (- 5))", "()", "5.0 ", "(/ 1 2)"} {
		e, err := read(text)
		if n, ok := e.Integer(); ok || err != nil {
			t.Errorf("%q is %d, %v", text, n, err)
		}
		if large := e.isLarge(); large != strings.Contains(text, "922") {
			t.Errorf("%q is large: %t", text, large)
		}
	}
}

// FuzzExpressions: whatever is read, nothing panics, and what is written is short.
func FuzzExpressions(f *testing.F) {
	for _, text := range []string{"sat\n", "((p0 (- 1)))", `(error "x")`, "|a", "((((", ";"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := reader{text: bufio.NewReader(strings.NewReader(text)), left: maxAnswer}
		e, err := r.read(0)
		e.Integer()
		if err == nil && len(e.String()) > 100_000 {
			t.Errorf("%d bytes", len(e.String()))
		}
	})
}
