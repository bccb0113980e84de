package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// fakeSlurm takes in what sbatch gets, as Slurm does.
type fakeSlurm struct {
	scripts  []string
	comments map[int64]string // of jobs
	sizes    map[int64]int
	state    map[int64]string
	room     int
	refuse   int // this script is refused, counted from 1
	lost     int // the answer to this one is lost
	killed   []string
	silent   bool
}

func (f *fakeSlurm) run(_ context.Context, name string, arguments ...string) (string, error) {
	switch {
	case f.silent:
		return "", errors.New("squeue: error: Unable to contact slurm controller")
	case name == "scontrol":
		return fmt.Sprintf("Configuration data\nMaxArraySize            = %d\nMaxJobCount             = 10000\n", f.room), nil
	case name == "scancel":
		f.killed = append(f.killed, arguments...)
		for _, a := range arguments {
			var job int64
			fmt.Sscan(a, &job)
			f.state[job] = "CANCELLED"
		}
		return "", nil
	case name == "sbatch":
		if len(f.scripts)+1 == f.refuse {
			f.refuse = 0
			return "", errors.New("sbatch: error: Batch job submission failed")
		}
		text, err := os.ReadFile(arguments[1])
		if err != nil {
			return "", err
		}
		f.scripts = append(f.scripts, string(text))
		job := int64(100 + len(f.scripts))
		for line := range strings.Lines(string(text)) {
			if comment, ok := strings.CutPrefix(strings.TrimSpace(line), "#SBATCH --comment="); ok {
				f.comments[job] = comment
			}
			if array, ok := strings.CutPrefix(strings.TrimSpace(line), "#SBATCH --array=0-"); ok {
				last := 0
				fmt.Sscan(array, &last)
				f.sizes[job] = last + 1
			}
		}
		f.state[job] = "PENDING"
		if len(f.scripts) == f.lost {
			return "", errors.New("sbatch: error: Socket timed out on send/recv operation")
		}
		return fmt.Sprintln(job), nil
	case name == "squeue":
		text := "7|N/A|RUNNING|None|(null)\n8|0|RUNNING|None|pnmc:other:0\n"
		for job, size := range f.sizes {
			for i := range size {
				text += fmt.Sprintf("%d|%d|%s|Priority|%s\n", job, i, f.state[job], f.comments[job])
			}
		}
		return text, nil
	}
	return "", fmt.Errorf("%s: unexpected", name)
}

func newFake() *fakeSlurm {
	return &fakeSlurm{comments: map[int64]string{}, sizes: map[int64]int{}, state: map[int64]string{}, room: 3}
}

// orderOf returns an order of tasks of one job each.
func orderOf(jobs ...string) Order {
	o := Order{Name: "pnmc-test", Work: "work", Command: []string{"/bin/pnmc", "batch-task"}, Parallel: 1, Wishes: Wishes{Partition: "long", Account: "me", Cores: 2, AtOnce: 5, Extra: []string{"--qos=high"}}}
	for _, j := range jobs {
		o.Tasks = append(o.Tasks, Task{Jobs: []string{j}, Seconds: 90, MemoryBytes: 1 << 30})
	}
	return o
}

