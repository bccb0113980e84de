package output

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pnmc/internal/process"
)

// TestPartsThatAreLeft: what a process that is gone was writing is removed by the next one that writes
// the same file, and nothing else is.
func TestPartsThatAreLeft(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "net[1]*.pnml")
	living, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	live := filepath.Base(living.File.Name())
	name := partName(path)
	others := []string{name + "7" + partEnding + ".txt", name + "x" + partEnding, name + "7-8" + partEnding, filepath.Base(path) + ".123" + partEnding, partName("other") + "7" + partEnding}
	dead := name + "7" + partEnding
	for _, n := range append([]string{dead}, others...) {
		if err := os.WriteFile(filepath.Join(folder, n), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	left, err := os.OpenFile(filepath.Join(folder, dead), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	knows := process.Free(left)
	left.Close()
	if !knows {
		t.Skip("there are no locks of this kind")
	}
	there := func() (names []string) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		slices.Sort(names)
		return names
	}
	if err := Write(path, []byte("second")); err != nil {
		t.Fatal(err)
	}
	want := append([]string{filepath.Base(path), live}, others...)
	slices.Sort(want)
	if names := there(); !slices.Equal(names, want) {
		t.Errorf("there are %q, expected %q", names, want)
	}
	if _, err := living.Write([]byte("first")); err != nil {
		t.Error(err)
	}
	if err := living.Keep(); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "first" {
		t.Errorf("%q, %v", text, err)
	}
}
