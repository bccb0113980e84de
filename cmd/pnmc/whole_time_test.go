package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pnmc/cmd/pnmc/internal/exit"
)

// TestWholeTimeIsOver: what the whole time does not suffice for has a line each, is told of
// once, and is not decided, however many properties follow.
func TestWholeTimeIsOver(t *testing.T) {
	net := togglesFile(t, 40)
	formulas := filepath.Join(t.TempDir(), "three.ltl")
	text := "G (\"on0 + on1 <= 1\" | F \"on2 = 7\")\nG F \"on0 = 1\"\nF G \"on1 = 1\"\n"
	if err := os.WriteFile(formulas, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, approach := range []string{"auto", "tgba"} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{"pnmc", "--pnml", net, "--ltl-file", formulas, "--timeout", "60s", "--total-timeout", "1ns",
			"--approach", approach}, nil, &stdout, &stderr)
		// One nanosecond is over while the net or the formulas are read, or before the first check.
		if code != exit.Unknown {
			t.Errorf("%s: exit code %d\n%s%s", approach, code, &stdout, &stderr)
		}
		if told := strings.Count(stderr.String(), "total time limit"); told > 2 {
			t.Errorf("%s: the limit is told %d times:\n%s", approach, told, &stderr)
		}
	}
}

// TestWholeTimeOfUnfolding: an unfolding ends with the whole time, and tells that it does.
func TestWholeTimeOfUnfolding(t *testing.T) {
	net := largeDomain(t, 1<<20)
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"pnmc", "--pnml", net, "--ltl", "G \"p = 1\"", "--approach", "tgba", "--total-timeout", "100ms"}, nil, &stdout, &stderr)
	if want := "unfolding not finished: total time limit of 100ms reached"; code != exit.Unknown || !strings.Contains(stderr.String(), want) {
		t.Errorf("exit code %d, no %q in\n%s%s", code, want, &stdout, &stderr)
	}
}

// TestPipeWithoutEnd: a pipe that stays open holds up neither the whole time nor what it has
// asked, which is decided as it comes, with all engines and by a named approach.
func TestPipeWithoutEnd(t *testing.T) {
	text, err := os.ReadFile("../../testdata/philosophers.hoa")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		text      string
		arguments []string
		decided   int
		code      int
	}{
		"automata":       {string(text), []string{"--hoa", "-"}, 5, exit.Violated},
		"as they come":   {string(text), []string{"--hoa", "-", "--stream"}, 5, exit.Violated},
		"by an approach": {string(text), []string{"--hoa", "-", "--approach", "tgba"}, 5, exit.Violated},
		"formulas":       {"G F eats0\n", []string{"--ltl-file", "-"}, 0, exit.Unknown},
		"queries":        {"", []string{"--queries", "-"}, 0, exit.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdin, ask, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdin.Close()
			defer ask.Close()
			if _, err := ask.WriteString(test.text); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			command := program(t, append([]string{"--pnml", "../../testdata/philosophers.pnml", "--total-timeout", "4s"}, test.arguments...)...)
			command.Stdin, command.Stdout, command.Stderr = stdin, &stdout, &stderr
			var waited atomic.Bool
			last := time.AfterFunc(time.Minute, func() {
				waited.Store(true)
				ask.Close()
			})
			defer last.Stop()
			code := exitCode(t, command)
			if waited.Load() {
				t.Error("it waits for the end of the pipe")
			}
			if decided := strings.Count(stdout.String(), " TECHNIQUES "); code != test.code || decided != test.decided {
				t.Errorf("exit code %d, %d decided\n%s%s", code, decided, &stdout, &stderr)
			}
			if !strings.Contains(stderr.String(), "total time limit") {
				t.Errorf("the limit is not told:\n%s", &stderr)
			}
		})
	}
}
