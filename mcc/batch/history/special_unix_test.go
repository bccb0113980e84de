//go:build unix

package history

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestJournalIsARegularFile: a pipe and a device, which are never read to their end, are refused as
// journals.
func TestJournalIsARegularFile(t *testing.T) {
	folder := t.TempDir()
	pipe, device := filepath.Join(folder, "pipe"), filepath.Join(folder, "device")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Skip(err)
	}
	for path, kind := range map[string]string{pipe: "pipe", device: "device"} {
		end := path + ": expected a regular file, found a " + kind
		if j, err := Open(path, Settings{}); j != nil || err == nil || !strings.HasSuffix(err.Error(), end) {
			t.Errorf("%s: %v, %v", path, j, err)
		}
		if _, _, err := Read(path); err == nil || err.Error() != end {
			t.Errorf("read alone: %v", err)
		}
		if _, err := ReadRuns([]string{path}, nil); err == nil || err.Error() != end {
			t.Errorf("read beside others: %v", err)
		}
		if _, err := ReadEnds([]string{path}); err == nil || err.Error() != end {
			t.Errorf("read for its ends: %v", err)
		}
	}
}
