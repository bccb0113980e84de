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
	"pnmc/mcc/batch/history"
)

// journalFile is the journal of a batch on this computer.
const journalFile = history.FileName

func TestBatch(t *testing.T) {
	folder := contestFolder(t)
	name := filepath.Base(folder)
	out := filepath.Join(t.TempDir(), "results")
	oracle := filepath.Join(t.TempDir(), "oracle.csv")
	batch := func(more ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		arguments := append([]string{"pnmc", "batch", folder, "--time", "20", "--memory", "1G", "--jobs", "2", "--out", out}, more...)
		code := run(context.Background(), arguments, strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	if code, text, messages := batch("--examinations", "OneSafe,ReachabilityCardinality"); code != exit.Input || // a formula names no transition
		!strings.Contains(text, "all      3      0      0        1        2") {
		t.Fatalf("exit code %d, %s\n%s", code, text, messages)
	}
	for file, part := range map[string]string{
		batches.AnswersFile: name + ",OneSafe,OneSafe,,TRUE,unrated,", batches.RunsFile: name + ",ReachabilityCardinality,2,1,",
		batches.ReportFile: "<svg", journalFile: `"question":"P-03","value":"FALSE"`,
	} {
		text, err := os.ReadFile(filepath.Join(out, file))
		if err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s: no %q in %s, %v", file, part, text, err)
		}
	}
	// The batch goes on with what it has, and compares with what is known now.
	for _, test := range []struct {
		known string
		code  int
		line  string
	}{
		{name + ",OneSafe,T\n" + name + ",ReachabilityCardinality,F?\n", exit.Holds, "all      4      3      0        1        0"},
		{name + ",OneSafe,F\n", exit.Violated, "wrong: " + name + " OneSafe OneSafe: expected FALSE, answered TRUE"},
	} {
		if err := os.WriteFile(oracle, []byte(test.known+name+",ReachabilityDeadlock,T\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		code, text, messages := batch("--examinations", "OneSafe, ReachabilityDeadlock", "--oracle", oracle)
		if code != test.code || !strings.Contains(text, test.line) {
			t.Errorf("exit code %d, %s\n%s", code, text, messages)
		}
	}
	journal, err := os.ReadFile(filepath.Join(out, journalFile))
	if n := strings.Count(string(journal), `"kind":"end"`); err != nil || n != 3 {
		t.Errorf("%d runs, %v", n, err)
	}
	if code, _, messages := batch("--examinations", "CTLFireability"); code != exit.Input ||
		!strings.Contains(messages, name+" CTLFireability: not run: ") || !strings.Contains(messages, "CTLFireability.xml") {
		t.Errorf("no property file: exit code %d, %q", code, messages)
	}
	if code, _, messages := batch("--examinations", "OneSafe", "--time", "21"); code != exit.Input || !strings.Contains(messages, "other limits") {
		t.Errorf("another limit: exit code %d, %s", code, messages)
	}
}

func TestBatchUsage(t *testing.T) {
	for _, test := range []struct {
		arguments, message string
		code               int
	}{
		{"", "expected folders or archives", exit.Usage},
		{"absent", "absent", exit.Input},
		{"--examinations Beauty .", `unknown examination "Beauty"`, exit.Usage},
		{"--memory much .", "--memory: expected a size", exit.Usage},
		{"--time 0 .", "--time: expected seconds from 1 on", exit.Usage},
		{"--jobs 0 .", "--jobs: expected a number from 1 on", exit.Usage},
	} {
		var stdout, stderr bytes.Buffer
		arguments := append([]string{"pnmc", "batch"}, strings.Fields(test.arguments)...)
		if code := run(context.Background(), arguments, strings.NewReader(""), &stdout, &stderr); code != test.code ||
			!strings.Contains(stderr.String(), test.message) {
			t.Errorf("%s: exit code %d, %s", test.arguments, code, &stderr)
		}
	}
}

// TestBatchOfWhatCannotBeRead: the exit code tells of models, archives and property files
// that can't be read, which are tried again; the others are answered.
func TestBatchOfWhatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	good := filepath.Join(folder, "Good-PT-1")
	if err := os.Rename(contestFolder(t), good); err != nil {
		t.Fatal(err)
	}
	model, err := os.ReadFile(filepath.Join(good, "model.pnml"))
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(folder, "Truncated-PT-1")
	if err := os.Mkdir(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(path string, text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(broken, "model.pnml"), model[:len(model)/2])
	out := filepath.Join(t.TempDir(), "results")
	batch := func(arguments ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), append([]string{"pnmc", "batch", "--time", "20", "--memory", "1G", "--out", out}, arguments...), nil, &stdout, &stderr)
		return code, stdout.String() + stderr.String()
	}
	code, text := batch("--examinations", "OneSafe", folder)
	if code != exit.Input || !strings.Contains(text, "Truncated-PT-1 OneSafe: exit status 4: pnmc: "+filepath.Join("model.pnml")+":") ||
		!strings.Contains(text, "all      2      0      0        1        1") {
		t.Errorf("a truncated model: exit code %d\n%s", code, text)
	}
	write(filepath.Join(broken, "model.pnml"), model)
	if code, text := batch("--examinations", "OneSafe", folder); code != exit.Holds || !strings.Contains(text, "all      2      0      0        0        2") {
		t.Errorf("the model is whole now: exit code %d\n%s", code, text)
	}
	archive := filepath.Join(t.TempDir(), "Archive-PT-1.tgz")
	write(archive, []byte("no archive"))
	if code, text := batch("--examinations", "OneSafe", archive); code != exit.Input || !strings.Contains(text, "Archive-PT-1 OneSafe: not run: "+archive+": expected a tar archive compressed by gzip") {
		t.Errorf("no archive: exit code %d\n%s", code, text)
	}
	// What an instance has no file for is bad input only if it is asked for by name.
	if code, text := batch("--examinations", "UpperBounds", good); code != exit.Input || !strings.Contains(text, "UpperBounds: not run: ") {
		t.Errorf("no property file: exit code %d\n%s", code, text)
	}
	if code, text := batch("--verbose", filepath.Join(folder, "Truncated-PT-1")); code != exit.Holds || !strings.Contains(text, "UpperBounds: left out: ") {
		t.Errorf("what is left out, with -v: exit code %d\n%s", code, text)
	}
	if code, text := batch(filepath.Join(folder, "Truncated-PT-1")); code != exit.Holds || strings.Contains(text, "UpperBounds: ") {
		t.Errorf("all that there is: exit code %d\n%s", code, text)
	}
}

// TestBatchWhoseResultsCannotBeWritten has the exit code of output that can't be
// written, not that of wrong usage.
func TestBatchWhoseResultsCannotBeWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "Philosophers-PT-000003")
	model, err := os.ReadFile("../../testdata/philosophers.pnml")
	if err == nil {
		err = os.Mkdir(folder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "model.pnml"), model, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	out := filepath.Join(folder, "model.pnml", "results") // below a file
	if code := run(t.Context(), []string{"pnmc", "batch", "--out", out, folder}, nil, &stdout, &stderr); code != exit.Input {
		t.Errorf("exit code %d, expected %d: %s", code, exit.Input, stderr.String())
	}
}
