package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/output"
)

const manDescription = `Without a command, that of pnmc itself. To read it:  pnmc man view | man -l -
With --output all pages are written into a folder, pnmc.1, pnmc-states.1 and so on.`

func manFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write all pages into `FOLDER`", TakesFile: true},
	}
}

// offerCommands lists for a shell what man can be asked about.
func offerCommands(c *cli.Context) {
	for _, command := range c.App.VisibleCommands() {
		fmt.Fprintln(c.App.Writer, command.Name)
	}
}

// manAction prints one page, or writes all of them into the folder of --output.
func manAction(c *cli.Context) error {
	if c.NArg() > 1 {
		return exit.UsageError("unexpected argument %q", c.Args().Get(1))
	}
	if folder := c.String("output"); folder != "" {
		if c.Args().Present() {
			return exit.UsageError("--output writes all pages; expected no command")
		}
		return writeManual(c.App, folder)
	}
	command := c.App.Command(c.Args().First())
	if c.Args().Present() && (command == nil || command.Hidden) {
		return exit.UsageError("there is no command %q", c.Args().First())
	}
	return manualPage(c.App.Writer, c.App, command)
}

// writeManual writes all pages into a folder.
func writeManual(app *cli.App, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return exit.InputError(err)
	}
	for _, command := range append([]*cli.Command{nil}, app.VisibleCommands()...) {
		if command != nil && command.Name == "help" {
			continue
		}
		var text bytes.Buffer
		if err := manualPage(&text, app, command); err != nil {
			return err
		}
		if err := output.Write(filepath.Join(folder, manualName(command)+".1"), text.Bytes()); err != nil {
			return exit.InputError(err)
		}
	}
	return nil
}

// manualName returns what the page of a command is called; that of pnmc itself has none.
func manualName(command *cli.Command) string {
	if command == nil {
		return "pnmc"
	}
	return "pnmc-" + command.Name
}

// manualPage writes the page of a command in the language of man, or that of pnmc itself.
func manualPage(w io.Writer, app *cli.App, command *cli.Command) error {
	p := &manual{}
	flags, usage, description := app.Flags, app.Usage, app.Description
	synopsis := strings.Split(app.UsageText, "\n")
	if command != nil {
		flags, usage, description = command.Flags, command.Usage, command.Description
		synopsis = []string{strings.TrimSpace("pnmc " + command.Name + " [options] " + command.ArgsUsage)}
	}
	name := manualName(command)
	fmt.Fprintf(p, ".TH %s 1 \"\" pnmc \"pnmc manual\"\n", strings.ToUpper(strings.ReplaceAll(name, "-", `\-`)))
	p.section("NAME")
	fmt.Fprintf(p, "%s \\- %s\n", strings.ReplaceAll(name, "-", `\-`), roff(usage))
	p.section("SYNOPSIS")
	p.literal(strings.Join(synopsis, "\n"))
	description, codes, _ := strings.Cut(description, "EXIT CODES:")
	p.section("DESCRIPTION")
	p.literal(strings.TrimSpace(description))
	p.section("OPTIONS")
	for _, f := range flags {
		if shown, ok := f.(cli.VisibleFlag); !ok || shown.IsVisible() {
			p.flag(f)
		}
	}
	if command == nil {
		p.section("COMMANDS")
		for _, c := range app.VisibleCommands() {
			if c.Name != "help" {
				fmt.Fprintf(p, ".TP\n.BR pnmc\\-%s (1)\n%s\n", roff(c.Name), roff(c.Usage))
			}
		}
	}
	p.section("EXIT STATUS")
	p.literal(strings.Trim(codes, "\n"))
	p.section("SEE ALSO")
	if command != nil {
		p.WriteString(".BR pnmc (1)\n")
	}
	p.WriteString("The book in the folder docs of the source.\n")
	_, err := w.Write(p.Bytes())
	return err
}

// manual is the text of a page.
type manual struct{ bytes.Buffer }

func (p *manual) section(title string) { fmt.Fprintf(p, ".SH %s\n", title) }

// literal writes text whose lines stay as they are: help is laid out for terminals.
func (p *manual) literal(text string) {
	p.WriteString(".nf\n")
	for _, line := range strings.Split(text, "\n") {
		p.WriteString(roff(line) + "\n")
	}
	p.WriteString(".fi\n")
}

// flag writes a flag with its names, value, text and default.
func (p *manual) flag(f cli.Flag) {
	d, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return
	}
	value, usage := placeholder(d.GetUsage())
	var names []string
	for _, n := range slices.Sorted(slices.Values(f.Names())) {
		dashes := "--"
		if len(n) == 1 {
			dashes = "-"
		}
		names = append(names, `\fB`+roff(dashes+n)+`\fR`)
	}
	slices.Reverse(names)
	head := strings.Join(names, ", ")
	if d.TakesValue() {
		if value == "" {
			value = "VALUE"
		}
		head += ` \fI` + roff(value) + `\fR`
	}
	if byDefault := d.GetDefaultText(); byDefault != "" && byDefault != "false" {
		usage += " (default: " + byDefault + ")"
	}
	fmt.Fprintf(p, ".TP\n%s\n%s\n", head, roff(usage))
}

// placeholder returns what a flag's text has in backquotes, and the text without them.
//
// For example, the text of "read the net from `FILE`" has FILE.
func placeholder(usage string) (value, text string) {
	before, rest, found := strings.Cut(usage, "`")
	value, after, closed := strings.Cut(rest, "`")
	if !found || !closed {
		return "", usage
	}
	return value, before + value + after
}

// roff returns text as man shows it: nothing of it is a request or an escape, and all of it is
// ASCII.
//
// For example, "don't use -x" becomes don\(aqt use \-x: a hyphen would be shown as another
// character, which cannot be copied to a shell, and an apostrophe at the start of a line would be
// a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\`").Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	var b strings.Builder
	for _, r := range text {
		if r < 128 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
