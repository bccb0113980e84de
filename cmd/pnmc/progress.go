package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v2"

	"pnmc/petri"
)

// messenger tells what goes on, on standard error: phases with -v, progress if
// it is a terminal, nothing with --quiet.
type messenger struct {
	w        io.Writer
	verbose  bool
	quiet    bool
	terminal bool
	bar      *progressbar.ProgressBar
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
	if f, ok := m.w.(*os.File); ok {
		m.terminal = isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd())
	}
	return m
}

// phase tells of the end of a phase, with -v.
func (m *messenger) phase(format string, arguments ...any) {
	if m.verbose && !m.quiet {
		m.clear()
		fmt.Fprintf(m.w, "pnmc: [%6.2fs] %s\n", time.Since(m.start).Seconds(), printable(fmt.Sprintf(format, arguments...)))
	}
}

// explain tells what --explain asks for.
func (m *messenger) explain(format string, arguments ...any) {
	m.clear()
	fmt.Fprintln(m.w, printable(fmt.Sprintf(format, arguments...)))
}

// say tells something that is no error, unless it is to be quiet.
func (m *messenger) say(format string, arguments ...any) {
	if !m.quiet {
		m.clear()
		fmt.Fprint(m.w, complaint(fmt.Sprintf(format, arguments...)))
	}
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
	m.clear()
	fmt.Fprint(m.w, complaint(fmt.Sprintf(format, arguments...)))
}

// progress shows how many states were met, and how fast.
func (m *messenger) progress(states, transitions int64) {
	if !m.terminal || m.quiet {
		return
	}
	if m.bar == nil {
		m.bar = progressbar.NewOptions64(-1,
			progressbar.OptionSetWriter(m.w),
			progressbar.OptionSetItsString("states"),
			progressbar.OptionShowIts(),
			progressbar.OptionShowCount(),
			progressbar.OptionThrottle(200*time.Millisecond),
			progressbar.OptionSpinnerType(14),
			progressbar.OptionClearOnFinish(),
		)
	}
	m.bar.Describe(fmt.Sprintf("%d transitions", transitions))
	_ = m.bar.Set64(states)
}

// jobs shows how many jobs are over, and which was the last.
func (m *messenger) jobs(over, of int, last string) {
	if !m.terminal || m.quiet {
		return
	}
	if m.bar == nil {
		m.bar = progressbar.NewOptions(of,
			progressbar.OptionSetWriter(m.w),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetWidth(30),
			progressbar.OptionClearOnFinish(),
		)
	}
	m.bar.Describe(last)
	_ = m.bar.Set(over)
}

// clear takes the progress off the terminal.
func (m *messenger) clear() {
	if m.bar != nil {
		_ = m.bar.Finish()
		_ = m.bar.Clear()
		m.bar = nil
	}
}
