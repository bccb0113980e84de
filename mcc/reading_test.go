package mcc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/pnml"
)

// TestReadingHasLimits: a model is read within the memory and the time of the run.
func TestReadingHasLimits(t *testing.T) {
	folder := t.TempDir()
	var model bytes.Buffer
	if err := pnml.Write(&model, petritest.Grid(12)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), model.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Run(t.Context(), folder, "ReachabilityDeadlock", Options{Time: time.Minute, MemoryBytes: 1 << 20}, io.Discard)
	if !errors.As(err, new(*account.MemoryError)) {
		t.Errorf("within 1 MB: %v, want that memory is full", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(over, folder, "ReachabilityDeadlock", Options{Time: time.Minute}, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v, want %v", err, context.Canceled)
	}
}
