package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/cluster"
	"pnmc/internal/cluster/slurmtest"
)

// endOfQueue waits until Slurm has no task any more.
func endOfQueue(slurm *slurmtest.Slurm) {
	slurm.Until("the end of the queue", func() bool { return slurm.Call("squeue", "-h") == "" })
}

// runningTasks returns the tasks that run, as Slurm names them.
func runningTasks(slurm *slurmtest.Slurm) []string {
	return strings.Fields(slurm.Call("squeue", "-h", "-r", "-t", "RUNNING", "-o", "%i"))
}

// tasksAreQueuedAgain: a more urgent job takes the nodes, and somebody queues a task again: Slurm
// runs the tasks once more, and they go on.
func tasksAreQueuedAgain(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 4)
	var releases []func()
	for i := range b.instances {
		releases = append(releases, b.hold(i))
	}
	b.submit()
	slurm.Until("a run that waits on each node", func() bool { return b.allStarts() == slurmtest.Nodes })
	before := runningTasks(slurm)
	slurm.Call("sbatch", "--partition="+slurmtest.Urgent, "--nodes=2", "--exclusive", "--mem=10", "--output=/dev/null", "--wrap=sleep 1")
	slurm.Until("other tasks than before", func() bool {
		return b.allStarts() >= 2*slurmtest.Nodes
	})
	if len(before) != slurmtest.Nodes {
		t.Errorf("running were %q", before)
	}
	slurm.Call("scontrol", "requeue", runningTasks(slurm)[0])
	slurm.Until("another start", func() bool { return b.allStarts() > 2*slurmtest.Nodes })
	for _, release := range releases {
		release()
	}
	b.finish()
	if records, err := filepath.Glob(filepath.Join(b.out, batches.TasksName, "*.json")); err != nil || len(records) != 1 {
		t.Errorf("records %q, %v: what Slurm runs again was submitted again", records, err)
	}
}

// timeIsOver: the limit of time of a task ends it in the middle of a run.
func timeIsOver(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 2)
	b.arguments[slices.Index(b.arguments, "--time")+1] = "120" // Slurm looks at its limits twice a minute
	release := b.hold(1)
	defer release()
	b.submit()
	slurm.Until("a run that waits", func() bool { return b.starts(1) > 0 })
	for _, task := range runningTasks(slurm) {
		slurm.Call("scontrol", "update", "jobid="+task, "EndTime=now+1")
	}
	slurm.Until("a task that was ended", func() bool {
		return strings.Contains(slurm.Call("squeue", "-h", "-t", "all", "-o", "%T"), "TIMEOUT")
	})
	release()
	endOfQueue(slurm)
	if code, stdout, _ := callPnmc("pnmc", "batch", "--status", b.out); code != exit.Unknown || !strings.Contains(stdout, "1 interrupted") {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
	b.finish()
}

// nodesWithoutModels: nodes do not see the models at first. That is told, and the same command
// runs them then.
func nodesWithoutModels(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 3)
	b.call("--slurm-flag=--hold")
	if err := os.Rename(b.models, b.models+"-away"); err != nil {
		t.Fatal(err)
	}
	for _, job := range strings.Fields(slurm.Call("squeue", "-h", "-o", "%A")) {
		slurm.Call("scontrol", "release", job)
	}
	endOfQueue(slurm)
	code, stdout, stderr := callPnmc("pnmc", "batch", "--status", b.out)
	if code != exit.Input || !strings.Contains(stdout, "missing: 9 could not be run\n") || !strings.Contains(stdout, "model.pnml: no such file") || !strings.Contains(stderr, "tries again") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := callPnmc("pnmc", "batch", "--report", b.out); code != exit.Input {
		t.Errorf("report: exit code %d\n%s%s", code, stdout, stderr)
	}
	if err := os.Rename(b.models+"-away", b.models); err != nil {
		t.Fatal(err)
	}
	b.finish()
	if b.allStarts() != 9 {
		t.Errorf("%d starts of nine runs", b.allStarts())
	}
}

