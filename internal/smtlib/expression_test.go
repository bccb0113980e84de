package smtlib

import (
	"bufio"
	"io"
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
// again gives the same byte for ever, and counts how often.
type again struct {
	char  byte
	given int
}

func (a *again) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = a.char
	}
	if a.given += len(p); a.given > 2*maxAnswer {
		return 0, io.ErrUnexpectedEOF
	}
	return len(p), nil
}

// TestEndlessAnswers: an answer that does not end is read up to the limit, also where it is of blanks or a comment.
func TestEndlessAnswers(t *testing.T) {
	for _, begin := range []string{"", "(", "(a ", `"`, "|", ";"} {
		for _, char := range []byte(" \n;(\x00x") {
			text := &again{char: char}
			r := reader{text: bufio.NewReader(io.MultiReader(strings.NewReader(begin), text)), left: maxAnswer}
			if e, err := r.read(0); err == nil || err == io.ErrUnexpectedEOF {
				t.Errorf("%s and %q: %v, %v", begin, char, e, err)
			}
		}
	}
}

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
