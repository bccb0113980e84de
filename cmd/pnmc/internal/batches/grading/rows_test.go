package grading

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pnmc/mcc/batch/history"
)

// everything has all right answers be kept.
func everything(history.Job) bool { return true }

// oneJob is the job of the tests below, and ofOne has its right answers alone be kept.
var oneJob = history.Job{Instance: "Net-PT-77", Examination: "CTLFireability"}

func ofOne(j history.Job) bool { return j == oneJob }

// TestOracleKeepsWhatIsNeeded: of a large table, and of a large file of answers, only what the jobs of a batch
// need is kept in memory, and it is what a table of that alone has.
func TestOracleKeepsWhatIsNeeded(t *testing.T) {
	folder := t.TempDir()
	table, answers := filepath.Join(folder, "right.csv"), filepath.Join(folder, "right.out")
	var rows, lines strings.Builder
	for i := range 100_000 {
		name := fmt.Sprintf("Net-PT-%d", i)
		rest := 5
		if name == oneJob.Instance {
			rest = 50_000
		}
		fmt.Fprintf(&rows, "%s,CTLFireability,TFT?TTFFTFTTFTFF,%s\n", name, strings.Repeat("of a tool ", rest))
	}
	fmt.Fprintf(&lines, "%s %s\n", oneJob.Instance, oneJob.Examination)
	for range 100 {
		fmt.Fprintf(&lines, "%s\n", strings.Repeat("told by a tool ", 7_000))
	}
	fmt.Fprintf(&lines, "FORMULA x TRUE TECHNIQUES NONE %s\n", strings.Repeat("OTHER ", 100_000))
	other := filepath.Join(folder, "other.out")
	for path, text := range map[string]string{table: rows.String(), answers: lines.String(), other: "A OneSafe\nFORMULA A TRUE TECHNIQUES NONE\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	oracle, err := ReadOracle(t.Context(), table, ofOne)
	if err != nil {
		t.Fatal(err)
	}
	named, err := ReadOracle(t.Context(), folder, ofOne)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 100_000 {
		t.Errorf("%d bytes are kept", kept)
	}
	run := &history.Run{Job: oneJob}
	for i := range 16 {
		run.Questions = append(run.Questions, fmt.Sprint(i))
	}
	if value, known := oracle.Expected(run, 1); !known || value != "FALSE" {
		t.Errorf("%q, %t", value, known)
	}
	if value, known := named.Expected(&history.Run{Job: oneJob, Questions: []string{"x"}}, 0); !known || value != "TRUE" {
		t.Errorf("%q, %t", value, known)
	}
	if len(oracle.inOrder) != 1 || len(named.answers) != 1 {
		t.Errorf("what was not asked for is known of %d and %d jobs", len(oracle.inOrder)-1, len(named.answers)-1)
	}
	if oracle.read != 100_000 || named.read != 2 {
		t.Errorf("%d rows, %d files", oracle.read, named.read)
	}
}

// TestOracleEndsWithItsTime: a table and a folder are not read on when the time is over, which the error tells.
func TestOracleEndsWithItsTime(t *testing.T) {
	folder := t.TempDir()
	table := filepath.Join(folder, "right.csv")
	if err := os.WriteFile(table, []byte(strings.Repeat("A,CTLFireability,TF?\n", 10_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "right.out"), []byte("A CTLFireability\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	late := errors.New("the time is over")
	for _, path := range []string{table, folder} {
		rows := 0
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(late)
		if _, err := ReadOracle(ctx, path, everything); !errors.Is(err, late) || err.Error() != path+": the time is over while right answers were read" {
			t.Errorf("%s: %v", path, err)
		}
		if path == folder {
			continue
		}
		ctx, cancel = context.WithCancelCause(t.Context())
		_, err := ReadOracle(ctx, path, func(history.Job) bool { rows++; cancel(late); return true })
		if !errors.Is(err, late) || rows > 1000 {
			t.Errorf("%d rows were read after the end: %v", rows, err)
		}
	}
}

// TestOracleWithoutLines: a file without ends of lines is not read into memory.
func TestOracleWithoutLines(t *testing.T) {
	for name, text := range map[string]string{
		"row.csv":    "A,CTLFireability," + strings.Repeat("T", 2*longestRow),
		"quoted.csv": `A,CTLFireability,"` + strings.Repeat("T\n", longestRow),
		"answer.out": "A CTLFireability\nFORMULA x TRUE TECHNIQUES " + strings.Repeat("T", longestRow),
	} {
		folder := t.TempDir()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".csv") {
			folder = path
		}
		if _, err := ReadOracle(t.Context(), folder, everything); !errors.Is(err, errLongRow) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// What a tool prints between answers may be long.
	folder := t.TempDir()
	text := "A CTLFireability\n" + strings.Repeat("T", 2*longestRow) + "\nFORMULA x TRUE TECHNIQUES NONE\n"
	if err := os.WriteFile(filepath.Join(folder, "long.out"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	oracle, err := ReadOracle(t.Context(), folder, everything)
	if err != nil {
		t.Fatal(err)
	}
	run := &history.Run{Job: history.Job{Instance: "A", Examination: "CTLFireability"}, Questions: []string{"x"}}
	if value, known := oracle.Expected(run, 0); !known || value != "TRUE" {
		t.Errorf("%q, %t", value, known)
	}
}
