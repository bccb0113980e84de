package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// FuzzComparisons: whatever two files hold, the commands that compare automata end
// with an exit code that is documented, and print a row for each automaton. Of cross, the
// first is a file of formulas, and the second what a translator prints.
func FuzzComparisons(f *testing.F) {
	files, err := filepath.Glob("testdata/*.hoa")
	if err != nil || len(files) == 0 {
		f.Fatalf("no automata: %v", err)
	}
	for _, first := range files {
		text, err := os.ReadFile(first)
		if err != nil {
			f.Fatal(err)
		}
		for kind := range uint8(3) {
			f.Add(kind, string(text), string(text))
		}
		f.Add(uint8(3), "G(a -> F b)\nname: a U !a\n", string(text))
	}
	f.Fuzz(func(t *testing.T, kind uint8, first, second string) {
		directory := t.TempDir()
		path := filepath.Join(directory, "second.hoa")
		if err := os.WriteFile(path, []byte(second), 0o600); err != nil {
			t.Fatal(err)
		}
		command := [4]string{"intersect", "include", "equivalent", "cross"}[kind%4]
		arguments := []string{"pnmc", command, "--word", "--limit", "200", "--timeout", "1s", "-", path}
		if command == "cross" {
			if len(first) > 200 || runtime.GOOS == "windows" {
				t.Skip("too many formulas, or no shell")
			}
			arguments = []string{"pnmc", "cross", "--formulas", "-", "--no-shrink", "--states", "10", "--complement", "100",
				"--timeout", "5s", "--check-timeout", "1s", "--", "sh -c 'cat \"$0\"' '" + path + "' %f"}
		}
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), arguments, bytes.NewReader([]byte(first)), &stdout, &stderr)
		if code == exit.Internal || code == exit.Usage && command != "cross" || code < 0 || code > exit.Internal {
			t.Errorf("exit code %d: %s", code, stderr.String())
		}
		if command == "cross" {
			if code <= exit.Unknown && !bytes.Contains(stdout.Bytes(), []byte(" differences\n")) {
				t.Errorf("no summary in %q", stdout.String())
			}
			return
		}
		for line := range bytes.Lines(stdout.Bytes()) {
			if line[0] != '#' && len(bytes.Trim(line, "01?\n")) > 0 {
				t.Errorf("line %q", line)
			}
		}
	})
}

// TestCrossGoesOnWithoutAProposition: one that the net does not know costs the checks of
// its formula on the net, and no others.
func TestCrossGoesOnWithoutAProposition(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{
		"pnmc", "cross", "--formula", "G unknown", "--formula", "G sleep", "--pnml", "testdata/token.pnml", "--", "./no-such-program %f",
	}, bytes.NewReader(nil), &stdout, &stderr)
	if code != exit.Unknown || bytes.Count(stdout.Bytes(), []byte("crash")) < 4 {
		t.Errorf("exit code %d: %s%s", code, stdout.String(), stderr.String())
	}
	code = run(context.Background(), []string{"pnmc", "cross", "--formula", "a", "--density", "7", "--", "true %f"}, bytes.NewReader(nil), &stdout, &stderr)
	if code != exit.Usage {
		t.Errorf("a density of 7: exit code %d", code)
	}
}

// TestCrossGivesUpLongFormulas: a formula whose text is too long to be written, or has no room, costs its
// own checks and no others, and its text is not made.
func TestCrossGivesUpLongFormulas(t *testing.T) {
	nested := "a"
	for range 14 {
		nested = "F[0:9](" + nested + ")"
	}
	long := `G "` + strings.Repeat("b", 3<<20) + `"`
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{
		"pnmc", "cross", "--formula", nested, "--formula", long, "--formula", "G c", "--max-memory", "90MB", "--", "./no-such-program %f",
	}, bytes.NewReader(nil), &stdout, &stderr)
	told := stdout.String()
	if code != exit.Unknown || !strings.Contains(told, "formula 1: formula too long") || !strings.Contains(told, "formula 2: copies of its text") ||
		strings.Count(told, "crash: formula 3") != 2 || len(told) > 10_000 {
		t.Errorf("exit code %d: %.2000s%s", code, told, &stderr)
	}
}

// TestCrossTellsOfFailures: translators that can't be run leave the exit code 2, and a
// report in each form.
func TestCrossTellsOfFailures(t *testing.T) {
	directory := t.TempDir()
	table, object := filepath.Join(directory, "report.csv"), filepath.Join(directory, "report.json")
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{
		"pnmc", "cross", "--formula", "GFa", "--formula", "a U b", "--csv", table, "--json", object, "--", "./no-such-program %f",
	}, bytes.NewReader(nil), &stdout, &stderr)
	if code != exit.Unknown {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if !bytes.Contains(stdout.Bytes(), []byte("0 checks, 0 given up, 0 differences")) {
		t.Errorf("%s", stdout.String())
	}
	for path, want := range map[string]int{table: 5, object: 4} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if path == table && bytes.Count(text, []byte("\n")) != want || path == object && bytes.Count(text, []byte(`"status": "crash"`)) != want {
			t.Errorf("%s: %s", path, text)
		}
	}
}
