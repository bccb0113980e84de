package batch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestJournalIsOfOneProcess: who has a journal open has it alone.
func TestJournalIsOfOneProcess(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no locks of this kind here")
	}
	path := filepath.Join(t.TempDir(), "journal")
	first, err := OpenJournal(path, testSettings)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(path, testSettings); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second one: %v", err)
	}
	if err := first.add(entry{Kind: startEntry, Instance: "A"}); err != nil {
		t.Error(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := OpenJournal(path, testSettings)
	if err != nil || len(again.Runs()) != 1 {
		t.Fatalf("after its end: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// TestJournalAfterAFailedWrite: nothing follows an entry that could not be written.
func TestJournalAfterAFailedWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	j, err := OpenJournal(path, testSettings)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	writable := j.file
	if j.file, err = os.Open(path); err != nil { // for reading only
		t.Fatal(err)
	}
	if err := j.add(entry{Kind: startEntry, Instance: "A"}); err == nil {
		t.Error("an entry was written to a file that is open for reading")
	}
	j.file.Close()
	j.file = writable
	if err := j.add(entry{Kind: startEntry, Instance: "B"}); err == nil {
		t.Error("an entry follows one that is lost")
	}
	if text, err := os.ReadFile(path); err != nil || !slices.Equal(text, whole) {
		t.Errorf("the journal is %q, %v", text, err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}

// TestClockThatJumps: the seconds in the journal are those of the clock of the plan, and
// without one of a clock that does not follow the time of day.
func TestClockThatJumps(t *testing.T) {
	if !strings.Contains(loaded.String(), " m=") {
		t.Errorf("%s has no monotonic reading", loaded)
	}
	folder, results := instances(t, "A-PT-1"), t.TempDir()
	p := planOf(t, folder, results, "UpperBounds")
	var looks atomic.Int64
	p.Clock = func() time.Duration { return time.Duration(looks.Add(1)) * time.Hour }
	runs := execute(t, p, results)
	if len(runs) != 1 || runs[0].End != "" || len(runs[0].Answers) != properties {
		t.Fatalf("%+v", runs)
	}
	// One look is at the start, one at each answer, and one at the end of the process, which
	// may be before the last answers are read.
	last := 0.0
	for i, a := range runs[0].Answers {
		hours := a.Seconds / 3600
		if hours <= last || hours > properties+1 {
			t.Errorf("answer %d after %v hours", i, hours)
		}
		last = hours
	}
	if hours := runs[0].Seconds / 3600; hours < 1 || hours > properties+1 {
		t.Errorf("the run took %v hours", hours)
	}
}

// TestSignalToAll: a program that ends by the signal which then ends the batch was interrupted,
// and did not fail.
func TestSignalToAll(t *testing.T) {
	defer func(was time.Duration) { sameSignal = was }(sameSignal)
	sameSignal = time.Minute
	folder, results := instances(t, "A-PT-1"), t.TempDir()
	starts := filepath.Join(results, "starts")
	t.Setenv(toolVariable, "interrupted")
	t.Setenv("BATCH_TEST_STARTS", starts)
	p := planOf(t, folder, results, "UpperBounds")
	path := filepath.Join(results, JournalName)
	j, err := OpenJournal(path, p.Settings)
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
	runs, err := ReadRuns([]string{path}, &p.Settings)
	if err != nil || len(runs) != 1 || runs[0].Ended || runs[0].Losses() != 0 || len(runs[0].Answers) != 2 {
		t.Errorf("%+v, %v", runs[0], err)
	}
}
