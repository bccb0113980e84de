package ltl

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic"
)

// lasso is an infinite word over the propositions a, b and c: letters[i] tells
// which hold at position i, and after the last position comes loop.
type lasso struct {
	letters [][3]bool
	loop    int
}

func drawLasso(t *rapid.T) lasso {
	letter := rapid.Custom(func(t *rapid.T) [3]bool {
		return [3]bool{rapid.Bool().Draw(t, "a"), rapid.Bool().Draw(t, "b"), rapid.Bool().Draw(t, "c")}
	})
	letters := rapid.SliceOfN(letter, 1, 5).Draw(t, "letters")
	return lasso{letters, rapid.IntRange(0, len(letters)-1).Draw(t, "loop")}
}

// after returns the position n steps after i.
func (w lasso) after(i, n int) int {
	for range n {
		if i++; i == len(w.letters) {
			i = w.loop
		}
	}
	return i
}

// each reports for all positions of w whether one satisfies what holds says.
func (w lasso) each(holds func(i int) bool) []bool {
	truth := make([]bool, len(w.letters))
	for i := range truth {
		truth[i] = holds(i)
	}
	return truth
}

// until reports at which positions f U g holds, or f W g, by walking along w for
// as long as it takes to see every position.
func (w lasso) until(f, g []bool, weak bool) []bool {
	return w.each(func(i int) bool {
		for n := range 2 * len(w.letters) {
			if j := w.after(i, n); g[j] {
				return true
			} else if !f[j] {
				return false
			}
		}
		return weak
	})
}

func both(f, g []bool, join func(x, y bool) bool) []bool {
	truth := make([]bool, len(f))
	for i := range f {
		truth[i] = join(f[i], g[i])
	}
	return truth
}

func not(f []bool) []bool { return both(f, f, func(x, _ bool) bool { return !x }) }

// binaryTruth returns the truth of a binary connective, in Spot's spelling.
func (w lasso) binaryTruth(connective string, f, g []bool) []bool {
	switch connective {
	case "&":
		return both(f, g, func(x, y bool) bool { return x && y })
	case "|":
		return both(f, g, func(x, y bool) bool { return x || y })
	case "->":
		return both(f, g, func(x, y bool) bool { return !x || y })
	case "<->":
		return both(f, g, func(x, y bool) bool { return x == y })
	case "xor":
		return both(f, g, func(x, y bool) bool { return x != y })
	case "U", "W":
		return w.until(f, g, connective == "W")
	case "R": // ¬(¬f U ¬g)
		return not(w.until(not(f), not(g), false))
	default: // M: ¬(¬f W ¬g)
		return not(w.until(not(f), not(g), true))
	}
}

// unaryTruth returns the truth of X, F or G between n and m steps away, or of !.
func (w lasso) unaryTruth(connective string, n, m int, f []bool) []bool {
	if connective == "!" {
		return not(f)
	}
	return w.each(func(i int) bool {
		for k := n; k <= m; k++ {
			if f[w.after(i, k)] != (connective == "G") {
				return connective != "G"
			}
		}
		return connective == "G"
	})
}

// truth evaluates a formula at each position of w.
func (w lasso) truth(s *Formulas, f *Formula) []bool {
	var operands [][]bool
	for _, g := range f.Operands() {
		operands = append(operands, w.truth(s, g))
	}
	ever := 2 * len(w.letters)
	switch f.Operator() {
	case logic.False, logic.True:
		return w.each(func(int) bool { return f.Operator() == logic.True })
	case Atom:
		p := strings.Index("abc", s.Propositions()[f.Proposition()])
		return w.each(func(i int) bool { return w.letters[i][p] })
	case Next:
		return w.unaryTruth("X", 1, 1, operands[0])
	case Finally:
		return w.unaryTruth("F", 0, ever, operands[0])
	case Globally:
		return w.unaryTruth("G", 0, ever, operands[0])
	case logic.Not:
		return not(operands[0])
	}
	connective := strings.TrimSpace(spellingsOf[SpotSyntax][f.Operator()])
	truth := operands[0]
	for _, g := range operands[1:] {
		truth = w.binaryTruth(connective, truth, g)
	}
	return truth
}

