package disk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSweep: what a process left that is gone goes with the next folder; what another one uses
// stays, and what is none of this package's.
func TestSweep(t *testing.T) {
	below := t.TempDir()
	make := func(name string, files map[string]string) string {
		path := filepath.Join(below, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	left := make(folderPrefix+"left", map[string]string{lockFile: lockBegin + ", in process 1.", "1.run": "x", "17.run": ""})
	halfMade := make(folderPrefix+"half", map[string]string{lockFile: ""})
	old, young := make(folderPrefix+"old", nil), make(folderPrefix+"young", nil)
	if err := os.Chtimes(old, time.Time{}, time.Now().Add(-2*unlockedAge)); err != nil {
		t.Fatal(err)
	}
	foreign := make(folderPrefix+"foreign", map[string]string{lockFile: "mine", "1.run": "x"})
	mixed := make(folderPrefix+"mixed", map[string]string{lockFile: lockBegin, "1.run": "x", "notes": "x"})
	other := make("results", map[string]string{lockFile: lockBegin, "1.run": "x"})
	used, err := NewFolder(below, 0)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		folder, err := NewFolder(below, 0)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(filepath.Join(folder.Path(), lockFile)); err != nil || !strings.HasPrefix(string(text), lockBegin) {
			t.Errorf("%q, %v", text, err)
		}
		folder.Remove()
		folder.Remove()
		if _, err := os.Stat(folder.Path()); err == nil {
			t.Errorf("%s is left", folder.Path())
		}
	}
	for path, stays := range map[string]bool{
		left: false, halfMade: false, old: false, young: true, foreign: true, filepath.Join(foreign, "1.run"): true,
		filepath.Join(mixed, "1.run"): false, filepath.Join(mixed, "notes"): true, filepath.Join(other, "1.run"): true, used.Path(): true,
	} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s: %v", path, err)
		}
	}
	used.Remove()
}

// TestNoFolder: where none can be made, it is told.
func TestNoFolder(t *testing.T) {
	_, err := NewFolder(filepath.Join(t.TempDir(), "none"), 0)
	if _, isFile := err.(*FileError); !isFile {
		t.Errorf("%v", err)
	}
}
