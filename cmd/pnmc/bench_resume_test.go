package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/measure"
	"pnmc/experiment"
)

// benchCode runs pnmc bench on three philosophers.
func benchCode(arguments ...string) (code int, stdout, stderr string) {
	var out, told bytes.Buffer
	all := append([]string{"pnmc", "bench", "--model", "../../testdata/philosophers.pnml"}, arguments...)
	code = run(context.Background(), all, nil, &out, &told)
	return code, out.String(), told.String()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What was measured stays in the file at every moment: what is new is added at its
// end, and only a line that was cut off is taken away.
func TestBenchGoesOnAtTheEnd(t *testing.T) {
	folder := t.TempDir()
	output := filepath.Join(folder, "measured.csv")
	files := []string{"--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba,tgta", "--jobs", "1"}
	_, all := bench(t, output, files...)
	text := read(t, output)
	lines := strings.SplitAfter(text, "\n")
	half := strings.Join(lines[:4], "")
	for _, cut := range []string{"", lines[4][:5], strings.TrimSuffix(lines[4], "\n"), lines[4][:strings.LastIndex(lines[4], ",")+1], lines[4][:len(lines[4])-20]} {
		write(t, output, half+cut)
		before, err := os.Stat(output)
		if err != nil {
			t.Fatal(err)
		}
		_, again := bench(t, output, files...)
		after, err := os.Stat(output)
		if err != nil {
			t.Fatal(err)
		}
		if !os.SameFile(before, after) || !strings.HasPrefix(read(t, output), half) {
			t.Errorf("cut to %q: the file was written anew", cut)
		}
		if len(again) != len(all) {
			t.Errorf("cut to %q: %d measurements, expected %d", cut, len(again), len(all))
		}
		for i := range again {
			again[i].Seconds = all[i].Seconds
			if again[i] != all[i] {
				t.Errorf("cut to %q: %+v, it was %+v", cut, again[i], all[i])
			}
		}
	}
	// Before anything is measured, nothing is lost.
	write(t, output, half)
	if code, _, _ := benchCode("--formulas", "../../testdata/philosophers.hoa", "-o", output, "--approaches", "tgba,tgta", "--built"); code != exit.Usage || read(t, output) != half {
		t.Errorf("other settings: exit code %d, the file is now %q", code, read(t, output))
	}
}

// A file with the columns of earlier versions is gone on with, and gets the others.
func TestBenchGoesOnWithEarlierColumns(t *testing.T) {
	output := filepath.Join(t.TempDir(), "measured.csv")
	files := []string{"--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba,tgta", "--jobs", "1"}
	_, all := bench(t, output, files...)
	for _, lacking := range []int{6, 2} { // the conditions, or those that name the computer
		goOnWithout(t, output, files, all, lacking)
	}
}

// goOnWithout goes on with a file that lacks the last columns.
func goOnWithout(t *testing.T, output string, files []string, all []experiment.Record, lacking int) {
	t.Helper()
	var earlier strings.Builder
	for _, line := range strings.SplitAfter(read(t, output), "\n")[:4] {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), ",")
		earlier.WriteString(strings.Join(fields[:len(fields)-lacking], ",") + "\n")
	}
	write(t, output, earlier.String()+"cut,o")
	_, again := bench(t, output, files...)
	if len(again) != len(all) {
		t.Fatalf("%d measurements, expected %d", len(again), len(all))
	}
	for i, r := range again {
		if i < 3 {
			r.Conditions = all[i].Conditions
		}
		r.Seconds = all[i].Seconds
		if r != all[i] {
			t.Errorf("%+v, it was %+v", r, all[i])
		}
	}
}

