package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/batches/tasks"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/cluster/slurmtest"
	"pnmc/internal/petritest"
	"pnmc/mcc"
)

// asTool, set in the environment to a folder, makes the test program a tool that answers any
// examination with TRUE, and does what files in the folder say.
const asTool = "PNMC_TEST_TOOL"

// The files by which a test steers tools: with that of an instance behind, they wait until
// it is gone, or take much memory once; all note their starts.
const (
	holdFile   = "hold-"
	hogFile    = "hog-"
	startsFile = "starts"
)

// asHog makes the test program one that takes much memory.
const asHog = "PNMC_TEST_HOG"

// hogBytes is more than a task of small jobs has.
const hogBytes = 700 << 20

func stubTool(folder string) {
	instance, examination := os.Getenv("BK_INPUT"), os.Getenv("BK_EXAMINATION")
	if os.Getenv(asHog) != "" {
		hog := make([]byte, hogBytes)
		for i := 0; i < len(hog); i += 1 << 10 {
			hog[i] = 1
		}
		time.Sleep(time.Minute)
		fmt.Fprintln(os.Stderr, hog[0])
		return
	}
	if starts, err := os.OpenFile(filepath.Join(folder, startsFile), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
		fmt.Fprintln(starts, instance, examination)
		starts.Close()
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, holdFile+instance)); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if os.Remove(filepath.Join(folder, hogFile+instance)) == nil {
		self, err := os.Executable()
		if err != nil {
			panic(err)
		}
		hog := exec.Command(self) // its memory is not that of this process
		hog.Env = append(os.Environ(), asHog+"=1")
		_ = hog.Run() // it is killed
		return
	}
	if examination != "StateSpace" {
		fmt.Printf("FORMULA %s TRUE TECHNIQUES NONE\n", examination)
		return
	}
	for _, m := range mcc.Measures() {
		fmt.Printf("STATE_SPACE %s 1 TECHNIQUES NONE\n", m)
	}
}

// clusterBatch is a batch that Slurm runs.
type clusterBatch struct {
	t                     *testing.T
	models, out, steering string
	instances             int
	arguments             []string
}

// withoutFiles are the examinations without a property file, of which a run of the stub is
// enough.
const withoutFiles = "OneSafe,Liveness,StateSpace"

