package chamber

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"pnmc/internal/torture/form"
)

// IsLate reports whether a problem is one of time alone, which a busy machine makes.
func IsLate(problem string) bool { return strings.HasPrefix(problem, late) }

const late = "late: "

// problems returns all that is wrong.
//
// What all runs have in common is that the program ends by itself, in its time and within its
// memory, with an exit code that the help of the command tells, without a stack trace, with whole lines and whole files
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
	if c.Group > 0 && o.GroupPeak > c.Group+MemoryBy {
		report("memory: all processes together had %d MB of %d MB", o.GroupPeak>>20, c.Group>>20)
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
	case !c.isDocumented(o.Code):
		report("exit code %d is not documented", o.Code)
	case c.needsWord(o) && len(o.Stderr) == 0:
		report("exit code %d without a word", o.Code)
	case o.Code == 4 && !c.namesInput(o):
		report("exit code 4, and nothing tells which input is bad: %s", firstLine(string(o.Stderr)))
	}
	if err := wrongSpeech(o); err != nil {
		list = append(list, err.Error())
	}
	if err := c.wrongOutput(o); err != nil {
		list = append(list, err.Error())
	}
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

// wrongOutput says what is wrong with standard output.
func (c *Case) wrongOutput(o *Outcome) error {
	var err error
	switch {
	case c.Stdout != nil:
		err = c.Stdout(o)
	case c.Line != nil:
		err = form.Lines(c.Line)(o.Stdout)
	default:
		err = form.Nothing(o.Stdout)
	}
	if err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
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
		if before, is := c.was[name]; is && bytes.Equal(before, text) {
			return nil // it was damaged before, and left as it was
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
