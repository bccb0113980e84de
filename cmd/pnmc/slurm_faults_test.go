package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/cluster/slurmtest"
)

// Whatever happens to tasks, nodes, the controller, the submission or the disk, the same command
// goes on, until everything is answered once.

// nodeFails: the daemon of a node is killed in mid-task, with all that it runs, and brought
// back.
func nodeFails(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 4)
	var releases []func()
	for i := range b.instances { // so that each node has a run that waits
		releases = append(releases, b.hold(i))
	}
	b.submit()
	slurm.Until("a run that waits on each node", func() bool { return b.allStarts() == slurmtest.Nodes })
	slurm.StopNode(0)
	for _, release := range releases {
		release()
	}
	slurm.StartNode(0)
	b.finish()
	if b.allStarts() < 13 {
		t.Errorf("%d starts of twelve runs: none was lost", b.allStarts())
	}
}

// someAreCanceled: somebody cancels a task that runs, and one that waits.
func someAreCanceled(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 4)
	first, second := b.hold(0), b.hold(3)
	defer first()
	defer second()
	b.submit()
	slurm.Until("a run that waits", func() bool { return b.starts(0)+b.starts(3) > 0 })
	var tasks []string
	for line := range strings.Lines(slurm.Call("squeue", "-h", "-r", "-o", "%i %T")) {
		id, state, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !slices.Contains(tasks, state) {
			tasks = append(tasks, state)
			slurm.Call("scancel", id)
		}
	}
	first()
	second()
	b.finish()
}

// tooMuchMemory: a task comes to have more memory than it may, and is killed.
func tooMuchMemory(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 2)
	hog := filepath.Join(b.steering, hogFile+"Net-PT-1")
	if err := os.WriteFile(hog, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b.submit()
	slurm.Until("the end of the queue", func() bool { return slurm.Call("squeue", "-h") == "" })
	if code, stdout, _ := callPnmc("pnmc", "batch", "--status", b.out); code != exit.Unknown {
		t.Errorf("after a task was killed: exit code %d\n%s", code, stdout)
	}
	b.finish()
	if b.starts(1) != 4 {
		t.Errorf("%d starts of three runs one of which was killed", b.starts(1))
	}
}

// controllerRestarts: the controller is killed and started again. While it is away nothing is
// submitted.
func controllerRestarts(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 3)
	release := b.hold(1)
	defer release()
	b.submit()
	slurm.Until("a run that waits", func() bool { return b.starts(1) > 0 })
	slurm.StopController()
	records := func() int {
		list, err := filepath.Glob(filepath.Join(b.out, batches.TasksName, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if code, _, stderr := b.call(); code != exit.Input || !strings.Contains(stderr, "nothing is submitted") || records() != 1 {
		t.Errorf("without a controller: exit code %d, %s", code, stderr)
	}
	if code, stdout, _ := callPnmc("pnmc", "batch", "--status", b.out); code != exit.Unknown || strings.Contains(stdout, "0 in hand") || strings.HasPrefix(stdout, "missing") || strings.Contains(stdout, "\nmissing") || !strings.Contains(stdout, "in hand or missing") {
		t.Errorf("without a controller: exit code %d\n%s", code, stdout)
	}
	b.arguments = slices.DeleteFunc(b.arguments, func(a string) bool { return a == "--slurm" })
	if code, _, stderr := b.call("--emit-jobs", filepath.Join(t.TempDir(), "jobs.txt")); code != exit.Input || !strings.Contains(stderr, "what is in the queue is not known") {
		t.Errorf("without a controller: exit code %d, %s", code, stderr)
	}
	b.arguments = append(b.arguments, "--slurm")
	release()
	slurm.StartController()
	b.finish()
	if records() != 1 {
		t.Errorf("%d submissions", records())
	}
}

// submissionIsKilled: the submitting process is killed when sbatch has submitted, and before
// it could note the number of the job.
func submissionIsKilled(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 3)
	release := b.hold(1)
	defer release()
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\n"+sbatch+" \"$@\" >&2 && kill -9 $PPID\nsleep 10\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(self, b.arguments[1:]...)
	command.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), asTranslator+"=program")
	if out, err := command.CombinedOutput(); err == nil {
		t.Fatalf("the submitting process was not killed: %s", out)
	}
	if !strings.Contains(slurm.Call("squeue", "-h", "-t", "all", "-o", "%k"), tokenIn(t, b.out)) {
		t.Fatal("nothing was submitted")
	}
	if notes, _ := filepath.Glob(filepath.Join(b.out, batches.TasksName, "*.jobs")); len(notes) > 0 {
		t.Errorf("the number was noted: %q", notes)
	}
	if code, stdout, stderr := b.call(); code != exit.Holds || strings.Contains(stdout, "submitted") || !strings.Contains(stderr, "nothing is to be submitted") {
		t.Errorf("a second submission: exit code %d\n%s%s", code, stdout, stderr)
	}
	if records, err := filepath.Glob(filepath.Join(b.out, batches.TasksName, "*.json")); err != nil || len(records) != 1 {
		t.Errorf("records %q, %v", records, err)
	}
	release()
	b.finish()
	if b.starts(1) != 3 {
		t.Errorf("%d starts of three runs", b.starts(1))
	}
}

// tokenIn returns the token of the first submission of a batch.
func tokenIn(t *testing.T, out string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(out, batches.TasksName, "0001.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct{ Token string }
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	return record.Token
}

// diskIsFull: the file system of the journals is full when an answer comes, and has room
// again later.
func diskIsFull(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 3)
	if err := os.Mkdir(b.out, 0o755); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "none", b.out).CombinedOutput(); err != nil {
		t.Skipf("no file system can be mounted that would be full: %s", text)
	}
	defer exec.Command("umount", "-l", b.out).Run()
	release := b.hold(2)
	defer release()
	b.submit()
	slurm.Until("runs that wait on both nodes, after all others", func() bool { return b.starts(2) == slurmtest.Nodes })
	filler := filepath.Join(b.out, "filler")
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 1<<12))
	}
	for err = nil; err == nil; {
		_, err = f.Write(make([]byte, 1))
	}
	f.Close()
	release()
	slurm.Until("the end of the queue", func() bool { return slurm.Call("squeue", "-h") == "" })
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := callPnmc("pnmc", "batch", "--status", b.out); code != exit.Unknown {
		t.Errorf("what could not be written is over: exit code %d\n%s", code, stdout)
	}
	b.finish()
}

// allIsCanceled: the user cancels all; nothing runs then, and a batch on this computer may.
func allIsCanceled(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 3)
	release := b.hold(1)
	defer release()
	b.submit()
	slurm.Until("a run that waits", func() bool { return b.starts(1) > 0 })
	here := slices.DeleteFunc(slices.Clone(b.arguments), func(a string) bool { return a == "--slurm" })
	if code, _, stderr := callPnmc(here...); code != exit.Input || !strings.Contains(stderr, "tasks of it are in Slurm") {
		t.Errorf("a batch beside: exit code %d, %s", code, stderr)
	}
	if code, stdout, stderr := callPnmc("pnmc", "batch", "--cancel", b.out); code != exit.Holds || !strings.Contains(stdout, "canceled job ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	slurm.Until("the end of the queue", func() bool { return slurm.Call("squeue", "-h") == "" })
	release()
	if code, stdout, stderr := callPnmc(here...); code != exit.Holds {
		t.Errorf("a batch here: exit code %d\n%s%s", code, stdout, stderr)
	}
	b.finish()
}
