//go:build unix

package smtlib_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pnmc/internal/smtlib"
	"pnmc/internal/smtlib/smtlibtest"
)

// starting, as the first argument, has the test start the solver that the second one names, and ask it.
const starting = "start-a-solver"

func init() {
	if len(os.Args) == 3 && os.Args[1] == starting {
		if c, err := smtlib.ParseCommand(os.Args[2]); err == nil {
			if s, err := c.Start(context.Background(), 0); err == nil {
				_, _ = s.Check() // which has no answer
			}
		}
		os.Exit(0)
	}
	smtlibtest.Main()
}

// TestSolverEndsWithItsStarter: where the process that asks is killed, the solver is, too.
func TestSolverEndsWithItsStarter(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends processes with those that started them")
	}
	file := filepath.Join(t.TempDir(), "number")
	starter := exec.Command(os.Args[0], starting, `sh -c "echo $$ > `+file+`; exec sleep 600"`)
	if err := starter.Start(); err != nil {
		t.Fatal(err)
	}
	number := 0
	for number == 0 { // until the test's own limit
		text, _ := os.ReadFile(file)
		number, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		time.Sleep(time.Millisecond)
	}
	if err := starter.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = starter.Wait()
	untilEnded(number)
}

// untilEnded waits until a process has ended, which the test's own limit bounds.
func untilEnded(number int) {
	for !errors.Is(syscall.Kill(number, 0), syscall.ESRCH) && !isZombie(number) {
		time.Sleep(time.Millisecond)
	}
}

// started starts a solver that behaves in some way, until the test ends.
func started(t *testing.T, ctx context.Context, line string) *smtlib.Session {
	t.Helper()
	c, err := smtlib.ParseCommand(line)
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Start(ctx, 4<<30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestSessions asks solvers that behave badly. Each ends with an error that tells how, or with its context,
// and stays ended.
func TestSessions(t *testing.T) {
	for way, want := range map[string]string{
		smtlibtest.Nonsense: "the solver's answer: ", smtlibtest.Hanging: "deadline", smtlibtest.Deaf: "deadline",
		smtlibtest.Dying: "the solver ended: solver: out of luck", smtlibtest.Flooding: "the solver's answer: an answer of more than",
		smtlibtest.Nested: "the solver's answer: more than 100 parentheses", smtlibtest.Half: "the solver ended: exit status 0",
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if want == "deadline" {
				ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
				defer cancel()
			}
			s := started(t, ctx, smtlibtest.Command(way))
			s.Tell("(assert %s)", strings.Repeat("(or false\n)", 100_000)) // more than a pipe holds
			_, err := s.Check("a")
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Fatalf("the error is %v, expected %q", err, want)
			}
			if _, again := s.Check(); again == nil || again.Error() != err.Error() {
				t.Errorf("asked again, the error is %v", again)
			}
		})
	}
}

// TestNothingIsLeft: what a solver has started ends with it, whether it ended by itself or was ended.
func TestNothingIsLeft(t *testing.T) {
	file := filepath.Join(t.TempDir(), "number")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := started(t, ctx, smtlibtest.Command(smtlibtest.Leaving, file))
	done := make(chan error)
	go func() {
		_, err := s.Check()
		done <- err
	}()
	var number int
	for number == 0 { // until the test's own limit
		text, _ := os.ReadFile(file)
		number, _ = strconv.Atoi(string(text))
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; err == nil {
		t.Error("a solver that ended has answered")
	}
	s.Close()
	untilEnded(number)
}

// isZombie reports whether a process has ended, though nobody has asked how.
func isZombie(number int) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(number) + "/stat")
	return err == nil && strings.Contains(string(status), ") Z ")
}

// TestAnswers reads what well-formed answers say.
func TestAnswers(t *testing.T) {
	s := started(t, context.Background(), smtlibtest.Command(smtlibtest.Sat))
	if r, err := s.Check("a", "b"); r != smtlib.Satisfiable || err != nil {
		t.Errorf("sat is %v, %v", r, err)
	}
	if v, err := s.Values([]string{"p1", "p2"}); !slices.Equal(v, []int64{0, 0}) || err != nil {
		t.Errorf("values are %v, %v", v, err)
	}
	s = started(t, context.Background(), smtlibtest.Command(smtlibtest.Unsat))
	if r, err := s.Check(); r != smtlib.Unsatisfiable || err != nil {
		t.Errorf("unsat is %v, %v", r, err)
	}
	if core, err := s.Core(); len(core) != 0 || err != nil {
		t.Errorf("the core is %v, %v", core, err)
	}
	if s.Questions() != 1 {
		t.Errorf("%d questions", s.Questions())
	}
}

// TestParseCommand: solvers that are known by name get flags if they have none; what is no program is told.
func TestParseCommand(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"z3", "cvc5", "yices-smt2", "mine"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder)
	for line, want := range map[string]string{
		"z3": "z3 -in", "cvc5": "cvc5 --incremental --lang=smt2", "yices": "yices-smt2 --incremental", "yices-smt2": "yices-smt2 --incremental",
		"z3 -smt2 -in": "z3 -smt2 -in", "mine": "mine", `mine "a b" c`: "mine a b c", filepath.Join(folder, "z3"): "z3 -in",
	} {
		c, err := smtlib.ParseCommand(line)
		if err != nil || strings.Join(c.Words(), " ") != filepath.Join(folder, want) || c.String() != line {
			t.Errorf("%s: %v, %v", line, c, err)
		}
	}
	for line, want := range map[string]string{
		"": "expected a command", " ": "expected a command", `z3 "-in`: "a quotation lacks its", "z4 -in": "no such program: ",
		folder: "no such program: ", filepath.Join(folder, "cvc6"): "no such program: ",
	} {
		if c, err := smtlib.ParseCommand(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, expected %q", line, c, err, want)
		}
	}
}
