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

	"pnmc/internal/petritest"
	"pnmc/pnml"
)

// TestRunLeavesNothing: when Run returns, since all is answered or since its time is over, the
// process's collector has the limit that it had, and no engine is at work.
func TestRunLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "model.pnml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(pnml.Write(f, petritest.Kanban(300)), f.Close()); err != nil {
		t.Fatal(err)
	}
	limit, before := debug.SetMemoryLimit(-1), runtime.NumGoroutine()
	for _, examination := range []string{"OneSafe", "StateSpace"} {
		options := Options{Time: time.Second / 2, MemoryBytes: 1 << 30}
		if err := Run(context.Background(), folder, examination, options, io.Discard); err != nil {
			t.Fatal(err)
		}
		if got := debug.SetMemoryLimit(-1); got != limit {
			t.Errorf("after %s the collector's limit is %d, was %d", examination, got, limit)
		}
		after := runtime.NumGoroutine()
		for tries := 0; after > before && tries < 1000; tries++ {
			time.Sleep(time.Millisecond) // those that the context's end started may be ending
			after = runtime.NumGoroutine()
		}
		if after > before {
			text := make([]byte, 1<<16)
			t.Errorf("after %s there are %d goroutines, were %d\n%s", examination, after, before, text[:runtime.Stack(text, true)])
		}
	}
}
