package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch/history"
)

// TestHandOutUsage: flags that do not go together, or lack others, are wrong usage; what is
// asked of a folder without a batch is bad input.
func TestHandOutUsage(t *testing.T) {
	folder := t.TempDir()
	const bench = "bench --pnml ../../testdata/philosophers.pnml --formulas ../../testdata/philosophers.hoa "
	for _, test := range []struct {
		arguments, message string
		code               int
	}{
		{"batch --status --cancel " + folder, "--status, --cancel: expected one of them", exit.Usage},
		{"batch --status --wait " + folder, "--status, --wait: expected one of them", exit.Usage},
		{"batch --slurm --plan " + folder, "--slurm, --plan: expected one of them", exit.Usage},
		{"batch --slurm --emit-jobs x " + folder, "expected one of them", exit.Usage},
		{"batch --partition long " + folder, "--partition: expected --slurm beside it", exit.Usage},
		{"batch --slurm --cores 0 " + folder, "--cores: expected a number from 1 on", exit.Usage},
		{"batch --slurm --slurm-flag qos=high " + folder, "--slurm-flag: expected a flag of sbatch", exit.Usage},
		{"batch --slurm --slurm-flag=--j=mine " + folder, "can't be chosen", exit.Usage},
		{"batch --slurm --slurm-flag=-HJmine " + folder, "can't be chosen", exit.Usage},
		{bench + "--slurm --slurm-flag=--clusters=far --output x --timeout 1 --max-memory 1GB", "SLURM_CLUSTERS", exit.Usage},
		{"batch --status a b", `found also "b"`, exit.Usage},
		{"batch --status --out a b", "and --out", exit.Usage},
		{"batch --status " + folder, "expected a folder of results of a batch", exit.Input},
		{"batch --wait " + folder, "expected a folder of results of a batch", exit.Input},
		{"batch --cancel " + folder, "expected a folder of results of a batch", exit.Input},
		{"batch --report " + folder, "expected a folder of results of a batch", exit.Input},
		{"batch-task", "expected the record of a submission", exit.Usage},
		{"batch-task nowhere.json 1", "nowhere.json", exit.Input},
		{bench + "--slurm", "--output is missing", exit.Usage},
		{bench + "--slurm --output x --timeout 1", "--max-memory is missing", exit.Usage},
		{bench + "--wait", "--wait: expected --slurm", exit.Usage},
		{bench + "--slurm --emit-jobs x", "expected one of them", exit.Usage},
		{bench + "--at-once 2", "--at-once: expected --slurm", exit.Usage},
		{bench + "--status --wait --output x", "--status, --wait: expected one of them", exit.Usage},
		{bench + "--status", "--output is missing", exit.Usage},
		{bench + "--status --output " + filepath.Join(folder, "none"), "expected measurements that were handed to a scheduler", exit.Input},
		{bench + "--task nowhere.json 1", "nowhere.json", exit.Input},
		{bench + "--task nowhere.json some", "expected the number of a task", exit.Usage},
	} {
		if code, _, stderr := callPnmc(append([]string{"pnmc"}, strings.Fields(test.arguments)...)...); code != test.code || !strings.Contains(stderr, test.message) {
			t.Errorf("%s: exit code %d, expected %d with %q: %s", test.arguments, code, test.code, test.message, stderr)
		}
	}
}

// runLines runs the commands of a file, each by a shell.
func runLines(t *testing.T, path string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		lines = append(lines, line)
		if out, err := exec.Command("sh", "-c", line).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", line, err, out)
		}
	}
	return lines
}

