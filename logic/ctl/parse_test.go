package ctl

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/logic"
	"pnmc/logic/internal/logictest"
)

// vocabulary is the vocabulary of ctl.txt.
var vocabulary = func() logictest.Table {
	v := logictest.Names
	v.PlaceIDs = append(append([]string(nil), logictest.Names.PlaceIDs...), "A", "EF", "U", "F")
	return v
}()

// parser reads what ctl.txt has.
var parser = Parser{Vocabulary: vocabulary, Defined: map[string]*logic.Predicate{
	"opaque": {Operator: logic.AtMost, Sum: logic.Sum{Constant: 2, Terms: []logic.Term{{Place: 0, Coefficient: -1}}}},
}}

// textOf prints f, with the predicates as they print.
func textOf(f *Formula, v logic.Vocabulary) string {
	return f.Text(func(p *logic.Predicate) string { return p.Text(v) })
}

func TestParse(t *testing.T) {
	logictest.Golden(t, "ctl.txt", func(line string) string {
		f, err := parser.Parse(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			return err.Error()
		}
		text := textOf(f, vocabulary)
		again, err := parser.Parse(text)
		if err != nil {
			t.Errorf("%s prints as %s: %v", line, text, err)
		} else if !reflect.DeepEqual(f, again) {
			t.Errorf("%s prints as %s, which prints as %s", line, text, textOf(again, vocabulary))
		}
		return text
	})
}

func TestParseErrors(t *testing.T) {
	logictest.Golden(t, "ctl_errors.txt", func(line string) string {
		f, err := parser.Parse(line)
		var syntax *logic.SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s: got %v and error %v, want a syntax error", line, f, err)
			return "accepted"
		}
		if syntax.Line != 1 || len([]rune(line[:syntax.Offset]))+1 != syntax.Column {
			t.Errorf("%s: offset %d is not column %d", line, syntax.Offset, syntax.Column)
		}
		return err.Error()
	})
}

// Whatever has no temporal operators is what ParsePredicate reads.
func TestCTLOfPredicates(t *testing.T) {
	text, err := os.ReadFile("../testdata/predicates.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.ContainsAny(line[:1], "#\t") {
			continue
		}
		p, err := logic.ParsePredicate(line, logictest.Names)
		f, errCTL := Parse(line, logictest.Names)
		if err != nil || errCTL != nil || !reflect.DeepEqual(f, Of(p)) {
			t.Errorf("%s: %v as a predicate (%v), %v in CTL (%v)", line, p, err, f, errCTL)
		}
	}
}

// A formula nests as deep as its text may, and no deeper: what is read prints as
// what can be read again.
func TestCTLDepth(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"AG ", ""}, {"!", ""}, {"E(p U ", ")"}, {"A(", " W q)"}, {"(", ")"}, {"EX p <-> (", ")"}, {"p -> (EX ", ")"},
	} {
		read := 0
		for n := 1; n <= 2048; n *= 2 {
			text := strings.Repeat(c.before, n) + "EF p" + strings.Repeat(c.after, n)
			f, err := Parse(text, logictest.Small)
			if err != nil {
				break
			}
			read = n
			again, err := Parse(textOf(f, logictest.Small), logictest.Small)
			if err != nil || !reflect.DeepEqual(f, again) {
				t.Fatalf("%s nested %d times prints as what is not read again: %v", c.before, n, err)
			}
		}
		if read < 8 || read > 1000 {
			t.Errorf("%s nests %d times", c.before, read)
		}
	}
}

