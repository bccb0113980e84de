package history

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
)

// watchedDisk notes what is done to a file, and may fail to put it on the disk.
type watchedDisk struct {
	disk
	done   []string
	failed error
}

func (w *watchedDisk) Write(text []byte) (int, error) {
	w.done = append(w.done, "write")
	return w.disk.Write(text)
}

func (w *watchedDisk) Sync() error {
	w.done = append(w.done, "sync")
	return errors.Join(w.failed, w.disk.Sync())
}

func (w *watchedDisk) Truncate(size int64) error {
	w.done = append(w.done, "truncate")
	return w.disk.Truncate(size)
}

// TestJournalIsOnTheDisk: each line is written, and put on the disk, before the call returns; one that did
// not get there is taken away, and does not count.
func TestJournalIsOnTheDisk(t *testing.T) {
	j, err := Open(filepath.Join(t.TempDir(), "journal"), testSettings)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	w := &watchedDisk{disk: j.file}
	j.file = w
	job := Job{Instance: "A", Examination: "OneSafe"}
	for i, note := range []func() error{
		func() error { return j.Start(job, []string{"OneSafe"}, 1) },
		func() error { return j.Answer(job, Answer{Question: "OneSafe", Value: "TRUE"}) },
		func() error { return j.Interrupt(job, 1) },
		func() error { return j.End(job, Run{}) },
	} {
		w.done = nil
		if err := note(); err != nil || !slices.Equal(w.done, []string{"write", "sync"}) {
			t.Errorf("line %d: %q, %v", i, w.done, err)
		}
	}
	w.done, w.failed = nil, errors.New("the disk is gone")
	if err := j.Start(job, nil, 2); !errors.Is(err, w.failed) || !slices.Equal(w.done, []string{"write", "sync", "truncate"}) {
		t.Errorf("what did not get to the disk: %q, %v", w.done, err)
	}
	if r := j.Run(job); len(r.Answers) != 1 || r.Begun != 1 {
		t.Errorf("what did not get to the disk counts: %+v", r)
	}
}
