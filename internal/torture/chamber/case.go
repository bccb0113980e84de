package chamber

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Case is a run that was drawn: a command line, its files, and what must be true of
// how it ends. Whatever the input is, the program must end in time, within its memory, with an exit
// code that is documented and a word if that is an error, without a stack trace; a file that it
// writes is whole or not there; and what it says must be right, as far as Verdict knows.
type Case struct {
	Seed, Number uint64
	// Command and Kind are a row and a column of the table of runs.
	Command, Kind string
	Arguments     []string
	Environment   []string
	// Files are the input by name; Stdin names the one on standard input, if any.
	Files map[string][]byte
	Stdin string
	// Time is when the program must have ended, Memory the limit in bytes, 0 for none. Group is the
	// limit of all processes of the program together, if it promises one.
	Time          time.Duration
	Memory, Group int64
	// Before lets the same command run once before; what it left is in was, after Spoil damaged it.
	Before bool
	Spoil  map[string]func(text []byte) []byte
	was    map[string][]byte
	// Keys are pressed in a terminal, which the program gets then, one after the other.
	Keys string
	// Voluminous tells that the program may print more than is waited for.
	Voluminous bool
	// Outputs are files that may appear, and then must be whole; a name that ends in a
	// slash is a folder of such files.
	Outputs map[string]func(text []byte) error
	// Line says what is wrong with a line on standard output, Stdout what is wrong with all of it,
	// whatever the exit code. If both are nil, nothing may be printed.
	Line   func(line string) error
	Stdout func(*Outcome) error
	// Verdict says what is wrong with what the program found out.
	Verdict func(*Outcome) []string
}

func (c *Case) argue(arguments ...string) { c.Arguments = append(c.Arguments, arguments...) }

// file adds a file and returns its name.
func (c *Case) file(name string, text []byte) string {
	c.Files[name] = text
	return name
}

// output says that the program may write a file.
func (c *Case) output(name string, whole func(text []byte) error) string {
	c.Outputs[name] = whole
	return name
}

// CommandLine returns the command as a shell would take it.
func (c *Case) CommandLine(program string) string {
	words := append([]string(nil), c.Environment...)
	words = append(words, program)
	words = append(words, c.Arguments...)
	for i, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`&|;<>()*?[]#~!{}") {
			words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	line := strings.Join(words, " ")
	if c.Stdin != "" {
		line += " <" + c.Stdin
	}
	return line
}

// Finding is something that is wrong with a run.
type Finding struct {
	Case    *Case
	Outcome *Outcome
	Problem string
}

// Run makes the files of the case in folder, which must not exist, and runs the
// program on them.
func (c *Case) Run(program, folder string) (*Outcome, []Finding, error) {
	if err := os.MkdirAll(filepath.Join(folder, scratch), 0o755); err != nil {
		return nil, nil, err
	}
	for name, text := range c.Files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, nil, err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, nil, err
		}
	}
	if c.Before {
		if err := c.runBefore(program, folder); err != nil {
			return nil, nil, err
		}
	}
	o, err := c.start(program, folder)
	if err != nil {
		return nil, nil, err
	}
	var findings []Finding
	for _, problem := range c.problems(o) {
		findings = append(findings, Finding{c, o, problem})
	}
	return o, findings, nil
}

// runBefore runs the same command, and damages what it left.
func (c *Case) runBefore(program, folder string) error {
	if _, err := c.start(program, folder); err != nil {
		return err
	}
	c.was = map[string][]byte{}
	for name := range c.Outputs {
		path := filepath.Join(folder, name)
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it was not written, or is a folder
		}
		if spoil := c.Spoil[name]; spoil != nil {
			text = spoil(text)
			if err := os.WriteFile(path, text, 0o644); err != nil {
				return err
			}
		}
		c.was[name] = text
	}
	return nil
}

// LateBy is how much later than its limit a program may end, and MemoryBy how much
// more than its limit it may use.
const (
	LateBy   = time.Second
	MemoryBy = 30 << 20
)
