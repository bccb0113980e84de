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
	for _, path := range []string{pipe, device} {
		if j, err := Open(path, Settings{}); j != nil || err == nil || !strings.HasSuffix(err.Error(), "expected a regular file") {
			t.Errorf("%s: %v, %v", path, j, err)
		}
	}
}
