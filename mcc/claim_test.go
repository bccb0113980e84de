package mcc

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A false claim of the net's units is told once, and the answers are the true ones.
func TestFalseClaim(t *testing.T) {
	model, err := os.ReadFile("../cmd/pnmc/testdata/fed.pnml")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "model.pnml"), model, 0o666); err != nil {
		t.Fatal(err)
	}
	var warnings []string
	var out bytes.Buffer
	options := Options{Time: engineTime, Warn: func(warning string) { warnings = append(warnings, warning) }}
	if err := Run(context.Background(), folder, "StateSpace", options, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"STATES 11 ", "TRANSITIONS 10 ", "MAX_TOKEN_PER_MARKING 11 ", "MAX_TOKEN_IN_PLACE 9 "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if len(warnings) != 1 || !slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, `unit "`) }) {
		t.Errorf("warnings %q, expected one that names a unit", warnings)
	}
}
