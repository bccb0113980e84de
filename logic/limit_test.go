package logic

import (
	"errors"
	"strings"
	"testing"
)

// A reader of a large formula asks its limit all the while, and ends with it: while it
// scans, while it parses, and while it makes the formula.
func TestReadingHasLimit(t *testing.T) {
	v := ctlNames
	long := func(operand, between string) string {
		return strings.Repeat(operand+between, 8_000) + operand
	}
	readers := map[string]func(limit Limit) error{
		"LTL": func(limit Limit) error {
			_, err := FormulaParser{Formulas: NewFormulas(), Limit: limit}.Parse(long("F a", " | "))
			return err
		},
		"LBT": func(limit Limit) error {
			text := balanced(1 << 13)
			_, err := FormulaParser{Formulas: NewFormulas(), Syntax: LBTSyntax, Limit: limit}.Parse(text)
			return err
		},
		"CTL": func(limit Limit) error {
			_, err := CTLParser{Vocabulary: v, Limit: limit}.Parse(long("EF p >= 1", " | "))
			return err
		},
		"predicate": func(limit Limit) error {
			_, err := PredicateParser{Vocabulary: v, Limit: limit}.Parse(long("p >= 1", " | "))
			return err
		},
		"sum": func(limit Limit) error {
			_, err := PredicateParser{Vocabulary: v, Limit: limit}.Parse(long("p", " + ") + " >= 1")
			return err
		},
		"names": func(limit Limit) error {
			_, err := PredicateParser{Vocabulary: v, Limit: limit}.Parse("tokens(" + long("p", ", ") + ") >= 1")
			return err
		},
		"file of propositions": func(limit Limit) error {
			_, err := PredicateParser{Vocabulary: v, Limit: limit}.ReadPropositions(strings.NewReader("a: "+long("p", " + ")+" >= 1"), "file")
			return err
		},
		"file": func(limit Limit) error {
			_, err := ReadFormulas(strings.NewReader("name: "+long("F a", " | ")), "file",
				FormulaParser{Formulas: NewFormulas(), Limit: limit})
			return err
		},
		"name of a proposition": func(limit Limit) error {
			check := func(name string) error {
				_, err := PredicateParser{Vocabulary: v, Limit: limit}.Parse(name)
				return err
			}
			_, err := FormulaParser{Formulas: NewFormulas(), Check: check}.Parse(`G "` + long("p", " | ") + `"`)
			return err
		},
	}
	over := errors.New("over")
	for name, read := range readers {
		asked, bytes := 0, 0
		if err := read(func(n int) error { asked++; bytes += n; return nil }); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if least := 1 << 20; bytes < least || asked < 2*8_000 {
			t.Errorf("%s: asked %d times for %d bytes", name, asked, bytes)
		}
		for _, part := range []int{3, 8} {
			calls := 0
			err := read(func(int) error {
				if calls++; calls > asked*part/10 {
					return over
				}
				return nil
			})
			var limit *LimitError
			if !errors.As(err, &limit) || limit.Err != over {
				t.Errorf("%s: after %d of 10 parts: %v, expected the error of the limit", name, part, err)
			}
			if most := asked*part/10 + 1; calls > most {
				t.Errorf("%s: asked %d times, %d after the end", name, calls, calls-most)
			}
		}
	}
}

// balanced is a conjunction of n propositions in LBT's syntax.
func balanced(n int) string {
	if n == 1 {
		return "p1"
	}
	return "& " + balanced(n/2) + " " + balanced(n-n/2)
}
