package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
)

// interruptingReader is a stream that interrupts whoever reads it, and has nothing.
type interruptingReader struct{ cancel func() }

func (r interruptingReader) Read([]byte) (int, error) {
	r.cancel()
	return 0, io.ErrUnexpectedEOF
}

// interruptedWhileReading runs a command that is interrupted when it reads standard input.
func interruptedWhileReading(arguments ...string) (code int, out, complaints string) {
	ctx, cancel := context.WithCancelCause(context.Background())
	input := interruptingReader{func() { cancel(interrupt.ErrInterrupted) }}
	var stdout, stderr bytes.Buffer
	code = run(ctx, append([]string{"pnmc"}, arguments...), input, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// TestEachCommandTellsTheWayOn: who interrupts a command while it reads is told what was
// read, that nothing is written, and how to go on; each command that reads is tried.
func TestEachCommandTellsTheWayOn(t *testing.T) {
	const net, automata, recurrence = "../../testdata/philosophers.pnml", "../../testdata/philosophers.hoa", "../../testdata/recurrence.hoa"
	output := filepath.Join(t.TempDir(), "output")
	tried := map[string]bool{"play": true, "mcc": true, "batch": true} // they read files of folders, or a terminal
	for _, line := range []string{
		"--pnml - --deadlock", "--pnml " + net + " --ltl-file -", "--pnml " + net + " --hoa -", "--pnml " + net + " --ctl-file -",
		"--pnml " + net + " --queries -", "--pnml " + net + " --deadlock --ap -", "--pnml " + net + " --ltl 1 --approach tgba --ap -",
		"--pnml - --ltl 1 --approach tgba", "states --pnml -", "states --etf -", "convert --hoa -", "convert --hoa - -o OUTPUT", "convert --pnml - --to etf -o OUTPUT",
		"unfold --pnml -", "unfold --pnml - -o OUTPUT", "reduce --for ctl --pnml -", "reduce --for ctl --pnml - -o OUTPUT", "view - -o OUTPUT", "view - --deadlock -o OUTPUT",
		"intersect - " + recurrence, "include " + recurrence + " -", "equivalent " + recurrence + " " + recurrence + " --complement -",
		"translate --ltl-file -", "cross --formulas - -- false_%f", "cross --formula a --pnml - -- false_%f",
		"bench --pnml - --formulas " + automata, "bench --pnml " + net + " --formulas -",
	} {
		arguments := strings.Fields(strings.ReplaceAll(line, "OUTPUT", output))
		command := arguments[0]
		if strings.HasPrefix(command, "-") {
			command = ""
		}
		tried[command] = true
		code, out, complaints := interruptedWhileReading(arguments...)
		told := strings.Split(strings.TrimSuffix(complaints, "\n"), "\n")
		if code != exit.Unknown || len(told) != 2 || !strings.Contains(told[0], "interrupted") || told[1] != "pnmc: "+waysOn[command] {
			t.Errorf("%q: exit code %d, %s%s", line, code, out, complaints)
		}
		if _, err := os.Stat(output); !os.IsNotExist(err) {
			t.Errorf("%q: %v", line, err)
			os.Remove(output)
		}
		if _, _, complaints := interruptedWhileReading(append(arguments[:1:1], append([]string{"--quiet"}, arguments[1:]...)...)...); command != "unfold" && command != "translate" && strings.Contains(complaints, "the same command") {
			t.Errorf("%q, quiet: %s", line, complaints)
		}
	}
	for command := range waysOn {
		if !tried[command] {
			t.Errorf("%q is not tried", command)
		}
	}
}

// TestEachCommandHasAWayOn: all commands that work have one.
func TestEachCommandHasAWayOn(t *testing.T) {
	for _, c := range newApp(nil, io.Discard, io.Discard).Commands {
		work := !c.Hidden && c.Name != "completion" && c.Name != "man"
		if way := wayOn([]string{"pnmc", c.Name}); (way != "") != work {
			t.Errorf("%s: %q", c.Name, way)
		}
	}
}

// onFirst calls a function when the first text is written.
type onFirst struct {
	io.Writer
	once sync.Once
	call func()
}

func (w *onFirst) Write(text []byte) (int, error) {
	w.once.Do(w.call)
	return w.Writer.Write(text)
}

// TestWayOnWhileWorking: who interrupts a command that has begun to print, or to tell of its
// phases, is told what there is and how to go on.
func TestWayOnWhileWorking(t *testing.T) {
	folder := t.TempDir()
	csv, json := filepath.Join(folder, "c.csv"), filepath.Join(folder, "j.json")
	for _, test := range []struct {
		line, told string
		code       int
	}{
		{"states -v --pnml ../../testdata/philosophers.pnml", "pnmc: unknown: 1 state, ", exit.Unknown},
		{"cross -v -f a -f b --csv " + csv + " --json " + json + " -- false_%f", "pnmc: interrupted: 0 of 2 formulas are compared, the others are missing, in " + csv + " and " + json + " too\n", exit.Unknown},
		{"translate --stats %s a b c", "pnmc: interrupted: b and what follows is not translated, 2 of 3 formulas\n", exit.Unknown},
		{"--pnml ../../testdata/philosophers.pnml --ltl 1 --approach tgba --ltl 0", "pnmc: interrupted: 1 of 2 properties decided; the others have a line", exit.Unknown},
	} {
		ctx, cancel := context.WithCancelCause(context.Background())
		var out, complaints bytes.Buffer
		stop := func() { cancel(interrupt.ErrInterrupted) }
		code := run(ctx, append([]string{"pnmc"}, strings.Fields(test.line)...), nil, &onFirst{Writer: &out, call: stop}, &onFirst{Writer: &complaints, call: stop})
		if code != test.code || !strings.Contains(complaints.String(), test.told) || !strings.HasSuffix(complaints.String(), "pnmc: "+wayOn([]string{"pnmc", strings.Fields(test.line)[0]})+"\n") {
			t.Errorf("%q: exit code %d, %s%s", test.line, code, &out, &complaints)
		}
	}
	// Where nothing is missing, there is nothing to go on with.
	if _, _, complaints := interruptedAfter(1, nil, "--pnml", "../../testdata/philosophers.pnml", "--ltl", "1"); strings.Contains(complaints, "the same command") {
		t.Error(complaints)
	}
}
