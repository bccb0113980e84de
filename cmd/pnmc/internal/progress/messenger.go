// Package progress writes to standard error what goes on.
//
// In come messages, warnings, and how far the work is; out go lines that say who speaks and,
// on a terminal, one line that is written over and over. Next are all commands. Nothing of
// this is for programs: answers go to standard output, and not through here.
package progress

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/wording"
	"pnmc/internal/unpack"
	"pnmc/petri"
)

// Messenger writes what goes on to standard error: phases with -v, progress if it is a
// terminal, nothing with --quiet.
type Messenger struct {
	w        io.Writer
	verbose  bool
	Quiet    bool
	Terminal bool
	lines    sync.Mutex // guards what is written, and the line of progress
	line     progressLine
	Start    time.Time
	claimed  bool // a false claim was told
	warned   warnings
}

// Flags returns the flags that say how many messages there are.
func Flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "verbose", Aliases: []string{"v"}, Usage: "tell the phases on standard error"},
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "tell nothing on standard error but errors"},
	}
}

// NewMessenger returns a messenger of a command, as its flags say.
func NewMessenger(c *cli.Context) *Messenger {
	m := To(c.App.ErrWriter)
	m.verbose, m.Quiet = c.Bool("verbose"), c.Bool("quiet")
	if f, ok := m.w.(*os.File); ok {
		m.Terminal = isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
		m.line.width = func() int { return terminalWidth(f) }
	}
	return m
}

// To returns a messenger that writes on w, which is no terminal.
func To(w io.Writer) *Messenger {
	return &Messenger{w: w, Start: time.Now(), line: progressLine{clock: time.Now}}
}

// OnTerminal returns a messenger that writes on w as on a terminal of so many columns.
// It takes the time from clock.
func OnTerminal(w io.Writer, columns int, clock func() time.Time) *Messenger {
	return &Messenger{w: w, Terminal: true, Start: clock(), line: progressLine{clock: clock, width: func() int { return columns }}}
}

// Phase reports the end of a phase, with -v.
func (m *Messenger) Phase(format string, arguments ...any) {
	if m.verbose && !m.Quiet {
		defer m.alone()()
		fmt.Fprintf(m.w, "pnmc: [%6.2fs] %s\n", time.Since(m.Start).Seconds(), wording.Printable(fmt.Sprintf(format, arguments...)))
	}
}

// Explain writes what --explain asks for.
func (m *Messenger) Explain(format string, arguments ...any) {
	defer m.alone()()
	fmt.Fprintln(m.w, wording.Printable(fmt.Sprintf(format, arguments...)))
}

// Say writes a message that is no error, unless it is to be quiet.
func (m *Messenger) Say(format string, arguments ...any) {
	if !m.Quiet {
		defer m.alone()()
		fmt.Fprint(m.w, wording.Complaint(fmt.Sprintf(format, inPlainWords(arguments)...)))
	}
}

// inPlainWords returns arguments of a message, with errors as unpack.Words writes them.
func inPlainWords(arguments []any) []any {
	told := slices.Clone(arguments)
	for i, a := range told {
		if err, isError := a.(error); isError {
			told[i] = unpack.Words(err)
		}
	}
	return told
}

// TellClaim reports, once, that a claim of the net's units was found to be false. Net
// may be nil.
func (m *Messenger) TellClaim(net *petri.Net) {
	if m.claimed || net == nil || net.FalseClaim() == nil {
		return
	}
	m.claimed = true
	m.Say("warning: %v", net.FalseClaim())
}

// Fail reports an error.
func (m *Messenger) Fail(format string, arguments ...any) {
	defer m.alone()()
	fmt.Fprint(m.w, wording.Complaint(fmt.Sprintf(format, inPlainWords(arguments)...)))
}

// Progress shows how far the exploration for what is: so many firings between so many
// markings, and how fast.
func (m *Messenger) Progress(what string, firings, markings int64) {
	m.lines.Lock()
	defer m.lines.Unlock()
	elapsed, first, due := m.line.due(firings)
	if !m.Terminal || m.Quiet || !due {
		return
	}
	m.line.draw(m.w, progressParts(what, firings, markings, float64(firings-first)/elapsed.Seconds()))
}

// Clear takes the progress off the terminal; what follows is the progress of something
// else.
func (m *Messenger) Clear() { m.alone()() }

// alone takes the progress off the terminal, and keeps others from writing until done.
func (m *Messenger) alone() (done func()) {
	m.lines.Lock()
	if m.line.shown {
		fmt.Fprint(m.w, eraseLine)
	}
	m.line = progressLine{clock: m.line.clock, width: m.line.width}
	return m.lines.Unlock
}

// Beside returns standard error for others, with the progress taken off.
func (m *Messenger) Beside() io.Writer { return beside{m} }

// beside writes to standard error what others tell, with the progress taken off.
type beside struct{ m *Messenger }

// Write takes the progress off the terminal, and writes text as one piece.
func (b beside) Write(text []byte) (int, error) {
	defer b.m.alone()()
	return b.m.w.Write(text)
}