// spelled are the ways to write a connective in Spot's syntax.
var spelled = map[string][]string{
	"&": {"&", "&&", `/\`, "*", "and", "∧"}, "|": {"|", "||", `\/`, "+", "or", "∨"},
	"->": {"->", "=>", "-->", "→"}, "<->": {"<->", "<=>", "<-->", "↔"}, "xor": {"xor", "^", "⊕"},
	"U": {"U"}, "R": {"R", "V"}, "W": {"W"}, "M": {"M"},
	"!": {"!", "~", "¬"}, "X": {"X", "()", "○"}, "F": {"F", "<>", "◇"}, "G": {"G", "[]", "□"},
}

// drawFormulaText draws a formula as text, and evaluates it on w meanwhile.
func drawFormulaText(t *rapid.T, w lasso, depth int) (string, []bool) {
	spell := func(c string) string { return rapid.SampledFrom(spelled[c]).Draw(t, "spelling") }
	switch choice := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case depth == 0 || choice < 2:
		p := rapid.IntRange(0, 4).Draw(t, "proposition")
		switch {
		case p == 3:
			return rapid.SampledFrom([]string{"1", "true"}).Draw(t, "true"), w.each(func(int) bool { return true })
		case p == 4:
			return rapid.SampledFrom([]string{"0", "False"}).Draw(t, "false"), w.each(func(int) bool { return false })
		}
		name := rapid.SampledFrom([]string{"%c", `"%c"`, "('%c')"}).Draw(t, "quotes")
		return fmt.Sprintf(name, "abc"[p]), w.each(func(i int) bool { return w.letters[i][p] })
	case choice < 4:
		text, f := drawFormulaText(t, w, depth-1)
		c := rapid.SampledFrom([]string{"!", "X", "F", "G"}).Draw(t, "unary")
		n, m := 0, 2*len(w.letters)
		if c == "X" {
			n, m = 1, 1
		}
		return spell(c) + "(" + text + ")", w.unaryTruth(c, n, m, f)
	case choice < 5:
		text, f := drawFormulaText(t, w, depth-1)
		n := rapid.IntRange(0, 4).Draw(t, "from")
		m := n + rapid.IntRange(0, 4).Draw(t, "length")
		switch c := rapid.SampledFrom([]string{"X", "F", "G", "F:", "G:"}).Draw(t, "bounded"); c {
		case "X":
			return fmt.Sprintf("X[%d](%s)", n, text), w.unaryTruth("X", n, n, f)
		case "F", "G":
			return fmt.Sprintf("%s[%d:%d](%s)", c, n, m, text), w.unaryTruth(c, n, m, f)
		default:
			return fmt.Sprintf("%s[%d:](%s)", c[:1], n, text), w.unaryTruth(c[:1], n, n+2*len(w.letters), f)
		}
	default:
		left, f := drawFormulaText(t, w, depth-1)
		right, g := drawFormulaText(t, w, depth-1)
		c := rapid.SampledFrom([]string{"&", "|", "->", "<->", "xor", "U", "R", "W", "M"}).Draw(t, "binary")
		return "(" + left + ") " + spell(c) + " (" + right + ")", w.binaryTruth(c, f, g)
	}
}

// What is parsed means what the text means, and so does what it prints as; in
// the syntaxes that have all connectives, this is the same formula.
func TestFormulaMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawLasso(t)
		text, want := drawFormulaText(t, w, 4)
		s := NewFormulas()
		f, err := Parse(text, s)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !slices.Equal(w.truth(s, f), want) {
			t.Fatalf("%s is read as %s", text, s.Text(f, SpotSyntax))
		}
		for _, syntax := range []Syntax{SpotSyntax, SPINSyntax, LBTSyntax, CommonSyntax} {
			printed := s.Text(f, syntax)
			again, err := Parser{Formulas: s, Syntax: syntax}.Parse(printed)
			if err != nil {
				t.Fatalf("%s prints as %s: %v", text, printed, err)
			}
			if syntax != SPINSyntax && syntax != CommonSyntax && again != f || !slices.Equal(w.truth(s, again), want) {
				t.Fatalf("%s prints as %s, which prints as %s", text, printed, s.Text(again, syntax))
			}
		}
	})
}

// Whatever the names of propositions are, they are printed and read.
func TestPropositionNames(t *testing.T) {
	name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[FGXUVWRMaentor01"'\\ _.>=-]{1,6}`),
		rapid.SampledFrom([]string{"true", "False", "xor", "until", "not", "and", "1", "p1", "X0", "U", "e"}))
	rapid.Check(t, func(t *rapid.T) {
		s := NewFormulas()
		f := s.Until(s.Not(s.Atom(name.Draw(t, "p"))), s.Next(s.Atom(name.Draw(t, "q"))))
		f = s.Globally(s.And(f, s.Atom(name.Draw(t, "r"))))
		for _, syntax := range []Syntax{SpotSyntax, SPINSyntax, LBTSyntax, CommonSyntax} {
			printed := s.Text(f, syntax)
			again, err := Parser{Formulas: s, Syntax: syntax}.Parse(printed)
			if err != nil || again != f {
				t.Fatalf("%q is read as another formula: %v", printed, err)
			}
		}
	})
}

func FuzzParseFormula(f *testing.F) {
	for _, file := range []string{"formulas.txt", "formula_errors.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if line != "" && line[0] != '#' && line[0] != '\t' {
				f.Add(line, uint8(SpotSyntax))
			}
		}
	}
	f.Add("[](p -> X eventually !q) U (p V q)", uint8(SPINSyntax))
	f.Add(`& G i p0 F "p 1" U ! W M t f`, uint8(LBTSyntax))
	f.Fuzz(func(t *testing.T, text string, syntax uint8) {
		s := NewFormulas()
		p := Parser{Formulas: s, Syntax: Syntax(syntax % 4)}
		formula, err := p.Parse(text)
		if err != nil {
			var e *logic.SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v is no syntax error", text, err)
			}
			if e.Offset < 0 || e.Offset > len(text) || e.Line < 1 || e.Column < 1 {
				t.Fatalf("%q: %v at offset %d", text, err, e.Offset)
			}
			return
		}
		if formula.Depth() > 20 {
			return // its text can be exponentially long
		}
		for _, p.Syntax = range []Syntax{SpotSyntax, LBTSyntax} {
			printed := s.Text(formula, p.Syntax)
			again, err := p.Parse(printed)
			if err != nil || again != formula {
				t.Fatalf("%q prints as %q, which is another formula: %v", text, printed, err)
			}
		}
	})
}
