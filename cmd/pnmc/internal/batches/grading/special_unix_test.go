//go:build unix

package grading

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOracleIsOfRegularFiles: right answers are read from regular files alone. A pipe that nobody writes
// into was waited for, and a device read for ever.
func TestOracleIsOfRegularFiles(t *testing.T) {
	folder, pipe := t.TempDir(), filepath.Join(t.TempDir(), "pipe")
	inside := filepath.Join(folder, "answers.out")
	for _, path := range []string{pipe, inside} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
	}
	devices := t.TempDir()
	if err := os.Symlink("/dev/zero", filepath.Join(devices, "zero.out")); err != nil {
		t.Skip(err)
	}
	for path, end := range map[string]string{
		pipe: pipe + ": expected a regular file, found a pipe", folder: inside + ": expected a regular file, found a pipe",
		devices: "zero.out: expected a regular file, found a device", os.DevNull: "expected a regular file, found a device",
	} {
		if o, err := ReadOracle(t.Context(), path, everything); err == nil || !strings.HasSuffix(err.Error(), end) {
			t.Errorf("%s: %v, %v", path, o, err)
		}
	}
}
