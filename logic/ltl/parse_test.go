package ltl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/logic"
	"pnmc/logic/internal/logictest"
)

func TestParseFormula(t *testing.T) {
	s := NewFormulas()
	logictest.Golden(t, "formulas.txt", func(line string) string {
		f, err := Parse(line, s)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			return err.Error()
		}
		var texts []string
		for _, syntax := range []Syntax{SpotSyntax, SPINSyntax, LBTSyntax} {
			text := s.Text(f, syntax)
			again, err := Parser{Formulas: s, Syntax: syntax}.Parse(text)
			exact := syntax != SPINSyntax || !hasConnective(f, logic.Xor) && !hasConnective(f, StrongRelease)
			if err != nil {
				t.Errorf("%s prints as %s: %v", line, text, err)
			} else if exact && again != f {
				t.Errorf("%s prints as %s, which prints as %s", line, text, s.Text(again, syntax))
			}
			texts = append(texts, text)
		}
		return strings.Join(texts, "\t")
	})
}

func hasConnective(f *Formula, c Operator) bool {
	for _, g := range f.Operands() {
		if hasConnective(g, c) {
			return true
		}
	}
	return f.Operator() == c
}

func TestParseFormulaErrors(t *testing.T) {
	known := map[string]bool{"a": true, "b": true, "p1>=2": true, "Fork_1": true}
	p := Parser{Formulas: NewFormulas(), Check: func(name string) error {
		if known[name] {
			return nil
		}
		return &logic.SyntaxError{Line: 1, Column: 1, Message: fmt.Sprintf("no proposition %q", name)}
	}}
	logictest.Golden(t, "formula_errors.txt", func(line string) string {
		_, err := p.Parse(line)
		var syntax *logic.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: got error %v, want a syntax error", line, err)
			return "accepted"
		}
		if syntax.Line != 1 || len([]rune(line[:syntax.Offset]))+1 != syntax.Column {
			t.Errorf("%s: offset %d is not column %d", line, syntax.Offset, syntax.Column)
		}
		return err.Error()
	})
}

// Words that begin with the letter of a connective are propositions if they are
// known and can be nothing else.
func TestKnownWords(t *testing.T) {
	for _, c := range []struct{ known, text, want string }{
		{"Fork_1", "G Fork_1", `G"Fork_1"`},
		{"Fork_1", "GFork_1", `G"Fork_1"`},
		{"Fork_1 ork_1", "GFork_1", "GFork_1"},
		{"Fork_1>=1", "Fork_1 >= 1", `"Fork_1>=1"`},
		{"FGa a", "FGa", "FGa"},
		{"FGa", "FGa", `"FGa"`},
		{"X>=1", "GX >= 1", `G"X>=1"`},
		{"XaUb a", "XaUb U a", `"XaUb" U a`},
	} {
		known := strings.Fields(c.known)
		s := NewFormulas()
		p := Parser{Formulas: s, Check: func(name string) error {
			for _, k := range known {
				if k == name {
					return nil
				}
			}
			return errors.New("unknown")
		}}
		f, err := p.Parse(c.text)
		if err != nil {
			t.Errorf("%s with %s: %v", c.text, c.known, err)
		} else if got := s.Text(f, SpotSyntax); got != c.want {
			t.Errorf("%s with %s: got %s, want %s", c.text, c.known, got, c.want)
		}
	}
}

