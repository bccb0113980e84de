//go:build unix

package mcc

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/pnml"
)

// TestPropertiesWithoutEnd: a property file that never ends is read until the memory is used up.
func TestPropertiesWithoutEnd(t *testing.T) {
	folder := t.TempDir()
	f, err := os.Create(filepath.Join(folder, "model.pnml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(pnml.Write(f, petritest.Philosophers(2)), f.Close()); err != nil {
		t.Fatal(err)
	}
	name := "ReachabilityFireability.xml"
	if err := os.Symlink("/dev/zero", filepath.Join(folder, name)); err != nil {
		t.Skip(err)
	}
	before := account.InUse()
	err = Run(t.Context(), folder, "ReachabilityFireability", Options{Time: time.Minute, MemoryBytes: before + 40<<20}, io.Discard)
	if !errors.As(err, new(*account.MemoryError)) || !strings.Contains(err.Error(), name) || !strings.HasSuffix(err.Error(), " while it was read") {
		t.Errorf("%v, expected that memory is full", err)
	}
	if after := account.InUse(); after > before+70<<20 {
		t.Errorf("%d MB are in use, were %d", after>>20, before>>20)
	}
}
