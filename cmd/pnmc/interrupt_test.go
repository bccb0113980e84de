package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptedAfter runs a command that is interrupted once it has printed so many lines.
func interruptedAfter(lines int, stdin io.Reader, arguments ...string) (code int, out, complaints string) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stdout := &cancelAfter{lines: lines, cancel: func() { cancel(errInterrupted) }}
	if lines == 0 {
		cancel(errInterrupted)
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
		{[]string{"--ltl-file", formulas}, []string{"one", "two", "three", "four", "X 1"}, 2, 2, exitInput},
		{[]string{"--ltl", "F deadlock", "--ltl", "1", "--ltl", "0"}, []string{"F deadlock", "1", "0"}, 1, 1, exitViolated},
		{[]string{"--ltl", "1", "--ltl", "0"}, []string{"1", "0"}, 1, 0, exitUnknown},
		{[]string{"--hoa", "../../testdata/philosophers.hoa"}, []string{"neighbours never eat together", "there is no deadlock",
			"who has the left fork will eat", "if two eat again and again, so does the third", "who eats again and again also thinks"}, 3, 2, exitViolated},
		{[]string{"--ltl", "1", "--ltl", "0"}, []string{"1", "0"}, 0, 0, exitUnknown},
		{[]string{"--ltl", "1", "--ltl", "1"}, []string{"1", "1"}, 2, 0, exitHolds},
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
			summary := "pnmc: interrupted: " + counted(test.decided, "", "")[:1] + " of " + counted(len(test.names), "property", "properties") + " decided; " + trace + runs
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
		{1, []string{"translate", "--stats", "%s", "a", "F a", "G a"}, exitUnknown, "interrupted: F a and what follows is not translated, 2 of 3 formulas\n"},
		{0, []string{"translate", "a"}, exitUnknown, "interrupted: a and what follows is not translated, 1 of 1 formula\n"},
		{1, []string{"convert", "--hoa", "../../testdata/recurrence.hoa", "--stats", "%s"}, exitUnknown, "interrupted: 1 automaton is written, the rest is missing\n"},
		{0, []string{"convert", "--hoa", "../../testdata/recurrence.hoa", "--to", "tgta", "-o", output}, exitUnknown, "interrupted: " + output + " is not written\n"},
		{1, []string{"intersect", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"}, exitHolds, "interrupted: 1 automaton is compared with all of the second stream, the rest is missing or unknown\n"},
		{1, []string{"include", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"}, exitViolated, "interrupted: 1 automaton is compared"},
		{0, []string{"equivalent", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"}, exitUnknown, "interrupted: 0 automata are compared"},
		{0, []string{"cross", "-f", "a", "-f", "b", "--", "false %f"}, exitUnknown, "interrupted: 0 of 2 formulas are compared, the others are missing\n"},
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

// TestSupervise: a command that does not end when it is interrupted is left, and of the
// files that it was writing none is half written.
func TestSupervise(t *testing.T) {
	folder := t.TempDir()
	ctx, files := withUnfinished(context.Background())
	list := make([]*outputFile, 3)
	for i, name := range []string{"whole", "half", "done"} {
		o, err := createOutput(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		noteUnfinished(ctx, o, name == "whole")
		if _, err := o.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
		list[i] = o
	}
	if err := list[2].keep(); err != nil {
		t.Fatal(err)
	}
	signals := make(chan os.Signal, 2)
	signals <- os.Interrupt
	signals <- syscall.SIGTERM
	stopped, left := make(chan bool, 1), make(chan bool)
	defer close(left)
	var stderr bytes.Buffer
	code := supervise(func() int { <-left; return exitHolds }, signals, func() { stopped <- true }, files, "the way on", &stderr)
	if code != exitUnknown || !<-stopped || !strings.Contains(stderr.String(), "half is not written") ||
		!strings.Contains(stderr.String(), "whole has what was found so far") || strings.Contains(stderr.String(), "done") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 || entries[0].Name() != "done" || entries[1].Name() != "whole" {
		t.Errorf("%v, %v", entries, err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "whole")); string(text) != "whole" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	// One that ends by itself has its own exit code.
	signals <- os.Interrupt
	ended := make(chan bool)
	if code := supervise(func() int { <-ended; return exitViolated }, signals, func() { close(ended) }, files, "", io.Discard); code != exitViolated {
		t.Errorf("exit code %d", code)
	}
}

// TestOneSignalSentTwice: timeout(1) sends its signal to the process and to its group, which
// is one interruption: the command may tell what it found.
func TestOneSignalSentTwice(t *testing.T) {
	_, files := withUnfinished(context.Background())
	signals := make(chan os.Signal, 2)
	signals <- os.Interrupt
	signals <- os.Interrupt
	stopped := make(chan bool)
	command := func() int {
		<-stopped
		for len(signals) > 0 { // the second one is taken before the command ends
			time.Sleep(time.Millisecond)
		}
		return exitViolated
	}
	var stderr bytes.Buffer
	if code := supervise(command, signals, func() { close(stopped) }, files, "the way on", &stderr); code != exitViolated || stderr.Len() > 0 {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// TestInterruptedPipeIsLeft: a pipe that nobody writes to does not keep a command.
func TestInterruptedPipeIsLeft(t *testing.T) {
	reader := silentPipe(t)
	over := make(chan bool)
	go func() {
		defer close(over)
		code, out, complaints := interruptedAfter(5, reader, "--pnml", "../../testdata/philosophers.pnml", "--hoa", "-")
		if code != exitViolated || strings.Count(out, "\n") != 5 || !strings.Contains(complaints, "interrupted: 5 of 5 properties decided; the rest of the input was not read\n") {
			t.Errorf("exit code %d, %s%s", code, out, complaints)
		}
	}()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatal("it waits for the pipe")
	}
}
