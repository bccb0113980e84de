package limits

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/output"
	"pnmc/internal/account"
	"pnmc/petri"
)

// lines returns a function that writes so many lines of 1024 bytes.
func lines(n int) func(io.Writer) error {
	return func(w io.Writer) error {
		for range n {
			if _, err := io.WriteString(w, strings.Repeat("a", 1023)+"\n"); err != nil {
				return err
			}
		}
		return nil
	}
}

// TestWholeText: a short text is written when time is over and memory is full, a long one if it fits,
// and nothing of one that does not.
func TestWholeText(t *testing.T) {
	over, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the time is over"))
	full, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: 8 << 20})
	defer stop(nil)
	roomy, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: 1 << 40})
	defer stop(nil)
	some, stop := account.Within(t.Context(), petri.Budget{MemoryBytes: 64 << 20})
	defer stop(nil)
	const short, long = shortText / 1024, shortText/1024 + 1
	for name, c := range map[string]struct {
		ctx    context.Context
		lines  int
		reason string
	}{
		"short":                 {roomy, short, ""},
		"short, over":           {over, short, ""},
		"short, full":           {full, short, ""},
		"long":                  {roomy, 4 * long, ""},
		"long, over":            {over, long, "the time is over"},
		"long, full":            {full, long, "its text is longer than 1 MB"},
		"longer than the share": {some, 9 << 10, "its text is longer than 8 MB, an eighth of the memory limit"},
	} {
		var text strings.Builder
		err := WholeText(c.ctx, &text, lines(c.lines))
		reason, leftOut := IsLeftOut(err)
		want := c.lines * 1024
		if c.reason != "" {
			want = 0
		}
		if text.Len() != want || leftOut != (c.reason != "") || err != nil && !leftOut || leftOut && !strings.Contains(reason.Error(), c.reason) {
			t.Errorf("%s: %d bytes, %v", name, text.Len(), err)
		}
	}
}

// TestWholeTextIsNotBegunLate: a long text that would take longer than there is time left is left out.
func TestWholeTextIsNotBegunLate(t *testing.T) {
	const all = 2 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), all)
	defer cancel()
	var text strings.Builder
	err := WholeText(ctx, &text, func(w io.Writer) error {
		time.Sleep(all / 10 * 6)
		return lines(2000)(w)
	})
	if _, leftOut := IsLeftOut(err); !leftOut || text.Len() > 0 {
		t.Errorf("%d bytes, %v", text.Len(), err)
	}
}

// TestFilePart: what is left out of a file leaves no trace, and what comes before and after it is there.
func TestFilePart(t *testing.T) {
	over, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("the time is over"))
	path := filepath.Join(t.TempDir(), "file")
	o, err := output.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	failed := errors.New("failed")
	for _, c := range []struct {
		ctx   context.Context
		lines int
		end   error
		want  error
	}{
		{over, 10, nil, nil}, {over, 5000, nil, context.Cause(over)}, {t.Context(), 5000, nil, nil}, {t.Context(), 7, failed, failed}, {over, 1, nil, nil},
	} {
		err := FilePart(c.ctx, o, func(w io.Writer) error { return errors.Join(lines(c.lines)(w), c.end) })
		if !errors.Is(err, c.want) {
			t.Errorf("%d lines: %v", c.lines, err)
		}
	}
	if err := o.Keep(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || len(text) != 5011*1024 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
