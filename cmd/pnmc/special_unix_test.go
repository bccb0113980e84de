//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestPipeWithoutReader: who writes into a pipe that nobody reads from is told so. It waited for ever, in
// spite of all limits. With a reader, what is written comes out.
func TestPipeWithoutReader(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	net, automata := "../../testdata/philosophers.pnml", "../../testdata/philosophers.hoa"
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes with names here: %v", err)
	}
	for name, test := range map[string]struct {
		written   string
		arguments []string
	}{
		"trace":   {"\n", []string{"--pnml", net, "--hoa", automata, "--trace", pipe, "--total-timeout", "10s"}},
		"convert": {"<pnml", []string{"convert", "--pnml", net, "--to", "pnml-2004", "-o", pipe, "--timeout", "10s"}},
		"map":     {`"prefix":`, []string{"reduce", "--pnml", net, "--for", "ltl", "-o", filepath.Join(t.TempDir(), "net.pnml"), "--map", pipe}},
		"bench":   {"formula", []string{"bench", "--pnml", net, "--formulas", automata, "--approaches", "tgba", "-o", pipe, "--timeout", "10s"}},
	} {
		t.Run(name, func(t *testing.T) {
			command := program(t, test.arguments...)
			var messages bytes.Buffer
			command.Stderr = &messages
			if code := exitCode(t, command); code != exit.Input || !strings.Contains(messages.String(), pipe+": a pipe that nobody reads from") {
				t.Errorf("exit code %d, %s", code, &messages)
			}
			reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that it waits for no writer
			if err != nil {
				t.Fatal(err)
			}
			command = program(t, test.arguments...)
			messages.Reset()
			command.Stderr = &messages
			if code := exitCode(t, command); code > exit.Violated {
				t.Errorf("with a reader: exit code %d, %s", code, &messages)
			}
			writer, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(writer, "end of all"); err != nil {
				t.Fatal(err)
			}
			writer.Close()
			var text []byte
			for buffer := make([]byte, 4096); !bytes.HasSuffix(text, []byte("end of all")); {
				n, err := reader.Read(buffer)
				if err != nil {
					t.Fatal(err)
				}
				text = append(text, buffer[:n]...)
			}
			reader.Close()
			if !strings.Contains(string(text), test.written) {
				t.Errorf("written: %.200q", text)
			}
		})
	}
}
