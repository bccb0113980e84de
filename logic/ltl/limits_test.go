package ltl_test

import (
	"errors"
	"fmt"
	"slices"
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

// TestTooLargeLinesEndAlone: a line of a file with no room for what becomes of it is told with its place, nothing
// of it stays, and the other lines are read as if it were not there.
func TestTooLargeLinesEndAlone(t *testing.T) {
	text := "first: F a7\nlarge: G b & F[0:300](" + disjunction(1000) + ")\nF[0:300](" + disjunction(1001) + ")\n# none\nlast: G (a8 | b | F a7)\n"
	room := func(bytes int) func() logic.Limit {
		return func() logic.Limit {
			left := bytes
			return func(n int) error {
				if left -= n; left < 0 {
					return errors.New("no room")
				}
				return nil
			}
		}
	}
	never := func(int) error { return nil }
	s, want := ltl.NewFormulas(), ltl.NewFormulas()
	found, err := ltl.Read(strings.NewReader(text), "f.ltl", ltl.Parser{Formulas: s, Limit: never, LineLimit: room(2 << 20)})
	var told []string
	for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
		var large *logic.TooLargeError
		if !errors.As(one, &large) {
			t.Fatal(one)
		}
		told = append(told, fmt.Sprintf("%s, %.10s", large, large.Formula))
	}
	if got := strings.Join(told, "; "); got != "f.ltl:2: no room, large; f.ltl:3: no room, F[0:300](a" {
		t.Errorf("told %q", got)
	}
	if len(found) != 2 || found[0].Name != "first" || found[1].Name != "last" || found[1].Line != 5 {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		g, err := ltl.Parse(f.Text, want)
		if err != nil || g.Number() != f.Formula.Number() || want.Text(g, ltl.SpotSyntax) != s.Text(f.Formula, ltl.SpotSyntax) {
			t.Errorf("%s is formula %d, expected %d; %v", f.Name, f.Formula.Number(), g.Number(), err)
		}
	}
	if s.Len() != want.Len() || !slices.Equal(s.Propositions(), want.Propositions()) {
		t.Errorf("%d formulas over %d propositions stay, expected %d over %d", s.Len(), len(s.Propositions()), want.Len(), len(want.Propositions()))
	}
	over := errors.New("over")
	found, err = ltl.Read(strings.NewReader(text), "f.ltl", ltl.Parser{Formulas: s, LineLimit: room(2 << 20), Limit: func(n int) error {
		if n == 0 {
			return over // the whole file ends with the line
		}
		return nil
	}})
	if errors.As(err, new(*logic.TooLargeError)) || !errors.As(err, new(*logic.LimitError)) || len(found) != 1 {
		t.Errorf("%d formulas, %v", len(found), err)
	}
}
