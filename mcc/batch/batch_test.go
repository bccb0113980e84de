package batch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/internal/process"
)

// The test binary stands in for the two programs that a batch is about: with tool
// in its environment it answers as a contest tool does, with driver it is a batch
// that a test kills.
const (
	toolVariable   = "BATCH_TEST_TOOL"
	driverVariable = "BATCH_TEST_DRIVER"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv("BK_EXAMINATION") != "":
		fakeTool(os.Getenv(toolVariable))
	case os.Getenv(driverVariable) != "":
		driver(os.Getenv(driverVariable))
	default:
		os.Exit(m.Run())
	}
}

// fakeTool answers the questions of the files in the current directory, TRUE
// for all of them; how well it behaves depends on the mode.
func fakeTool(mode string) {
	starts, err := os.OpenFile(os.Getenv("BATCH_TEST_STARTS"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(starts, os.Getenv("BK_INPUT"), os.Getenv("BK_EXAMINATION"))
		starts.Close()
	}
	list, err := questions(".", os.Getenv("BK_EXAMINATION"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	for i, q := range list {
		switch {
		case mode == "slow":
			time.Sleep(40 * time.Millisecond)
		case mode == "hang" && i == 2:
			time.Sleep(time.Hour)
		case mode == "large" && i == 2:
			hog := make([]byte, 300<<20)
			for j := 0; j < len(hog); j += 1 << 10 {
				hog[j] = 1
			}
			time.Sleep(time.Hour)
			fmt.Println(hog[0])
		case mode == "killed" && i == 2:
			endBy(os.Kill)
		case mode == "terminated" && i == 2:
			endBy(syscall.SIGTERM)
		case mode == "interrupted" && i == 2:
			_ = os.WriteFile(os.Getenv("BATCH_TEST_STARTS")+".ended", nil, 0o600) // or the test waits in vain
			os.Exit(2)
		case mode == "fail" && i == 2:
			fmt.Fprintln(os.Stderr, "first line\nthe reason")
			os.Exit(5)
		case mode == "limited" && i == 2:
			fmt.Fprintln(os.Stderr, "time limit reached")
			os.Exit(2)
		case mode == "stopped" && i == 2:
			fmt.Fprintln(os.Stderr, "pnmc: interrupted: answers are missing that have no line\npnmc: the same command begins anew; --time TIME ends it by itself, with what is known then")
			os.Exit(2)
		case mode == "misread" && i == 2:
			fmt.Fprintln(os.Stderr, "cannot read")
			os.Exit(4)
		}
		fmt.Printf("FORMULA %s TRUE TECHNIQUES NONE AT_ALL\nsomething else\n", q)
	}
	fmt.Println("FORMULA given-up CANNOT_COMPUTE")
}

// endBy sends a signal to this process, which ends it.
func endBy(signal os.Signal) {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(signal) // or the test fails
	}
	time.Sleep(time.Minute)
}

const properties = 6

// instances makes folders as the contest has them, with the property file of one
// examination.
func instances(t *testing.T, names ...string) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
		text := `<property-set xmlns="http://mcc.lip6.fr/">`
		for i := range properties {
			text += fmt.Sprintf(`<property><id>%s-%02d</id><formula><place-bound><place>p</place></place-bound></formula></property>`, name, i)
		}
		for file, text := range map[string]string{modelFile: "<pnml/>", "UpperBounds.xml": text + "</property-set>"} {
			if err := os.WriteFile(filepath.Join(folder, name, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder
}

// pack makes an archive of a folder.
func pack(t *testing.T, folder, archive string) {
	t.Helper()
	var text bytes.Buffer
	zipped := gzip.NewWriter(&text)
	writer := tar.NewWriter(zipped)
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		source, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		header := &tar.Header{Name: filepath.Base(folder) + "/" + e.Name(), Mode: 0o644, Size: int64(len(source)), Typeflag: tar.TypeReg}
		if err := writer.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := writer.Write(source); err != nil {
			t.Fatal(err)
		}
	}
	for _, close := range []func() error{writer.Close, zipped.Close} {
		if err := close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(archive, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

var testSettings = Settings{Seconds: 20, MemoryBytes: 2 << 30}

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
func execute(t *testing.T, p Plan, results string) []*Run {
	t.Helper()
	j, err := OpenJournal(filepath.Join(results, "journal"), p.Settings)
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
	folder := instances(t, "B-PT-1", "A-PT-2", "C-PT-3")
	pack(t, filepath.Join(folder, "C-PT-3"), filepath.Join(folder, "C-PT-3.tgz"))
	if err := os.RemoveAll(filepath.Join(folder, "C-PT-3")); err != nil {
		t.Fatal(err)
	}
	results := t.TempDir()
	p := planOf(t, folder, results, "UpperBounds", "OneSafe", "CTLFireability", "StateSpace")
	told := 0
	begun := make(chan Job, 12)
	p.Begin = func(j Job) { begun <- j }
	p.Tell = func(over, of int, run *Run) {
		if told++; over != told || of != 12 {
			t.Errorf("%d jobs of %d are over, told of for the %dth time", over, of, told)
		}
	}
	runs := execute(t, p, results)
	if len(runs) != 12 || told != 12 || len(begun) != 12 {
		t.Fatalf("%d runs, %d told of, %d begun", len(runs), told, len(begun))
	}
	want := map[string]int{"UpperBounds": properties, "OneSafe": 1, "CTLFireability": 0, "StateSpace": 4}
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
// properties, runs once its files are right, and then no more.
func TestWhatDidNotRunIsTriedAgain(t *testing.T) {
	folder := instances(t, "A-PT-1")
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
		{"<property-set", notRun + file + ":1:14: XML syntax error on line 1: unexpected EOF", 0},
		{"<property-set/>", notRun + file + ":1:1: no property, expected some", 0},
		{string(whole), "", properties},
		{"", "", properties},
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
	folder := instances(t, "A-PT-1", "B-PT-1", "C-PT-1", "D-PT-1")
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
	folder := instances(t, "A-PT-1")
	for _, test := range []struct {
		mode, end string
		settings  Settings
	}{
		{"hang", "killed: out of time", Settings{1, 1 << 30}},
		{"large", "killed: out of memory", Settings{20, 200 << 20}},
		{"fail", "exit status 5: the reason", testSettings},
		{"misread", "exit status 4: cannot read", testSettings},
		{"stopped", "exit status 2: pnmc: interrupted: answers are missing that have no line", testSettings},
		{"limited", "exit status 2: time limit reached", testSettings},
	} {
		t.Setenv(toolVariable, test.mode)
		results := t.TempDir()
		p := planOf(t, folder, results, "UpperBounds")
		p.Settings = test.settings
		runs := execute(t, p, results)
		fault := map[string]Fault{"fail": Failed, "misread": Unread, "stopped": Killed}[test.mode]
		if len(runs) != 1 || runs[0].End != test.end || runs[0].Fault != fault || len(runs[0].Answers) != 2 || !runs[0].Ended {
			t.Errorf("%s: %+v", test.mode, runs[0])
		}
		if runs[0].PeakBytes == 0 {
			t.Errorf("%s: the peak of memory is not known", test.mode)
		}
	}
}

// driver is a batch to be killed: of folder, into results, both in text.
func driver(text string) {
	folder, results, _ := strings.Cut(text, "\n")
	list, err := Find([]string{folder})
	if err == nil {
		p := Plan{Instances: list, Examinations: []string{"UpperBounds", "OneSafe"}, Settings: testSettings, Parallel: 2,
			Command: []string{os.Args[0]}, Scratch: filepath.Join(results, "unpacked")}
		var j *Journal
		if j, err = OpenJournal(filepath.Join(results, "journal"), p.Settings); err == nil {
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
	folder := instances(t, "A-PT-1", "B-PT-1", "C-PT-1")
	results := t.TempDir()
	journal := filepath.Join(results, "journal")
	starts := filepath.Join(results, "starts")
	t.Setenv(toolVariable, "slow")
	t.Setenv("BATCH_TEST_STARTS", starts)
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
	ends := map[Job]int{}
	j, err := OpenJournal(journal, testSettings)
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
			ends[Job{words[7], words[11]}]++
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
	t.Setenv(toolVariable, "hang")
	results := t.TempDir()
	p := planOf(t, instances(t, "A-PT-1"), results, "UpperBounds")
	j, err := OpenJournal(filepath.Join(results, "journal"), p.Settings)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 700*time.Millisecond)
	defer cancel()
	if err := Execute(ctx, p, j); err == nil {
		t.Error("no error")
	}
	if slices.ContainsFunc(j.Runs(), func(r *Run) bool { return r.Ended }) {
		t.Error("a run that was interrupted counts as ended")
	}
}
