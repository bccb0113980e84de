package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"pnmc/internal/batchtest"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

var testSettings = history.Settings{Seconds: 20, MemoryBytes: 2 << 30}

func TestMain(m *testing.M) { batchtest.Main(m) }

// planOf runs the test binary on what lies in folder.
func planOf(t *testing.T, folder, results string, examinations ...string) batch.Plan {
	t.Helper()
	list, err := batch.Find([]string{folder})
	if err != nil {
		t.Fatal(err)
	}
	return batch.Plan{Instances: list, Examinations: examinations, Settings: testSettings, Parallel: 2,
		UnreadCode: 4, LimitCode: 2, Command: []string{os.Args[0]}, Scratch: filepath.Join(results, "unpacked")}
}

// execute runs a plan and gives the runs.
func execute(t *testing.T, p batch.Plan, results string) []*history.Run {
	t.Helper()
	j, err := history.Open(filepath.Join(results, "journal"), p.Settings)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := batch.Execute(context.Background(), p, j); err != nil {
		t.Fatal(err)
	}
	return j.Runs()
}

// journalOf writes a journal with lines behind its settings.
func journalOf(t testing.TB, folder, name string, lines ...string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	text := `{"kind":"settings","settings":{"seconds":20,"memory_bytes":2147483648}}` + "\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// line returns a line of a journal about a job of instance i.
func line(kind string, i int, more string) string {
	return fmt.Sprintf(`{"kind":%q,"instance":"I-%d","examination":"UpperBounds"%s}`, kind, i, more)
}

// TestMergedJournals: of what several journals tell of a job, each answer counts once, and the
// end that needs no repetition.
func TestMergedJournals(t *testing.T) {
	folder := t.TempDir()
	start := `,"questions":["a","b"],"begun":%d`
	journalOf(t, folder, history.FileName,
		line("start", 1, fmt.Sprintf(start, 10)), line("answer", 1, `,"question":"a","value":"TRUE","seconds":1`), // killed then
		line("start", 2, fmt.Sprintf(start, 10)), line("answer", 2, `,"question":"a","value":"T"`), line("end", 2, `,"seconds":3`),
		line("start", 4, fmt.Sprintf(start, 10)), line("end", 4, `,"end":"signal: killed","fault":"killed"`))
	journalOf(t, folder, "journal-0001-0000.jsonl",
		line("start", 1, fmt.Sprintf(start, 20)), line("answer", 1, `,"question":"a","value":"true","seconds":2`),
		line("answer", 1, `,"question":"b","value":"1"`), line("end", 1, `,"seconds":4,"host":"n7"`),
		line("start", 2, fmt.Sprintf(start, 20)), line("answer", 2, `,"question":"a","value":"FALSE"`), // begun again, and lost
		line("start", 3, fmt.Sprintf(start, 20)), line("interrupted", 3, ""),
		line("start", 3, fmt.Sprintf(start, 30)), line("start", 3, fmt.Sprintf(start, 40)))
	torn := journalOf(t, folder, "journal-0001-0001.jsonl", line("start", 4, fmt.Sprintf(start, 20)))
	text, err := os.ReadFile(torn)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn, append(text, `{"kind":"end","instance":"I-4`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "journal-0001-0002.jsonl"), nil, 0o600); err != nil { // just made
		t.Fatal(err)
	}
	paths, err := Journals(folder)
	if err != nil || len(paths) != 4 || filepath.Base(paths[0]) != history.FileName {
		t.Fatalf("%q, %v", paths, err)
	}
	runs, err := history.ReadRuns(paths, &testSettings)
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, r := range runs {
		told = append(told, fmt.Sprintf("%s: %d answers, %d contradictions, over %t after %v s, lost %d", r.Instance, len(r.Answers), len(r.Contradictions), !r.ToRepeat(), r.Seconds, r.Losses()))
	}
	want := []string{
		"I-1: 2 answers, 0 contradictions, over true after 4 s, lost 1",
		"I-2: 1 answers, 1 contradictions, over true after 3 s, lost 1",
		"I-4: 0 answers, 0 contradictions, over false after 0 s, lost 2",
		"I-3: 0 answers, 0 contradictions, over false after 0 s, lost 2",
	}
	if !slices.Equal(told, want) {
		t.Errorf("runs are\n%s\nexpected\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	work := &Work{Examinations: []string{"UpperBounds"}}
	for i := range 6 {
		work.Instances = append(work.Instances, batch.Instance{Name: fmt.Sprintf("I-%d", i)})
	}
	far, err := work.HowFar(paths, map[string]bool{"I-3 UpperBounds": true, "I-1 UpperBounds": true})
	if want := (Far{Over: 2, Begun: 1, Untried: 2, Of: 6, Seconds: 7, Active: 1}); err != nil || far != want {
		t.Errorf("%+v, %v, expected %+v", far, err, want)
	}
	other := history.Settings{Seconds: 21, MemoryBytes: 2 << 30}
	if _, err := history.ReadRuns(paths, &other); err == nil || !strings.Contains(err.Error(), "other limits") {
		t.Errorf("other limits: %v", err)
	}
}

// TestHowFarAgreesWithRuns: what is told without reading answers is what all lines tell, in
// whatever order journals have what happened.
func TestHowFarAgreesWithRuns(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(c *rapid.T) {
		var paths []string
		for n := range rapid.IntRange(1, 4).Draw(c, "journals") {
			var lines []string
			open := map[int]bool{}
			for range rapid.IntRange(0, 12).Draw(c, "lines") {
				i := rapid.IntRange(0, 4).Draw(c, "instance")
				kinds := []string{"start"}
				if open[i] {
					kinds = []string{"start", "answer", "end", "end", "interrupted"}
				}
				kind := rapid.SampledFrom(kinds).Draw(c, "kind")
				more := map[string]string{
					"start": fmt.Sprintf(`,"questions":["a"%s],"begun":%d`, rapid.SampledFrom([]string{"", `,"b"`, `,"]"`, `,"\"]"`, `,"[]\\"`}).Draw(c, "question"), rapid.IntRange(1, 9).Draw(c, "begun")), "answer": `,"question":"a","value":"TRUE"`,
				}[kind]
				if kind == "end" {
					more = rapid.SampledFrom([]string{`,"seconds":1`, `,"end":"signal: killed","fault":"killed"`, `,"end":"not run: no file","fault":"absent"`, `,"end":"exit status 4","fault":"unread"`, `,"end":"not run: no model","fault":"unread"`, `,"end":"exit status 9","fault":"failed"`}).Draw(c, "end")
				}
				open[i] = open[i] && kind != "end" && kind != "interrupted" || kind == "start"
				lines = append(lines, line(kind, i, more))
			}
			paths = append(paths, journalOf(t, folder, fmt.Sprintf("journal-0001-%04d.jsonl", n), lines...))
		}
		runs, err := history.ReadRuns(paths, nil)
		if err != nil {
			c.Fatal(err)
		}
		work := &Work{Examinations: []string{"UpperBounds"}}
		for i := range 5 {
			work.Instances = append(work.Instances, batch.Instance{Name: fmt.Sprintf("I-%d", i), Packed: true, Path: filepath.Join(folder, "none")})
		}
		far, err := work.HowFar(paths, nil)
		if err != nil {
			c.Fatal(err)
		}
		plan := work.Plan()
		missing := Missing(&plan, runs, nil, NewExpectation(20))
		if far.Left() != len(missing) {
			c.Fatalf("%+v, and missing are %v", far, missing)
		}
	})
}

// TestHowFarOfUnreadWithAnswers: a run some of whose files could not be read is missing though it
// gave an answer: the files may be mended since.
func TestHowFarOfUnreadWithAnswers(t *testing.T) {
	folder := t.TempDir()
	start := `,"questions":["a"],"begun":%d`
	paths := []string{
		journalOf(t, folder, "journal-0001-0000.jsonl", line("start", 0, fmt.Sprintf(start, 1)), line("answer", 0, `,"question":"a","value":"TRUE"`),
			line("end", 0, `,"end":"exit status 4","fault":"unread"`)),
		journalOf(t, folder, "journal-0001-0001.jsonl", line("start", 0, fmt.Sprintf(start, 2)), line("interrupted", 0, "")),
	}
	work := &Work{Examinations: []string{"UpperBounds"}, Instances: []batch.Instance{{Name: "I-0", Packed: true, Path: filepath.Join(folder, "none")}}}
	if far, err := work.HowFar(paths, nil); err != nil || far.NotRun != 1 || far.Left() != 1 {
		t.Errorf("%+v, %v", far, err)
	}
}

// recordOf puts one task of jobs on record.
func recordOf(t *testing.T, results string, p batch.Plan, task cluster.Task) *cluster.Record {
	t.Helper()
	desk := cluster.Desk{Folder: filepath.Join(results, "tasks")}
	r, commands, err := desk.List(cluster.Order{Name: "test", Tasks: []cluster.Task{task}, Parallel: 1, Work: Of(&p), Command: []string{"pnmc", "batch-task"}})
	if err != nil || len(commands) != 1 {
		t.Fatalf("%q, %v", commands, err)
	}
	read, err := cluster.ReadRecord(r.Path())
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// TestTask: a task that is started again goes on, in a journal of its own, and one that has
// little time leaves what might not be over in it.
func TestTask(t *testing.T) {
	folder, results := batchtest.Instances(t, "A-PT-1", "B-PT-1", "C-PT-1"), t.TempDir()
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{"A-PT-1", "B-PT-1", "C-PT-1"} {
		for _, file := range []string{"", "model.pnml", "UpperBounds.xml"} {
			if err := os.Chtimes(filepath.Join(folder, name, file), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	starts := filepath.Join(t.TempDir(), "starts")
	t.Setenv(batchtest.StartsVariable, starts)
	p := planOf(t, folder, results, "UpperBounds", "OneSafe", "CTLFireability")
	var names []string
	for _, j := range p.Jobs() {
		names = append(names, j.Job.String())
	}
	task := cluster.Task{Jobs: names, Seconds: 60}
	r := recordOf(t, results, p, task)
	ctx, cancel := context.WithCancel(context.Background())
	ended := 0
	err := Run(ctx, r, 0, results, os.Args[0], func(over, of int, _ *history.Run) {
		if ended++; ended == 4 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	journals := func() []string {
		paths, err := Journals(results)
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	far := func() Far {
		f, err := Of(&p).HowFar(journals(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := far(); f.Of != 9 || f.Over < 4 || f.Over > 5 {
		t.Fatalf("after an interruption: %+v", f)
	}
	if err := Run(context.Background(), r, 0, results, os.Args[0], nil); err != nil {
		t.Fatal(err)
	}
	if f := far(); f.Over != 9 || f.Absent != 3 || len(journals()) != 2 || !strings.HasSuffix(journals()[1], "journal-0001-0000.jsonl") {
		t.Errorf("after the second start: %+v in %q", f, journals())
	}
	text, err := os.ReadFile(starts)
	if err != nil {
		t.Fatal(err)
	}
	begun := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(begun)
	if n := len(slices.Compact(slices.Clone(begun))); n != 6 || len(begun) > 7 { // one may have been interrupted
		t.Errorf("begun: %q", begun)
	}
	runs, err := history.ReadRuns(journals(), &testSettings)
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if len(run.Answers) != len(run.Questions) || len(run.Contradictions) > 0 || run.Host == "" || run.Processor == "" || run.Losses() > 0 {
			t.Errorf("%+v", run)
		}
	}
	if missing := Missing(&p, runs, nil, NewExpectation(20)); len(missing) > 0 {
		t.Errorf("missing are %v", missing)
	}
	// What could not be run is missing again when there is a file.
	if err := os.WriteFile(filepath.Join(folder, "A-PT-1", "CTLFireability.xml"), []byte("<property-set/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	if missing := Missing(&p, runs, nil, NewExpectation(20)); len(missing) != 1 || missing[0].Name != "A-PT-1 CTLFireability" {
		t.Errorf("missing are %v", missing)
	}
	// No run takes longer than 20 s: of 21 there is no time for another.
	results = t.TempDir()
	task.Seconds = 21
	if err := Run(context.Background(), recordOf(t, results, p, task), 0, results, os.Args[0], nil); err != nil {
		t.Fatal(err)
	}
	if f := far(); f.Over != 0 {
		t.Errorf("in too little time: %+v", f)
	}
	if err := Run(context.Background(), r, 1, results, os.Args[0], nil); !errors.Is(err, cluster.ErrNoTask) {
		t.Errorf("a second task: %v", err)
	}
}

// TestMissing: what is over or active is not missing, and what is expected comes from the
// same run, the family, or the size.
func TestMissing(t *testing.T) {
	folder := batchtest.Instances(t, "A-PT-1", "A-PT-2", "B-PT-1")
	p := planOf(t, folder, t.TempDir(), "UpperBounds", "OneSafe", "LTLFireability")
	runs := []*history.Run{
		{Job: history.Job{Instance: "A-PT-1", Examination: "UpperBounds"}, Ended: true, Seconds: 4},
		{Job: history.Job{Instance: "A-PT-1", Examination: "OneSafe"}, Ended: true, Seconds: 19.5, End: "killed: out of time"},
		{Job: history.Job{Instance: "B-PT-1", Examination: "OneSafe"}, Ended: true, Fault: history.Killed, End: "signal: killed", Seconds: 1, Lost: 2},
	}
	e := NewExpectation(20)
	e.Learn([]*history.Run{{Job: history.Job{Instance: "B-PT-1", Examination: "UpperBounds"}, Ended: true, Seconds: 9.5}}, 10)
	e.Learn(runs, 20)
	missing := Missing(&p, runs, map[string]bool{"A-PT-2 LTLFireability": true}, e)
	small := leastSeconds + float64(len("<pnml/>"))/bytesPerSecond
	want := []cluster.Job{
		{Name: "A-PT-1 LTLFireability", Expected: leastSeconds}, // no such file
		{Name: "A-PT-2 UpperBounds", Expected: 4}, {Name: "A-PT-2 OneSafe", Expected: 20},
		{Name: "B-PT-1 UpperBounds", Expected: 20}, // its limit was the time, and is longer now
		{Name: "B-PT-1 OneSafe", Expected: small, Lost: 2}, {Name: "B-PT-1 LTLFireability", Expected: leastSeconds},
	}
	if !reflect.DeepEqual(missing, want) {
		t.Errorf("missing are %v, expected %v", missing, want)
	}
	if known := e.Known(missing); known != [3]int{3, 2, 1} {
		t.Errorf("known are %v", known)
	}
}
