package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/experiment"
	"pnmc/petri"
)

// benchStates runs pnmc bench --states with more arguments.
func benchStates(ctx context.Context, arguments ...string) (code int, out, complaint string) {
	var stdout, stderr bytes.Buffer
	code = run(ctx, append([]string{"pnmc", "bench"}, arguments...), strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// TestBenchStates: each net is explored by each number of threads, as often as is asked for, to the
// counts of the command states; what is there is not explored again, and pictures are drawn.
func TestBenchStates(t *testing.T) {
	folder := t.TempDir()
	measured := filepath.Join(folder, "growth.csv")
	text, err := os.ReadFile("../../testdata/philosophers.pnml")
	if err != nil {
		t.Fatal(err)
	}
	contest := filepath.Join(folder, "Philosophers-PT-000003")
	if err := os.Mkdir(contest, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(contest, "model.pnml"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"--states", filepath.Join(contest, "model.pnml"), "--states", "../../docs/tutorial/locks.pnml", "--threads", "1,3", "-o", measured, "--plots", folder}
	code, out, complaint := benchStates(t.Context(), arguments...)
	if code != exit.Holds || complaint != "" {
		t.Fatalf("exit code %d: %s", code, complaint)
	}
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 5 || !strings.Contains(out, "Philosophers-PT-000003        3     1") {
		t.Errorf("table:\n%s", out)
	}
	code, _, complaint = benchStates(t.Context(), append(arguments, "--runs", "2")...)
	if code != exit.Holds || complaint != "pnmc: "+measured+": 4 measurements are there, 0 of them are made again\n" {
		t.Errorf("exit code %d: %s", code, complaint)
	}
	file, err := os.Open(measured)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	contents, err := experiment.ReadRecords[experiment.GrowthRecord](t.Context(), file, measured)
	if err != nil || len(contents.Records) != 8 {
		t.Fatalf("%d records, %v", len(contents.Records), err)
	}
	for _, r := range contents.Records {
		states, transitions := int64(6), int64(8)
		if r.Model != "locks" {
			states, transitions = countedStates(t)
		}
		if r.States != states || r.Transitions != transitions || r.PeakBytes < 1<<20 || r.Reason != "" {
			t.Errorf("%+v, expected %d states and %d transitions", r, states, transitions)
		}
	}
	for _, name := range []string{"states-time.svg", "states-memory.svg", "states-threads.svg"} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// countedStates returns how many states and transitions the philosophers have.
func countedStates(t *testing.T) (states, transitions int64) {
	t.Helper()
	var out, complaint bytes.Buffer
	run(t.Context(), []string{"pnmc", "states", "--pnml", "../../testdata/philosophers.pnml", "--format", "json"}, nil, &out, &complaint)
	var report statesReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	return report.States, report.Transitions
}

// Explorations that a limit ends are told, and made again with a larger one.
func TestBenchStatesWithinLimits(t *testing.T) {
	measured := filepath.Join(t.TempDir(), "growth.csv")
	arguments := []string{"--states", togglesFile(t, 20), "-o", measured}
	code, out, complaint := benchStates(t.Context(), append(arguments, "--timeout", "1ms")...)
	if code != exit.Unknown || !strings.Contains(out, "time limit reached") {
		t.Fatalf("exit code %d: %s%s", code, out, complaint)
	}
	if code, out, complaint = benchStates(t.Context(), arguments...); code != exit.Holds || !strings.Contains(out, "1048576") || !strings.Contains(complaint, "1 of them are made again") {
		t.Errorf("exit code %d: %s%s", code, out, complaint)
	}
}

// An exploration that a limit ends before its first marking has a report, too. It had as many bytes a state
// as cannot be written, and the process ended with an internal error.
func TestReportOfNoStates(t *testing.T) {
	var out bytes.Buffer
	app := cli.NewApp()
	app.Writer = &out
	if err := printStatesJSON(cli.NewContext(app, nil, nil), petri.Statistics{MaxTokensPerMarking: new(big.Int)}, context.DeadlineExceeded, 0); err != nil {
		t.Fatal(err)
	}
	var report statesReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil || report.States != 0 || report.Reason == "" {
		t.Errorf("%+v, %v", report, err)
	}
}

// What can't be measured is refused before anything is.
func TestBenchStatesRefuses(t *testing.T) {
	const net = "../../docs/tutorial/locks.pnml"
	folder := t.TempDir()
	wrong := filepath.Join(folder, "wrong.pnml")
	if err := os.WriteFile(wrong, []byte("<pnml>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		arguments []string
		code      int
		complaint string
	}{
		{[]string{"--states", net, "--formulas", "x"}, exit.Usage, "--formulas: it means nothing beside --states"},
		{[]string{"--states", net, "--jobs", "2"}, exit.Usage, "--jobs: it means nothing beside --states"},
		{[]string{"--states", net, "--slurm"}, exit.Usage, "--slurm: it means nothing beside --states"},
		{[]string{"--states", net, "--threads", "1,0"}, exit.Usage, `--threads: expected different numbers from 1 to 1024, such as 1,2,4, found "0"`},
		{[]string{"--states", net, "--threads", "2,2"}, exit.Usage, "--threads: expected different numbers"},
		{[]string{"--states", net, "--runs", "0"}, exit.Usage, "--runs: expected a number from 1 to 1000, found 0"},
		{[]string{"--states", net, "--states", net}, exit.Usage, "--states: two nets called locks, which tables could not tell apart"},
		{[]string{"--threads", "2"}, exit.Usage, "--threads: it is for explorations: expected --states beside it"},
		{[]string{"--states", "-"}, exit.Input, "-: each exploration reads the net anew: expected a file"},
		{[]string{"--states", folder}, exit.Input, folder + ": each exploration reads the net anew: expected a file"},
		{[]string{"--states", folder + "/none.pnml"}, exit.Input, "none.pnml: no such file"},
		{[]string{"--states", wrong}, exit.Input, "wrong.pnml:1:"},
	} {
		arguments := append(test.arguments, "-o", filepath.Join(folder, "growth.csv"))
		if code, out, complaint := benchStates(t.Context(), arguments...); code != test.code || !strings.Contains(complaint, test.complaint) || strings.Contains(out, "locks") {
			t.Errorf("%v: exit code %d: %s%s", test.arguments, code, out, complaint)
		}
	}
}