// TestSubmit: arrays keep within what Slurm takes, all jobs are active then, whatever became
// of the answers of sbatch, and none once they are canceled.
func TestSubmit(t *testing.T) {
	for _, lost := range []int{0, 2} {
		fake := newFake()
		fake.lost = lost
		desk := Desk{Folder: filepath.Join(t.TempDir(), "tasks"), Slurm: Slurm{Run: fake.run}}
		ctx := context.Background()
		order := orderOf("a", "b", "c", "d", "e", "f", "g")
		order.Tasks[6].MemoryBytes = 2 << 30
		r, err := desk.Submit(ctx, order)
		standing, looked := desk.Look(ctx)
		if looked != nil {
			t.Fatal(looked)
		}
		if lost > 0 {
			if err == nil || len(standing.Active()) != 6 || len(standing.Jobs()) != 2 {
				t.Errorf("an answer was lost: %v, active are %v", err, standing.Active())
			}
			continue
		}
		want := []Array{{0, 3, 101}, {3, 3, 102}, {6, 1, 103}}
		if err != nil || !reflect.DeepEqual(r.Arrays, want) || len(standing.Active()) != 7 || len(fake.scripts) != 3 {
			t.Fatalf("%v, arrays %v, active %v", err, r.Arrays, standing.Active())
		}
		for _, part := range []string{"#!/bin/sh\n", "--array=0-2%5\n", "--partition=long\n", "--account=me\n", "--cpus-per-task=2\n", "--mem=1025M\n", "--time=3\n", "--qos=high\n",
			"exec /bin/pnmc batch-task " + r.Path() + " $((3 + SLURM_ARRAY_TASK_ID))\n"} {
			if !strings.Contains(fake.scripts[1], part) {
				t.Errorf("no %q in\n%s", part, fake.scripts[1])
			}
		}
		read, err := ReadRecords(desk.Folder)
		if err != nil || len(read) != 1 || !reflect.DeepEqual(read[0].Arrays, want) {
			t.Errorf("%v, read %v", err, read)
		}
		fake.state[102] = "NODE_FAIL"
		if standing, err = desk.Look(ctx); err != nil || len(standing.Active()) != 4 || standing.Active()["d"] {
			t.Errorf("%v, active %v", err, standing.Active())
		}
		if tasks, jobs, err := desk.Cancel(ctx); err != nil || tasks != 4 || len(jobs) != 2 || len(fake.killed) != 2 {
			t.Errorf("canceled %d of %v, %v", tasks, jobs, err)
		}
		if again, err := desk.Submit(ctx, orderOf("d")); err != nil || again.Number != 2 || again.Token == r.Token {
			t.Errorf("%+v, %v", again, err)
		}
		fake.silent = true
		if _, err := desk.Look(ctx); err == nil {
			t.Error("a Slurm that does not answer has nothing in its queue")
		}
	}
}

// TestRefusedArray: what Slurm refuses is not active, and what it took before is.
func TestRefusedArray(t *testing.T) {
	fake := newFake()
	fake.refuse = 2
	desk := Desk{Folder: t.TempDir(), Slurm: Slurm{Run: fake.run}}
	r, err := desk.Submit(context.Background(), orderOf("a", "b", "c", "d"))
	if err == nil || r == nil || r.Arrays[0].Job != 101 || r.Arrays[1].Job != 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	if standing, err := desk.Look(context.Background()); err != nil || len(standing.Active()) != 3 || standing.Active()["d"] {
		t.Errorf("%v, active %v", err, standing.Active())
	}
}

