package mcc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pnmc/checker"
	"pnmc/internal/account"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/pnml"
	"pnmc/query"
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

// TestTooLargePropertiesAreGivenUpAlone: a property that memory has no room for has its line, with the limit as reason, and the others are asked.
func TestTooLargePropertiesAreGivenUpAlone(t *testing.T) {
	folder := t.TempDir()
	text := `<property-set xmlns="http://mcc.lip6.fr/">`
	for _, name := range []string{"one", "many", "two"} {
		text += "<property><id>" + name + "</id><formula><place-bound><place>" + name + "</place></place-bound></formula></property>"
	}
	if err := os.WriteFile(filepath.Join(folder, "UpperBounds.xml"), []byte(text+"</property-set>"), 0o644); err != nil {
		t.Fatal(err)
	}
	compile := func(r *query.Resolver, f *query.Formula) (checker.Question, error) {
		bytes := 2 << 20
		if f.Names[0] == "many" {
			bytes = math.MaxInt32
		}
		return checker.Bound{}, r.Limit.Charge(bytes)
	}
	var out strings.Builder
	a := &answers{out: &out}
	net, err := (&petri.Builder{}).Build()
	if err != nil {
		t.Fatal(err)
	}
	keys, questions, err := ask(t.Context(), &examination{name: "UpperBounds", compile: compile}, folder, account.InUse()+1<<30, pnml.Document{Net: net}, a)
	if want := []string{"FORMULA one", "FORMULA two"}; err != nil || !slices.Equal(keys, want) || len(questions) != len(want) {
		t.Errorf("asked %q, want %q; %v", keys, want, err)
	}
	if got, want := out.String(), "FORMULA many CANNOT_COMPUTE\n"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if a.unread == nil || !errors.As(a.unread, new(*logic.LimitError)) || !strings.Contains(a.unread.Error(), "property many: ") {
		t.Errorf("the reason is %v", a.unread)
	}
}