// The message of a check is moved to where the proposition is written.
// Comments nest, as in Spot, and a mark of the order of bytes is skipped.
func TestCommentsAndMark(t *testing.T) {
	s := NewFormulas()
	for _, text := range []string{"a /* x /* y */ z */ U b", "a U b /**//* /**/ */", "\ufeffa U b"} {
		f, err := Parse(text, s)
		if err != nil || s.Text(f, SpotSyntax) != "a U b" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"a /* /* */", "a /*/", "a \ufeff"} {
		if _, err := Parse(text, s); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// Where + would be read as disjunction of a name and a comparison, arithmetic was
// meant.
func TestSumsWithoutQuotes(t *testing.T) {
	for text, accepted := range map[string]bool{
		"F(p1 + p2 == 9)": false, "F(p1*p2>=9)": false, "p1 == p2 + p3": false, "9 <= p1 + p2 + p3": false,
		`F"p1 + p2 == 9"`: true, "p1 | p2 == 9": true, "p1 + p2": true, `p1 + "p2 == 9"`: true,
		"p1 == 9 + p2 == 3": true, "p1 == 1 + fireable(t)": true, "(p1) + p2 == 9": true,
	} {
		if _, err := Parse(text, NewFormulas()); (err == nil) != accepted {
			t.Errorf("%s: %v", text, err)
		} else if err != nil && !strings.Contains(err.Error(), "double quotes") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestCheckPosition(t *testing.T) {
	p := Parser{Formulas: NewFormulas(), Check: func(name string) error {
		_, err := logic.ParsePredicate(name, logictest.Names)
		return err
	}}
	for text, want := range map[string]string{
		"G(p -> F\n \"p1 >= 2 & quux9\")": `2:13: no place "quux9"`,
		"G(p -> quux9)":                   `1:8: no place "quux9"`,
		"F(p1 <= quux9)":                  `1:3: proposition "p1<=quux9": no place "quux9"`,
	} {
		if _, err := p.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if _, err := p.Parse("G(p1>=2 -> F fireable(t1, t-2))"); err != nil {
		t.Error(err)
	}
}

func TestParseSPIN(t *testing.T) {
	s := NewFormulas()
	for text, want := range map[string]string{
		"[](p -> <>q)":                    "G(p -> Fq)",
		"always (p implies eventually q)": "G(p -> Fq)",
		"p V q":                           "p R q",
		"p U (q weakuntil r)":             "p U (q W r)",
		"!p && X q || Fork_1":             `(!p & Xq) | "Fork_1"`,
		"Gone U Xanadu":                   `"Gone" U "Xanadu"`,
		"p equivalent true":               "p",
		"next U p":                        "next U p",
	} {
		f, err := Parser{Formulas: s, Syntax: SPINSyntax}.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := s.Text(f, SpotSyntax); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"p U q U r":    "1:7: expected parentheses: SPIN groups U and U from the left",
		"p -> q -> r":  "1:8: expected parentheses: SPIN groups -> and -> from the left",
		"p -> q <-> r": "1:8: expected parentheses: SPIN groups -> and <-> from the left",
		"F p":          `1:3: unexpected "p"; expected an operator`,
	} {
		if _, err := (Parser{Formulas: s, Syntax: SPINSyntax}).Parse(text); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestParseLBT(t *testing.T) {
	s := NewFormulas()
	for text, want := range map[string]string{
		"G i p0 F p1":        "G(p0 -> Fp1)",
		"t":                  "1",
		"f":                  "0",
		"! | p0 ^ p1 e p2 t": "!(p0 | (p1 xor p2))",
		"& U p0 p1 V p2 p3":  "(p0 U p1) & (p2 R p3)",
		`W "a b" M Xp GF`:    `"a b" W ("Xp" M "GF")`,
	} {
		f, err := Parser{Formulas: s, Syntax: LBTSyntax}.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := s.Text(f, SpotSyntax); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"":            "1:1: unexpected end; expected " + lbtExpectation,
		"& p0":        "1:5: unexpected end; expected " + lbtExpectation,
		"p0 p1":       `1:4: unexpected "p1"; expected the end`,
		"G (p0)":      `1:3: unexpected character '('; expected ` + lbtExpectation,
		`U p0 "p1`:    `1:6: no closing " for this quote`,
		"G 1":         `1:3: unexpected character '1'; expected ` + lbtExpectation,
		"! ! & p0 \n": "2:1: unexpected end; expected " + lbtExpectation,
	} {
		if _, err := (Parser{Formulas: s, Syntax: LBTSyntax}).Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestFormulaDepthIsBounded(t *testing.T) {
	accepted := map[string]Syntax{
		strings.Repeat("(", logic.MaximumNesting) + "a" + strings.Repeat(")", logic.MaximumNesting): SpotSyntax,
		strings.Repeat("X", 4000) + "a":                      SpotSyntax,
		strings.Repeat("a U b U ", 2000) + "a":               SpotSyntax,
		strings.Repeat("a & ", 5000) + "b":                   SpotSyntax,
		strings.Repeat("X[1000]", 9) + "a":                   SpotSyntax,
		strings.Repeat("X ", logic.MaximumNesting) + "p0":    LBTSyntax,
		strings.Repeat("& p0 ", logic.MaximumNesting) + "p1": LBTSyntax,
		strings.Repeat("F[0:1000]", 4) + "a":                 SpotSyntax,
	}
	for text, syntax := range accepted {
		if _, err := (Parser{Formulas: NewFormulas(), Syntax: syntax}).Parse(text); err != nil {
			t.Errorf("%.20s… of %d bytes: %v", text, len(text), err)
		}
	}
	refused := map[string]Syntax{
		strings.Repeat("(", 1<<17):                                 SpotSyntax,
		strings.Repeat("X ", 1<<14) + "a":                          SpotSyntax,
		strings.Repeat("GX", 1<<14) + "a":                          SpotSyntax,
		strings.Repeat("a W b W ", 1<<13) + "a":                    SpotSyntax,
		strings.Repeat("a xor b -> ", 1<<14) + "a":                 SpotSyntax,
		strings.Repeat("X[1000]", 11) + "a":                        SpotSyntax,
		strings.Repeat("F[0:1000]", 11) + "a":                      SpotSyntax,
		strings.Repeat("! ", 1<<17) + "p0":                         LBTSyntax,
		strings.Repeat("& ", 1<<14) + strings.Repeat("p0 ", 1<<14): LBTSyntax,
	}
	for text, syntax := range refused {
		if _, err := (Parser{Formulas: NewFormulas(), Syntax: syntax}).Parse(text); err == nil {
			t.Errorf("%.20s… of %d bytes is accepted", text, len(text))
		}
	}
}

func TestReadFormulas(t *testing.T) {
	text := "\ufeff# comment\r\n\r\nG a\r\nfair-1: G F b\n\"a b\" :  a U b\n \"a\" U b\n  # F c\nF[1:2]a\nx:a\n" +
		"two words : F[1:2] a # as it's meant\n'it''s: #1': \"a # b\" U b # G\np(x:1) y: a"
	s := NewFormulas()
	found, err := Read(strings.NewReader(text), "file.ltl", Parser{Formulas: s})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range found {
		lines = append(lines, fmt.Sprintf("%d %s: %s", f.Line, f.Name, s.Text(f.Formula, SpotSyntax)))
		if again, err := Parse(f.Text, s); err != nil || again != f.Formula {
			t.Errorf("line %d: text %q", f.Line, f.Text)
		}
	}
	want := []string{"3 : Ga", "4 fair-1: GFb", "5 a b: a U b", "6 : a U b", "8 : X(a | Xa)", "9 x: a",
		"10 two words: X(a | Xa)", `11 'it''s: #1': "a # b" U b`, "12 p(x:1) y: a"}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
}

func TestReadFormulasErrors(t *testing.T) {
	text := "Ga\r\nä:  a U\nx: # F c\n\n: a\nFb\n"
	found, err := Read(strings.NewReader(text), "f", Parser{Formulas: NewFormulas()})
	want := `f:2:8: unexpected end; expected a proposition, 0, 1, "(", or one of ! X F G
f:3:4: unexpected end; expected a proposition, 0, 1, "(", or one of ! X F G
f:5:1: unexpected ':'; propositions other than words, comparisons and fireable(…) stand in double quotes`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if len(found) != 2 || found[1].Line != 6 {
		t.Errorf("found %v, want the formulas of lines 1 and 6", found)
	}
	var syntax *logic.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset != len("Ga\r\nä:  a U") {
		t.Errorf("offset %d of the first error", syntax.Offset)
	}
	var called []string
	for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
		if errors.As(one, &syntax) {
			called = append(called, syntax.Formula)
		}
	}
	if strings.Join(called, ", ") != "ä, x, : a" {
		t.Errorf("the wrong formulas are called %q", called)
	}
}

// Every formula of the shared corpora is read, and printed so that it is read
// as the same one.
func TestSharedFormulas(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/ltl/*/*.ltl")
	if patterns := "../../../shared/hoa/spot/patterns.ltl"; len(files) > 0 {
		files = append(files, patterns)
	}
	if len(files) == 0 {
		t.Skip("no formulas in ../../shared/ltl")
	}
	s := NewFormulas()
	count := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Read(strings.NewReader(string(text)), file, Parser{Formulas: s})
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(text), "\n"); len(found) != lines {
			t.Errorf("%s: %d formulas in %d lines", file, len(found), lines)
		}
		count += len(found)
		for _, f := range found {
			for _, syntax := range []Syntax{SpotSyntax, LBTSyntax} {
				text := s.Text(f.Formula, syntax)
				again, err := Parser{Formulas: s, Syntax: syntax}.Parse(text)
				if err != nil || again != f.Formula {
					t.Errorf("%s:%d prints as %s: %v", file, f.Line, text, err)
				}
			}
			if _, err := (Parser{Formulas: s, Syntax: SPINSyntax}).Parse(s.Text(f.Formula, SPINSyntax)); err != nil {
				t.Errorf("%s:%d: %v", file, f.Line, err)
			}
		}
	}
	if count < 1000 {
		t.Errorf("only %d formulas in %d files", count, len(files))
	}
}

func ExampleParser() {
	s := NewFormulas()
	for _, text := range []string{`G("p1>=2" -> F fireable(t3))`, "G(a -> )"} {
		f, err := Parser{Formulas: s}.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(s.Text(f, SpotSyntax))
		fmt.Println(s.Text(f, SPINSyntax))
		fmt.Println(s.Text(f, LBTSyntax))
	}
	// Output:
	// G("p1>=2" -> F"fireable(t3)")
	// []("p1>=2" -> <>"fireable(t3)")
	// G i "p1>=2" F "fireable(t3)"
	// 1:8: unexpected ")"; expected a proposition, 0, 1, "(", or one of ! X F G
}

func BenchmarkParseFormula(b *testing.B) {
	text := strings.Repeat(`(GF"Catch1_2>=1" & F(a U !b)) -> `, 100) + "G(a -> Fb)"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse(text, NewFormulas()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLongPropositions: a name of 4 MB is none that anybody gave.
func TestLongPropositions(t *testing.T) {
	for length, ok := range map[int]bool{1 << 20: true, longestProposition: false} {
		_, err := Parse(`G "`+strings.Repeat("a", length)+`"`, NewFormulas())
		if ok != (err == nil) || !ok && !strings.Contains(err.Error(), "longer than 4194304 bytes") {
			t.Errorf("a name of %d bytes: %.200v", length, err)
		}
	}
}
