package batch

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pnmc/internal/batchtest"
	"pnmc/internal/process"
	"pnmc/mcc/batch/history"
)

// driverVariable has the test binary be a batch that a test kills.
const driverVariable = "BATCH_TEST_DRIVER"

func TestMain(m *testing.M) {
	if text := os.Getenv(driverVariable); text != "" && !batchtest.IsTool() {
		driver(text)
		return
	}
	batchtest.Main(m)
}

var testSettings = history.Settings{Seconds: 20, MemoryBytes: 2 << 30}

// planOf runs the test binary on what lies in folder.
func planOf(t *testing.T, folder, results string, examinations ...string) Plan {
	t.Helper()
	list, err := Find([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	return Plan{Instances: list, Examinations: examinations, Settings: testSettings, Parallel: 2,
		UnreadCode: 4, LimitCode: 2, Command: []string{os.Args[0]}, Scratch: filepath.Join(results, "unpacked")}
}

// execute runs a plan and gives the runs.
func execute(t *testing.T, p Plan, results string) []*history.Run {
	t.Helper()
	j, err := history.Open(filepath.Join(results, "journal"), p.Settings)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := Execute(context.Background(), p, j); err != nil {
		t.Fatal(err)
	}
	return j.Runs()
}

func TestFoldersAndArchives(t *testing.T) {
	folder := batchtest.Instances(t, "B-PT-1", "A-PT-2", "C-PT-3")
	batchtest.Pack(t, filepath.Join(folder, "C-PT-3"), filepath.Join(folder, "C-PT-3.tgz"))
	if err := os.RemoveAll(filepath.Join(folder, "C-PT-3")); err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	p := planOf(t, folder, results, "UpperBounds", "OneSafe", "CTLFireability", "StateSpace")
	told := 0
	begun := make(chan history.Job, 12)
	p.Begin = func(j history.Job) { begun <- j }
	p.Tell = func(over, of int, run *history.Run) {
		if told++; over != told || of != 12 {
			t.Errorf("%d jobs of %d are over, told of for the %dth time", over, of, told)
		}
	}
	runs := execute(t, p, results)
	if len(runs) != 12 || told != 12 || len(begun) != 12 {
		t.Fatalf("%d runs, %d told of, %d begun", len(runs), told, len(begun))
	}
	want := map[string]int{"UpperBounds": batchtest.Properties, "OneSafe": 1, "CTLFireability": 0, "StateSpace": 4}
	for _, r := range runs {
		if !r.Ended || len(r.Answers) != want[r.Examination] || len(r.Questions) != want[r.Examination] {
			t.Errorf("%v: %d answers to %d questions, expected %d", r.Job, len(r.Answers), len(r.Questions), want[r.Examination])
		}
		if missing := strings.HasPrefix(r.End, "not run: "); missing != (r.Examination == "CTLFireability") || !missing && r.End != "" {
			t.Errorf("%v ended so: %q", r.Job, r.End)
		}
	}
	if _, err := os.Stat(p.Scratch); !os.IsNotExist(err) {
		t.Errorf("unpacked files are left: %v", err)
	}
}

// TestWhatDidNotRunIsTriedAgain: an instance that could not be read, or had no
// batchtest.Properties, runs once its files are right, and then no more.
func TestWhatDidNotRunIsTriedAgain(t *testing.T) {
	folder := batchtest.Instances(t, "A-PT-1")
	file := filepath.Join(folder, "A-PT-1", "UpperBounds.xml")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	p := planOf(t, folder, results, "UpperBounds")
	for _, step := range []struct {
		text, end string
		answers   int
	}{
		{"<property-set", "not run: " + file + ":1:14: XML syntax error on line 1: unexpected EOF", 0},
		{"<property-set/>", "not run: " + file + ":1:1: no property, expected some", 0},
		{string(whole), "", batchtest.Properties},
		{"", "", batchtest.Properties},
	} {
		if err := os.WriteFile(file, []byte(step.text), 0o600); err != nil {
			t.Fatal(err)
		}
		runs := execute(t, p, results)
		if len(runs) != 1 || runs[0].End != step.end || !runs[0].Ended || len(runs[0].Answers) != step.answers {
			t.Errorf("%q: %+v", step.text, runs[0])
		}
	}
}

func TestFindTellsWhatIsExpected(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent"), os.Args[0]} {
		if list, err := Find([]string{path}); err == nil {
			t.Errorf("%s: instances %v", path, list)
		}
	}
}

// TestFoldersWithoutAReadableModel: what is called a model and is none makes an instance, so
// that it is told, and a folder with nothing of that name none.
func TestFoldersWithoutAReadableModel(t *testing.T) {
	folder := batchtest.Instances(t, "A-PT-1", "B-PT-1", "C-PT-1", "D-PT-1")
	model := func(name string) string { return filepath.Join(folder, name, modelFile) }
	for _, name := range []string{"B-PT-1", "C-PT-1", "D-PT-1"} {
		if err := os.Remove(model(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(model("B-PT-1"), 0o755); err != nil {
		t.Fatal(err)
	}
	want := []string{"A-PT-1", "B-PT-1"}
	if os.Symlink("nowhere", model("C-PT-1")) == nil {
		want = append(want, "C-PT-1")
	}
	list, err := Find([]string{folder})
	var names []string
	for _, i := range list {
		names = append(names, i.Name)
	}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("instances %q, %v; expected %q", names, err, want)
	}
}

func TestLimits(t *testing.T) {
	if _, peak := process.Memory(os.Getpid()); peak == 0 {
		t.Skip("the system does not tell how much memory a process has")
	}
	folder := batchtest.Instances(t, "A-PT-1")
	for _, test := range []struct {
		mode, end string
		settings  history.Settings
	}{
		{"hang", "killed: out of time", history.Settings{Seconds: 1, MemoryBytes: 1 << 30}},
		{"large", "killed: out of memory", history.Settings{Seconds: 20, MemoryBytes: 200 << 20}},
		{"fail", "exit status 5: the reason", testSettings},
		{"misread", "exit status 4: cannot read", testSettings},
		{"stopped", "exit status 2: pnmc: interrupted: answers are missing that have no line", testSettings},
		{"limited", "exit status 2: time limit reached", testSettings},
	} {
		t.Setenv(batchtest.ToolVariable, test.mode)
		results := t.TempDir()
		p := planOf(t, folder, results, "UpperBounds")
		p.Settings = test.settings
		runs := execute(t, p, results)
		fault := map[string]history.Fault{"fail": history.Failed, "misread": history.Unread, "stopped": history.Killed}[test.mode]
		if len(runs) != 1 || runs[0].End != test.end || runs[0].Fault != fault || len(runs[0].Answers) != 2 || !runs[0].Ended {
			t.Errorf("%s: %+v", test.mode, runs[0])
		}
		if runs[0].PeakBytes == 0 {
			t.Errorf("%s: the peak of memory is not known", test.mode)
		}
	}
}

// driver runs a batch to be killed: of folder, into results, both in text.
func driver(text string) {
	folder, results, _ := strings.Cut(text, "\n")
	list, err := Find([]string{folder})
	if err == nil {
		p := Plan{Instances: list, Examinations: []string{"UpperBounds", "OneSafe"}, Settings: testSettings, Parallel: 2,
			Command: []string{os.Args[0]}, Scratch: filepath.Join(results, "unpacked")}
		var j *history.Journal
		if j, err = history.Open(filepath.Join(results, "journal"), p.Settings); err == nil {
			err = Execute(context.Background(), p, j)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// mostKills is how often a batch is killed before it may come to its end.
const mostKills = 4

// TestKilledBatchGoesOn kills a batch with a signal that nothing can catch, again
// and again: no answer that was on the disk is lost, and no run that had ended is
// made again.
func TestKilledBatchGoesOn(t *testing.T) {
	folder := batchtest.Instances(t, "A-PT-1", "B-PT-1", "C-PT-1")
	results := t.TempDir()
	journal := filepath.Join(results, "journal")
	starts := filepath.Join(results, "starts")
	t.Setenv(batchtest.ToolVariable, "slow")
	t.Setenv(batchtest.StartsVariable, starts)
	t.Setenv(driverVariable, folder+"\n"+results)
	known := map[string]bool{}
	answersIn := func(text []byte) (list []string) {
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, `"answer"`) && strings.HasSuffix(line, "\n") {
				list = append(list, line)
			}
		}
		return list
	}
	read := func() []byte {
		text, err := os.ReadFile(journal)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return text
	}
	kills := 0
	for wanted := 3; ; wanted += 5 {
		command := exec.Command(os.Args[0])
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- command.Wait() }()
		ended := false
		for !ended && (kills == mostKills || len(answersIn(read())) < wanted) {
			select {
			case <-over:
				ended = true
			case <-time.After(5 * time.Millisecond):
			}
		}
		if ended {
			break
		}
		if err := command.Process.Kill(); err == nil { // it may just have ended
			kills++
		}
		<-over
		text := read()
		for line := range known {
			if !bytes.Contains(text, []byte(line)) {
				t.Fatalf("lost: %s", line)
			}
		}
		for _, line := range answersIn(text) {
			known[line] = true
		}
	}
	if kills < 2 {
		t.Fatalf("the batch was killed %d times only", kills)
	}
	t.Setenv(driverVariable, "")
	ends := map[history.Job]int{}
	j, err := history.Open(journal, testSettings)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for _, r := range j.Runs() {
		if !r.Ended || len(r.Answers) != len(r.Questions) || len(r.Contradictions) > 0 {
			t.Errorf("after all, %v has %d answers to %d questions", r.Job, len(r.Answers), len(r.Questions))
		}
		ends[r.Job]++
	}
	if len(ends) != 6 {
		t.Errorf("%d runs, expected 6", len(ends))
	}
	for line := range strings.Lines(string(read())) {
		if strings.Contains(line, `"kind":"end"`) {
			words := strings.Split(line, `"`)
			ends[history.Job{Instance: words[7], Examination: words[11]}]++
		}
	}
	for job, n := range ends {
		if n != 2 {
			t.Errorf("%v ended %d times", job, n-1)
		}
	}
	text, err := os.ReadFile(starts)
	if n := strings.Count(string(text), "\n"); err != nil || n < 6 || n > 6+2*kills {
		t.Errorf("%d starts with %d kills, %v", n, kills, err)
	}
}

func TestInterruptedByContext(t *testing.T) {
	t.Setenv(batchtest.ToolVariable, "hang")
	results := t.TempDir()
	p := planOf(t, batchtest.Instances(t, "A-PT-1"), results, "UpperBounds")
	j, err := history.Open(filepath.Join(results, "journal"), p.Settings)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
	defer cancel()
	if err := Execute(ctx, p, j); err == nil {
		t.Error("no error")
	}
	if slices.ContainsFunc(j.Runs(), func(r *history.Run) bool { return r.Ended }) {
		t.Error("a run that was interrupted counts as ended")
	}
}
