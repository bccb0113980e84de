package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/measure"
	"pnmc/experiment"
)

// asMeasurer, set in the environment, says how a process ends that is to measure.
const asMeasurer = "PNMC_TEST_MEASURER"

// What the process that hands out measurements holds is not theirs: with more memory held
// than a measurement may take, those in processes of their own have their verdicts.
func TestBenchJobsAreIndependent(t *testing.T) {
	limit := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(limit)
	const large = 300 << 20
	held := make([]byte, large)
	for i := 0; i < len(held); i += 1 << 10 {
		held[i] = 1
	}
	measured := func(jobs string) []experiment.Record {
		_, records := bench(t, filepath.Join(t.TempDir(), "measured.csv"), "--formulas", "../../testdata/philosophers.hoa",
			"--approaches", "tgba,tgta", "--graph-first", "--max-memory", "200MB", "--jobs", jobs)
		return records
	}
	for _, r := range measured("1") {
		if r.Verdict != "unknown" || !strings.Contains(r.Reason, "memory limit of 200 MB reached") {
			t.Errorf("in this process: line %d by %s: %s %s", r.Line, r.Approach, r.Verdict, r.Reason)
		}
	}
	records := measured("2")
	if len(records) != 10 {
		t.Errorf("%d measurements, expected 10 (%d)", len(records), held[0])
	}
	for _, r := range records {
		if r.Verdict == "unknown" || r.MemoryLimit != (200<<20-measure.HandOutMemory)/2 {
			t.Errorf("with %d MB held: line %d by %s: %s %s, limit %d", large>>20, r.Line, r.Approach, r.Verdict, r.Reason, r.MemoryLimit)
		}
	}
}

// Each process keeps to its share of the memory, and tells which that is.
func TestBenchProcessesKeepToTheirShare(t *testing.T) {
	formulas, output := filepath.Join(t.TempDir(), "hard.ltl"), filepath.Join(t.TempDir(), "measured.csv")
	write(t, formulas, "!(F \"on5 >= 1\" && G F \"on7>=1\")\n")
	var out, told bytes.Buffer
	arguments := []string{"pnmc", "bench", "--pnml", togglesFile(t, 1500), "--formulas", formulas, "--approaches", "tgba,ba", "--jobs", "2", "--max-memory", "120MB", "-o", output}
	if code := run(context.Background(), arguments, nil, &out, &told); code != exit.Unknown {
		t.Errorf("exit code %d: %s", code, &told)
	}
	if text := read(t, output); strings.Count(text, "memory limit of 47 MB reached") != 2 {
		t.Errorf("measured is\n%s", text)
	}
}

// Processes measure what this one does, also nets that were unfolded.
func TestBenchProcessesMeasureTheSame(t *testing.T) {
	folder := t.TempDir()
	formulas := filepath.Join(folder, "some.ltl")
	write(t, formulas, "G !deadlock\nG F \"tokens(p0) >= 1\"\n! F G is-fireable(\"t0\")\n")
	for _, arguments := range [][]string{
		{"--pnml", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa", "--formulas", "testdata/holds.hoa"},
		{"--pnml", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa", "--built", "--distrust", "--graph-first"},
	} {
		figures := map[string]map[experiment.Key]experiment.Record{}
		for _, jobs := range []string{"1", "3"} {
			output := filepath.Join(folder, jobs+".csv")
			os.Remove(output)
			var out, told bytes.Buffer
			all := append([]string{"pnmc", "bench", "-o", output, "--jobs", jobs}, arguments...)
			if code := run(context.Background(), all, nil, &out, &told); code != exit.Holds {
				t.Fatalf("exit code %d: %s", code, &told)
			}
			contents, err := experiment.ReadRecords[experiment.Record](t.Context(), strings.NewReader(read(t, output)), output)
			if err != nil {
				t.Fatal(err)
			}
			figures[jobs] = map[experiment.Key]experiment.Record{}
			for _, r := range contents.Records {
				r.Seconds, r.MemoryLimit = 0, 0
				figures[jobs][r.Key()] = r
			}
		}
		if len(figures["1"]) == 0 || len(figures["1"]) != len(figures["3"]) {
			t.Errorf("%d and %d measurements", len(figures["1"]), len(figures["3"]))
		}
		for key, r := range figures["1"] {
			if figures["3"][key] != r {
				t.Errorf("%+v, in a process of its own %+v", r, figures["3"][key])
			}
		}
	}
}

// A claim of the net that a process finds to be false is told once.
func TestBenchProcessesTellFalseClaims(t *testing.T) {
	folder := t.TempDir()
	formulas, output := filepath.Join(folder, "some.ltl"), filepath.Join(folder, "measured.csv")
	write(t, formulas, "G !deadlock\nG F deadlock\n")
	const net = "testdata/fed.pnml"
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "bench", "--model", net, "--formulas", formulas, "-o", output, "--approaches", "tgba", "--jobs", "2"}, nil, &stdout, &stderr)
	if n := strings.Count(stderr.String(), "warning: the net claims that unit"); code != exit.Holds || n != 1 {
		t.Errorf("exit code %d, %d warnings: %s", code, n, &stderr)
	}
}