// TestEmittedRuns: the commands that are listed run what is missing, in any order, and again
// without harm; then nothing is listed, and the report has all.
func TestEmittedRuns(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a shell")
	}
	b := newClusterBatch(t, 3)
	jobs := filepath.Join(t.TempDir(), "jobs.txt")
	arguments := append(slices.DeleteFunc(slices.Clone(b.arguments), func(a string) bool { return a == "--slurm" }), "--emit-jobs", jobs)
	emit := func() (int, string, string) { return callPnmc(arguments...) }
	if code, _, stderr := emit(); code != exit.Holds || !strings.Contains(stderr, "9 runs in ") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	lines := runLines(t, jobs)
	if len(lines) < 2 {
		t.Errorf("commands are %q", lines)
	}
	// As docs/cluster.md says, also where paths have spaces.
	if out, err := exec.Command("sh", "-c", "tr '\\n' '\\0' < "+jobs+" | xargs -0 -P 2 -I{} sh -c {}").CombinedOutput(); err != nil {
		t.Errorf("by xargs: %v: %s", err, out)
	}
	if b.allStarts() != 9 {
		t.Errorf("%d starts of nine runs", b.allStarts())
	}
	if code, stdout, stderr := emit(); code != exit.Holds || !strings.Contains(stdout, "all     18      0") || !strings.Contains(stderr, jobs+" is empty") {
		t.Errorf("when all is over: exit code %d\n%s%s", code, stdout, stderr)
	}
	if text, err := os.ReadFile(jobs); err != nil || len(text) > 0 {
		t.Errorf("when all is over the list is %q, %v", text, err)
	}
	if n := len(answersOf(t, b.out)); n != 18 {
		t.Errorf("%d answers, expected 18", n)
	}
	// One journal is lost: its runs, and no others, are listed.
	lost, err := filepath.Glob(filepath.Join(b.out, "journal-0001-0000*.jsonl"))
	if err != nil || len(lost) == 0 {
		t.Fatalf("%q, %v", lost, err)
	}
	for _, path := range lost {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if code, stdout, _ := callPnmc("pnmc", "batch", "--report", b.out); code != exit.Unknown || !strings.Contains(stdout, "all ") {
		t.Errorf("a report of what there is: exit code %d\n%s", code, stdout)
	}
	if code, _, stderr := emit(); code != exit.Holds {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(b.out, batches.TasksName)) // what the record is called there is a name without a folder
	if code, _, stderr := callPnmc("pnmc", "batch-task", "0002.json", "0"); code != exit.Holds {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	t.Chdir(here)
	if _, err := os.Stat(filepath.Join(b.out, "journal-0002-0000.jsonl")); err != nil {
		t.Error(err)
	}
	runLines(t, jobs)
	if code, stdout, _ := callPnmc("pnmc", "batch", "--status", b.out); code != exit.Holds || !strings.Contains(stdout, "runs: 9 of 9 over") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// TestOneRunIsCounted: one run is told of as one.
func TestOneRunIsCounted(t *testing.T) {
	b := newClusterBatch(t, 1)
	code, _, stderr := callPnmc("pnmc", "batch", b.models, "--examinations", "OneSafe", "--out", b.out, "--emit-jobs", "-")
	if code != exit.Holds || !strings.Contains(stderr, "pnmc: 1 run in 1 task, ") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// TestDamagedRecord: nobody waits for a record that can't be read to become one, and nothing is
// handed out beside it.
func TestDamagedRecord(t *testing.T) {
	b := newClusterBatch(t, 1)
	list := []string{"pnmc", "batch", b.models, "--examinations", "OneSafe", "--out", b.out, "--emit-jobs", "-"}
	if code, _, stderr := callPnmc(list...); code != exit.Holds {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	if err := os.Truncate(filepath.Join(b.out, batches.TasksName, "0001.json"), 10); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{{"pnmc", "batch", "--wait", b.out}, {"pnmc", "batch", "--cancel", b.out}, list} {
		code, stdout, stderr := callPnmc(arguments...)
		if code != exit.Input || stdout != "" || !strings.Contains(stderr, "expected the record of a submission") {
			t.Errorf("%q: exit code %d\n%s%s", arguments, code, stdout, stderr)
		}
	}
}

// TestStatusTellsWhy: status and report tell why runs are missing, and have the exit code of the
// batch that was asked for; another batch in the same folder is told.
func TestStatusTellsWhy(t *testing.T) {
	b := newClusterBatch(t, 2)
	b.arguments = slices.DeleteFunc(b.arguments, func(a string) bool { return a == "--slurm" })
	i := slices.Index(b.arguments, "--examinations") + 1
	b.arguments[i] = "OneSafe,CTLFireability"
	if code, _, stderr := b.call("--emit-jobs", filepath.Join(t.TempDir(), "jobs.txt")); code != exit.Holds {
		t.Fatal(stderr)
	}
	status := func(want int, parts ...string) {
		t.Helper()
		code, stdout, stderr := callPnmc("pnmc", "batch", "--status", b.out)
		for _, part := range parts {
			if code != want || !strings.Contains(stdout, part) {
				t.Errorf("exit code %d, expected %d with %q\n%s%s", code, want, part, stdout, stderr)
			}
		}
	}
	status(exit.Unknown, "0 of 4 over, 0 in hand, 4 missing", "missing: 4 not begun")
	if code, _, stderr := b.call(); code != exit.Input {
		t.Errorf("files are absent: exit code %d, %s", code, stderr)
	}
	status(exit.Input, "4 of 4 over", "left out, as there is no property file: 2")
	if code, _, stderr := callPnmc("pnmc", "batch", "--report", b.out); code != exit.Input || !strings.Contains(stderr, "2 runs did not do what was asked, such as Net-PT-0 CTLFireability on ") {
		t.Errorf("files are absent: exit code %d, %s", code, stderr)
	}
	journal := filepath.Join(b.out, history.FileName)
	text, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(journal, []byte(whole[0]+whole[1]), 0o600); err != nil { // begun, and no more
		t.Fatal(err)
	}
	status(exit.Unknown, "missing: 3 not begun, 1 begun and not ended")
	other := newClusterBatch(t, 3)
	if err := os.Remove(filepath.Join(other.models, "Net-PT-1", "model.pnml")); err != nil {
		t.Fatal(err)
	}
	b.arguments[i], b.arguments[slices.Index(b.arguments, b.models)] = "OneSafe", other.models
	if code, _, stderr := b.call(); code != exit.Holds || !strings.Contains(stderr, "the batch there was also of 3 runs that this one is not of") ||
		!strings.Contains(stderr, "1 instance is in another place than before, such as Net-PT-0") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

// jobsIn returns the jobs of the first task of a record.
func jobsIn(t *testing.T, path string) []string {
	t.Helper()
	r, err := cluster.ReadRecord(path)
	if err != nil || len(r.Tasks[0].Jobs) < 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	return r.Tasks[0].Jobs
}

// TestEmittedMeasurements: the same for bench, whose commands run in any folder.
func TestEmittedMeasurements(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands are for a shell")
	}
	folder := t.TempDir()
	output, jobs := filepath.Join(folder, "measured.csv"), filepath.Join(folder, "jobs.txt")
	bench := func(more ...string) (int, string, string) {
		return callPnmc(append([]string{"pnmc", "bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa",
			"--approaches", "tgba,tgta", "--timeout", "20", "--max-memory", "500MB", "--output", output}, more...)...)
	}
	if code, _, stderr := bench("--lines", "1,2", "--jobs", "1"); code != exit.Holds {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := bench("--emit-jobs", jobs, "--task-time", "1"); code != exit.Holds || !strings.Contains(stderr, "6 measurements in ") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	// What ended its task twice is left to a task of its own.
	tasks := filepath.Join(output+".tasks", "0001")
	lost := jobsIn(t, tasks+".json")[0]
	if err := os.WriteFile(filepath.Join(output+".tasks", "measured-0001-0000.begun"), []byte(lost+"\n"+lost+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(folder); err != nil {
		t.Fatal(err)
	}
	runLines(t, jobs)
	if err := os.Chdir(here); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := callPnmc("pnmc", "bench", "--status", "--output", output); code != exit.Unknown || !strings.Contains(stdout, "measurements: 5 of 6 over") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := bench("--emit-jobs", jobs, "--task-time", "1"); code != exit.Holds || !strings.Contains(stderr, "pnmc: 1 measurement in ") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	runLines(t, jobs)
	if code, stdout, stderr := callPnmc("pnmc", "bench", "--status", "--output", output); code != exit.Holds || !strings.Contains(stdout, "measurements: 6 of 6 over") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for range 2 {
		if code, stdout, stderr := bench("--emit-jobs", jobs); code != exit.Holds || !strings.Contains(stdout, "tgta") || strings.Contains(stdout, "PARTIAL") {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
		if verdicts := verdictsIn(t, output); len(verdicts) != 10 {
			t.Errorf("measured are %q", verdicts)
		}
	}
	if text, err := os.ReadFile(output); err != nil || !strings.Contains(strings.SplitN(string(text), "\n", 2)[0], ",host,processor") {
		t.Errorf("columns: %v", fmt.Sprint(err))
	}
}
