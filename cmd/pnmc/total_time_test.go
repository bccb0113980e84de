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

// TestTotalTimeOfBatch: a batch whose whole time is over tells what is missing, leaves a journal that is
// whole, and goes on without the limit.
func TestTotalTimeOfBatch(t *testing.T) {
	out := filepath.Join(t.TempDir(), "results")
	batch := func(more ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		arguments := append([]string{"pnmc", "batch", contestFolder(t), "--examinations", "OneSafe,ReachabilityDeadlock", "--time", "20", "--memory", "1G", "--out", out}, more...)
		code := run(context.Background(), arguments, strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	code, _, messages := batch("--total-timeout", "1ns")
	if want := "total time limit of 1ns reached: 0 of 2 runs are over, their answers are in " + out + "; the same command goes on"; code != exit.Unknown || !strings.Contains(messages, want) {
		t.Fatalf("exit code %d, no %q in\n%s", code, want, messages)
	}
	if code, text, messages := batch(); code != exit.Holds || strings.Contains(messages, "limit") {
		t.Errorf("without the limit: exit code %d\n%s%s", code, text, messages)
	}
	if code, text, messages := batch("--total-timeout", "1h"); code != exit.Holds || strings.Contains(messages, "limit") {
		t.Errorf("when all is over: exit code %d\n%s%s", code, text, messages)
	}
}

// TestTotalTimeOfBench: a bench whose whole time is over says so, and the same command without the limit makes
// all measurements.
func TestTotalTimeOfBench(t *testing.T) {
	folder := t.TempDir()
	formulas, output := filepath.Join(folder, "one.ltl"), filepath.Join(folder, "measured.csv")
	if err := os.WriteFile(formulas, []byte("G F eats0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bench := func(more ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		arguments := append([]string{"pnmc", "bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", formulas, "--approaches", "tgba", "--jobs", "1", "--output", output}, more...)
		code := run(context.Background(), arguments, strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String() + stderr.String()
	}
	if code, text := bench("--total-timeout", "1ns"); code != exit.Unknown || !strings.Contains(text, "total time limit of 1ns reached") {
		t.Errorf("exit code %d\n%s", code, text)
	}
	for _, limit := range [][]string{nil, {"--total-timeout", "1h"}} {
		if code, text := bench(limit...); code != exit.Holds || strings.Contains(text, "limit") {
			t.Errorf("%v: exit code %d\n%s", limit, code, text)
		}
	}
}

// TestTotalTimeOfCross: a comparison ends with the whole time, with what is known then, whatever a translator
// does.
func TestTotalTimeOfCross(t *testing.T) {
	for _, translator := range []string{"true %f", `sh -c "sleep 1000" %f`} {
		var stdout, stderr bytes.Buffer
		arguments := []string{"pnmc", "cross", "--formula", "G F a", "--formula", "F G a", "--total-timeout", "500ms", "--timeout", "1h", "--", translator}
		code := run(context.Background(), arguments, strings.NewReader(""), &stdout, &stderr)
		if ended := strings.Contains(stderr.String(), "total time limit of 500ms reached: 0 of 2 formulas are compared, the others are missing"); code != exit.Unknown || ended != strings.Contains(translator, "sleep") && !strings.Contains(stderr.String(), "total time") {
			t.Errorf("%s: exit code %d\n%s%s", translator, code, &stdout, &stderr)
		}
	}
}

// TestTotalTimeIsOfWhatRunsHere: what others run has limits of its own.
func TestTotalTimeIsOfWhatRunsHere(t *testing.T) {
	for _, arguments := range [][]string{{"batch", "--status"}, {"batch", "--plan"}, {"batch", "--slurm"}, {"bench", "--cancel"}, {"bench", "--emit-jobs=jobs"}} {
		var stderr bytes.Buffer
		command := append([]string{"pnmc", arguments[0], "--total-timeout", "1h"}, arguments[1:]...)
		if code := run(context.Background(), command, nil, &bytes.Buffer{}, &stderr); code != exit.Usage || !strings.Contains(stderr.String(), "--total-timeout limits what runs here") {
			t.Errorf("%v: exit code %d\n%s", arguments, code, &stderr)
		}
	}
}
