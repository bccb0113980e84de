package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/interrupt"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// costs are the figures in the output that differ from run to run.
var costs = regexp.MustCompile(`("(?:seconds|states_per_second|transitions_per_second|bytes_per_state|peak_rss_bytes|peak_nodes)":)[-+.e0-9]+|\d+ MB:`)

// race is what differs from run to run where engines race: which of them decides, the run
// that it shows, and whether one of them comes across a false claim of the net.
var race = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`(?m)( TECHNIQUES) .*$`), "$1 …"},
	{regexp.MustCompile(`"techniques":\[[^\]]+\],"ground":"[^"]*"(,"(product_)?states":\d+)?`), `"techniques":[…],"ground":"…"`},
	{regexp.MustCompile(`(?m)"trace":\{.*\}\}$`), `"trace":{…}}`},
	{regexp.MustCompile(`(?m)^! pnmc: warning: the net claims .*\n`), ""},
}

// masked returns the output of a command without what a race decides.
func masked(command, text string) string {
	if !strings.HasPrefix(command, "pnmc --") || strings.Contains(command, "--etf") ||
		strings.Contains(command, "--approach") && !strings.Contains(command, "--approach auto") {
		return text
	}
	for _, r := range race {
		text = r.pattern.ReplaceAllString(text, r.replacement)
	}
	return text
}

// TestGolden runs the command lines in testdata/*.txt, each after a $, and
// compares what they print, and their exit code, with what stands below them.
// Lines that begin with # are comments.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := replayScript(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("%s differs (go test ./cmd/pnmc -update rewrites it); got:\n%s", file, got)
			}
		})
	}
}

// replayScript returns the script with the outputs that its commands give now.
func replayScript(t *testing.T, script string) string {
	var out strings.Builder
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			fmt.Fprintln(&out, line)
		}
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		fmt.Fprintf(&out, "%s\n", line)
		arguments, input := splitCommand(t, command)
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), arguments, input, &stdout, &stderr)
		text := costs.ReplaceAllStringFunc(masked(command, stdout.String()+prefixed("! ", stderr.String())), func(s string) string {
			if strings.HasSuffix(s, " MB:") {
				return "N MB:"
			}
			return s[:strings.Index(s, ":")+1] + "0"
		})
		fmt.Fprint(&out, prefixed("  ", text))
		fmt.Fprintf(&out, "exit %d\n\n", code)
	}
	return out.String()
}

// splitCommand splits at spaces outside single quotes; < FILE is standard input.
func splitCommand(t *testing.T, command string) ([]string, *bytes.Reader) {
	command, file, redirected := strings.Cut(command, " < ")
	input := []byte(nil)
	if redirected {
		var err error
		if input, err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	var words []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words, bytes.NewReader(input)
}

func prefixed(prefix, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(prefix + line)
	}
	return out.String()
}

// TestTraceFile: a counterexample is written whole, in both forms, and nothing
// else lies beside it.
func TestTraceFile(t *testing.T) {
	for name, want := range map[string]string{
		"trace.txt":   "# counterexample to there is no deadlock:",
		"traces.json": `{"name":"there is no deadlock","kind":"automaton","verdict":"violated","prefix":[{"transition":`,
	} {
		folder := t.TempDir()
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), []string{"pnmc", "--pnml", "../../testdata/philosophers.pnml",
			"--hoa", "../../testdata/philosophers.hoa", "--trace", filepath.Join(folder, name)}, nil, &stdout, &stderr)
		if code != exit.Violated {
			t.Errorf("exit code %d: %s", code, &stderr)
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: %v, begins with %.200s", name, err, text)
		}
		if entries, _ := os.ReadDir(folder); len(entries) != 1 {
			t.Errorf("%d files where one was asked for", len(entries))
		}
	}
}

// TestInterruption: a check that is told to stop says what it knows.
func TestInterruption(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(interrupt.ErrInterrupted)
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"pnmc", "states", "--pnml", "../../testdata/philosophers.pnml"}, nil, &stdout, &stderr)
	if code != exit.Unknown || !strings.Contains(stderr.String(), "interrupted") || stdout.Len() > 0 {
		t.Errorf("exit code %d, %q, %q", code, &stdout, &stderr)
	}
}

// brokenWriter refuses what it is given.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestOutputFails(t *testing.T) {
	for _, arguments := range [][]string{
		{"pnmc", "states", "--pnml", "../../testdata/philosophers.pnml"},
		{"pnmc", "--pnml", "../../testdata/philosophers.pnml", "--hoa", "testdata/holds.hoa"},
		{"pnmc", "convert", "--hoa", "testdata/holds.hoa"},
	} {
		var stderr bytes.Buffer
		if code := run(context.Background(), arguments, nil, brokenWriter{}, &stderr); code != exit.Input ||
			!strings.Contains(stderr.String(), "the disk is full") {
			t.Errorf("%v: exit code %d, %s", arguments, code, &stderr)
		}
	}
}

// TestInterruptedRead: who stops a command while it waits for its input has not given
// it a wrong one.
func TestInterruptedRead(t *testing.T) {
	for _, arguments := range [][]string{
		{"states", "--pnml", "-"},
		{"convert", "--pnml", "-"},
		{"convert", "--hoa", "-", "--to", "ta"},
		{"convert", "--tgta", "-"},
		{"translate", "--ltl-file", "-"},
		{"intersect", "-", "../../testdata/recurrence.hoa"},
		{"--pnml", "../../testdata/philosophers.pnml", "--ltl-file", "-"},
		{"--pnml", "../../testdata/philosophers.pnml", "--tgta", "-"},
	} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		cancel(interrupt.ErrInterrupted)
		var stdout, stderr bytes.Buffer
		code := run(ctx, append([]string{"pnmc"}, arguments...), reader, &stdout, &stderr)
		if code != exit.Unknown || strings.Contains(stderr.String(), "expected") || stdout.Len() > 0 {
			t.Errorf("%v: exit code %d, %q, %q", arguments, code, &stdout, &stderr)
		}
		writer.Close()
		reader.Close()
	}
}

// silentPipe returns a pipe that has the philosophers' automata in it, and then neither says
// more nor ends.
func silentPipe(t *testing.T) *os.File {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { writer.Close() })
	text, err := os.ReadFile("../../testdata/philosophers.hoa")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := writer.Write(text); err != nil {
		t.Fatal(err)
	}
	return reader
}

// TestInterruptedPipe: what was found before a pipe went silent is kept.
func TestInterruptedPipe(t *testing.T) {
	reader := silentPipe(t)
	trace := filepath.Join(t.TempDir(), "trace.json")
	ctx, cancel := context.WithCancelCause(context.Background())
	stdout := &cancelAfter{lines: 5, cancel: func() { cancel(interrupt.ErrInterrupted) }}
	var stderr bytes.Buffer
	code := run(ctx, []string{"pnmc", "--pnml", "../../testdata/philosophers.pnml", "--hoa", "-", "--trace", trace},
		reader, stdout, &stderr)
	found, err := os.ReadFile(trace)
	if code != exit.Violated || err != nil || strings.Count(string(found), "\n") != 3 {
		t.Errorf("exit code %d, %v, %s%s", code, err, found, &stderr)
	}
}

// cancelAfter calls cancel once it was given that many lines.
type cancelAfter struct {
	lines  int
	cancel func()
}

func (c *cancelAfter) Write(text []byte) (int, error) {
	if c.lines -= bytes.Count(text, []byte("\n")); c.lines == 0 {
		c.cancel()
	}
	return len(text), nil
}
