package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pnmc/internal/unpack"
	"pnmc/petri"
)

// messenger tells what goes on, on standard error: phases with -v, progress if
// it is a terminal, nothing with --quiet.
type messenger struct {
	w        io.Writer
	verbose  bool
	quiet    bool
	terminal bool
	lines    sync.Mutex // guards what is written, and the line of progress
	line     progressLine
	start    time.Time
	claimed  bool // a false claim was told
	warned   warnings
}

func messageFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "tell the phases on standard error"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "tell nothing on standard error but errors"},
	}
}

func newMessenger(c *cli.Context) *messenger {
	m := &messenger{w: c.App.ErrWriter, verbose: c.Bool("verbose"), quiet: c.Bool("quiet"), start: time.Now()}
	m.line.clock = time.Now
	if f, ok := m.w.(*os.File); ok {
		m.terminal = isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
		m.line.width = func() int { return terminalWidth(f) }
	}
	return m
}

// phase tells of the end of a phase, with -v.
func (m *messenger) phase(format string, arguments ...any) {
	if m.verbose && !m.quiet {
		defer m.alone()()
		fmt.Fprintf(m.w, "pnmc: [%6.2fs] %s\n", time.Since(m.start).Seconds(), printable(fmt.Sprintf(format, arguments...)))
	}
}

// explain tells what --explain asks for.
func (m *messenger) explain(format string, arguments ...any) {
	defer m.alone()()
	fmt.Fprintln(m.w, printable(fmt.Sprintf(format, arguments...)))
}

// say tells something that is no error, unless it is to be quiet.
func (m *messenger) say(format string, arguments ...any) {
	if !m.quiet {
		defer m.alone()()
		fmt.Fprint(m.w, complaint(fmt.Sprintf(format, inPlainWords(arguments)...)))
	}
}

// inPlainWords are arguments of a message, with errors as unpack.Words tells them.
func inPlainWords(arguments []any) []any {
	told := slices.Clone(arguments)
	for i, a := range told {
		if err, isError := a.(error); isError {
			told[i] = unpack.Words(err)
		}
	}
	return told
}

// tellClaim tells, once, of a claim of the net's units that was found to be false. Net may
// be nil.
func (m *messenger) tellClaim(net *petri.Net) {
	if m.claimed || net == nil || net.FalseClaim() == nil {
		return
	}
	m.claimed = true
	m.say("warning: %v", net.FalseClaim())
}

// fail tells of an error.
func (m *messenger) fail(format string, arguments ...any) {
	defer m.alone()()
	fmt.Fprint(m.w, complaint(fmt.Sprintf(format, inPlainWords(arguments)...)))
}

// progress shows how far the exploration for what is: so many firings between so many
// markings, and how fast.
func (m *messenger) progress(what string, firings, markings int64) {
	m.lines.Lock()
	defer m.lines.Unlock()
	elapsed, first, due := m.line.due(firings)
	if !m.terminal || m.quiet || !due {
		return
	}
	m.line.draw(m.w, progressParts(what, firings, markings, float64(firings-first)/elapsed.Seconds()))
}

// clear takes the progress off the terminal; what follows is the progress of something
// else.
func (m *messenger) clear() { m.alone()() }

// alone takes the progress off the terminal, and keeps others from writing until done.
func (m *messenger) alone() (done func()) {
	m.lines.Lock()
	if m.line.shown {
		fmt.Fprint(m.w, eraseLine)
	}
	m.line = progressLine{clock: m.line.clock, width: m.line.width}
	return m.lines.Unlock
}

// beside writes to standard error what others tell, with the progress taken off.
type beside struct{ m *messenger }

func (b beside) Write(text []byte) (int, error) {
	defer b.m.alone()()
	return b.m.w.Write(text)
}
