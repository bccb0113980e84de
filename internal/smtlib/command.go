package smtlib

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"pnmc/internal/process"
)

// Command is the command line of a solver that reads SMT-LIB 2 from its standard input.
type Command struct {
	line  string
	words []string
}

// known are the solvers that need flags to read questions one after the other. Yices reads its own
// language under its own name.
var known = map[string]struct {
	program string
	flags   []string
}{
	"z3":         {"z3", []string{"-in"}},
	"cvc5":       {"cvc5", []string{"--incremental", "--lang=smt2"}},
	"yices":      {"yices-smt2", []string{"--incremental"}},
	"yices-smt2": {"yices-smt2", []string{"--incremental"}},
}

// ParseCommand reads a command line and looks the program up: a name without a folder on the PATH. A
// program that is known by name, z3, cvc5 or yices, gets the flags it needs if it has none. So
// "z3" becomes z3 -in, and "z3 -in -v:1" stays as it is. No shell sees the line. The error says what is
// wrong with it, or that there is no such program.
func ParseCommand(line string) (*Command, error) {
	words, err := process.Words(line)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("expected a command, such as z3")
	}
	folder, name := filepath.Split(words[0])
	if solver, ok := known[strings.TrimSuffix(name, ".exe")]; ok && len(words) == 1 {
		words = append([]string{folder + solver.program}, solver.flags...)
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil, fmt.Errorf("no such program: %w", err)
	}
	words[0] = path
	return &Command{line: line, words: words}, nil
}

// String returns the line as it was given.
func (c *Command) String() string { return c.line }

// Words returns the program with its arguments, as it is run.
func (c *Command) Words() []string { return c.words }