// newClusterBatch returns a batch of so many instances, whose tools are stubs.
func newClusterBatch(t *testing.T, instances int) *clusterBatch {
	t.Helper()
	b := &clusterBatch{t: t, models: t.TempDir(), out: filepath.Join(t.TempDir(), "the results"), steering: t.TempDir(), instances: instances}
	old := time.Now().Add(-time.Hour)
	for i := range instances {
		folder := filepath.Join(b.models, fmt.Sprintf("Net-PT-%d", i))
		model := filepath.Join(folder, "model.pnml")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(model, []byte("<pnml/>"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{model, folder} {
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv(asTool, b.steering)
	b.arguments = []string{"pnmc", "batch", b.models, "--examinations", withoutFiles, "--time", "20", "--memory", "100MB", "--cores", "1",
		"--slurm", "--task-time", "0.1", "--out", b.out}
	return b
}

// call runs pnmc batch.
func (b *clusterBatch) call(more ...string) (code int, stdout, stderr string) {
	b.t.Helper()
	return callPnmc(append(slices.Clone(b.arguments), more...)...)
}

// callPnmc runs pnmc in this process.
func callPnmc(arguments ...string) (code int, stdout, stderr string) {
	var out, complaints bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute) // who waits in vain
	defer cancel()
	code = run(ctx, arguments, strings.NewReader(""), &out, &complaints)
	return code, out.String(), complaints.String()
}

// hold makes tools of an instance wait, until release is called.
func (b *clusterBatch) hold(instance int) (release func()) {
	b.t.Helper()
	path := filepath.Join(b.steering, holdFile+fmt.Sprintf("Net-PT-%d", instance))
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		b.t.Fatal(err)
	}
	return func() { _ = os.Remove(path) } // it is there, or was released
}

// starts returns the starts of an instance.
func (b *clusterBatch) starts(instance int) int {
	text, _ := os.ReadFile(filepath.Join(b.steering, startsFile)) // none started yet
	return strings.Count(string(text), fmt.Sprintf("Net-PT-%d ", instance))
}

// allStarts returns the starts of all instances.
func (b *clusterBatch) allStarts() (starts int) {
	for i := range b.instances {
		starts += b.starts(i)
	}
	return starts
}

// submit submits what is missing.
func (b *clusterBatch) submit() {
	b.t.Helper()
	if code, stdout, stderr := b.call(); code != exit.Holds {
		b.t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// mostCommands is how often the same command may be needed.
const mostCommands = 5

// finish gives the same command, and waits, until all is over. Then each question has one
// answer, and no run that had ended by itself was repeated.
func (b *clusterBatch) finish() {
	b.t.Helper()
	code, stdout, stderr := 0, "", ""
	for range mostCommands {
		if code, stdout, stderr = b.call("--wait"); code == exit.Holds || code == exit.Usage {
			break
		}
	}
	if code != exit.Holds {
		b.t.Fatalf("exit code %d after all\n%s%s", code, stdout, stderr)
	}
	answers := answersOf(b.t, b.out)
	if want := b.instances * 6; len(answers) != want { // a state space has four
		b.t.Errorf("%d answers, expected %d", len(answers), want)
	}
	for question, answer := range answers {
		if answer != "TRUE" && answer != "1" {
			b.t.Errorf("%s: %q", question, answer)
		}
	}
	paths, err := tasks.Journals(b.out)
	if err != nil {
		b.t.Fatal(err)
	}
	ends := map[string][]string{} // where they stand
	for _, path := range paths {
		for _, e := range journalLines(b.t, path) {
			if e["host"] == nil || e["processor"] == nil {
				b.t.Errorf("a line of %s does not name its computer: %v", path, e)
			}
			if e["kind"] == "end" && e["fault"] == nil {
				job := fmt.Sprint(e["instance"], " ", e["examination"])
				ends[job] = append(ends[job], fmt.Sprintf("%s: %v", filepath.Base(path), e))
			}
		}
	}
	for job, at := range ends {
		if len(at) != 1 {
			b.t.Errorf("%s ended %d times:\n%s", job, len(at), strings.Join(at, "\n"))
		}
	}
	if code, stdout, _ := callPnmc("pnmc", "batch", "--status", b.out); code != exit.Holds || !strings.Contains(stdout, "0 in hand, 0 missing") {
		b.t.Errorf("status: exit code %d\n%s", code, stdout)
	}
}

// answersOf returns the answers in a table, by question.
func answersOf(t *testing.T, out string) map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join(out, batches.AnswersFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	answers := map[string]string{}
	for _, row := range rows[1:] {
		question := strings.Join(row[:3], " ")
		if _, twice := answers[question]; twice {
			t.Errorf("%s is in the table twice", question)
		}
		answers[question] = row[4]
	}
	return answers
}

// journalLines returns the whole lines of a journal.
func journalLines(t *testing.T, path string) (lines []map[string]any) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var e map[string]any
		if err := json.Unmarshal(s.Bytes(), &e); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		lines = append(lines, e)
	}
	return lines
}

// wholeCluster asks for the tests on a Slurm that take minutes.
var wholeCluster = flag.Bool("cluster", false, "also kill nodes, answer the smoke list, submit a contest, and wait for the limits of time that Slurm keeps")

// TestSlurm runs all that is tested on a real Slurm, which starts once.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	slurm := slurmtest.Start(t, "JobAcctGatherType=jobacct_gather/linux", "JobAcctGatherFrequency=1", "JobAcctGatherParams=OverMemoryKill")
	for _, of := range []struct {
		name string
		test func(*testing.T, *slurmtest.Slurm)
		long bool
	}{
		{name: "a node fails", test: nodeFails, long: true}, {name: "some are canceled", test: someAreCanceled}, {name: "too much memory", test: tooMuchMemory, long: true},
		{name: "the controller restarts", test: controllerRestarts, long: true}, {name: "the submission is killed", test: submissionIsKilled, long: true},
		{name: "the disk is full", test: diskIsFull}, {name: "all is canceled", test: allIsCanceled},
		{name: "tasks are queued again", test: tasksAreQueuedAgain, long: true}, {name: "the time is over", test: timeIsOver, long: true},
		{name: "nodes without models", test: nodesWithoutModels, long: true}, {name: "another engine beside", test: anotherEngineBeside, long: true},
		{name: "nothing runs", test: nothingRuns}, {name: "memory of nodes", test: memoryOfNodes},
		{name: "answers as locally", test: answersAsLocally}, {name: "measures as locally", test: measuresAsLocally, long: true},
		{name: "answers the smoke list as locally", test: smokeListAsLocally, long: true},
		{name: "a contest", test: contestOnACluster, long: true},
	} {
		t.Run(of.name, func(t *testing.T) {
			if of.long && !*wholeCluster {
				t.Skip("takes long: go test ./cmd/pnmc -run TestSlurm -cluster runs it")
			}
			of.test(t, slurm)
		})
	}
}

// answersAsLocally: a real Slurm answers some instances as a batch on this computer does.
func answersAsLocally(t *testing.T, _ *slurmtest.Slurm) {
	folder := t.TempDir()
	for _, name := range []string{"philosophers", "mailbox"} {
		text, err := os.ReadFile(filepath.Join("../../testdata", name+".pnml"))
		if err != nil {
			t.Fatal(err)
		}
		instance := filepath.Join(folder, name+"-PT-1")
		if err := errors.Join(os.Mkdir(instance, 0o755), os.WriteFile(filepath.Join(instance, "model.pnml"), text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if missing := compareWithLocal(t, 18, "0.05", "--examinations", "StateSpace,ReachabilityDeadlock,QuasiLiveness,StableMarking,Liveness,OneSafe", folder); len(missing) > 0 {
		t.Errorf("answered only by one of the two: %q", missing)
	}
}

// smokeListAsLocally: a real Slurm answers the smoke list as a batch on this computer does.
func smokeListAsLocally(t *testing.T, _ *slurmtest.Slurm) {
	text, err := os.ReadFile(petritest.Shared(t, "mcc", "lists", "smoke.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var archives []string
	for line := range strings.Lines(string(text)) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") {
			archives = append(archives, petritest.Shared(t, "mcc", "inputs", name+".tgz"))
		}
	}
	for attempt := range 2 {
		missing := compareWithLocal(t, 1000, "10", archives...)
		if len(missing) == 0 {
			break
		}
		if attempt > 0 {
			t.Errorf("answered only by one of the two: %q", missing)
		}
		// Another program that keeps the machine busy may keep a run from its answers.
		t.Logf("once more, as these are missing: %q", missing)
	}
}

// compareWithLocal answers what arguments name on this computer and by Slurm: answers that both
// give must be the same, of at least so many questions. It returns those that only one answered.
func compareWithLocal(t *testing.T, least int, taskTime string, arguments ...string) (missing []string) {
	t.Helper()
	here, there := filepath.Join(t.TempDir(), "here"), filepath.Join(t.TempDir(), "there")
	command := func(out string, more ...string) (int, string, string) {
		return callPnmc(append(append([]string{"pnmc", "batch", "--time", "10", "--memory", "2GB", "--quiet", "--out", out}, more...), arguments...)...)
	}
	if code, stdout, stderr := command(here, "--jobs", "2"); code != exit.Holds {
		t.Fatalf("locally: exit code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr := command(there, "--slurm", "--cores", "1", "--task-time", taskTime, "--wait", "--expect", here)
	if code != exit.Holds || !strings.Contains(stdout, "submitted job ") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	want, got := answersOf(t, here), answersOf(t, there)
	if len(want) < least || len(want) != len(got) {
		t.Errorf("%d questions locally, %d by Slurm", len(want), len(got))
	}
	for question, answer := range want {
		switch {
		case got[question] == answer:
		case got[question] == "" || answer == "":
			missing = append(missing, question)
		default:
			t.Errorf("%s: %q locally, %q by Slurm", question, answer, got[question])
		}
	}
	if journals, err := tasks.JournalsOfTasks(there); err != nil || len(journals) < 2 {
		t.Errorf("journals %q, %v", journals, err)
	}
	return missing
}

// measuresAsLocally: a real Slurm measures what a bench on this computer does; what was canceled
// is measured by the same command.
func measuresAsLocally(t *testing.T, slurm *slurmtest.Slurm) {
	folder := t.TempDir()
	formulas := filepath.Join(folder, "some formulas.ltl")
	if err := os.WriteFile(formulas, []byte("F eats0\nG F thinks1\nG !(eats0 & eats1)\nF G thinks2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, approaches := range []string{"ba,tgta", "sym-tgba,sym-slap"} {
		here, there := filepath.Join(folder, approaches+"-here.csv"), filepath.Join(folder, approaches+"-there.csv")
		bench := func(output string, more ...string) (int, string, string) {
			return callPnmc(append([]string{"pnmc", "bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", formulas, "--approaches", approaches,
				"--timeout", "30", "--max-memory", "500MB", "--output", output}, more...)...)
		}
		if code, stdout, stderr := bench(here); code != exit.Holds {
			t.Fatalf("locally: exit code %d\n%s%s", code, stdout, stderr)
		}
		slurmFlags := []string{"--slurm", "--cores", "1", "--task-time", "4"}
		code, stdout, stderr := bench(there, append(slurmFlags, "--slurm-flag=--hold")...)
		if code != exit.Holds || !strings.Contains(stdout, "submitted job ") {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		if code, _, stderr := bench(there, slurmFlags...); code != exit.Holds || !strings.Contains(stderr, "nothing is to be submitted") {
			t.Errorf("again: exit code %d\n%s", code, stderr)
		}
		if code, _, stderr := bench(there); code != exit.Input || !strings.Contains(stderr, "tasks of it are in Slurm") {
			t.Errorf("a bench beside: exit code %d, %s", code, stderr)
		}
		if code, stdout, _ := callPnmc("pnmc", "bench", "--status", "--output", there); code != exit.Unknown || !strings.Contains(stdout, " 0 missing") {
			t.Errorf("exit code %d\n%s", code, stdout)
		}
		if code, _, stderr := callPnmc("pnmc", "bench", "--cancel", "--output", here); code != exit.Input || !strings.Contains(stderr, "found none") {
			t.Errorf("nothing to cancel: exit code %d, %s", code, stderr)
		}
		if code, stdout, stderr := callPnmc("pnmc", "bench", "--cancel", "--output", there); code != exit.Holds || !strings.Contains(stdout, "canceled job ") {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
		slurm.Until("the end of the queue", func() bool { return slurm.Call("squeue", "-h") == "" })
		if code, stdout, stderr := bench(there, append(slurmFlags, "--wait")...); code != exit.Holds {
			t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
		}
		if code, stdout, _ := callPnmc("pnmc", "bench", "--status", "--output", there); code != exit.Holds || !strings.Contains(stdout, "0 in hand, 0 missing") {
			t.Errorf("exit code %d\n%s", code, stdout)
		}
		want, got := verdictsIn(t, here), verdictsIn(t, there)
		slices.Sort(want)
		slices.Sort(got)
		if len(want) < 8 || !slices.Equal(want, got) {
			t.Errorf("locally\n%s\nby Slurm\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
	}
}

// verdictsIn returns set, line, approach and verdict of measurements in a file.
func verdictsIn(t *testing.T, path string) (list []string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		var of []string
		for _, column := range []string{"set", "line", "approach", "verdict"} {
			of = append(of, row[slices.Index(rows[0], column)])
		}
		list = append(list, strings.Join(of, " "))
	}
	return list
}
