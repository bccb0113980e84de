//go:build unix

package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestTryPipe: a pipe that nobody reads from is refused before there is anything to write. Who reads it
// when it is tried does not take that for the end, and gets what is written later.
func TestTryPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := Try(pipe); !errors.Is(err, errNoReader) {
		t.Errorf("without a reader: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(pipe, link); err != nil {
		t.Skip(err)
	}
	for range 2 {
		got := make(chan string)
		go func() {
			text, err := os.ReadFile(pipe)
			if err != nil {
				t.Error(err)
			}
			got <- string(text)
		}()
		for range 2 {
			if err := TryAll("", link); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(50 * time.Millisecond) // the work, in which the reader may see an end
		f, err := Create(pipe)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, "written"); err != nil {
			t.Fatal(err)
		}
		if err := f.Keep(); err != nil {
			t.Fatal(err)
		}
		if text := <-got; text != "written" {
			t.Errorf("the reader got %q", text)
		}
	}
	if len(tried.pipes) > 0 {
		t.Errorf("%d pipes are still open", len(tried.pipes))
	}
}
