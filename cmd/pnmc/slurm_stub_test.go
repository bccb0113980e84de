//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// endingSlurm puts commands on the path that stand for Slurm's: the first time that they are asked
// for the queue after a submission they run its task first, which is over then. It returns the
// folder in which they note submissions.
func endingSlurm(t *testing.T) string {
	t.Helper()
	slurm := t.TempDir()
	for name, text := range map[string]string{
		"scontrol": "",
		"sinfo":    "",
		"sbatch":   "for script; do :; done\ncp \"$script\" %[1]s/script\necho submitted >>%[1]s/submitted\necho 7",
		"squeue":   "test -e %[1]s/script || exit 0\nmv %[1]s/script %[1]s/running\nSLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_JOB_ID=7 bash %[1]s/running >%[1]s/log 2>&1",
	} {
		if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, slurm)
		}
		if err := os.WriteFile(filepath.Join(slurm, name), []byte("#!/bin/bash\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", slurm+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return slurm
}

// TestTaskEndsWhileTheQueueIsLooked: a task that ends after a command has begun, and before it
// has looked at the queue, is done then; its runs are not submitted again.
func TestTaskEndsWhileTheQueueIsLooked(t *testing.T) {
	slurm := endingSlurm(t)
	b := newClusterBatch(t, 1)
	b.arguments = append(b.arguments, "--task-time", "1000") // one task
	b.submit()
	code, stdout, stderr := b.call()
	if submitted := read(t, filepath.Join(slurm, "submitted")); code != exit.Holds || submitted != "submitted\n" {
		t.Errorf("exit code %d\n%s%s\n%s%s", code, stdout, stderr, submitted, read(t, filepath.Join(slurm, "log")))
	}
	if n := b.starts(0); n != 3 {
		t.Errorf("%d starts of three runs", n)
	}
}

// TestMeasuringTaskEndsWhileTheQueueIsLooked: the same for bench.
func TestMeasuringTaskEndsWhileTheQueueIsLooked(t *testing.T) {
	slurm := endingSlurm(t)
	output := filepath.Join(t.TempDir(), "measured.csv")
	arguments := []string{"pnmc", "bench", "--pnml", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa",
		"--approaches", "tgba", "--timeout", "20", "--max-memory", "500MB", "--output", output, "--slurm", "--task-time", "1000"}
	for range 2 {
		if code, stdout, stderr := callPnmc(arguments...); code != exit.Holds {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
	}
	if submitted := read(t, filepath.Join(slurm, "submitted")); submitted != "submitted\n" {
		t.Errorf("%s%s", submitted, read(t, filepath.Join(slurm, "log")))
	}
}
