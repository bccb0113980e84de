package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pnmc/internal/batchtest"
	"pnmc/mcc/batch/history"
)

// TestClockThatJumps: the seconds in the journal are those of the clock of the plan, and
// without one of a clock that does not follow the time of day.
func TestClockThatJumps(t *testing.T) {
	if !strings.Contains(loaded.String(), " m=") {
		t.Errorf("%s has no monotonic reading", loaded)
	}
	folder, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
	p := planOf(t, folder, results, "UpperBounds")
	var looks atomic.Int64
	p.Clock = func() time.Duration { return time.Duration(looks.Add(1)) * time.Hour }
	runs := execute(t, p, results)
	if len(runs) != 1 || runs[0].End != "" || len(runs[0].Answers) != batchtest.Properties {
		t.Fatalf("%+v", runs)
	}
	// One look is at the start, one at each answer, and one at the end of the process, which
	// may be before the last answers are read.
	last := 0.0
	for i, a := range runs[0].Answers {
		hours := a.Seconds / 3600
		if hours <= last || hours > batchtest.Properties+1 {
			t.Errorf("answer %d after %v hours", i, hours)
		}
		last = hours
	}
	if hours := runs[0].Seconds / 3600; hours < 1 || hours > batchtest.Properties+1 {
		t.Errorf("the run took %v hours", hours)
	}
}

// TestSignalToAll: a program that ends by the signal which then ends the batch was interrupted,
// and did not fail.
func TestSignalToAll(t *testing.T) {
	defer func(was time.Duration) { sameSignal = was }(sameSignal)
	sameSignal = time.Minute
	folder, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
	starts := filepath.Join(results, "starts")
	t.Setenv(batchtest.ToolVariable, "interrupted")
	t.Setenv(batchtest.StartsVariable, starts)
	p := planOf(t, folder, results, "UpperBounds")
	path := filepath.Join(results, history.FileName)
	j, err := history.Open(path, p.Settings)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(starts + ".ended"); err == nil {
				time.Sleep(50 * time.Millisecond) // the process is over
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if err := Execute(ctx, p, j); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	runs, err := history.ReadRuns([]string{path}, &p.Settings)
	if err != nil || len(runs) != 1 || runs[0].Ended || runs[0].Losses() != 0 || len(runs[0].Answers) != 2 {
		t.Errorf("%+v, %v", runs[0], err)
	}
}

// TestMendedFile: a run that gave some answers and could not read the rest is made again by each
// command, until all could be read.
func TestMendedFile(t *testing.T) {
	folder, results := batchtest.Instances(t, "A-PT-1"), t.TempDir()
	starts := filepath.Join(results, "starts")
	t.Setenv(batchtest.StartsVariable, starts)
	p := planOf(t, folder, results, "UpperBounds")
	for i, x := range []struct {
		mode           string
		fault          history.Fault
		answers, began int
	}{
		{"misread", history.Unread, 2, 1},
		{"misread", history.Unread, 2, 2},
		{"", history.NoFault, batchtest.Properties, 3},
		{"", history.NoFault, batchtest.Properties, 3},
	} {
		t.Setenv(batchtest.ToolVariable, x.mode)
		runs := execute(t, p, results)
		if len(runs) != 1 || runs[0].Fault != x.fault || len(runs[0].Answers) != x.answers || len(runs[0].Contradictions) != 0 {
			t.Errorf("command %d: %+v", i, runs[0])
		}
		if text, err := os.ReadFile(starts); err != nil || strings.Count(string(text), "\n") != x.began {
			t.Errorf("command %d: %d runs were begun, expected %d, %v", i, strings.Count(string(text), "\n"), x.began, err)
		}
	}
}
