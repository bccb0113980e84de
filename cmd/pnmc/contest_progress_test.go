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
