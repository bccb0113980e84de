package chamber

import (
	"fmt"
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
	// Time is when the program must have ended, Memory the limit in bytes, 0 for none.
	Time   time.Duration
	Memory int64
	// Voluminous tells that the program may print more than is waited for.
	Voluminous bool
	// Outputs are files that may appear, and then must be whole; a name that ends in a
	// slash is a folder of such files.
	Outputs map[string]func(text []byte) error
	// Line says what is wrong with a line on standard output; nil: any line will do.
	Line func(line string) error
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

// LateBy is how much later than its limit a program may end, and MemoryBy how much
// more than its limit it may use.
const (
	LateBy   = time.Second
	MemoryBy = 30 << 20
)

// IsLate reports whether a problem is one of time alone, which a busy machine makes.
func IsLate(problem string) bool { return strings.HasPrefix(problem, late) }

const late = "late: "

// problems returns all that is wrong.
//
// What all runs have in common is that the program ends by itself, in its time and within its
// memory, with a documented exit code, without a stack trace, with whole lines and whole files
// and no others. What an answer must be is left to Verdict. A run that was ended has no more
// problems than that: its files cannot be whole.
func (c *Case) problems(o *Outcome) (list []string) {
	report := func(format string, arguments ...any) { list = append(list, fmt.Sprintf(format, arguments...)) }
	if o.Wall-o.Waited > c.Time+LateBy {
		report(late+"ended after %s, %s of it without a processor, with %s of time", o.Wall.Round(time.Millisecond), o.Waited.Round(time.Millisecond), c.Time)
	}
	if c.Memory > 0 && o.Peak > c.Memory+MemoryBy {
		report("memory: %d MB of %d MB", o.Peak>>20, c.Memory>>20)
	}
	if sign := stackTrace(o); sign != "" && o.Ended == "" {
		report("stack trace: %s", sign)
	}
	if o.Ended != "" {
		if len(list) == 0 && !(c.Voluminous && o.TooMuch) {
			report("it did not end by itself: %s", o.Ended)
		}
		return list
	}
	switch {
	case o.Code == 5:
		report("exit code 5: %s", firstLine(string(o.Stderr)))
	case o.Code < 0 || o.Code > 5:
		report("exit code %d is not documented", o.Code)
	case o.Code >= 3 && len(o.Stderr) == 0 && !strings.Contains(string(o.Stdout), "CANNOT_COMPUTE"):
		report("exit code %d without a word", o.Code)
	}
	list = append(list, c.wrongLines(o)...)
	list = append(list, c.wrongFiles(o)...)
	if c.Verdict != nil && o.Code != 5 {
		list = append(list, c.Verdict(o)...)
	}
	return list
}

var traceSigns = []string{"goroutine 1 [", "\ngoroutine ", "panic:", "fatal error:", "runtime error:", "SIGSEGV", "stack overflow"}

// stackTrace returns the line that begins a stack trace, if there is one.
func stackTrace(o *Outcome) string {
	for _, sign := range traceSigns {
		for _, text := range []string{string(o.Stderr), string(o.Stdout)} {
			if i := strings.Index(text, sign); i >= 0 {
				return firstLine(text[strings.LastIndex(text[:i], "\n")+1:])
			}
		}
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line[:min(len(line), 300)]
}

// wrongLines says what is wrong with standard output.
func (c *Case) wrongLines(o *Outcome) (list []string) {
	text := string(o.Stdout)
	if text != "" && !strings.HasSuffix(text, "\n") {
		list = append(list, fmt.Sprintf("the last line is cut: %q", text[max(0, len(text)-60):]))
	}
	if c.Line == nil {
		return list
	}
	for line := range strings.Lines(text) {
		if err := c.Line(strings.TrimSuffix(line, "\n")); err != nil {
			list = append(list, fmt.Sprintf("line %q: %v", firstLine(line), err))
			break
		}
	}
	return list
}

// wrongFiles says which files are not whole, and which should not be there.
func (c *Case) wrongFiles(o *Outcome) (list []string) {
	err := filepath.WalkDir(o.Folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(o.Folder, path)
		if err != nil || name == stdoutFile || name == stderrFile || c.Files[name] != nil {
			return err
		}
		if _, isInput := c.Files[name]; isInput {
			return nil
		}
		whole, expected := c.expected(name)
		if !expected {
			list = append(list, "a file is left: "+name)
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := whole(text); err != nil {
			list = append(list, fmt.Sprintf("file %s: %v", name, err))
		}
		return nil
	})
	if err != nil {
		list = append(list, err.Error())
	}
	return list
}

// expected returns the check of an output, which may be one of a folder that the file is in;
// false if the file is no output.
func (c *Case) expected(name string) (whole func([]byte) error, ok bool) {
	if whole, ok := c.Outputs[name]; ok {
		return whole, true
	}
	for folder, whole := range c.Outputs {
		if strings.HasSuffix(folder, "/") && strings.HasPrefix(name, folder) {
			return whole, true
		}
	}
	return nil, false
}

// file returns what the program wrote to a file.
func (o *Outcome) file(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join(o.Folder, name))
}
