package history

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestJournalTakesBackHalfALine: of a line that there is no room for, such as on a full disk, nothing is left, and
// the journal can be opened again.
func TestJournalTakesBackHalfALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := Open(path, testSettings)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for room := range uint64(60) { // a line has more
		if err := within(uint64(len(whole))+room, func() error { return j.add(entry{Kind: startEntry, Instance: "A", Examination: "OneSafe"}) }); !errors.Is(err, syscall.EFBIG) {
			t.Fatalf("%d bytes of room: error %v, expected %v", room, err, syscall.EFBIG)
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
			t.Fatalf("%d bytes of room: the journal is %q, %v", room, text, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if j, err = Open(path, testSettings); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.add(entry{Kind: startEntry, Instance: "A", Examination: "OneSafe"}); err != nil || len(j.Runs()) != 1 {
		t.Errorf("with room again: %d runs, %v", len(j.Runs()), err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

// within calls f while files of this process can't grow beyond so many bytes.
func within(bytes uint64, f func() error) error {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: before.Max}); err != nil {
		return err
	}
	err := f()
	return errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before))
}