// anotherEngineBeside: what Slurm has in hand is not listed for another engine, and a list from
// before is emptied.
func anotherEngineBeside(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 3)
	release := b.hold(1)
	defer release()
	b.submit()
	slurm.Until("a run that waits", func() bool { return b.starts(1) > 0 })
	jobs := filepath.Join(t.TempDir(), "jobs.txt")
	if err := os.WriteFile(jobs, []byte("an old list\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.arguments = slices.DeleteFunc(b.arguments, func(a string) bool { return a == "--slurm" })
	code, _, stderr := b.call("--emit-jobs", jobs)
	if text, err := os.ReadFile(jobs); code != exit.Holds || err != nil || len(text) > 0 || !strings.Contains(stderr, "runs are not listed, as Slurm has them in hand") {
		t.Errorf("exit code %d, %s, %q, %v", code, stderr, text, err)
	}
	release()
	b.arguments = append(b.arguments, "--slurm")
	b.finish()
}

// nothingRuns: who waits for what Slurm will not run by itself is told why.
func nothingRuns(t *testing.T, slurm *slurmtest.Slurm) {
	b := newClusterBatch(t, 1)
	var complaints strings.Builder
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	told := writerFunc(func(text string) {
		complaints.WriteString(text)
		if strings.Contains(text, "no task runs") {
			cancel()
		}
	})
	code := run(ctx, append(slices.Clone(b.arguments), "--partition", slurmtest.Closed, "--wait"), strings.NewReader(""), &strings.Builder{}, told)
	if code != exit.Unknown || !strings.Contains(complaints.String(), "for PartitionDown") {
		t.Errorf("exit code %d, %s", code, complaints.String())
	}
	if code, _, stderr := callPnmc("pnmc", "batch", "--cancel", b.out); code != exit.Holds {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	endOfQueue(slurm)
}

// writerFunc calls itself with what is written.
type writerFunc func(string)

func (f writerFunc) Write(text []byte) (int, error) {
	f(string(text))
	return len(text), nil
}

// memoryOfNodes: it is known how much memory a task can have, and a run that was lost twice is
// submitted with no more.
func memoryOfNodes(t *testing.T, slurm *slurmtest.Slurm) {
	for partition, megabytes := range map[string]int64{"": slurmtest.MegabytesOfNode, slurmtest.Small: 2000} {
		if most, err := (cluster.Slurm{}).Most(t.Context(), cluster.Wishes{Partition: partition}); err != nil || most.Bytes>>20 != megabytes-1 || most.Cores != 1 {
			t.Errorf("%q: %d MB, %v", partition, most.Bytes>>20, err)
		}
	}
	few := newClusterBatch(t, 1) // more side by side than there are: a task has the memory of those that are
	if code, stdout, stderr := few.call("--slurm-flag=--hold", "--jobs", "999", "--task-time", "60"); code != exit.Holds || strings.Contains(stderr, "may wait for ever") || !strings.Contains(stdout, ": 3 runs in 1 task ") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if code, _, stderr := callPnmc("pnmc", "batch", "--cancel", few.out); code != exit.Holds {
		t.Fatal(stderr)
	}
	b := newClusterBatch(t, 1)
	i := slices.Index(b.arguments, "--memory")
	b.arguments[i+1] = "2GB"
	if code, _, stderr := b.call("--slurm-flag=--hold"); code != exit.Holds {
		t.Fatal(stderr)
	}
	if code, _, stderr := callPnmc("pnmc", "batch", "--cancel", b.out); code != exit.Holds {
		t.Fatal(stderr)
	}
	endOfQueue(slurm)
	text := `{"kind":"settings","settings":{"seconds":20,"memory_bytes":2147483648},"host":"n0","processor":"none"}` + "\n" +
		strings.Repeat(`{"kind":"start","instance":"Net-PT-0","examination":"OneSafe","questions":["OneSafe"],"begun":1,"host":"n0","processor":"none"}`+"\n", 3)
	if err := os.WriteFile(filepath.Join(b.out, "journal-0001-0000.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.arguments[slices.Index(b.arguments, "--cores")+1] = "2" // in vain
	if code, _, stderr := b.call("--slurm-flag=--hold"); code != exit.Holds || !strings.Contains(stderr, "a task has 2 cores, and no node has more than 1") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := callPnmc("pnmc", "batch", "--cancel", b.out); code != exit.Holds {
		t.Fatal(stderr)
	}
	endOfQueue(slurm)
	b.arguments[slices.Index(b.arguments, "--cores")+1] = "1"
	code, stdout, stderr := b.call()
	if code != exit.Holds || !strings.Contains(stdout, "and 5999 MB") || !strings.Contains(stderr, "no node has more than 5,999 MB") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	b.finish()
}
