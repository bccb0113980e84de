package hoa

import (
	"fmt"
	"strings"
	"testing"
)

// TestUncheckedPropertyIsAWarning claims what would take too much work to check: that thirteen
// pigeons, each of which has a hole of twelve, are never alone.
func TestUncheckedPropertyIsAWarning(t *testing.T) {
	const holes = 12
	at := func(pigeon, hole int) int { return pigeon*holes + hole }
	var text strings.Builder
	fmt.Fprintf(&text, "HOA: v1 Start: 0 Acceptance: 0 t properties: complete AP: %d", (holes+1)*holes)
	for i := range (holes + 1) * holes {
		fmt.Fprintf(&text, " \"%d\"", i)
	}
	text.WriteString("\n--BODY-- State: 0\n")
	for p := range holes + 1 {
		nowhere := "t"
		for h := range holes {
			nowhere += fmt.Sprintf(" & !%d", at(p, h))
			for q := range p {
				fmt.Fprintf(&text, "[%d & %d] 0\n", at(p, h), at(q, h))
			}
		}
		fmt.Fprintf(&text, "[%s] 0\n", nowhere)
	}
	text.WriteString("--END--")
	r := NewReader(strings.NewReader(text.String()), "")
	a, err := r.Read()
	if err != nil || a.Claims != 0 || len(r.Warnings()) != 1 {
		t.Fatal(err, r.Warnings())
	}
	if want := "1:46: property complete was not checked, and is dropped: too much work for this acceptance condition or these labels"; r.Warnings()[0].Error() != want {
		t.Errorf("got %v", r.Warnings()[0])
	}
}

// TestCompleteOfPairs claims an automaton to be complete that has no edge where just one of each
// of fifty pairs holds. A decision diagram in the order of the propositions would be too large.
func TestCompleteOfPairs(t *testing.T) {
	var text strings.Builder
	text.WriteString("HOA: v1 Start: 0 Acceptance: 0 t properties: complete AP: 100")
	for i := range 100 {
		fmt.Fprintf(&text, " \"%d\"", i)
	}
	text.WriteString("\n--BODY-- State: 0\n")
	for i := range 50 {
		fmt.Fprintf(&text, "[%d & %d] 0 [!%d & !%d] 0\n", i, i+50, i, i+50)
	}
	text.WriteString("--END--")
	strict := NewReader(strings.NewReader(text.String()), "")
	strict.BeStrict()
	_, err := strict.Read()
	if want := "1:46: property complete is false of the automaton"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v", err)
	}
}
