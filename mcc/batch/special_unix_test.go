//go:build unix

package batch

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pnmc/internal/batchtest"
)

// TestSpecialFilesAreNotRead: a property file or an archive that is a pipe or a device has no end
// for a batch, which does not begin to read it, and says so.
func TestSpecialFilesAreNotRead(t *testing.T) {
	folder, results := batchtest.Instances(t, "A-PT-1", "B-PT-1", "D-PT-1"), t.TempDir()
	replace := func(path string, by func(path string) error) {
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := by(path); err != nil {
			t.Skip(err)
		}
	}
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	replace(filepath.Join(folder, "A-PT-1", "UpperBounds.xml"), pipe)
	replace(filepath.Join(folder, "B-PT-1", "UpperBounds.xml"), func(path string) error { return os.Symlink("/dev/zero", path) })
	replace(filepath.Join(folder, "C-PT-1.tgz"), pipe)
	replace(filepath.Join(folder, "D-PT-1", "UpperBounds.xml"), func(string) error { return nil })
	replace(filepath.Join(folder, "D-PT-1", "UpperBounds.xml.gz"), pipe)
	want := map[string]string{"A-PT-1": "expected a regular file, found a pipe", "B-PT-1": "expected a regular file, found a device", "C-PT-1": "expected a regular file, found a pipe",
		"D-PT-1": "expected a regular file, found a pipe"}
	for _, r := range execute(t, planOf(t, folder, results, "UpperBounds"), results) {
		if w, ok := want[r.Instance]; !ok || !strings.HasSuffix(r.End, w) {
			t.Errorf("%s: %s", r.Instance, r.End)
		}
		delete(want, r.Instance)
	}
	if len(want) > 0 {
		t.Errorf("no run of %v", want)
	}
}
