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

// TestWholeTimeIsOver: what the whole time does not suffice for has a line each, is told of
// once, and is not decided, however many properties follow.
func TestWholeTimeIsOver(t *testing.T) {
	net := togglesFile(t, 40)
	formulas := filepath.Join(t.TempDir(), "three.ltl")
	text := "G (\"on0 + on1 <= 1\" | F \"on2 = 7\")\nG F \"on0 = 1\"\nF G \"on1 = 1\"\n"
	if err := os.WriteFile(formulas, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, approach := range []string{"auto", "tgba"} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{"pnmc", "--pnml", net, "--ltl-file", formulas, "--timeout", "60s", "--total-timeout", "1ms",
			"--approach", approach}, nil, &stdout, &stderr)
		// One millisecond is over while the net or the formulas are read, or before the first check.
		if code != exit.Unknown {
			t.Errorf("%s: exit code %d\n%s%s", approach, code, &stdout, &stderr)
		}
		if told := strings.Count(stderr.String(), "total time limit"); told > 2 {
			t.Errorf("%s: the limit is told %d times:\n%s", approach, told, &stderr)
		}
	}
}
