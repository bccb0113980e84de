package inquiry

import (
	"strings"
	"testing"

	"pnmc/logic"
	"pnmc/petri"
)

// TestVocabulary reads propositions over a net whose nodes have names besides
// identifiers, some of them shared.
func TestVocabulary(t *testing.T) {
	b := &petri.Builder{}
	for _, label := range [][2]string{{"p1", "waiting"}, {"p2", "buffer"}, {"p3", "buffer"}, {"p4", "p1"}, {"p5", ""}, {"p6", ""}} {
		if _, err := b.AddPlace(label[0], label[1], 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, label := range [][2]string{{"t1", "deliver"}, {"t2", "send"}, {"t3", "send"}} {
		if _, err := b.AddTransition(label[0], label[1]); err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 121)
	for text, want := range map[string]string{
		"waiting >= 1":       "",
		"p1 >= 1":            "",
		"fireable(deliver)":  "",
		"waitin >= 1":        `1:1: no place "waitin"; did you mean "waiting"?`,
		"fireable(delivver)": `1:10: no transition "delivver"; did you mean "deliver"?`,
		"buffer >= 1":        `1:1: "buffer" is the name of 2 places; expected one of their identifiers "p2", "p3"`,
		"fireable(send)":     `1:10: "send" is the name of 2 transitions; expected one of their identifiers "t2", "t3"`,
		"bufer >= 1":         `1:1: no place "bufer"`,
		long:                 `1:1: no place "` + long[:120] + `"…`,
	} {
		got := ""
		if _, err := logic.ParsePredicate(text, Vocabulary(net)); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}
