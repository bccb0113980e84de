package process

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestScratchThatIsLeft: the first call removes what processes left that were killed, and not the folder of
// one that lives.
func TestScratchThatIsLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const name = "process-test-"
	alive, remove, err := Scratch(name)
	if err != nil {
		t.Fatal(err)
	}
	host, _ := Machine()
	dead := filepath.Join(os.TempDir(), name+host+"-1")
	other := filepath.Join(os.TempDir(), name+"elsewhere-1")
	longer := filepath.Join(os.TempDir(), name+host+"-2-1") // of a computer whose name begins alike
	for _, folder := range []string{dead, other, longer} {
		if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(filepath.Join(folder, scratchLock), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := os.OpenFile(filepath.Join(dead, scratchLock), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !Free(lock) {
		t.Skip("there are no locks of this kind")
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	swept.Clear() // as if another process made it
	_, second, err := Scratch(name)
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]bool{filepath.Dir(alive): true, dead: false, other: true, longer: true} {
		if _, err := os.Stat(folder); (err == nil) != want {
			t.Errorf("%s: %v", folder, err)
		}
	}
	if err := errors.Join(remove(), second()); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) != 2 {
		t.Errorf("%d folders are left, want those of other computers", len(left))
	}
}
