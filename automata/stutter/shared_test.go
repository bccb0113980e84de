package stutter_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pnmc/automata/stutter"
	"pnmc/hoa"
)

// TestInvarianceOfShared: all shared automata of formulas without X are found to be
// stutter-invariant, whatever they claim.
func TestInvarianceOfShared(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/ltl/*/*.hoa")
	if len(files) == 0 {
		t.Skip("no shared automata")
	}
	for _, name := range files {
		if filepath.Base(name) == "next.hoa" {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		reader := hoa.NewReader(file, name)
		var slowest time.Duration
		decided, slowestAt := 0, 0
		for ; ; decided++ {
			a, err := reader.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			a.Claims = 0
			began := time.Now()
			v, err := stutter.DecideInvariance(context.Background(), a)
			if err != nil {
				t.Fatal(err)
			}
			if !v.Whole {
				t.Errorf("%s, automaton %d: refuted %v", name, decided, v.Refuted)
			}
			if d := time.Since(began); d > slowest {
				slowest, slowestAt = d, decided
			}
		}
		t.Logf("%s: %d automata, the slowest, number %d, in %v", name, decided, slowestAt, slowest)
	}
}
