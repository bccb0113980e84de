package experiment

import (
	"errors"
	"io"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"

	"pnmc/internal/account"
)

// endless repeats a text, and counts what is read of it.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[(e.read+i)%len(e.text)]
	}
	e.read += len(p)
	return len(p), nil
}

// TestLongFilesAreNotRead: what is no file of measurements, or has a row that is too long, or more
// rows than there is memory for, is not read to its end.
func TestLongFilesAreNotRead(t *testing.T) {
	head := strings.Join(columns.Get(), ",") + "\n"
	const all = 256 << 20
	for name, test := range map[string]struct {
		begins, repeats, want string
		most, memory          int
	}{
		"zeros":            {"", "\x00", "log:1:1: expected the columns model,set", 1 << 20, 512 << 20},
		"one long row":     {head, "x", "log:2:1: a row of more than 16 MB", longestRow + 1<<20, 512 << 20},
		"quotes stay open": {head + sample()[0].line() + `"`, "x,y", "log:3:1: a row of more than 16 MB", longestRow + 1<<20, 512 << 20},
		"many rows":        {head, sample()[0].line(), "memory limit", all - 1, 32 << 20},
	} {
		more := &endless{text: test.repeats}
		debug.FreeOSMemory()
		ctx, stop := account.Within(t.Context(), account.Budget{MemoryBytes: account.InUse() + int64(test.memory)})
		contents, err := ReadRecords[Record](ctx, io.MultiReader(strings.NewReader(test.begins), io.LimitReader(more, all)), "log")
		if err == nil || !strings.Contains(err.Error(), test.want) || more.read > test.most {
			t.Errorf("%s: %d bytes are read, %d records, %v", name, more.read, len(contents.Records), err)
		}
		stop(nil)
	}
	debug.FreeOSMemory()
	small, stop := account.Within(t.Context(), account.Budget{MemoryBytes: account.InUse() + 16<<20})
	defer stop(nil)
	more := &endless{text: "x"}
	var full *account.MemoryError
	if _, err := ReadRecords[Record](small, io.MultiReader(strings.NewReader(head), more), "log"); !errors.As(err, &full) || more.read > 8<<20 {
		t.Errorf("a long row without memory: %d bytes are read, %v", more.read, err)
	}
}

// line returns the row of a record.
func (r Record) line() string {
	var text strings.Builder
	_ = WriteRecords(&text, false, r) // a builder takes everything
	return text.String()
}

// TestRecordsComeInPieces: it does not matter where a read ends, and whether the file was cut off.
func TestRecordsComeInPieces(t *testing.T) {
	text := logged(t, append(sample()[:3], Record{Model: "M", Set: "random", Line: 4, Formula: "\"\n", Approach: "ta", Verdict: "unknown"})).String()
	for end := range len(text) + 1 {
		whole, err := ReadRecords[Record](t.Context(), strings.NewReader(text[:end]), "log")
		pieces, failed := ReadRecords[Record](t.Context(), iotest.OneByteReader(strings.NewReader(text[:end])), "log")
		if (err == nil) != (failed == nil) || whole.Length != pieces.Length || len(whole.Records) != len(pieces.Records) {
			t.Fatalf("cut to %q: %+v, %v, in pieces %+v, %v", text[:end], whole, err, pieces, failed)
		}
	}
}
