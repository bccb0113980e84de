package cross

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pnmc/automata"
	"pnmc/dot"
	"pnmc/hoa"
	"pnmc/internal/account"
	"pnmc/internal/firstword"
	"pnmc/internal/process"
	"pnmc/logic/ltl"
)

// Translator makes an automaton of a formula. An error, whatever it is, is a row
// of the report.
type Translator interface {
	// Name returns what the report calls it.
	Name() string
	Translate(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error)
}

// Command is a translator that is a program.
type Command struct {
	name  string
	words []string
	// Complaints gets what the program writes to its standard error, up to 4 kB, at
	// the end of each run; nil: nobody does.
	Complaints io.Writer
}

// Limits on what a program prints.
const (
	maxOutput      = 64 << 20
	maxComplaint   = 4 << 10
	outputPatience = 500 * time.Millisecond // for pipes that the program's children hold
)

// ParseCommand reads a command line: words, of which '…' and "…" quote parts, and in
// which
//
//	%f %s %l %p   stand for the formula in the syntax of Spot, SPIN, or LBT, or in
//	              that which Spot, Owl and LTL3BA share,
//	%F %S %L %P   for the name of a file with it,
//	%O            for a file to write the automaton to, instead of standard output,
//	%%            for %.
//
// No shell sees it, so that formulas need no quotes. {name}command gives it a name.
//
// For example, {spot}ltl2tgba -H "%f" is called spot, and has the words ltl2tgba, -H and %f. The
// formula takes the place of %f within its word, whatever blanks and quotes it has itself.
func ParseCommand(line string) (*Command, error) {
	c := &Command{name: line}
	rest := line
	if strings.HasPrefix(line, "{") {
		name, after, closed := strings.Cut(line[1:], "}")
		if !closed {
			return nil, fmt.Errorf("translator %q: the name lacks its }", line)
		}
		c.name, rest = name, after
	}
	var err error
	if c.words, err = process.Words(rest); err != nil {
		return nil, fmt.Errorf("translator %q: %w", line, err)
	}
	if len(c.words) == 0 {
		return nil, fmt.Errorf("translator %q: no command", line)
	}
	if !slices.ContainsFunc(strings.Split("fslpFSLP", ""), c.has) {
		return nil, fmt.Errorf("translator %q: no %%f stands for the formula", line)
	}
	return c, nil
}

// has reports whether %letter stands for something in the command.
func (c *Command) has(letter string) bool {
	for _, w := range c.words {
		if strings.Contains(strings.ReplaceAll(w, "%%", ""), "%"+letter) {
			return true
		}
	}
	return false
}

// Name returns the command line, or the name that it was given.
func (c *Command) Name() string { return c.name }

// longestFormula is the length up to which formulas are given to programs: bounded
// operators in one another stand for exponentially much text.
const longestFormula = 1_000_000

// Writable returns nil if f can be written for a program, and else says why not.
func Writable(f *ltl.Formula) error {
	if f.Length() > longestFormula {
		return fmt.Errorf("formula too long to be given to a program: more than %d connectives", longestFormula)
	}
	return nil
}

