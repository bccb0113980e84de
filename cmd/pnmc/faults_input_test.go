//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// reading returns commands that read a file, in the place of FILE.
func reading(t *testing.T) map[string][]string {
	net, automata := "../../testdata/philosophers.pnml", "../../testdata/philosophers.hoa"
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	limits := []string{"--timeout", "2s", "--max-memory", "64MB"}
	with := func(arguments ...string) []string { return append(arguments, limits...) }
	return map[string][]string{
		"net":             with("--pnml", "FILE", "--ltl", "G p"),
		"automata":        with("--pnml", net, "--hoa", "FILE"),
		"drawing":         with("--pnml", net, "--tgta", "FILE"),
		"formulas":        with("--pnml", net, "--ltl-file", "FILE"),
		"propositions":    with("--pnml", net, "--hoa", automata, "--ap", "FILE"),
		"table":           with("--etf", "FILE", "--ltl", "G p"),
		"states":          with("states", "--pnml", "FILE"),
		"states of table": with("states", "--etf", "FILE"),
		"translate":       with("translate", "--ltl-file", "FILE"),
		"unfold":          with("unfold", "--pnml", "FILE"),
		"reduce":          with("reduce", "--for", "deadlock", "--pnml", "FILE"),
		"convert net":     with("convert", "--to", "dot", "--pnml", "FILE"),
		"convert":         with("convert", "--hoa", "FILE"),
		"convert drawing": with("convert", "--tgta", "FILE"),
		"convert table":   with("convert", "--etf", "FILE"),
		"intersect":       with("intersect", "FILE", "../../testdata/recurrence.hoa"),
		"include":         with("include", "../../testdata/recurrence.hoa", "FILE"),
		"equivalent":      with("equivalent", "FILE", "../../testdata/recurrence.hoa"),
		"complement":      with("include", "--complement", "FILE", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"),
		"cross":           {"cross", "--max-memory", "64MB", "--formulas", "FILE", "--", self + " translate %f"},
		"cross on a net":  {"cross", "--max-memory", "64MB", "-f", "G a", "--pnml", "FILE", "--", self + " translate %f"},
		"bench of a net":  with("bench", "--formulas", automata, "--pnml", "FILE"),
		"bench":           with("bench", "--pnml", net, "--formulas", "FILE"),
	}
}

// on returns a command with FILE replaced.
func on(path string, arguments []string) []string {
	list := append([]string(nil), arguments...)
	for i, a := range list {
		if a == "FILE" {
			list[i] = path
		}
	}
	return list
}

// TestInputIsADirectory: it is told, and named.
func TestInputIsADirectory(t *testing.T) {
	folder := t.TempDir()
	for name, arguments := range reading(t) {
		command := program(t, on(folder, arguments)...)
		var messages bytes.Buffer
		command.Stderr = &messages
		if code := exitCode(t, command); code != exit.Input || !strings.Contains(messages.String(), folder) || !strings.Contains(messages.String(), "directory") {
			t.Errorf("%s: exit code %d, %s", name, code, &messages)
		}
	}
}

// TestInputWithoutEnd: a file that never ends is read until the memory, the time, or the
// patience with what is no input is used up.
func TestInputWithoutEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	const device = "/dev/zero"
	if info, err := os.Stat(device); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Skip("there is no " + device)
	}
	for name, arguments := range reading(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // each is a program of its own
			command := program(t, on(device, arguments)...)
			var messages bytes.Buffer
			command.Stderr = &messages
			code := exitCode(t, command)
			told := strings.Contains(messages.String(), device) || strings.Contains(messages.String(), "memory limit of 64 MB reached")
			if code != exit.Unknown && code != exit.Input || !told {
				t.Errorf("exit code %d, %s", code, &messages)
			}
		})
	}
}

// TestInputFromAPipe: a pipe with a name is read as a file is, also by a shell's
// process substitution; with no one to write to it, the command waits and can be
// interrupted.
func TestInputFromAPipe(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes with names here: %v", err)
	}
	command := program(t, "states", "--pnml", pipe)
	var stdout bytes.Buffer
	command.Stdout = &stdout
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	write(t, pipe, read(t, "../../testdata/philosophers.pnml"))
	if err := command.Wait(); err != nil || !strings.Contains(stdout.String(), "STATE_SPACE STATES 27 ") {
		t.Errorf("%v, %s", err, &stdout)
	}
	for name, arguments := range reading(t) {
		command := program(t, on(pipe, arguments)...)
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- command.Wait() }()
		for ended := false; !ended; {
			select {
			case <-over:
				ended = true
			case <-time.After(100 * time.Millisecond):
				_ = command.Process.Signal(syscall.SIGTERM) // it may have ended
			}
		}
		// Before its first line runs, the program cannot catch a signal.
		if code := command.ProcessState.ExitCode(); code != exit.Unknown && code != -1 {
			t.Errorf("%s: exit code %d", name, code)
		}
	}
}

