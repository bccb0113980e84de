//go:build unix

package unpack

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOpenRegular: a pipe that nobody writes into, a device and a folder are refused at once, and named; what
// was opened is looked at, too.
func TestOpenRegular(t *testing.T) {
	folder := t.TempDir()
	pipe, device := filepath.Join(folder, "pipe"), filepath.Join(folder, "device")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/zero", device); err != nil {
		t.Skip(err)
	}
	for path, end := range map[string]string{
		pipe: "expected a regular file, found a pipe", device: "expected a regular file, found a device",
		folder: "is a directory, expected a file", filepath.Join(folder, "none"): "no such file or directory",
	} {
		if f, err := OpenRegular(path); f != nil || err == nil || !strings.Contains(err.Error(), path) || !strings.HasSuffix(err.Error(), end) {
			t.Errorf("%s: %v, %v", path, f, err)
		}
		if text, err := ReadRegular(path, 10); text != nil || err == nil || !strings.Contains(err.Error(), path) || !strings.HasSuffix(err.Error(), end) {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	opened, err := os.OpenFile(pipe, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if err := OpenedRegular(opened); err == nil || !strings.HasSuffix(err.Error(), "pipe: expected a regular file, found a pipe") {
		t.Errorf("an open pipe: %v", err)
	}
}

// TestReadRegular reads files up to a bound; of a larger one, which takes no room on the disk here,
// it reads nothing.
func TestReadRegular(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, size := range []int{0, 1, 1000, 1 << 20} {
		text := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if read, err := ReadRegular(path, 1<<20); err != nil || !bytes.Equal(read, text) {
			t.Errorf("%d bytes: %d, %v", size, len(read), err)
		}
	}
	for _, size := range []int64{1<<20 + 1, 1 << 40} {
		if err := os.Truncate(path, size); err != nil {
			t.Skip(err)
		}
		if read, err := ReadRegular(path, 1<<20); read != nil || err == nil || err.Error() != path+": expected a file of at most 1 MB, found a larger one" {
			t.Errorf("%d bytes: %d, %v", size, len(read), err)
		}
	}
}
