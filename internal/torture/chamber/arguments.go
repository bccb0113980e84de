package chamber

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"pnmc/internal/torture/draw"
	"pnmc/internal/torture/form"
)

// subcommands are the commands of pnmc by name, without the main one.
func subcommands() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(documented)), func(name string) bool { return name == "" })
}

// help asks for help, a manual page or a completion script, or gives a command arguments that it
// can't have. Help is printed whole, with exit code 0; wrong arguments are told, with exit code 3.
func (d *drawing) help() {
	d.Time = 2 * time.Second
	command := draw.Pick(d.Source, subcommands()...)
	if d.Kind == "arguments-wrong" {
		if command == "help" {
			command = "states"
		}
		d.argue(draw.Pick(d.Source, [][]string{
			{command, "--no-such-flag"}, {"no-such-command"}, {"help", "no-such-command"}, {"--no-such-flag"}, {command, "--help=maybe", "x"},
			{command, "--timeout"}, {"--pnml"}, {"--pnml", "net.pnml", "--timeout", "soon", "--deadlock"}, {"--pnml", "net.pnml", "--max-memory", "much", "--deadlock"},
			{"--pnml", "net.pnml", "--deadlock=perhaps"}, {"--pnml", "net.pnml", "--threads", "-1", "--deadlock"}, {"--approach", "magic", "--pnml", "net.pnml", "--ltl", "p"},
			{"completion", "csh"}, {"man", "no-such-command"}, {"mcc", "--examination", "None"}, {"batch", "--examinations", "None", "."}, {"\xff\xfe"}, {"--ltl", "\xff", "\x00\x01"[:0]},
			{strings.Repeat("a", 100000)}, {"--" + strings.Repeat("a", 100000)}, {"--net-format", "magic", "--pnml", "net.pnml", "--deadlock"},
			{"--pnml", "net.pnml", "--deadlock", "--por", "perhaps"}, {"--pnml", "net.pnml", "--deadlock", "--without", "magic"},
		}...)...)
		if d.Arguments[0] == "mcc" {
			d.Line = contestLine
		}
		d.file("net.pnml", draw.NewNet(d.Source, "net-small").Text)
		d.Verdict = func(o *Outcome) []string {
			if o.Code < 3 {
				return []string{fmt.Sprintf("wrong arguments, and exit code %d", o.Code)}
			}
			return nil
		}
		return
	}
	switch d.IntN(5) {
	case 0:
		d.argue(draw.Pick(d.Source, []string{"--help"}, []string{"-h"}, []string{"help"}, []string{"h"})...)
	case 1:
		d.argue("completion", draw.Pick(d.Source, "bash", "zsh", "fish"))
	case 2:
		d.argue("man")
		if d.Chance(0.7) && command != "help" {
			d.argue(command)
		}
	case 3:
		d.argue("help", command)
	default:
		d.argue(command, draw.Pick(d.Source, "--help", "-h"))
	}
	d.Stdout = func(o *Outcome) error { return form.Ended(o.Stdout) }
	isHelp := slices.Contains(d.Arguments, "--help") || d.Arguments[0] == "help"
	d.Verdict = func(o *Outcome) (list []string) {
		if o.Code != 0 || len(o.Stdout) == 0 || len(o.Stderr) > 0 {
			list = append(list, fmt.Sprintf("exit code %d, %d bytes of help, and on standard error %q", o.Code, len(o.Stdout), firstLine(string(o.Stderr))))
		}
		for _, part := range []string{"NAME:\n", "USAGE:\n"} {
			if isHelp && !strings.Contains(string(o.Stdout), part) {
				list = append(list, "help without "+part)
			}
		}
		return list
	}
}
