package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
	"pnmc/cmd/pnmc/internal/wording"
)

// interruptedAfter runs a command that is interrupted once it has printed so many lines.
func interruptedAfter(lines int, stdin io.Reader, arguments ...string) (code int, out, complaints string) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stdout := &cancelAfter{lines: lines, cancel: func() { cancel(interrupt.ErrInterrupted) }}
	if lines == 0 {
		cancel(interrupt.ErrInterrupted)
	}
	var printed, stderr bytes.Buffer
	code = run(ctx, append([]string{"pnmc"}, arguments...), stdin, io.MultiWriter(&printed, stdout), &stderr)
	return code, printed.String(), stderr.String()
}

// TestEachPropertyHasALine: of an interrupted check each property has a line, with its own
// name, in text and in JSON, and the trace file has the counterexamples found before.
func TestEachPropertyHasALine(t *testing.T) {
	formulas := filepath.Join(t.TempDir(), "five.ltl")
	if err := os.WriteFile(formulas, []byte("one: F deadlock\ntwo: G !deadlock\nthree: G F \"eats0>=1\"\nfour: G(\nX 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		source                []string
		names                 []string
		decided, traces, code int
	}{
		{[]string{"--ltl-file", formulas}, []string{"one", "two", "three", "four", "X 1"}, 2, 2, exit.Input},
		{[]string{"--ltl", "F deadlock", "--ltl", "1", "--ltl", "0"}, []string{"F deadlock", "1", "0"}, 1, 1, exit.Violated},
		{[]string{"--ltl", "1", "--ltl", "0"}, []string{"1", "0"}, 1, 0, exit.Unknown},
		{[]string{"--hoa", "../../testdata/philosophers.hoa"}, []string{"neighbours never eat together", "there is no deadlock",
			"who has the left fork will eat", "if two eat again and again, so does the third", "who eats again and again also thinks"}, 3, 2, exit.Violated},
		{[]string{"--ltl", "1", "--ltl", "0"}, []string{"1", "0"}, 0, 0, exit.Unknown},
		{[]string{"--ltl", "1", "--ltl", "1"}, []string{"1", "1"}, 2, 0, exit.Holds},
	} {
		for _, format := range []string{"text", "json"} {
			trace := filepath.Join(t.TempDir(), "trace.json")
			arguments := append([]string{"--pnml", "../../testdata/philosophers.pnml", "--approach", "tgba", "--format", format, "--trace", trace}, test.source...)
			code, out, complaints := interruptedAfter(test.decided, nil, arguments...)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			for i, name := range test.names {
				want := "FORMULA " + name + " "
				unknown := " CANNOT_COMPUTE"
				if format == "json" {
					want, unknown = `{"name":"`+name+`",`, `"verdict":"unknown"`
				}
				if i >= len(lines) || !strings.HasPrefix(lines[i], want) || strings.Contains(lines[i], unknown) != (i >= test.decided) {
					t.Errorf("%q, %s: property %d, %s:\n%s", test.source, format, i+1, name, out)
				}
			}
			found, err := os.ReadFile(trace)
			if code != test.code || len(lines) != len(test.names) || err != nil || strings.Count(string(found), "\n") != test.traces {
				t.Errorf("%q, %s: exit code %d, %v, %s%s", test.source, format, code, err, complaints, found)
			}
			runs := " has the runs found so far"
			if test.decided == 0 {
				runs = " has no run"
			}
			summary := "pnmc: interrupted: " + wording.Counted(test.decided, "", "")[:1] + " of " + wording.Counted(len(test.names), "property", "properties") + " decided; " + trace + runs
			if !strings.Contains(complaints, summary) || strings.Contains(complaints, "the others have a line") != (test.decided < len(test.names)) {
				t.Errorf("%q, %s: no %q in\n%s", test.source, format, summary, complaints)
			}
		}
	}
}

// TestInterruptedCommandsTell: who interrupts a command is told what is missing.
func TestInterruptedCommandsTell(t *testing.T) {
	output := filepath.Join(t.TempDir(), "output")
	for _, test := range []struct {
		lines     int
		arguments []string
		code      int
		told      string
	}{
		{1, []string{"translate", "--stats", "%s", "a", "F a", "G a"}, exit.Unknown, "interrupted: F a and what follows is not translated, 2 of 3 formulas\n"},
		{0, []string{"translate", "a"}, exit.Unknown, "interrupted: a and what follows is not translated, 1 of 1 formula\n"},
		{1, []string{"convert", "--hoa", "../../testdata/recurrence.hoa", "--stats", "%s"}, exit.Unknown, "interrupted: 1 automaton is written, the rest is missing\n"},
		{0, []string{"convert", "--hoa", "../../testdata/recurrence.hoa", "--to", "tgta", "-o", output}, exit.Unknown, "interrupted: " + output + " is not written\n"},
		{1, []string{"intersect", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"}, exit.Holds, "interrupted: 1 automaton is compared with all of the second stream, the rest is missing or unknown\n"},
		{1, []string{"include", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"}, exit.Violated, "interrupted: 1 automaton is compared"},
		{0, []string{"equivalent", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"}, exit.Unknown, "interrupted: 0 automata are compared"},
		{0, []string{"cross", "-f", "a", "-f", "b", "--", "false %f"}, exit.Unknown, "interrupted: 0 of 2 formulas are compared, the others are missing\n"},
	} {
		code, out, complaints := interruptedAfter(test.lines, nil, test.arguments...)
		if code != test.code || !strings.Contains(complaints, "pnmc: "+test.told) || test.lines > 0 && strings.Count(out, "\n") != test.lines {
			t.Errorf("%q: exit code %d, %q, %s", test.arguments, code, out, complaints)
		}
	}
	if _, err := os.Stat(output); !os.IsNotExist(err) {
		t.Errorf("output: %v", err)
	}
}

// TestInterruptedPipeIsLeft: a pipe that nobody writes to does not keep a command.
func TestInterruptedPipeIsLeft(t *testing.T) {
	reader := silentPipe(t)
	over := make(chan bool)
	go func() {
		defer close(over)
		code, out, complaints := interruptedAfter(5, reader, "--pnml", "../../testdata/philosophers.pnml", "--hoa", "-")
		if code != exit.Violated || strings.Count(out, "\n") != 5 || !strings.Contains(complaints, "interrupted: 5 of 5 properties decided; the rest of the input was not read\n") {
			t.Errorf("exit code %d, %s%s", code, out, complaints)
		}
	}()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatal("it waits for the pipe")
	}
}