// Translate runs the program, and ends it with all processes that it started
// (on Unix) when it is done or ctx is. Errors are a *Failure or, if the files for the program could
// not be made, a *FileError.
//
// The order in which reasons are looked at matters, as one may cause another. A program that
// prints rubbish is ended at once, so that it has a bad exit code as well: rubbish comes first.
// One that is ended as the time is over has a bad exit code, too: that comes last.
func (c *Command) Translate(ctx context.Context, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
	var files files
	defer files.remove()
	replace, err := c.substitution(s, f, &files)
	if err != nil {
		return nil, &FileError{err}
	}
	words := make([]string, len(c.words))
	for i, w := range c.words {
		words[i] = replace.Replace(w)
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	command := exec.CommandContext(running, words[0], words[1:]...)
	stdout := &outputBuffer{limitedBuffer: limitedBuffer{limit: maxOutput}, account: account.Of(ctx), stop: stop}
	stderr := &limitedBuffer{limit: maxComplaint}
	command.Stdout, command.Stderr = stdout, stderr
	command.WaitDelay = outputPatience
	process.OwnGroup(command)
	err = command.Run()
	process.EndGroup(command)
	if c.Complaints != nil && stderr.Len() > 0 {
		if _, err := c.Complaints.Write(stderr.Bytes()); err != nil {
			return nil, &Failure{Kind: Crashed, Reason: err.Error()}
		}
	}
	switch {
	case stdout.full != nil || isMemory(context.Cause(ctx)):
		return nil, ended(ctx, stdout.full)
	case stdout.over:
		return nil, &Failure{Kind: Rubbish, Reason: errOutput.Error()}
	case !c.has("O") && stdout.isRubbish():
		return nil, &Failure{Kind: Rubbish, Reason: fmt.Sprintf("no automaton, but %q", stdout.firstLine())}
	case ctx.Err() != nil:
		return nil, ended(ctx, nil)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, &Failure{Kind: Crashed, Reason: strings.TrimSuffix(err.Error()+"; "+stderr.firstLine(), "; ")}
	}
	var output io.Reader = bytes.NewReader(stdout.Bytes())
	if c.has("O") {
		written, err := openOutput(filepath.Join(files.folder, "output"), account.Of(ctx))
		if err != nil {
			return nil, &Failure{Kind: Rubbish, Reason: err.Error()}
		}
		defer written.file.Close()
		output = written
	}
	return readOne(ctx, output, s, f)
}

// unreadable returns the outcome for an automaton that could not be made a plain one. Nobody
// is to blame if there was no time.
func unreadable(ctx context.Context, err error) *Failure {
	switch {
	case ctx.Err() != nil:
		return ended(ctx, nil)
	case errors.Is(err, errOutput):
		return &Failure{Kind: Rubbish, Reason: errOutput.Error()}
	}
	return &Failure{Kind: Rubbish, Reason: err.Error()}
}

// ended returns the outcome of a translation that its context ended, or an account's reason to stop.
func ended(ctx context.Context, why error) *Failure {
	if why = cmp.Or(why, context.Cause(ctx)); isMemory(why) {
		return &Failure{Kind: NoRoom, Reason: why.Error()}
	}
	return &Failure{Kind: TimedOut, Reason: "time limit reached"}
}

// readOne reads the one automaton that a translator printed for f, in HOA or drawn, a
// plain one being made of a testing automaton.
func readOne(ctx context.Context, output io.Reader, s *ltl.Formulas, f *ltl.Formula) (*automata.Automaton, error) {
	text, first := firstword.Of(output)
	var reader interface {
		Read() (*automata.Automaton, error)
		LimitBy(limit func(bytes int) error)
	} = hoa.NewReader(text, "output")
	if first == firstword.Drawing {
		reader = dot.NewReader(text, "output")
	}
	reader.LimitBy(account.Of(ctx).Reserve)
	a, err := reader.Read()
	switch {
	case err == io.EOF:
		return nil, &Failure{Kind: Rubbish, Reason: "no automaton was printed"}
	case err != nil:
		return nil, unreadable(ctx, err)
	}
	if drawing, ok := reader.(*dot.Reader); ok {
		if other, _ := drawing.Unsure(); other != nil {
			a, err = meant(ctx, s, f, a, other)
		}
	}
	if err != nil {
		return nil, unreadable(ctx, err)
	}
	second, err := reader.Read()
	switch {
	case second != nil:
		return nil, &Failure{Kind: Rubbish, Reason: "several automata were printed for one formula"}
	case ctx.Err() != nil, errors.Is(err, errOutput):
		return nil, unreadable(ctx, err)
	}
	if a, err = automata.ReadingValuations(ctx, a); err != nil {
		return nil, unreadable(ctx, err)
	}
	return a, nil
}

// substitution returns what replaces %f and its like, and makes the files that are needed.
func (c *Command) substitution(s *ltl.Formulas, f *ltl.Formula, files *files) (*strings.Replacer, error) {
	pairs := []string{"%%", "%"}
	for _, x := range []struct {
		text, file string
		syntax     ltl.Syntax
	}{{"f", "F", ltl.SpotSyntax}, {"s", "S", ltl.SPINSyntax}, {"l", "L", ltl.LBTSyntax}, {"p", "P", ltl.CommonSyntax}} {
		if !c.has(x.text) && !c.has(x.file) {
			continue
		}
		text := s.Text(f, x.syntax)
		pairs = append(pairs, "%"+x.text, text)
		if !c.has(x.file) {
			continue
		}
		path, err := files.path("formula." + x.text)
		if err == nil {
			err = os.WriteFile(path, []byte(text+"\n"), 0o600)
		}
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, "%"+x.file, path)
	}
	if c.has("O") {
		path, err := files.path("output")
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, "%O", path)
	}
	return strings.NewReplacer(pairs...), nil
}

// isMemory reports whether err says that the memory limit is reached.
func isMemory(err error) bool { return errors.As(err, new(*account.MemoryError)) }

// FailureKind says what went wrong with a translation.
type FailureKind string

// The kinds of failures.
const (
	TimedOut FailureKind = "timeout" // the time limit was reached
	Crashed  FailureKind = "crash"   // not started, or a nonzero exit code
	Rubbish  FailureKind = "rubbish" // what was printed is no automaton
	NoRoom   FailureKind = "memory"  // the memory limit has no room for what was printed
)

// Failure is a translation that gave no automaton.
type Failure struct {
	Kind   FailureKind
	Reason string
}

func (f *Failure) Error() string { return string(f.Kind) + ": " + f.Reason }

// Distinguish numbers commands whose name an earlier translator has.
func Distinguish(translators []Translator) {
	taken := map[string]bool{}
	for _, t := range translators {
		c, isCommand := t.(*Command)
		name := t.Name()
		for n := 2; isCommand && taken[name]; n++ {
			name = fmt.Sprintf("%s #%d", t.Name(), n)
		}
		if isCommand {
			c.name = name
		}
		taken[name] = true
	}
}
