package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWarningsAreToldOnce: what is noteworthy of a hundred automata is told of the first
// one, and then how many others have it.
func TestWarningsAreToldOnce(t *testing.T) {
	var stream strings.Builder
	for range 100 {
		stream.WriteString("HOA: v1\nStates: 1\nStart: 0\nAP: 0\nacc-name: Buchi\nAcceptance: 0 t\n--BODY--\nState: 0\n[t] 0\n--END--\n")
	}
	path := filepath.Join(t.TempDir(), "many.hoa")
	if err := os.WriteFile(path, []byte(stream.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "pnmc: warning: " + path + ":5:1: acc-name: Buchi is not the name of the condition that Acceptance: gives, and is ignored\n"
	again := "pnmc: 99 times more: acc-name: Buchi is not"
	for _, arguments := range [][]string{
		{"--pnml", "../../testdata/philosophers.pnml", "--hoa", path},
		{"convert", "--hoa", path},
		{"intersect", "../../testdata/recurrence.hoa", path},
		{"bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", path, "--lines", "1-100", "--approaches", "tgba", "--jobs", "1"},
	} {
		var stdout, stderr bytes.Buffer
		run(context.Background(), append([]string{"pnmc"}, arguments...), nil, &stdout, &stderr)
		if told := stderr.String(); strings.Count(told, "acc-name: Buchi") != 2 || !strings.Contains(told, want) || !strings.Contains(told, again) {
			t.Errorf("%s: %.400s", arguments[0], told)
		}
	}
}