// Measurements of something else than what is asked for are refused.
func TestBenchRefusesOtherInput(t *testing.T) {
	folder := t.TempDir()
	formulas, output := filepath.Join(folder, "f.ltl"), filepath.Join(folder, "measured.csv")
	write(t, formulas, "name: F deadlock\nG !deadlock\n")
	arguments := []string{"--formulas", formulas, "-o", output, "--approaches", "tgba"}
	if code, _, stderr := benchCode(arguments...); code != exit.Holds {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	was := read(t, output)
	for _, changed := range []string{"name: F deadlock\nF !deadlock\n", "name: G deadlock\nG !deadlock\n", "other: F deadlock\nG !deadlock\n"} {
		write(t, formulas, changed)
		code, _, stderr := benchCode(arguments...)
		if code != exit.Usage || !strings.Contains(stderr, "of f") || !strings.Contains(stderr, "expected the same") || read(t, output) != was {
			t.Errorf("%q: exit code %d: %s", changed, code, stderr)
		}
	}
	write(t, output, "no measurements")
	if code, _, stderr := benchCode(arguments...); code != exit.Input || !strings.Contains(stderr, "measured.csv:1:1: expected the columns") || read(t, output) != "no measurements" {
		t.Errorf("another file: exit code %d: %s", code, stderr)
	}
}

// What a limit ended is measured again with a larger one, or when asked to.
func TestBenchRetries(t *testing.T) {
	folder := t.TempDir()
	output := filepath.Join(folder, "measured.csv")
	files := []string{"--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba", "--lines", "1"}
	_, decided := bench(t, output, append(files, "--timeout", "1m")...)
	late := decided[0]
	late.Verdict, late.Reason, late.FullStates, late.FullTransitions = "unknown", "time limit reached", -1, -1
	var text bytes.Buffer
	if err := experiment.WriteRecords(&text, true, late); err != nil {
		t.Fatal(err)
	}
	write(t, output, text.String())
	if _, same := bench(t, output, append(files, "--timeout", "1m")...); len(same) != 1 {
		t.Errorf("%+v with the same limit", same)
	}
	if _, same := bench(t, output, append(files, "--timeout", "1m", "--retry")...); len(same) != 2 {
		t.Errorf("%+v with --retry", same)
	}
	write(t, output, text.String())
	if text, more := bench(t, output, append(files, "--timeout", "1h")...); len(more) != 2 || more[1].Verdict != "holds" || !strings.Contains(text, "philosophers           1") {
		t.Errorf("%+v with a larger limit\n%s", more, text)
	}
	if _, done := bench(t, output, append(files, "--retry")...); len(done) != 2 {
		t.Errorf("%+v after the verdict", done)
	}
}

// Wrong input is told by the exit code, as of a check.
func TestBenchOfWrongInput(t *testing.T) {
	folder := t.TempDir()
	formulas := filepath.Join(folder, "f.ltl")
	for _, test := range []struct {
		text, Told string
		flags      []string
		code       int
	}{
		{"G(\nnowhere>=1\n", "no property to measure", nil, exit.Input},
		{"G !deadlock\nnowhere>=1\n", "nowhere", nil, exit.Input},
		{"G !deadlock\nnowhere>=1\n", "", []string{"--lines", "1"}, exit.Holds},
		{"G !deadlock\n", "--lines: no formula has the number 7-9", []string{"--lines", "7-9"}, exit.Usage},
		{"# nothing\n", "expected a formula, found none", nil, exit.Input},
		{"G !deadlock\n", "--approaches: tgta twice", []string{"--approaches", "tgta, tgta"}, exit.Usage},
	} {
		write(t, formulas, test.text)
		code, _, stderr := benchCode(append(test.flags, "--formulas", formulas)...)
		if code != test.code || !strings.Contains(stderr, test.Told) {
			t.Errorf("%q: exit code %d, expected %d: %s", test.text, code, test.code, stderr)
		}
	}
}

// Formulas with X are compared by all approaches but ta, and the tables tell that.
func TestBenchOfFormulasWithNext(t *testing.T) {
	formulas := filepath.Join(t.TempDir(), "f.ltl")
	write(t, formulas, "X X X deadlock\nF G deadlock\n")
	code, text, stderr := benchCode("--formulas", formulas)
	for _, want := range []string{"Violated properties to which ta does not apply", "does not apply: ", "made on the fly"} {
		if code != exit.Holds || !strings.Contains(text, want) {
			t.Errorf("exit code %d, %q is missing: %s%s", code, want, text, stderr)
		}
	}
}

// Figures of products whose variables are places and of those whose variables are groups
// of them don't go into one file.
func TestBenchTellsEncodingsApart(t *testing.T) {
	output := filepath.Join(t.TempDir(), "measured.csv")
	diagrams := []string{"-o", output, "--formulas", "../../testdata/philosophers.hoa", "--approaches", "sym-tgta", "--saturation", "on"}
	for _, test := range []struct {
		encoding []string
		code     int
		told     string
	}{
		{[]string{"--encoding", "nets"}, 3, "--encoding: expected places or groups, found \"nets\""},
		{nil, 0, ""},
		{[]string{"--encoding", "places"}, 3, "encoding=groups, which now are"},
		{[]string{"--encoding", "groups"}, 0, "are there"},
	} {
		code, _, told := benchCode(append(test.encoding, diagrams...)...)
		if code != test.code || !strings.Contains(told, test.told) {
			t.Errorf("%v: exit code %d, want %d: %s", test.encoding, code, test.code, told)
		}
	}
	if text := read(t, output); !strings.Contains(text, "encoding=groups") {
		t.Errorf("measured with: %s", text)
	}
}

// TestBenchHasItsFileAlone: a second bench that would write to the file of another one is
// refused before it measures, and leaves the file as it is; after the end of the first it
// goes on. A device may have several.
func TestBenchHasItsFileAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no locks of this kind here")
	}
	output := filepath.Join(t.TempDir(), "measured.csv")
	arguments := []string{"--formulas", "../../testdata/philosophers.hoa", "--approaches", "tgba", "--jobs", "1"}
	file, err := measure.OpenAlone(output)
	if err != nil {
		t.Fatal(err)
	}
	code, out, told := benchCode(append(arguments, "--output", output)...)
	if want := "pnmc: " + output + ": " + measure.ErrBusy.Error() + "\n"; code != exit.Input || out != "" || told != want || read(t, output) != "" {
		t.Errorf("a second one: exit code %d, %s%s", code, out, told)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if code, _, told := benchCode(append(arguments, "--output", output)...); code != exit.Holds || !strings.Contains(read(t, output), "holds") {
		t.Errorf("after its end: exit code %d, %s", code, told)
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		first, err := measure.OpenAlone(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer first.Close()
		second, err := measure.OpenAlone(os.DevNull)
		if err != nil {
			t.Fatalf("a device: %v", err)
		}
		second.Close()
	}
}
