package process

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNameless: a file is read and written as any other, and is not seen in its folder, unless it is said to have
// a name.
func TestNameless(t *testing.T) {
	folder := t.TempDir()
	file, named, err := Nameless(folder, "test-*.run")
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, 4)
	if _, err := file.WriteString("text"); err != nil {
		t.Error(err)
	}
	if n, err := file.ReadAt(text, 0); n != 4 || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 != named {
		t.Errorf("%v are there, %v, named %t", entries, err, named)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if _, _, err := Nameless(filepath.Join(folder, "none"), "test-*.run"); !os.IsNotExist(err) {
		t.Errorf("where there is no folder: %v", err)
	}
}
