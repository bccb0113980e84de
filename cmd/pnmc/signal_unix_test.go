//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestSignalsAreTold: commands in processes of their own, to which the signal is sent when
// their first line is there and they wait for more input, or for another program, tell what
// there is, what is missing and how to go on.
func TestSignalsAreTold(t *testing.T) {
	const net, automata = "../../testdata/philosophers.pnml", "../../testdata/recurrence.hoa"
	one, _, _ := strings.Cut(read(t, automata), "--END--")
	one += "--END--\n"
	silent := filepath.Join(t.TempDir(), "translator")
	if err := os.WriteFile(silent, []byte("echo begun > \"$1\"\nexec sleep 600\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	begun := filepath.Join(t.TempDir(), "begun")
	if err := syscall.Mkfifo(begun, 0o600); err != nil {
		t.Skip(err)
	}
	for _, test := range []struct {
		arguments []string
		input     string // after which the pipe stays open
		waitFor   string // a pipe that is written to when the command waits; "": its output
		code      int
		told      string
	}{
		{[]string{"convert", "--hoa", "-", "--stats", "%s"}, one, "", exit.Unknown, "pnmc: interrupted: 1 automaton is written, the rest is missing\n"},
		{[]string{"intersect", "-", automata}, one, "", exit.Holds, "pnmc: interrupted: 1 automaton is compared with all of the second stream, the rest is missing or unknown\n"},
		{[]string{"equivalent", "-", automata}, one, "", exit.Violated, "pnmc: interrupted: 1 automaton is compared"},
		{[]string{"--pnml", net, "--approach", "tgba", "--ltl", "F deadlock", "--hoa", "-"}, "", "", exit.Violated, "pnmc: interrupted: 1 of 1 property decided; the rest of the input was not read\n"},
		{[]string{"cross", "-f", "a", "-f", "b", "--", "sh " + silent + " " + begun + " %f"}, "", begun, exit.Unknown, "pnmc: interrupted: 0 of 2 formulas are compared, the others are missing\n"},
	} {
		for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
			command := program(t, test.arguments...)
			input, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			output, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var complaints bytes.Buffer
			command.Stderr = &complaints
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(input, test.input); err != nil {
				t.Fatal(err)
			}
			if test.waitFor != "" {
				read(t, test.waitFor)
			} else if line, err := bufio.NewReader(output).ReadString('\n'); err != nil {
				t.Errorf("%q: %q, %v", test.arguments, line, err)
			}
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			io.Copy(io.Discard, output)
			command.Wait()
			way := "pnmc: " + wayOn(append([]string{"pnmc"}, test.arguments...)) + "\n"
			if code := command.ProcessState.ExitCode(); code != test.code || !strings.Contains(complaints.String(), test.told) || !strings.HasSuffix(complaints.String(), way) {
				t.Errorf("%q, %v: exit code %d, %s", test.arguments, signal, code, &complaints)
			}
		}
	}
}
