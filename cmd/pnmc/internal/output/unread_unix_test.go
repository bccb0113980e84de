//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package output

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// pipe returns the ends of a pipe; if full is true, it takes nothing any more.
func pipe(t *testing.T, full bool) (reader, writer *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close(); writer.Close() })
	if full {
		if err := writer.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		for block := make([]byte, 1<<16); err == nil; {
			_, err = writer.Write(block)
		}
		if err := writer.SetWriteDeadline(time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	return reader, writer
}

// TestFull: a pipe is full when it takes nothing any more, and until somebody reads.
func TestFull(t *testing.T) {
	_, empty := pipe(t, false)
	if full, known := isFull(empty); full || !known {
		t.Errorf("an empty one: full %t, known %t", full, known)
	}
	reader, writer := pipe(t, true)
	if full, known := isFull(writer); !full || !known {
		t.Errorf("a full one: full %t, known %t", full, known)
	}
	if _, err := io.ReadFull(reader, make([]byte, 1<<15)); err != nil {
		t.Fatal(err)
	}
	if full, known := isFull(writer); full || !known {
		t.Errorf("after reading: full %t, known %t", full, known)
	}
	if _, known := isFull(io.Discard); known {
		t.Error("of what is no file it is known whether it is full")
	}
	writer.Close()
	if _, known := isFull(writer); known {
		t.Error("of a closed file it is known whether it is full")
	}
}

// TestRoomWaitsForNoReader: a write that has not returned, though there is room, waits for a processor, which other
// processes have. The command is not ended for that, and its end waits for the write. Where there is no room, it is.
func TestRoomWaitsForNoReader(t *testing.T) {
	late := errors.New("the time is over")
	for _, full := range []bool{false, true} {
		_, writer := pipe(t, full)
		for name, note := range map[string]func(context.Context){
			"whole":  func(ctx context.Context) { NoteLimit(ctx, time.Now().Add(-lateness), late) },
			"pieces": func(ctx context.Context) { NotePatience(ctx, time.Millisecond, late) },
			"end":    func(context.Context) {},
		} {
			ctx, u := WithUnfinished(t.Context())
			long := time.Now().Add(-time.Hour)
			w := &wait{to: "pipe", out: writer, began: long, went: long}
			u.waits.mutex.Lock()
			u.waits.writes[w] = true
			u.waits.mutex.Unlock()
			note(ctx)
			if name == "end" {
				time.AfterFunc(2*blindLooks*lookAgain, func() { u.waits.note(w, false) })
				if err := u.Settle(0); (err != nil) != full {
					t.Errorf("full %t: at the end %v", full, err)
				}
				continue
			}
			select {
			case err := <-u.Stalled():
				if !full || !errors.Is(err, late) {
					t.Errorf("%s, full %t: %v", name, full, err)
				}
			case <-time.After(lateness + 2*blindLooks*lookAgain):
				if full {
					t.Errorf("%s: nobody is told that nobody reads", name)
				}
			}
			u.waits.note(w, false)
		}
	}
}

// TestLastWordsAreWritten however late the writer gets a processor, if there is room, and not waited for if there
// is none.
func TestLastWordsAreWritten(t *testing.T) {
	reader, writer := pipe(t, false)
	WriteRead(writer, "words", 0)
	text := make([]byte, 9)
	if n, err := reader.Read(text); string(text[:n]) != "words" {
		t.Errorf("%q, %v", text[:n], err)
	}
	_, writer = pipe(t, true)
	began := time.Now()
	WriteRead(writer, strings.Repeat("words", 1000), 0)
	if took := time.Since(began); took < leastLooks*lookAgain {
		t.Errorf("nobody waits for a reader: %v", took)
	}
}
