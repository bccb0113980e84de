package grading

import (
	"bufio"
	"bytes"
	"testing"

	"pnmc/mcc/batch/history"
)

// FuzzReadOracle: right answers are read as a table and as what a tool printed, and answers that are the same agree.
func FuzzReadOracle(f *testing.F) {
	f.Add([]byte("instance,examination,verdicts\nA-PT-1,CTLFireability,TFT?\nA-PT-1,UpperBounds,1 3 ? +inf\n"))
	f.Add([]byte("A-PT-1 CTLFireability\nFORMULA A-PT-1-CTLFireability-00 TRUE TECHNIQUES EXPLICIT\nSTATE_SPACE STATES 3 TECHNIQUES X\n"))
	f.Add([]byte("\"A-PT-1\",StateSpace,\"1 2\n3 4\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		o := &Oracle{answers: make(map[history.Job]map[string]string), inOrder: make(map[history.Job][]string), of: everything}
		rows := 0
		if err := o.readTable(bytes.NewReader(text), func() { rows++ }, "table"); err == nil && len(o.inOrder) > rows {
			t.Errorf("%d jobs in %d rows", len(o.inOrder), rows)
		}
		_ = o.readAnswers(&lineReader{r: bufio.NewReader(bytes.NewReader(text))}, "answers") // may be none
		for job, known := range o.answers {
			for question, value := range known {
				r := &history.Run{Job: job, Questions: []string{question}}
				if expected, ok := o.Expected(r, 0); !ok || expected != history.Normal(value) {
					t.Errorf("%v %q: %q, expected %q", job, question, expected, value)
				}
			}
		}
	})
}
