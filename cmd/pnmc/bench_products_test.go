package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestBenchOfLargeProducts: a predicate whose products are too large for diagrams is not decided
// by them, which is no failure of the bench.
func TestBenchOfLargeProducts(t *testing.T) {
	folder := t.TempDir()
	formulas, output := filepath.Join(folder, "one.ltl"), filepath.Join(folder, "measured.csv")
	if err := os.WriteFile(formulas, []byte("G \"4611686018427387904 * eats0 * eats1 <= 3\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "bench", "--model", "../../testdata/philosophers.pnml",
		"--formulas", formulas, "--approaches", "sym-tgba", "-o", output}, nil, &stdout, &stderr)
	text, err := os.ReadFile(output)
	if code != exit.Unknown || err != nil || !strings.Contains(string(text), "too large for decision diagrams") {
		t.Errorf("exit code %d, %v\n%s%s", code, err, &stderr, text)
	}
}
