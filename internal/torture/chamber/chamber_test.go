package chamber_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"pnmc/internal/torture/chamber"
)

// TestMain lets this program launch others, as torture does.
func TestMain(m *testing.M) {
	chamber.Launch()
	os.Exit(m.Run())
}

// TestPeaksAreOfTheProgramAlone: what this process has resident is not counted as the
// program's, also if it grows while programs are started.
func TestPeaksAreOfTheProgramAlone(t *testing.T) {
	program := script(t, "echo done")
	stop, grown := make(chan struct{}), make(chan [][]byte)
	go func() {
		var held [][]byte
		for len(held) < 60 {
			select {
			case <-stop:
				grown <- held
				return
			default:
				held = append(held, bytes.Repeat([]byte{1}, 10<<20))
			}
		}
		grown <- held
	}()
	for range 10 {
		c := &chamber.Case{Time: 10 * time.Second, Memory: 50 << 20, Line: anyLine}
		o, findings, err := c.Run(program, filepath.Join(t.TempDir(), "run"))
		if err != nil || len(findings) > 0 || o.Peak == 0 || o.Peak > 60<<20 {
			t.Errorf("%d MB, findings %v, error %v", o.Peak>>20, findings, err)
		}
	}
	close(stop)
	if held := <-grown; len(held) == 0 {
		t.Error("this process did not grow")
	}
}

func anyLine(string) error { return nil }

// script returns a program of the shell.
func script(t *testing.T, text string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("process groups and peaks of memory are those of Linux")
	}
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here")
	}
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestProblemsAreFound: each way to end badly is told.
func TestProblemsAreFound(t *testing.T) {
	for _, x := range []struct{ name, program, problem string }{
		{"good", "echo done", ""},
		{"late", "sleep 2", "late: "},
		{"cut", "printf done; printf 'FORMULA f TR'", "standard output: its last line is cut"},
		{"trace of stacks", "echo 'panic: index out of range' >&2; exit 2", "stack trace"},
		{"undocumented", "exit 9", "exit code 9 is not documented"},
		{"unknown without a word", "exit 2", "exit code 2 without a word"},
		{"no speaker", "echo 'pnmc: net.pnml: bad' >&2; echo 'and more' >&2; exit 4", "a line on standard error does not begin"},
		{"half a complaint", "printf 'pnmc: net.pnml: ba' >&2; exit 4", "the last line on standard error is cut"},
		{"nothing to say", "echo 'pnmc: ' >&2; echo 'pnmc: net.pnml: bad' >&2; exit 4", "a line on standard error says nothing"},
		{"control characters", "printf 'pnmc: net.pnml: \\033[31mred\\n' >&2; exit 4", "a line on standard error has the character"},
		{"no place", "echo 'pnmc: something is bad' >&2; exit 4", "exit code 4, and nothing tells which input is bad"},
		{"internal", "exit 5", "exit code 5"},
		{"silent", "exit 4", "exit code 4 without a word"},
		{"killed", "kill -9 $$", "it did not end by itself"},
		{"leaving", "echo x >net.pnml.123.part", "a file is left: net.pnml.123.part"},
		{"leaving temporary", "echo x >$TMPDIR/x", "a file is left: tmp/x"},
		{"half a file", "printf half >out.json", "file out.json: "},
		{"large", "exec python3 -c 'x = bytearray(150 << 20)'", "memory: "},
	} {
		t.Run(x.name, func(t *testing.T) {
			if x.name == "large" {
				if _, err := exec.LookPath("python3"); err != nil {
					t.Skip("no python3 here")
				}
			}
			c := &chamber.Case{Files: map[string][]byte{"net.pnml": []byte("net")}, Time: 100 * time.Millisecond, Memory: 50 << 20, Line: anyLine,
				Outputs: map[string]func([]byte) error{"out.json": func(text []byte) error {
					if !strings.HasSuffix(string(text), "\n") {
						return os.ErrInvalid
					}
					return nil
				}}}
			_, findings, err := c.Run(script(t, x.program), filepath.Join(t.TempDir(), "run"))
			if err != nil {
				t.Fatal(err)
			}
			var problems []string
			for _, f := range findings {
				if x.name != "late" && chamber.IsLate(f.Problem) {
					continue // a busy machine
				}
				problems = append(problems, f.Problem)
			}
			switch {
			case x.problem == "" && len(problems) > 0:
				t.Errorf("%q", problems)
			case x.problem != "" && (len(problems) == 0 || !strings.HasPrefix(problems[0], x.problem)):
				t.Errorf("%q, expected %q", problems, x.problem)
			}
		})
	}
}

