package query

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"pnmc/internal/petritest"
)

const inputs = "../../shared/mcc/inputs"

// folder reads the files of a contest instance, or skips the test.
func folder(t testing.TB, archive string) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for name, text := range unpacked(t, archive) {
		files[filepath.Base(name)] = text
	}
	return files
}

// unpacked reads the files of an archive, or skips the test.
func unpacked(t testing.TB, archive string) map[string][]byte {
	t.Helper()
	if _, err := os.Stat(archive); err != nil {
		t.Skipf("contest files are not here: %v", err)
	}
	files := make(map[string][]byte)
	for name, text := range petritest.Archive(t, archive) {
		var err error
		if files[name], err = io.ReadAll(text); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestTextTwins prints every formula of contest folders in the contest's text
// form and compares with the text files there, and writes and reads it as XML.
// Set PNMC_ALL_INPUTS to visit every folder instead of one in six.
func TestTextTwins(t *testing.T) {
	archives, _ := filepath.Glob(filepath.Join(inputs, "*.tgz"))
	if len(archives) == 0 {
		t.Skip("contest files are not here")
	}
	step := 6
	if os.Getenv("PNMC_ALL_INPUTS") != "" {
		step = 1
	}
	properties := 0
	for i := 0; i < len(archives); i += step {
		files := folder(t, archives[i])
		for name, source := range files {
			examination, isXML := strings.CutSuffix(name, ".xml")
			text, hasTwin := files[examination+".txt"]
			if !isXML || !hasTwin {
				continue
			}
			where := filepath.Base(archives[i]) + "/" + name
			properties += checkTwin(t, where, styleOf(examination), source, string(text))
		}
	}
	if properties < 1000 {
		t.Errorf("only %d properties compared", properties)
	}
}

func checkTwin(t *testing.T, where string, style Style, source []byte, text string) int {
	properties, err := Read(where, source)
	if err != nil {
		t.Error(err)
	}
	twins := strings.SplitAfter(text, "end.\n")
	twins = slices.DeleteFunc(twins, func(s string) bool { return s == "" })
	if len(twins) != len(properties) {
		t.Errorf("%s: %d properties, %d in the text file", where, len(properties), len(twins))
		return 0
	}
	for i, p := range properties {
		got := p.Text(style)
		if style == Compact && got != twins[i] {
			got = p.Text(CompactLists)
		}
		if got != twins[i] {
			t.Errorf("%s:\ngot  %.500s\nwant %.500s", where, got, twins[i])
		}
	}
	written, err := WriteXML(properties)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Read("written", written)
	if err != nil {
		t.Fatal(err)
	}
	if !sameProperties(properties, again) {
		t.Errorf("%s: reading what was written gives other properties", where)
	}
	return len(properties)
}

// sameProperties compares without the positions.
func sameProperties(a, b []Property) bool {
	for _, properties := range [][]Property{a, b} {
		for i := range properties {
			properties[i].origin, properties[i].ordinal = nil, 0
			withoutPositions(properties[i].Formula)
		}
	}
	return reflect.DeepEqual(a, b)
}

func withoutPositions(f *Formula) {
	f.ordinal = 0
	for _, g := range f.Operands {
		withoutPositions(g)
	}
}

// TestTextsTellNamesApart: whatever is in names, only equal lists of them have equal texts.
func TestTextsTellNamesApart(t *testing.T) {
	name := rapid.StringOfN(rapid.RuneFrom([]rune(`a"\, )`)), 1, 6, -1)
	text := func(names []string) string {
		return (&Formula{Kind: Tokens, Names: names}).Text(Nested)
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.SliceOfN(name, 1, 3).Draw(t, "x"), rapid.SliceOfN(name, 1, 3).Draw(t, "y")
		one := []string{strings.Join(x, `", "`)}
		for _, z := range [][]string{y, one} {
			if text(x) == text(z) && !slices.Equal(x, z) {
				t.Fatalf("%q and %q are both %s", x, z, text(x))
			}
		}
	})
}

// TestPropositionsOfNamesWithQuotes: a place that is called as two others are listed makes
// another proposition than they do.
func TestPropositionsOfNamesWithQuotes(t *testing.T) {
	r := Resolver{Vocabulary: vocabulary{"a", "b", `a", "b`}}
	some := func(names ...string) *Formula {
		one := &Formula{Kind: Integer, Value: 1}
		return &Formula{Kind: Finally, Operands: []*Formula{{Kind: LessOrEqual, Operands: []*Formula{one, {Kind: Tokens, Names: names}}}}}
	}
	l, err := r.LTL(&Formula{Kind: AllPaths, Operands: []*Formula{{Kind: Conjunction, Operands: []*Formula{some("a", "b"), some(`a", "b`)}}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Predicates) != 2 {
		t.Errorf("%d propositions, expected 2", len(l.Predicates))
	}
}

// styleOf returns the notation in which the contest prints an examination's formulas.
func styleOf(examination string) Style {
	if strings.HasPrefix(examination, "LTL") || examination == "UpperBounds" {
		return Compact
	}
	return Nested
}
