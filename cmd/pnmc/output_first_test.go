package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
)

// Outputs are tried before the work begins: that one can't be written is told although the
// input can't be read, either.
func TestOutputsAreTriedFirst(t *testing.T) {
	folder := t.TempDir()
	taken := filepath.Join(folder, "taken")
	if err := os.Mkdir(taken, 0o755); err != nil {
		t.Fatal(err)
	}
	absent, lost := filepath.Join(folder, "absent"), filepath.Join(folder, "absent", "file")
	for _, command := range []string{
		"convert --pnml ABSENT -o OUT",
		"convert --hoa ABSENT -o OUT",
		"convert --etf ABSENT --to pnml -o OUT",
		"unfold --pnml ABSENT -o OUT",
		"cross --formulas ABSENT --csv OUT translator%f",
		"cross --formulas ABSENT --json OUT translator%f",
		"--pnml ABSENT --ltl deadlock --trace OUT",
	} {
		for _, out := range []string{taken, lost} {
			var stdout, stderr bytes.Buffer
			arguments := strings.Fields("pnmc " + command)
			for i, a := range arguments {
				arguments[i] = strings.NewReplacer("ABSENT", absent, "OUT", out).Replace(a)
			}
			code := run(context.Background(), arguments, nil, &stdout, &stderr)
			if code != exit.Input || !strings.Contains(stderr.String(), out+": ") {
				t.Errorf("%v: exit code %d: %s", arguments, code, &stderr)
			}
		}
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
		t.Errorf("files are left: %v, %v", files, err)
	}
}

// A batch whose tables can't be written runs nothing.
func TestBatchTriesItsTablesFirst(t *testing.T) {
	folder, out := t.TempDir(), t.TempDir()
	text := read(t, "../../testdata/philosophers.pnml")
	write(t, filepath.Join(folder, "model.pnml"), text)
	if err := os.Mkdir(filepath.Join(out, batches.RunsFile), 0o755); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "batch", folder, "--out", out, "--examinations", "ReachabilityDeadlock"}, nil, &stdout, &stderr)
	if _, err := os.Stat(filepath.Join(out, journalFile)); code != exit.Input || err == nil || !strings.Contains(stderr.String(), batches.RunsFile) {
		t.Errorf("exit code %d, with a journal: %v: %s", code, err == nil, &stderr)
	}
}

// TestConvertLeavesNoEmptyFile: where the only automaton can't be written, there is no file,
// and one that was there stays as it is.
func TestConvertLeavesNoEmptyFile(t *testing.T) {
	output := filepath.Join(t.TempDir(), "converted.hoa")
	next := filepath.Join(t.TempDir(), "next.hoa")
	text := "HOA: v1\nStates: 3\nStart: 0\nAP: 1 \"a\"\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 1\nState: 1\n[0] 2\nState: 2 {0}\n[t] 2\n--END--\n"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"", "what was there"} {
		if before != "" {
			if err := os.WriteFile(output, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{"pnmc", "convert", "--hoa", next, "--to", "ta", "-o", output}, nil, &stdout, &stderr)
		found, err := os.ReadFile(output)
		if code != exit.Input || string(found) != before || os.IsNotExist(err) != (before == "") {
			t.Errorf("exit code %d, %q, %v: %s", code, found, err, &stderr)
		}
	}
}
