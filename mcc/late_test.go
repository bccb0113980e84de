package mcc

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLateModel: a model whose reading the time ends is no bad input, and is told in words.
func TestLateModel(t *testing.T) {
	folder := t.TempDir()
	model := "<pnml>" + strings.Repeat(" ", 1<<20) + "</pnml>"
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), []byte(model), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	_, err := readModel(ctx, folder, 0)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.HasSuffix(err.Error(), "time limit reached while it was read") {
		t.Error(err)
	}
}