// TestNotesCutOff: a note that was cut off is none.
func TestNotesCutOff(t *testing.T) {
	fake := newFake()
	desk := Desk{Folder: t.TempDir(), Slurm: Slurm{Run: fake.run}}
	r, err := desk.Submit(context.Background(), orderOf("a", "b", "c", "d"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.notes(), []byte("0 101\nx\n9 3\n1 10"), 0o600); err != nil {
		t.Fatal(err)
	}
	if read, err := ReadRecord(r.Path()); err != nil || read.Arrays[0].Job != 101 || read.Arrays[1].Job != 0 {
		t.Errorf("%v, %+v", err, read.Arrays)
	}
	if err := os.WriteFile(r.Path(), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadRecords(desk.Folder); err == nil {
		t.Error("half a record is read")
	}
}

// TestNoSlurm: where its commands are missing, that is told; a folder without submissions
// needs none.
func TestNoSlurm(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	desk := Desk{Folder: t.TempDir()}
	if s, err := desk.Look(context.Background()); err != nil || len(s.Active()) > 0 {
		t.Errorf("%v", err)
	}
	if _, err := desk.Submit(context.Background(), orderOf("a")); !errors.Is(err, ErrNoSlurm) {
		t.Errorf("%v", err)
	}
}

// TestList: each command is one line that a shell takes apart as it was put together.
func TestList(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no shell of this kind")
	}
	desk := Desk{Folder: filepath.Join(t.TempDir(), "it's $HOME")}
	o := orderOf("a", "b")
	o.Command = []string{"printf", "%s|"}
	r, commands, err := desk.List(o)
	if err != nil || len(commands) != 2 {
		t.Fatalf("%q, %v", commands, err)
	}
	out, err := exec.Command("sh", "-c", commands[1]).Output()
	if want := r.Path() + "|1|"; err != nil || string(out) != want {
		t.Errorf("%q makes %q, expected %q, %v", commands[1], out, want, err)
	}
	if _, _, err := (Desk{Folder: filepath.Join(t.TempDir(), "a\nb")}).List(o); err == nil {
		t.Error("a command has two lines")
	}
	o.Extra = []string{"--a=\"b\""}
	r.Arrays = []Array{{0, 2, 0}}
	if _, err := r.Script(0, o.Wishes, o.Command); err == nil {
		t.Error("a flag with quotes is in the script")
	}
	o.Extra = []string{"--qos=two words"}
	if text, err := r.Script(0, o.Wishes, o.Command); err != nil || !strings.Contains(text, "#SBATCH \"--qos=two words\"\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestNameOf: names of jobs are words for Slurm.
func TestNameOf(t *testing.T) {
	for path, want := range map[string]string{"/a/results": "pnmc-results", "x y,z": "pnmc-x-y-z", ".": "pnmc-."} {
		if got := NameOf(path); got != want {
			t.Errorf("%q: %q, expected %q", path, got, want)
		}
	}
}

// TestFoldersOfAnyName: records are found in folders whose names look like patterns.
func TestFoldersOfAnyName(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a[1]*")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Skip(err) // a system that has no such names
	}
	if err := os.WriteFile(filepath.Join(folder, "0001.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if records, err := ReadRecords(folder); err != nil || len(records) != 1 {
		t.Errorf("%d records, %v, want one", len(records), err)
	}
}

// TestFlagsThatHideTasks: flags that would change by what tasks are found again are refused,
// and none else.
func TestFlagsThatHideTasks(t *testing.T) {
	for flag, ok := range map[string]bool{
		"--job-name=mine": false, "-Jmine": false, "-J mine": false, "--comment=project": false, "--array=3": false, "-a 3": false,
		"--comm=x": false, "--job-name mine": false, "--wrap=x": false, "--j=mine": false, "-HJmine": false, "-Ha3": false, "-kvJ mine": false,
		"--clusters=other": false, "--cluster=other": false, "-Mother": false, "-HM other": false, "-H": true, "-AJim": true, "-pMa": true, "--cluster-constraint=fast": true, "--": true,
		"--account=a": true, "-A a": true, "--qos=long": true, "--hold": true, "--constraint=fast": true, "-p all": true, "": true,
	} {
		if err := (Wishes{Extra: []string{flag}}).Check(); (err == nil) != ok {
			t.Errorf("%q: %v", flag, err)
		}
	}
}

// TestEnvironment: variables that would go before flags of a script, or filter the queue, are
// not handed on, but for those by which a site chooses what the script does not.
func TestEnvironment(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n#SBATCH --partition=all\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=/bin", "SLURM_CONF=/etc/slurm.conf", "SBATCH_JOB_NAME=x", "SBATCH_PARTITION=other", "SBATCH_ACCOUNT=mine",
		"SBATCH_TIMELIMIT=1", "SQUEUE_PARTITION=other", "SLURM_CLUSTERS=one", "SBATCH_CLUSTERS=other"}
	for name, want := range map[string][]string{
		"sbatch": {"PATH=/bin", "SLURM_CONF=/etc/slurm.conf", "SBATCH_ACCOUNT=mine"},
		"squeue": {"PATH=/bin", "SLURM_CONF=/etc/slurm.conf", "SBATCH_PARTITION=other", "SBATCH_ACCOUNT=mine"},
	} {
		arguments := []string{"--noheader"}
		if name == "sbatch" {
			arguments = []string{"--parsable", script}
		}
		if got := environment(name, arguments, env); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
