package main

import (
	"bytes"
	"testing"

	"pnmc/cmd/pnmc/internal/progress"
)

// TestContestProgress: nothing is shown once nobody waits, and answers are written all the
// same.
func TestContestProgress(t *testing.T) {
	var out bytes.Buffer
	p := &contestProgress{m: progress.To(&out), end: func() { out.WriteString("end of reading\n") }}
	write := func(text string) func() { return func() { out.WriteString(text) } }
	answered := p.asked([]string{"p", "q"})
	answered(1, write("q\n"))
	p.close()
	p.close()
	answered(0, write("p\n"))
	p.asked([]string{"r"})(0, write("r\n"))
	if want := "end of reading\nq\np\nr\n"; out.String() != want {
		t.Errorf("%q, expected %q", &out, want)
	}
}

// TestContestTooLate: once it was told that nothing can be answered, nothing is.
func TestContestTooLate(t *testing.T) {
	var out bytes.Buffer
	p := &contestProgress{m: progress.To(&out), end: func() {}}
	if p.close() {
		t.Error("questions were known before there were any")
	}
	p.asked([]string{"p"})(0, func() { out.WriteString("p\n") })
	if out.Len() > 0 {
		t.Errorf("written: %q", &out)
	}
}
