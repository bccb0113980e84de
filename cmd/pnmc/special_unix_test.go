//go:build unix

package main

import (
	"bytes"
	"fmt"
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
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	translator := filepath.Join(folder, "translator")
	script := fmt.Sprintf("#!/bin/sh\necho begun > '%s/begun'\nexec '%s' translate \"$1\"\n", folder, self)
	if err := os.WriteFile(translator, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	results := func(name string) []string {
		out := filepath.Join(folder, name)
		if err := os.Mkdir(out, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(pipe, filepath.Join(out, name)); err != nil {
			t.Skip(err)
		}
		return []string{"batch", contestFolder(t), "--examinations", "OneSafe", "--time", "30", "--memory", "1G", "--out", out}
	}
	for name, test := range map[string]struct {
		written   string
		arguments []string
	}{
		"trace":   {"\n", []string{"--pnml", net, "--hoa", automata, "--trace", pipe, "--total-timeout", "10s"}},
		"convert": {"<pnml", []string{"convert", "--pnml", net, "--to", "pnml-2004", "-o", pipe, "--timeout", "10s"}},
		"map":     {`"prefix":`, []string{"reduce", "--pnml", net, "--for", "ltl", "-o", filepath.Join(t.TempDir(), "net.pnml"), "--map", pipe}},
		"table":   {"formula", []string{"cross", "-f", "G a", "--csv", pipe, "--", translator + " %f"}},
		"answers": {"OneSafe,", results("answers.csv")},
		"runs":    {"OneSafe,", results("runs.csv")},
		"report":  {"<html", results("report.html")},
		"bench":   {"formula", []string{"bench", "--pnml", net, "--formulas", automata, "--approaches", "tgba", "-o", pipe, "--timeout", "10s"}},
	} {
		t.Run(name, func(t *testing.T) {
			command := program(t, test.arguments...)
			var messages bytes.Buffer
			command.Stderr = &messages
			if code := exitCode(t, command); code != exit.Input || !strings.Contains(messages.String(), ": a pipe that nobody reads from") {
				t.Errorf("exit code %d, %s", code, &messages)
			}
			for _, sign := range []string{"begun", "*/journal.jsonl"} {
				if begun, err := filepath.Glob(filepath.Join(folder, sign)); err != nil || len(begun) > 0 {
					t.Errorf("%q: work was begun before: %v", begun, err)
				}
			}
			defer os.Remove(filepath.Join(folder, "begun")) // if there is one
			defer func() {
				for _, a := range test.arguments { // a folder of results
					if strings.HasPrefix(a, folder+"/") {
						_ = os.Remove(filepath.Join(a, "journal.jsonl")) // if there is one
					}
				}
			}()
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