// A process that ends in the midst of a measurement takes no other one with it.
func TestBenchSurvivesItsProcesses(t *testing.T) {
	for _, test := range []struct {
		end, told string
		code      int
	}{
		{"crash", "internal error: the process of the measurement ended: exit status 5", exit.Internal},
		{"killed", "perhaps for want of memory", exit.Unknown},
	} {
		t.Setenv(asMeasurer, test.end)
		output := filepath.Join(t.TempDir(), "measured.csv")
		code, text, _ := benchCode("--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba", "--jobs", "2", "-o", output)
		if n := strings.Count(read(t, output), test.told); code != test.code || n != 5 || strings.Contains(text, "does not apply") {
			t.Errorf("%s: exit code %d, %d measurements tell it\n%s", test.end, code, n, text)
		}
	}
}

// stopAt cancels a run when it says something.
type stopAt struct {
	bytes.Buffer
	said   string
	cancel func()
}

func (s *stopAt) Write(text []byte) (int, error) {
	n, err := s.Buffer.Write(text)
	if strings.Contains(s.String(), s.said) {
		s.cancel()
	}
	return n, err
}

// Who interrupts is told what is there, what is missing and how to go on, and tables say
// that they are partial.
func TestBenchInterrupted(t *testing.T) {
	for _, approaches := range []string{"tgba,tgta", "sym-tgba,sym-tgta"} {
		output := filepath.Join(t.TempDir(), "measured.csv")
		all := []string{"pnmc", "bench", "--model", "../../testdata/philosophers.pnml", "--formulas", "../../testdata/philosophers.hoa",
			"--approaches", approaches, "--saturation", "on", "-o", output}
		var stdout, stderr bytes.Buffer
		if code := run(context.Background(), append(all, "--lines", "1-2"), nil, &stdout, &stderr); code != exit.Holds || strings.Contains(stdout.String(), "PARTIAL") {
			t.Fatalf("exit code %d: %s%s", code, &stderr, &stdout)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		told := &stopAt{said: "are there", cancel: func() { cancel(interrupt.ErrInterrupted) }}
		stdout.Reset()
		code := run(ctx, all, nil, &stdout, told)
		want := "pnmc: interrupted: 4 of 10 measurements are in " + output + ", 6 are missing; the same command goes on\n"
		if code != exit.Unknown || !strings.Contains(told.String(), want) {
			t.Errorf("exit code %d: %s", code, told)
		}
		if !strings.HasPrefix(stdout.String(), "PARTIAL: 6 of 10 measurements are missing from what follows.\n") {
			t.Errorf("tables look whole:\n%s", &stdout)
		}
	}
}

// Outputs are tried before anything is measured.
func TestBenchTriesOutputsFirst(t *testing.T) {
	folder := t.TempDir()
	file, output := filepath.Join(folder, "file"), filepath.Join(folder, "measured.csv")
	write(t, file, "here already")
	write(t, filepath.Join(folder, "plots"), "")
	taken := filepath.Join(folder, "taken", "symbolic-time.png")
	explored := filepath.Join(folder, "taken", "explored-tgta-tgba.svg")
	for _, path := range []string{taken, explored} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, approaches := range []string{"tgba,tgta", "sym-tgba,sym-tgta"} {
		for _, plots := range []string{file, filepath.Join(folder, "taken")} {
			code, text, stderr := benchCode("--formulas", "../../testdata/philosophers.hoa", "--approaches", approaches, "-o", output, "--plots", plots)
			if _, err := os.Stat(output); code != exit.Input || text != "" || err == nil || !strings.Contains(stderr, plots) {
				t.Errorf("%s, %s: exit code %d, measured: %v\n%s%s", approaches, plots, code, err == nil, stderr, text)
			}
		}
	}
}

// Without --output, measurements are kept all the same.
func TestBenchKeepsMeasurementsAnyhow(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	code, _, stderr := benchCode("--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba", "--lines", "1-3", "--jobs", "1")
	_, path, found := strings.Cut(strings.TrimSpace(stderr), "the measurements are in ")
	if code != exit.Holds || !found {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	_, all := bench(t, path, "--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba")
	if len(all) != 5 || !slices.ContainsFunc(all, func(r experiment.Record) bool { return r.Line == 1 }) { // in any order: jobs are side by side
		t.Errorf("gone on with as %+v", all)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	if code, text, stderr := benchCode("--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba"); code != exit.Input || text != "" ||
		!strings.Contains(stderr, "--output names one") {
		t.Errorf("exit code %d: %s%s", code, stderr, text)
	}
}
