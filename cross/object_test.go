package cross

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pnmc/automata"
)

// TestReportAsEncodingJSON: a report that is written piece by piece is the one that encoding/json makes.
func TestReportAsEncodingJSON(t *testing.T) {
	word := &automata.Lasso{Propositions: []string{"a", "<é \"&"}, Prefix: []automata.Valuation{{1}}, Cycle: []automata.Valuation{{2}, {3}}}
	holds := true
	r := newReport([]Translator{Function("one", nil), Function("two", nil)})
	whole := func() string {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	check := func() {
		t.Helper()
		var text bytes.Buffer
		if err := r.WriteJSON(&text); err != nil || text.String() != whole() {
			t.Errorf("%v\n%s\nand not\n%s", err, &text, whole())
		}
	}
	check()
	r.Rows = append(r.Rows, &Row{Number: 1, Formula: "a<b", Status: "ok"}, &Row{Number: 1, Name: "f", Negated: true, Status: "crash", Reason: "&"})
	r.SkipReasons = []string{"one", "<two>"}
	r.add(&Difference{Number: 1, Formula: strings.Repeat("a & ", 5000) + "b", Check: CheckIntersection, Left: "one", Right: "two"})
	r.add(&Difference{Number: 2, Name: "f", Formula: "a", Check: CheckSystem, Detail: "d", Word: word, Satisfied: &holds, Wrong: []string{"two"},
		Run: &SystemRun{Prefix: []string{}, Cycle: []string{"t<", "u"}}, Minimal: "b", MinimalCheck: "c", MinimalWord: word, LeftOut: []string{"x"}})
	r.add(&Difference{Run: &SystemRun{}})
	check()
}

// TestLeaveOut: what does not fit is left out, and told, and the rest stays.
func TestLeaveOut(t *testing.T) {
	long := &automata.Lasso{Propositions: []string{strings.Repeat("a", 1000)}, Cycle: slices.Repeat([]automata.Valuation{{1}}, 1000)}
	satisfied := false
	d := &Difference{Number: 1, Formula: "F a", Detail: "differs", Left: "one", Right: "two", Word: long, Satisfied: &satisfied, Wrong: []string{"one"},
		Run: &SystemRun{Prefix: []string{"t"}, Cycle: []string{"u"}}, Minimal: "a", MinimalWord: long}
	r := &Report{Differences: []*Difference{d}}
	full := errors.New("too long")
	r.LeaveOut(func(write func(io.Writer) error) error { return write(&room{10_000, full}) })
	var text bytes.Buffer
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(text.String(), "\n")
	want := `difference: formula 1, F a: differs
  between one and two
  the word does not satisfy the formula; wrong: [one]
  run t; cycle{u}
  smaller formula: a
  left out: word: too long
  left out: word of the smaller formula: too long
0 checks, 0 given up, 1 differences
`
	if got != want {
		t.Errorf("%s\nand not\n%s", got, want)
	}
}

// room takes so many bytes.
type room struct {
	left int
	full error
}

func (r *room) Write(text []byte) (int, error) {
	if r.left -= len(text); r.left < 0 {
		return 0, r.full
	}
	return len(text), nil
}