// drawCTL draws a formula, and its text with or without parentheses where they are
// not needed.
func drawCTL(t *rapid.T, depth int) (*Formula, string) {
	state := func() (*Formula, string) {
		text := rapid.SampledFrom([]string{"p", "q >= 2", "fireable(t)", "deadlock", "!r"}).Draw(t, "state")
		p, err := logic.ParsePredicate(text, logictest.Small)
		if err != nil {
			t.Fatal(err)
		}
		return Of(p), text
	}
	if depth == 0 {
		return state()
	}
	switch rapid.IntRange(0, 5).Draw(t, "operator") {
	case 0:
		return state()
	case 1, 2:
		pair := rapid.SampledFrom([]string{"EX", "EF", "EG", "AX", "AF", "AG"}).Draw(t, "pair")
		f, text := drawCTL(t, depth-1)
		form := rapid.SampledFrom([]string{"# (%)", "#(%)", "#(($))", "Q (T ($))", "Q[T($)]"}).Draw(t, "form")
		return New(operatorOf.Get()[pair], f), strings.NewReplacer("#", pair, "%", text, "$", text, "Q", pair[:1], "T", pair[1:]).Replace(form)
	case 3:
		f, a := drawCTL(t, depth-1)
		g, b := drawCTL(t, depth-1)
		form := rapid.SampledFrom([]string{"A[% U $]", "A(% U $)", "A (($) U ($))"}).Draw(t, "form")
		if form == "A (($) U ($))" {
			return New(AllUntil, f, g), "A ((" + a + ") U (" + b + "))"
		}
		return New(AllUntil, f, g), strings.NewReplacer("%", a, "$", b).Replace(form)
	case 4:
		f, a := drawCTL(t, depth-1)
		g, b := drawCTL(t, depth-1)
		return New(ExistsUntil, f, g), "E(" + a + " U " + b + ")"
	default:
		f, a := drawCTL(t, depth-1)
		g, b := drawCTL(t, depth-1)
		o, spelled := logic.And, rapid.SampledFrom([]string{" & ", " and ", " && "}).Draw(t, "and")
		if rapid.Bool().Draw(t, "or") {
			o, spelled = logic.Or, " or "
		}
		return New(o, f, g), "(" + a + ")" + spelled + "(" + b + ")"
	}
}

// What is drawn is what its text means, and what is read prints as itself.
func TestCTLMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, text := drawCTL(t, 4)
		f, err := Parse(text, logictest.Small)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := textOf(f.MergeStates(), logictest.Small); got != textOf(want.MergeStates(), logictest.Small) {
			t.Fatalf("%s is read as %s, want %s", text, got, textOf(want.MergeStates(), logictest.Small))
		}
		again, err := Parse(textOf(f, logictest.Small), logictest.Small)
		if err != nil || !reflect.DeepEqual(f, again) {
			t.Fatalf("%s prints as %s: %v", text, textOf(f, logictest.Small), err)
		}
	})
}

func TestRead(t *testing.T) {
	const text = "\ufeff# comment\nfirst: AG EF p # always\n\nE[p U b]\nwrong: EF zz\n\"a: b\" : AF \"p >= 1\"\n"
	found, err := Read(strings.NewReader(text), "f.ctl", parser)
	var told []string
	for _, f := range found {
		told = append(told, f.Name+"|"+f.Text+"|"+textOf(f.Formula, vocabulary))
	}
	want := []string{
		`first|AG EF p|AG EF (tokens-count("p") >= 1)`,
		`|E[p U b]|E((tokens-count("p") >= 1) U (tokens-count("b") >= 1))`,
		`a: b|AF "p >= 1"|AF (tokens-count("p") >= 1)`,
	}
	if !reflect.DeepEqual(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
	if err == nil || err.Error() != `f.ctl:5:11: no place "zz"` {
		t.Errorf("got error %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"testdata/ctl.txt", "testdata/ctl_errors.txt", "../testdata/predicates.txt"} {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := parser.Parse(text)
		if err != nil {
			var syntax *logic.SyntaxError
			if !errors.As(err, &syntax) || syntax.Offset > len(text) || syntax.Line < 1 || syntax.Column < 1 {
				t.Fatalf("%q: error %v", text, err)
			}
			return
		}
		printed := textOf(formula, vocabulary)
		if again, err := parser.Parse(printed); err != nil || !reflect.DeepEqual(formula, again) {
			t.Fatalf("%q prints as %q: %v", text, printed, err)
		}
	})
}

func ExampleParse() {
	f, err := Parse("AG(fireable(t) -> EF p + q >= 2) and not deadlock", logictest.Small)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Text(func(p *logic.Predicate) string { return p.Text(logictest.Small) }))
	_, err = Parse("AG (p U q)", logictest.Small)
	fmt.Println(err)
	// Output:
	// (AG ((!is-fireable("t")) | EF (tokens-count("p", "q") >= 2)) & (!deadlock))
	// 1:7: unexpected "U"; expected it directly inside A(…) or E(…), as in A(p U q)
}
