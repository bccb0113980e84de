package tasks

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pnmc/internal/batchtest"
	"pnmc/internal/cluster"
	"pnmc/mcc/batch"
	"pnmc/mcc/batch/history"
)

// TestFaultsOfANode: what a computer could not run, as models or programs were not there, or
// there was no room, is missing, and how far the batch is says so and why; when the fault is
// gone it runs. A program that fails, and a property file that is not there, are not tried again.
func TestFaultsOfANode(t *testing.T) {
	for _, test := range []struct {
		name   string
		broken func(t *testing.T, models string, p *batch.Plan)
		mended func(models string, p *batch.Plan) error
		fault  history.Fault
		again  bool
		says   string
	}{
		{"models are not mounted", func(t *testing.T, models string, _ *batch.Plan) {
			if err := os.Rename(models, models+"-away"); err != nil {
				t.Fatal(err)
			}
		}, func(models string, _ *batch.Plan) error { return os.Rename(models+"-away", models) }, history.Unread, true, "model.pnml"},
		{"the program is gone", func(_ *testing.T, _ string, p *batch.Plan) { p.Command = []string{filepath.Join(p.Scratch, "gone")} },
			func(_ string, p *batch.Plan) error { p.Command = []string{os.Args[0]}; return nil }, history.Failed, true, "gone"},
		{"the program fails", func(t *testing.T, _ string, _ *batch.Plan) { t.Setenv(batchtest.ToolVariable, "fail") },
			func(string, *batch.Plan) error { return nil }, history.Failed, false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			models, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
			p := planOf(t, models, results, "UpperBounds", "OneSafe", "CTLFireability")
			test.broken(t, models, &p)
			runs := execute(t, p, results)
			for _, r := range runs {
				if r.Fault != test.fault && r.Examination == "UpperBounds" {
					t.Errorf("%+v", r)
				}
			}
			far, err := Of(&p).HowFar([]string{filepath.Join(results, "journal")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			missing := Missing(&p, runs, nil, NewExpectation(20))
			if again := far.NotRun >= 2; again != test.again || far.Left() != len(missing) || !strings.Contains(far.Example, test.says) {
				t.Errorf("%+v, missing are %v", far, missing)
			}
			if err := test.mended(models, &p); err != nil {
				t.Fatal(err)
			}
			answered := 0
			for _, r := range execute(t, p, results) {
				answered += len(r.Answers)
			}
			if test.again && answered != batchtest.Properties+1 {
				t.Errorf("%d answers after all", answered)
			}
		})
	}
}

// TestArchiveThatIsAway: an archive that could not be read runs when it is there; one that
// lacks a property file is not tried again.
func TestArchiveThatIsAway(t *testing.T) {
	models, results := t.TempDir(), t.TempDir()
	archive := filepath.Join(models, "A-PT-1.tgz")
	batchtest.Pack(t, filepath.Join(batchtest.Instances(t, "A-PT-1"), "A-PT-1"), archive)
	list, err := batch.Find([]string{archive})
	if err != nil {
		t.Fatal(err)
	}
	p := batch.Plan{Instances: list, Examinations: []string{"UpperBounds", "CTLFireability"}, Settings: testSettings, UnreadCode: 4,
		Command: []string{os.Args[0]}, Scratch: filepath.Join(results, "unpacked")}
	t.Setenv(batchtest.StartsVariable, filepath.Join(results, "starts"))
	if err := os.Rename(archive, archive+"-away"); err != nil {
		t.Fatal(err)
	}
	runs := execute(t, p, results)
	if missing := Missing(&p, runs, nil, NewExpectation(20)); len(missing) != 2 || runs[0].Fault != history.Unread {
		t.Errorf("without the archive: missing are %v, %+v", missing, runs[0])
	}
	if err := os.Rename(archive+"-away", archive); err != nil {
		t.Fatal(err)
	}
	past := time.Now().AddDate(0, 0, -1)
	if err := os.Chtimes(archive, past, past); err != nil {
		t.Fatal(err)
	}
	runs = execute(t, p, results)
	if missing := Missing(&p, runs, nil, NewExpectation(20)); len(missing) != 0 || runs[1].Fault != history.Absent {
		t.Errorf("missing are %v, %+v", missing, runs[1])
	}
}

// TestLostRunsComeLast: what a task began and lost is begun after all else when it starts again.
func TestLostRunsComeLast(t *testing.T) {
	models, results := batchtest.Instances(t, "A-PT-1", "B-PT-1", "C-PT-1"), t.TempDir()
	p := planOf(t, models, results, "UpperBounds", "OneSafe")
	var names []string
	for _, j := range p.Jobs() {
		names = append(names, j.Job.String())
	}
	r := recordOf(t, results, p, cluster.Task{Jobs: names, Seconds: 600})
	journalOf(t, results, "journal-0001-0000.jsonl", // two that were lost, of which one ended its task
		`{"kind":"start","instance":"A-PT-1","examination":"UpperBounds","questions":["a"],"begun":1}`,
		`{"kind":"start","instance":"B-PT-1","examination":"OneSafe","questions":["a"],"begun":1}`)
	var order []string
	err := Run(context.Background(), r, 0, results, os.Args[0], func(over, of int, run *history.Run) {
		if of != 6 || over != len(order)+1 {
			t.Errorf("%d of %d", over, of)
		}
		order = append(order, run.Job.String())
	})
	if err != nil || len(order) != 6 || !slices.Equal(order[4:], []string{"A-PT-1 UpperBounds", "B-PT-1 OneSafe"}) {
		t.Errorf("%q, %v", order, err)
	}
}

// TestTaskWithoutRoom: where there is no folder for temporary files, a task runs what is not
// packed, and notes of the rest why it was not run, which is missing then.
func TestTaskWithoutRoom(t *testing.T) {
	models, archives, results := batchtest.Instances(t, "A-PT-1"), t.TempDir(), t.TempDir()
	archive := filepath.Join(archives, "B-PT-1.tgz")
	batchtest.Pack(t, filepath.Join(batchtest.Instances(t, "B-PT-1"), "B-PT-1"), archive)
	list, err := batch.Find([]string{models, archive})
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, models, results, "UpperBounds", "OneSafe")
	p.Instances = list
	var names []string
	for _, j := range p.Jobs() {
		names = append(names, j.Job.String())
	}
	r := recordOf(t, results, p, cluster.Task{Jobs: names, Seconds: 600})
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(variable, filepath.Join(results, "away"))
	}
	if err := Run(context.Background(), r, 0, results, os.Args[0], nil); err != nil {
		t.Fatal(err)
	}
	paths, err := Journals(results)
	if err != nil {
		t.Fatal(err)
	}
	far, err := Of(&p).HowFar(paths, nil)
	if err != nil || far.Over != 2 || far.NotRun != 2 || !strings.Contains(far.Example, "away") {
		t.Errorf("%+v, %v", far, err)
	}
}
