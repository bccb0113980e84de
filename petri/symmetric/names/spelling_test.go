package names

import (
	"strings"
	"testing"

	"pnmc/petri/symmetric"

	"pgregory.net/rapid"
)

// plainlyTuple finds out what isTuple does by trying each end.
func plainlyTuple(text string, classes symmetric.Domain) bool {
	if len(classes) == 0 {
		return false
	}
	if len(classes) == 1 {
		return has(classes[0], text)
	}
	for i := range len(text) {
		if text[i] == '_' && has(classes[0], text[:i]) && plainlyTuple(text[i+1:], classes[1:]) {
			return true
		}
	}
	return false
}

// TestTuples takes names apart as trying each end does.
func TestTuples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := make(symmetric.Domain, rapid.IntRange(0, 3).Draw(t, "classes"))
		var parts []string
		for i := range classes {
			classes[i] = &symmetric.Class{Size: 3, Start: -1}
			if rapid.Bool().Draw(t, "constants") {
				classes[i].Constants = rapid.SliceOfN(rapid.StringMatching("[ab_]{1,3}"), 1, 4).Draw(t, "names")
			}
			parts = append(parts, rapid.OneOf(rapid.SampledFrom(append(classes[i].Constants, "-1", "0", "1", "01")),
				rapid.StringMatching("[ab_12]{0,4}")).Draw(t, "colour"))
		}
		text := strings.Join(parts, "_")
		s := spelling{left: mostSteps}
		if got, want := s.isTuple(text, classes), plainlyTuple(text, classes); got != want {
			t.Fatalf("%q of %d classes: %v, want %v", text, len(classes), got, want)
		}
	})
}

// TestTuplesTakeSteps: a name that may end at very many places takes no more steps than there are, and is given up.
func TestTuplesTakeSteps(t *testing.T) {
	class := &symmetric.Class{Name: "C"}
	for n := range 200 {
		class.Constants = append(class.Constants, strings.Repeat("a_", n)+"a")
	}
	class.Size = int64(len(class.Constants))
	domain := symmetric.Domain{class, class, class, class, class, class, class, class, class, class}
	ofColours := func(n int) string { return strings.Repeat("_a", n) }
	u, err := (&symmetric.Net{Places: []symmetric.Place{{ID: "p", Domain: domain}}}).Unfold(t.Context(), symmetric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]bool{9: false, 10: true, 30: true, 900: false} {
		if got := Of(u).Places("p" + ofColours(n)); (got != nil) != want {
			t.Errorf("%d colours: %v, want %v", n, got, want)
		}
	}
	s := spelling{left: mostSteps}
	if s.isTuple(ofColours(900)[1:], domain) || s.left > 0 || s.left < -30 {
		t.Errorf("%d steps are left", s.left)
	}
}
