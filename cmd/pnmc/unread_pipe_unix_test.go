//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// fullPipe returns the ends of a pipe that takes nothing any more, and what is in it.
func fullPipe(t *testing.T) (reader, writer *os.File, filled int) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { reader.Close(); writer.Close() })
	return reader, writer, fillPipe(t, int(writer.Fd()))
}

// fillPipe writes to a pipe until it is full.
func fillPipe(t *testing.T, pipe int) (filled int) {
	t.Helper()
	if err := syscall.SetNonblock(pipe, true); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{4096, 1} {
		for {
			n, err := syscall.Write(pipe, bytes.Repeat([]byte("x"), size))
			if errors.Is(err, syscall.EAGAIN) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			filled += n
		}
	}
	if err := syscall.SetNonblock(pipe, false); err != nil {
		t.Fatal(err)
	}
	return filled
}

// TestNobodyReads: a command whose output nobody reads ends when its time is over, and tells that
// not all is written.
func TestNobodyReads(t *testing.T) {
	if testing.Short() {
		t.Skip("processes that wait for their limits")
	}
	net, folder := "../../testdata/philosophers.pnml", contestFolder(t)
	for name, arguments := range map[string][]string{
		"mcc":              {"mcc", folder, "--examination", "ReachabilityDeadlock", "--time", "1"},
		"the whole time":   {"--pnml", net, "--deadlock", "--total-timeout", "200ms"},
		"a question":       {"--pnml", net, "--deadlock", "--timeout", "200ms"},
		"a named approach": {"--pnml", net, "--ltl", "G \"eats1 = 0\"", "--approach", "tgba", "--timeout", "200ms"},
		"convert":          {"convert", "--pnml", net, "--to", "pnml-2004", "--timeout", "200ms"},
		"translate":        {"translate", "--timeout", "200ms", "G a"},
		"states":           {"states", "--pnml", net, "--timeout", "200ms"},
		"intersect":        {"intersect", "../../testdata/philosophers.hoa", "../../testdata/philosophers.hoa", "--timeout", "200ms"},
		"runs":             {"--pnml", net, "--deadlock", "--total-timeout", "200ms", "--trace", "-"},
		"a page":           {"--pnml", net, "--deadlock", "--total-timeout", "200ms", "--trace", "-", "--trace-format", "html"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, writer, _ := fullPipe(t)
			// Where other processes have the processors, a short limit is over before there is anything to write.
			for _, limit := range []string{"", "10", "100"} {
				if limit != "" {
					arguments = longer(arguments, limit)
				}
				command := program(t, arguments...)
				var messages bytes.Buffer
				command.Stdout, command.Stderr = writer, &messages
				code := exitCode(t, command)
				if code == exit.Input && strings.Contains(messages.String(), "standard output: not written whole, as nobody reads it") {
					break
				}
				nothing := code == exit.Holds && messages.Len() == 0 // of a contest, to write
				if limit == "100" || !nothing && !readTooLong.MatchString(messages.String()) {
					t.Errorf("exit code %d, %s", code, &messages)
					break
				}
			}
			if name != "convert" && name != "mcc" {
				return
			}
			command := program(t, arguments...)
			command.Stdout, command.Stderr = writer, writer
			if code := exitCode(t, command); code != exit.Input {
				t.Errorf("exit code %d where messages go there, too", code)
			}
		})
	}
}

// readTooLong matches the message that a limit ended the reading.
var readTooLong = regexp.MustCompile(`while (it was|files were) read`)

// longer returns arguments with so many seconds for the limit.
func longer(arguments []string, seconds string) []string {
	arguments = slices.Clone(arguments)
	for i, a := range arguments[1:] {
		switch a {
		case "--time":
			arguments[i+2] = seconds
		case "--timeout", "--total-timeout":
			arguments[i+2] = seconds + "s"
		}
	}
	return arguments
}

// TestNobodyReadsRuns: a pipe with a name, which somebody has open and does not read, does not hold up
// the end of a command: neither at its limit nor after a signal.
func TestNobodyReadsRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("processes that wait for their limits")
	}
	path := filepath.Join(t.TempDir(), "runs")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no pipes with names here: %v", err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	fillPipe(t, int(pipe.Fd()))
	arguments := []string{"--pnml", "../../testdata/philosophers.pnml", "--deadlock", "--trace", path}
	command := program(t, append(arguments, "--total-timeout", "200ms")...)
	var messages bytes.Buffer
	command.Stderr = &messages
	if code := exitCode(t, command); code != exit.Input || !strings.Contains(messages.String(), path+": not written whole, as nobody reads it") {
		t.Errorf("exit code %d, %s", code, &messages)
	}
	command = program(t, arguments...)
	messages.Reset()
	command.Stderr = &messages
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, output)
	time.Sleep(300 * time.Millisecond) // mostly it waits by then
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != exit.Unknown && code != -1 { // before its first line it can't catch a signal
		t.Errorf("after a signal: exit code %d, %s", code, &messages)
	}
}

// TestSlowReader: who reads late, but within the time, gets all.
func TestSlowReader(t *testing.T) {
	reader, writer, filled := fullPipe(t)
	command := program(t, "convert", "--pnml", "../../testdata/philosophers.pnml", "--to", "pnml-2004", "--timeout", "50s")
	var messages bytes.Buffer
	command.Stdout, command.Stderr = writer, &messages
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	time.Sleep(700 * time.Millisecond) // longer than a command may be late
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil || !strings.HasSuffix(strings.TrimSpace(string(text[filled:])), "</pnml>") {
		t.Errorf("%v, %d bytes, %s", err, len(text)-filled, &messages)
	}
}
