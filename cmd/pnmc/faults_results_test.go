//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// special are files that have no end, or none that comes, made at a path.
var special = map[string]struct {
	found string
	make  func(path string) error
}{
	"pipe":   {"found a pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
	"device": {"found a device", func(path string) error { return os.Symlink("/dev/zero", path) }},
}

// endless is how long a command may take at most that refuses a file at once, on a busy computer, too.
const endless = 30 * time.Second

// refuses runs a command that must end by itself, soon, with bad input and these messages. How a batch stands
// is unknown as long as the queue is, which records tell of.
func refuses(t *testing.T, arguments []string, messages ...string) {
	t.Helper()
	command := program(t, arguments...)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(endless, func() { _ = command.Process.Kill() }) // it may have ended
	defer late.Stop()
	_ = command.Wait() // the exit code tells
	unknown := arguments[1] == "--status" && strings.Contains(stderr.String(), "what is in the queue is not known: ")
	if code := command.ProcessState.ExitCode(); code != exit.Input && !(unknown && code == exit.Unknown) {
		t.Errorf("%q: exit code %d, expected %d: %s", arguments, code, exit.Input, &stderr)
	}
	for _, m := range messages {
		if !strings.Contains(stderr.String(), m) {
			t.Errorf("%q: expected %q: %s", arguments, m, &stderr)
		}
	}
}

// places returns arguments with RESULTS and MODEL replaced.
func places(arguments, results, model string) []string {
	return strings.Fields(strings.NewReplacer("RESULTS", results, "MODEL", model).Replace(arguments))
}

// onSpecial has each command meet special files of this name, in a folder that prepare fills.
func onSpecial(t *testing.T, name, model string, prepare func(t *testing.T, results string), commands []string) {
	for kind, of := range special {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			for _, arguments := range commands {
				results := filepath.Join(t.TempDir(), "results")
				prepare(t, results)
				path := filepath.Join(filepath.Dir(results), name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
				if err := of.make(path); err != nil {
					t.Skip(err)
				}
				refuses(t, places(arguments, results, model), path, of.found)
				if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
					t.Errorf("%q: what was there is gone: %v", arguments, err)
				}
			}
		})
	}
}

// TestSpecialFilesInResults: of a batch and its tasks no file is read, and none waited for, that is a pipe or a
// device.
func TestSpecialFilesInResults(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	model := contestFolder(t)
	const (
		plan   = " MODEL --examinations OneSafe --time 2 --memory 100MB --out RESULTS"
		run    = "batch" + plan + " --total-timeout 20"
		status = "batch --status RESULTS"
		report = "batch --report RESULTS"
	)
	handed := func(t *testing.T, results string) {
		if code, _, stderr := callPnmc(append([]string{"pnmc"}, places("batch"+plan+" --emit-jobs "+results+".list", results, model)...)...); code != exit.Unknown && code != exit.Holds {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
	}
	empty := func(*testing.T, string) {}
	for name, test := range map[string]struct {
		prepare  func(t *testing.T, results string)
		commands []string
	}{
		"results/batch.json":      {empty, []string{run, status, report, "batch --cancel RESULTS"}},
		"results/batch.json.part": {empty, []string{run}},
		"results/tasks/0001.json": {handed, []string{run, status, "batch --cancel RESULTS", "batch-task RESULTS/tasks/0001.json 0"}},
		"results/tasks/0001.jobs": {handed, []string{run, status, "batch-task RESULTS/tasks/0001.json 0"}},
		"results/journal-0001-0000.jsonl": {handed, []string{
			run, status, report, "batch --plan" + plan, "batch --plan" + plan + "2 --expect RESULTS", "batch-task RESULTS/tasks/0001.json 0",
		}},
		"results/journal.jsonl": {handed, []string{run, status, report, "batch --plan" + plan, "batch --plan" + plan + "2 --expect RESULTS"}},
	} {
		t.Run(name, func(t *testing.T) { onSpecial(t, name, model, test.prepare, test.commands) })
	}
}

// TestSpecialFilesOfMeasurements: of a bench and its tasks no file is read, and none waited for, that is a pipe or
// a device.
func TestSpecialFilesOfMeasurements(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	const (
		bench  = "bench --pnml ../../testdata/philosophers.pnml --formulas ../../testdata/philosophers.hoa --approaches tgba --timeout 2 --max-memory 100MB -o RESULTS"
		run    = bench + " --total-timeout 20"
		status = "bench --status -o RESULTS"
		task   = bench + " --task RESULTS.tasks/0001.json 0"
	)
	handed := func(t *testing.T, results string) {
		if code, _, stderr := callPnmc(append([]string{"pnmc"}, places(bench+" --emit-jobs "+results+".list", results, "")...)...); code != exit.Unknown && code != exit.Holds {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
	}
	for name, commands := range map[string][]string{
		"results.tasks/0001.json":                {run, status, task, "bench --cancel -o RESULTS"},
		"results.tasks/0001.jobs":                {run, status, task},
		"results.tasks/measured-0001-0000.csv":   {run, status, task},
		"results.tasks/measured-0001-0000.begun": {task},
	} {
		t.Run(name, func(t *testing.T) { onSpecial(t, name, "", handed, commands) })
	}
}

// TestMeasurementsIntoAPipe: measurements are not made for a pipe that nobody reads from.
func TestMeasurementsIntoAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "measured.csv")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	refuses(t, []string{
		"bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba", "-o", pipe,
	}, pipe, "a pipe that nobody reads from")
}

// TestTooLargeInResults: a file that is no record for its size is not read into memory. It takes no room on
// the disk here.
func TestTooLargeInResults(t *testing.T) {
	model, results := contestFolder(t), t.TempDir()
	tasks := filepath.Join(results, "tasks")
	if err := os.Mkdir(tasks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(results, "batch.json"), filepath.Join(tasks, "0001.json")} {
		write(t, path, "")
		if err := os.Truncate(path, 1<<40); err != nil {
			t.Skip(err)
		}
	}
	const message = "expected a file of at most 64 MB, found a larger one"
	for _, arguments := range []string{
		"batch MODEL --examinations OneSafe --time 2 --memory 100MB --out RESULTS", "batch --status RESULTS", "batch --report RESULTS", "batch-task RESULTS/tasks/0001.json 0",
	} {
		refuses(t, places(arguments, results, model), message, results)
	}
	path := filepath.Join(results, "batch.json")
	if info, err := os.Stat(path); err != nil || info.Size() != 1<<40 {
		t.Errorf("what was there is gone: %v", err)
	}
}