// TestPipeWithoutWriter: who gives a limit waits no longer for a program that writes into a pipe.
func TestPipeWithoutWriter(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes with names here: %v", err)
	}
	cases := reading(t)
	net := "../../testdata/philosophers.pnml"
	for name, arguments := range map[string][]string{
		"whole time of a net":        {"--pnml", "FILE", "--deadlock"},
		"whole time of automata":     {"--pnml", net, "--hoa", "FILE"},
		"whole time of formulas":     {"--pnml", net, "--ltl-file", "FILE"},
		"whole time of queries":      {"--pnml", net, "--queries", "FILE"},
		"whole time of propositions": {"--pnml", net, "--deadlock", "--ap", "FILE"},
		"page":                       {"view", "-o", filepath.Join(t.TempDir(), "page.html"), "--deadlock", "FILE"},
	} {
		cases[name] = append(arguments, "--total-timeout", "300ms")
	}
	for name, arguments := range cases {
		for i, a := range arguments {
			if a == "2s" {
				arguments[i] = "300ms"
			}
		}
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(strings.Join(arguments, " "), "timeout") {
				t.Skip("no limit")
			}
			t.Parallel()
			command := program(t, on(pipe, arguments)...)
			var messages bytes.Buffer
			command.Stderr = &messages
			if code := exitCode(t, command); code != exit.Unknown || !strings.Contains(messages.String(), "time limit of 300ms reached") {
				t.Errorf("exit code %d, %s", code, &messages)
			}
		})
	}
}

// TestContestFileWithoutWriter: an instance whose model or property file is a pipe that nobody writes
// into has no answers when the time is over, and that is told.
func TestContestFileWithoutWriter(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for limits")
	}
	for _, name := range []string{"model.pnml", "ReachabilityCardinality.xml"} {
		folder := contestFolder(t)
		path := filepath.Join(folder, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skipf("no pipes with names here: %v", err)
		}
		command := program(t, "mcc", "--examination", "ReachabilityCardinality", "--time", "1", folder)
		var answers, messages bytes.Buffer
		command.Stdout, command.Stderr = &answers, &messages
		if code := exitCode(t, command); code != exit.Unknown || answers.String() != "CANNOT_COMPUTE\n" || !strings.Contains(messages.String(), "time limit reached while files were read") {
			t.Errorf("%s: exit code %d, %s, %s", name, code, &answers, &messages)
		}
	}
}

// TestClosedPipe: that nobody reads the output is told by the exit code, and leaves no
// half of another file.
func TestClosedPipe(t *testing.T) {
	net, automata := "../../testdata/philosophers.pnml", "../../testdata/philosophers.hoa"
	folder := t.TempDir()
	for name, arguments := range map[string][]string{
		"check":     {"--pnml", net, "--hoa", automata, "--trace", filepath.Join(folder, "trace")},
		"states":    {"states", "--pnml", net},
		"translate": {"translate", "G a"},
		"convert":   {"convert", "--hoa", automata},
		"unfold":    {"unfold", "--pnml", net},
		"intersect": {"intersect", "../../testdata/recurrence.hoa", "../../testdata/recurrence.hoa"},
		"mcc":       {"mcc", "--examination", "OneSafe", "--time", "30", contestFolder(t)},
		"bench":     {"bench", "--pnml", net, "--formulas", automata, "--approaches", "tgba,tgta", "-o", filepath.Join(folder, "measured.csv")},
		"batch":     {"batch", contestFolder(t), "--examinations", "OneSafe", "--time", "30", "--memory", "1G", "--out", filepath.Join(folder, "results")},
		"help":      {"--help"},
	} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := reader.Close(); err != nil {
			t.Fatal(err)
		}
		command := program(t, arguments...)
		command.Stdout = writer
		var messages bytes.Buffer
		command.Stderr = &messages
		code := exitCode(t, command)
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		if code != exit.Input || !strings.Contains(messages.String(), "broken pipe") {
			t.Errorf("%s: exit code %d, %s", name, code, &messages)
		}
	}
	if parts, err := filepath.Glob(filepath.Join(folder, "*.part")); err != nil || len(parts) > 0 {
		t.Errorf("left: %q, %v", parts, err)
	}
}