// TestWrongVerdictsAreFound: a program that always says the same is refuted, whatever
// it says, for each command whose answers the twin can decide.
func TestWrongVerdictsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	for command, programs := range map[string][]string{
		"check-ltl": {`echo "FORMULA f0 TRUE TECHNIQUES EXPLICIT"`, `echo "FORMULA f0 FALSE TECHNIQUES EXPLICIT"; exit 1`},
		"check-hoa": {`echo "FORMULA a0 TRUE TECHNIQUES EXPLICIT"`, `echo "FORMULA a0 FALSE TECHNIQUES EXPLICIT"; exit 1`},
		"check-etf": {`echo "FORMULA f0 TRUE TECHNIQUES EXPLICIT"`, `echo "FORMULA f0 FALSE TECHNIQUES EXPLICIT"; exit 1`},
		"states":    {`for x in STATES TRANSITIONS MAX_TOKEN_PER_MARKING MAX_TOKEN_IN_PLACE; do echo "STATE_SPACE $x 7 TECHNIQUES EXPLICIT"; done`},
		"intersect": {"echo 0", "echo 1"},
		"include":   {"echo 1"},
		"mcc": {`case "$3" in StateSpace) echo "STATE_SPACE STATES 7 TECHNIQUES EXPLICIT";; UpperBounds) echo "FORMULA net-UpperBounds-00 7 TECHNIQUES EXPLICIT";;
			*) if [ -f "$3.xml" ]; then echo "FORMULA net-$3-00 TRUE TECHNIQUES EXPLICIT"; else echo "FORMULA $3 TRUE TECHNIQUES EXPLICIT"; fi;; esac`,
			`if [ -f "$3.xml" ]; then echo "FORMULA net-$3-00 FALSE TECHNIQUES EXPLICIT"; else echo "FORMULA $3 FALSE TECHNIQUES EXPLICIT"; fi`},
		"translate": {`echo 'HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--'`},
		"unfold":    {`echo '<pnml><net><page><place id="p"/></page></net></pnml>'`},
	} {
		for _, text := range programs {
			program := script(t, text)
			found := false
			for number := uint64(0); number < 60 && !found; number++ {
				c, err := chamber.New(1, number, program, []string{command}, []string{"net-small", "net-coloured", "formula-small", "automaton-small", "table-small", "properties-small"})
				if err != nil {
					t.Fatal(err)
				}
				_, findings, err := c.Run(program, filepath.Join(t.TempDir(), "run"))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range findings {
					found = found || strings.HasPrefix(f.Problem, "wrong verdict")
				}
			}
			if !found {
				t.Errorf("%s: the program %q is never refuted", command, text)
			}
		}
	}
}

// TestEveryPair: each command is drawn with each kind of input that it reads.
func TestEveryPair(t *testing.T) {
	for _, command := range chamber.Commands() {
		for _, kind := range chamber.Kinds() {
			c, err := chamber.New(1, 1, "pnmc", []string{command}, []string{kind})
			if err != nil {
				continue // it does not read this kind
			}
			if c.Command != command || c.Kind != kind || c.Time == 0 || len(c.Arguments) == 0 {
				t.Errorf("%s, %s: %+v", command, kind, c)
			}
		}
	}
	if _, err := chamber.New(1, 1, "pnmc", []string{"translate"}, []string{"net-small"}); err == nil {
		t.Error("translate reads no nets")
	}
}
