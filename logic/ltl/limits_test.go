package ltl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pnmc/logic"
	"pnmc/logic/ltl"
)

// disjunction returns a disjunction of n propositions.
func disjunction(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(" | ")
		}
		fmt.Fprintf(&b, "a%d", i)
	}
	return b.String()
}

// TestFormulasLongerThanTheirTextsAskTheLimit: what repeated operators make of a text is asked for, and
// not made where the limit ends. So is what nested parentheses make.
func TestFormulasLongerThanTheirTextsAskTheLimit(t *testing.T) {
	const operands, times = 1000, 300
	pointers := 8 * operands * times // of the operands alone
	prefixed := func(text string) string { return strings.Repeat("| ", operands-1) + text }
	for name, test := range map[string]struct {
		text   string
		syntax ltl.Syntax
		made   int // formulas, at least
		least  int // bytes
	}{
		"F[0:n] of a disjunction":         {text: fmt.Sprintf("F[0:%d](%s)", times, disjunction(operands)), made: times, least: pointers},
		"G[0:n] of a conjunction":         {text: fmt.Sprintf("G[0:%d](%s)", times, strings.ReplaceAll(disjunction(operands), "|", "&")), made: times, least: pointers},
		"many F[0:n]":                     {text: "F[0:300]" + strings.Join(strings.Split(disjunction(operands), " | "), " & F[0:300]"), made: 2 * operands * times, least: 2 * operands * times * 100},
		"many X[n]":                       {text: "X[300]" + strings.Join(strings.Split(disjunction(operands), " | "), " & X[300]"), made: operands * times, least: operands * times * 100},
		"disjunctions in parentheses":     {text: strings.Repeat("(", times) + disjunction(operands) + strings.Repeat(") | x", times), made: 1, least: pointers},
		"disjunctions in prefix notation": {text: strings.Repeat("| x ", 1) + prefixed(strings.Join(strings.Split(disjunction(operands), " | "), " ")), syntax: ltl.LBTSyntax, made: 1, least: 8 * operands * operands / 2},
	} {
		formulas := ltl.NewFormulas()
		bytes, most := 0, 0
		parser := ltl.Parser{Formulas: formulas, Syntax: test.syntax, Limit: func(n int) error {
			bytes += n
			most = max(most, n)
			return nil
		}}
		if _, err := parser.Parse(test.text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := 2000 * len(strings.Fields(test.text)) // what reading it asks for
		if bytes < test.least || formulas.Len() < test.made {
			t.Errorf("%s: asked for %d bytes, expected %d or more, for %d formulas", name, bytes, test.least, formulas.Len())
		}
		if most > text {
			t.Errorf("%s: asked for %d bytes at once", name, most)
		}
		// Of a limit that ends in the middle, no more is made than was asked for.
		over := errors.New("over")
		asked := 0
		parser.Formulas = ltl.NewFormulas()
		parser.Limit = func(n int) error {
			if asked += n; asked > bytes/2 {
				return over
			}
			return nil
		}
		var limit *logic.LimitError
		if _, err := parser.Parse(test.text); !errors.As(err, &limit) || limit.Err != over {
			t.Errorf("%s: %v, expected the error of the limit", name, err)
		}
		if made := parser.Formulas.Len(); formulas.Len() > 2*operands && made > formulas.Len()*3/4 {
			t.Errorf("%s: %d of %d formulas were made", name, made, formulas.Len())
		}
	}
}
