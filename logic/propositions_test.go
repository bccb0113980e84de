package logic

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"pnmc/logic/internal/logictest"
	"pnmc/logic/internal/reading"
)

func TestReadPropositions(t *testing.T) {
	f, err := os.Open("testdata/atoms.prop")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found, err := ReadPropositions(f, "atoms.prop", logictest.Names)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ name, expression string }{
		{"p0", "p1 <= 2"},
		{"p 1", `fireable("odd transition") & !deadlock`},
		{"p2", "i8.u82.p1630 = 1"},
		{"p3", `p1 <= 2 & "odd name" >= 1`},
		{"p4", "p -> p1"},
		{"property", "p2"},
	}
	if len(found) != len(want) {
		t.Fatalf("%d propositions, want %d", len(found), len(want))
	}
	for i, w := range want {
		p, err := ParsePredicate(w.expression, logictest.Names)
		if err != nil {
			t.Fatal(err)
		}
		if found[i].Name != w.name || !reflect.DeepEqual(found[i].Predicate, p) {
			t.Errorf("%d: %s: %s, want %s: %s", i,
				found[i].Name, found[i].Predicate.Text(logictest.Names), w.name, p.Text(logictest.Names))
		}
	}
}

func TestReadPropositionsErrors(t *testing.T) {
	for text, want := range map[string]string{
		"p0: p1\n\n# p0\np0: p2":               `f:4:1: proposition "p0" is already defined in line 1`,
		"p0 p1":                                `f:1:4: expected ":" after the name of a proposition`,
		"p0:\np1":                              `f:1:4: unexpected end; expected a place, a number, "(", tokens(…), fireable(…), deadlock, true, false or !`,
		"a: p\n b:  p1 <= q":                   `f:2:12: no place "q"`,
		": p":                                  `f:1:1: unexpected character ':'; expected the name of a proposition`,
		"property ":                            `f:1:10: expected the name of a proposition`,
		`"p0: p`:                               `f:1:1: no closing " for this quote`,
		"property p0 : p;":                     `f:1:13: expected [atom]`,
		"property p0 [reachable] : p;":         `f:1:13: a property [reachable] is no proposition; expected [atom]`,
		"property p0 [atom] : p":               `f:1:22: no ";" ends the property "p0"`,
		"property p0 [atom] p;":                `f:1:20: expected ":" after the name of a proposition`,
		"property p0 [atom] : (\n\tp &\n\t+);": `f:3:2: unexpected "+"; expected a place, a number, "(", tokens(…), fireable(…), deadlock, true, false or !`,
	} {
		_, err := ReadPropositions(strings.NewReader(text), "f", logictest.Names)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
			continue
		}
		lines := strings.Split(text[:syntax.Offset], "\n")
		if len(lines) != syntax.Line || len(lines[len(lines)-1])+1 != syntax.Column {
			t.Errorf("%q: offset %d is not %d:%d", text, syntax.Offset, syntax.Line, syntax.Column)
		}
	}
}

func FuzzReadPropositions(f *testing.F) {
	text, err := os.ReadFile("testdata/atoms.prop")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("property p [atom] : (p);")
	f.Fuzz(func(t *testing.T, text string) {
		found, err := ReadPropositions(strings.NewReader(text), "f", logictest.Names)
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("%v is no syntax error", err)
			}
			return
		}
		// What was found, written one a line, is found again.
		var b strings.Builder
		for _, p := range found {
			if strings.ContainsAny(p.Name, "\n") {
				return
			}
			fmt.Fprintf(&b, "\"%s\": %s\n", reading.Escapes.Get().Replace(p.Name), p.Predicate.Text(logictest.Names))
		}
		again, err := ReadPropositions(strings.NewReader(b.String()), "f", logictest.Names)
		if err != nil || !reflect.DeepEqual(found, again) {
			t.Fatalf("%q is written as %q: %v", text, b.String(), err)
		}
	})
}

func ExampleReadPropositions() {
	file := strings.NewReader("p0: p1 <= 2 & !deadlock\nproperty p1 [atom] : (fireable(t));\n")
	found, err := ReadPropositions(file, "atoms.prop", logictest.Names)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range found {
		fmt.Printf("%s means %s\n", p.Name, p.Predicate.Text(logictest.Names))
	}
	// Output:
	// p0 means tokens-count("p1") <= 2 & !deadlock
	// p1 means is-fireable("t")
}
