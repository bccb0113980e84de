package mcc

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"pnmc/internal/atwork"
	"pnmc/internal/petritest"
	"pnmc/pnml"
)

// TestRunLeavesNothing: when Run returns, since all is answered or since its time is over, the
// process's collector has the limit that it had, and nothing is at work. With one processor, what is
// told to end does so only if somebody waits for it.
func TestRunLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "model.pnml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(pnml.Write(f, petritest.Kanban(300)), f.Close()); err != nil {
		t.Fatal(err)
	}
	limit := debug.SetMemoryLimit(-1)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, examination := range []string{"OneSafe", "StateSpace"} {
		options := Options{Time: time.Second / 2, MemoryBytes: 1 << 30, Threads: 4}
		err := Run(context.Background(), folder, examination, options, io.Discard)
		left := atwork.Others()
		if err != nil {
			t.Fatal(err)
		}
		if got := debug.SetMemoryLimit(-1); got != limit {
			t.Errorf("after %s the collector's limit is %d, was %d", examination, got, limit)
		}
		for _, stack := range left {
			t.Errorf("after %s there is\n%s", examination, stack)
		}
	}
}
