package disk

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestSweep: what a process left that was killed goes with the next folder, and nothing that is none of this
// package's. What another one has there does not go.
func TestSweep(t *testing.T) {
	below := t.TempDir()
	used, err := NewFolder(below, 0)
	if err != nil {
		t.Fatal(err)
	}
	file, err := used.newFile()
	if err != nil {
		t.Fatal(err)
	}
	if err := used.write(file, []byte("markings")); err != nil {
		t.Fatal(err)
	}
	stay := []string{namePrefix + "17", namePrefix + ".run", namePrefix + "1x.run", namePrefix + "notes.run", "17.run"}
	for _, name := range append(slices.Clone(stay), namePrefix+"17"+runSuffix) {
		if err := os.WriteFile(filepath.Join(below, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(below, namePrefix+"18"+runSuffix), 0o700); err != nil {
		t.Fatal(err)
	}
	stay = append(stay, namePrefix+"18"+runSuffix)
	for range 2 {
		folder, err := NewFolder(below, 0)
		if err != nil {
			t.Fatal(err)
		}
		folder.Remove()
		folder.Remove()
		if _, err := folder.newFile(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("after it was removed: %v", err)
		}
	}
	text := make([]byte, 8)
	if n, err := file.ReadAt(text, 0); string(text[:n]) != "markings" {
		t.Errorf("another process's file has %q, %v", text[:n], err)
	}
	used.Remove()
	entries, err := os.ReadDir(below)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, entry := range entries {
		left = append(left, entry.Name())
	}
	slices.Sort(stay)
	if !slices.Equal(left, stay) {
		t.Errorf("%q are left, expected %q", left, stay)
	}
}

// TestNoFolder: where no file can be made, it is told.
func TestNoFolder(t *testing.T) {
	_, err := NewFolder(filepath.Join(t.TempDir(), "none"), 0)
	if _, isFile := err.(*FileError); !isFile {
		t.Errorf("%v", err)
	}
}

// TestSizesAreTold with a unit of which there is one at least.
func TestSizesAreTold(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 B", 1: "1 B", 999: "999 B", 1023: "1023 B", 1024: "1 kB", 1536: "1.5 kB", 10<<10 + 1000: "10 kB",
		1<<20 - 1: "1023 kB", 1 << 20: "1 MB", 5<<19 + 1: "2.5 MB", 800 << 20: "800 MB", 4 << 40: "4194304 MB",
	} {
		if got := sizeText(bytes); got != want {
			t.Errorf("%d bytes are told as %s, expected %s", bytes, got, want)
		}
	}
	if got := (&FullError{Limit: 1 << 10}).Error(); got != "disk limit of 1 kB reached" {
		t.Error(got)
	}
}

// TestFailedWrite: a block that could not be written takes no part of the limit.
func TestFailedWrite(t *testing.T) {
	f, err := NewFolder(t.TempDir(), 100)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Remove()
	file, err := f.newFile()
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 60)
	if err := f.write(file, block); err != nil {
		t.Fatal(err)
	}
	file.Close()
	for range 2 {
		if err := f.write(file, block[:40]); !errors.As(err, new(*FileError)) {
			t.Fatalf("written to a closed file: %v", err)
		}
	}
	if f.used != 60 {
		t.Errorf("%d bytes count as used, expected 60", f.used)
	}
}
