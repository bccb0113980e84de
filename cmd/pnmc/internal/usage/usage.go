// Package usage looks at the arguments before a command does.
//
// In come the arguments and the flags of the commands. Out go the arguments in the order that
// the library understands, messages that say what was probably meant, and the values that a
// shell offers for a flag. Next is package main, which asks it before a command begins.
package usage

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/suggest"
)

// Check reports mistakes for which the library has misleading words: a command behind
// flags, or help for a command that does not exist.
//
// For example, of pnmc --pnml net.pnml states the library would run the main command with an
// argument "states". Check says instead: the command comes first: pnmc states --pnml net.pnml.
// The value of a flag is passed over, so that a file called states is no command.
func Check(app *cli.App, arguments []string) error {
	if len(arguments) < 2 || slices.Contains(arguments, completionRequest) {
		return nil
	}
	rest := arguments[1:]
	switch first := rest[0]; {
	case first == "help" || first == "h":
		if len(rest) > 1 && !strings.HasPrefix(rest[1], "-") && rest[1] != "help" && app.Command(rest[1]) == nil {
			return UnknownCommand(app, rest[1])
		}
		return nil
	case !strings.HasPrefix(first, "-"):
		return nil
	}
	for i := 0; i < len(rest) && rest[i] != "--"; i++ {
		if strings.HasPrefix(rest[i], "-") {
			if TakesValue(app.Flags, rest[i]) {
				i++
			}
		} else if app.Command(rest[i]) != nil {
			return commandFirst(app, i, rest)
		}
	}
	return nil
}

// commandFirst says that the command, words[at], comes before its flags, and shows how, if
// the command has all the flags that were given.
func commandFirst(app *cli.App, at int, words []string) error {
	command := app.Command(words[at])
	others := slices.Concat(words[:at], words[at+1:])
	for i, w := range others {
		if w == "--" {
			break
		}
		given, _, _ := strings.Cut(w, "=")
		name := strings.TrimLeft(given, "-")
		if len(w) < 2 || w[0] != '-' || i > 0 && TakesValue(app.Flags, others[i-1]) {
			continue
		}
		if !slices.ContainsFunc(command.VisibleFlags(), func(f cli.Flag) bool { return slices.Contains(f.Names(), name) }) {
			return exit.UsageError("the command comes first, and %s has no flag %s: see pnmc %s --help", command.Name, given, command.Name)
		}
	}
	return exit.UsageError("the command comes first: %s", shellWords(slices.Concat([]string{app.Name, words[at]}, others)))
}

// shellWords returns words as a shell reads them.
func shellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`!*?[](){}<>|&;~#^") {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// UnknownCommand refuses a command that does not exist, and suggests others.
func UnknownCommand(app *cli.App, name string) error {
	var known []string
	for _, c := range app.Commands {
		known = append(known, c.Name)
	}
	if hint := netHint(name); hint != "" {
		return exit.UsageError("no command %q%s", name, hint)
	}
	return exit.UsageError("no command %q%s (see pnmc --help)", name, suggest.DidYouMean(name, known))
}

// undefinedFlag begins the library's message about a flag that does not exist.
const undefinedFlag = "flag provided but not defined: -"

// OnError returns what is wrong with the flags of a command.
func OnError(c *cli.Context, err error, _ bool) error {
	help := "pnmc --help"
	flags, command := c.App.Flags, ""
	if c.Command != nil && c.Command.Name != c.App.Name {
		command = c.Command.Name
		help, flags = "pnmc "+c.Command.Name+" --help", c.Command.Flags
	}
	name, undefined := strings.CutPrefix(err.Error(), undefinedFlag)
	if !undefined {
		if told := wrongNumber(flags, err.Error()); told != "" {
			return exit.UsageError("%s", told)
		}
		return exit.With(exit.Usage, fmt.Errorf("%w (see %s)", err, help))
	}
	if name = strings.TrimLeft(name, "-"); len(name) == 1 { // no word that could be misspelled
		return exit.UsageError("no flag -%s (see %s)", name, help)
	}
	known := []string{"--help"}
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				known = append(known, "--"+n)
			}
		}
	}
	if hint := undefinedFlagHint(command, name); hint != "" {
		return exit.UsageError("no flag --%s%s (see %s)", name, hint, help)
	}
	return exit.UsageError("no flag --%s%s (see %s)", name, suggest.DidYouMean("--"+name, known), help)
}

// wrongNumber returns what a flag expects that takes a number but was given something else. It
// reads that from the message of the library. It returns nothing if the message is about
// another mistake.
func wrongNumber(flags []cli.Flag, message string) string {
	for _, f := range flags {
		expected := ""
		switch f.(type) {
		case *cli.IntFlag:
			expected = "a whole number"
		case *cli.Uint64Flag:
			expected = "a whole number from 0 on"
		case *cli.Float64Flag:
			expected = "a number"
		default:
			continue
		}
		for _, name := range f.Names() {
			rest, isOf := strings.CutPrefix(message, "invalid value ")
			given, _, ends := strings.Cut(rest, " for flag -"+name+": ")
			if isOf && ends {
				return fmt.Sprintf("--%s: expected %s, found %s", f.Names()[0], expected, given)
			}
		}
	}
	return ""
}

// SeveralValues are the flags that take values with commas between them.
var SeveralValues = []string{"approaches", "examinations", "without"}

// checkValue refuses a value that is none of a flag's, if those are few. A wrong
// examination has an answer of its own.
func checkValue(c *cli.Context, command, flag string) error {
	values := FlagValues(command, flag)
	if len(values) == 0 || !c.IsSet(flag) || flag == "examination" || slices.Contains(SeveralValues, flag) || slices.Contains(values, c.String(flag)) {
		return nil
	}
	last := len(values) - 1
	return exit.UsageError("--%s: expected %s or %s, found %q", flag, strings.Join(values[:last], ", "), values[last], c.String(flag))
}

// inputFlags name files that a command reads, of which one can be standard input.
var inputFlags = []string{"pnml", "etf", "hoa", "tgta", "ltl-file", "ctl-file", "queries", "formulas", "ap", "complement", "first-complement"}

// TextFlags ask about a text: one that is empty is a question that can't be answered, and
// the others are.
var TextFlags = []string{"ltl", "ctl", "reachable", "invariant", "bound", "formula"}

// textCommands take texts as arguments, the other ones names and command lines.
var textCommands = []string{"translate", "completion"}

// checkEmpty refuses values and arguments without a character, as those of variables that
// are not set.
func checkEmpty(c *cli.Context, command string, flags []cli.Flag) error {
	for _, f := range flags {
		name, expected := f.Names()[0], "a value"
		var given []string
		switch f := f.(type) {
		case *cli.StringFlag:
			given = []string{c.String(name)}
			if f.TakesFile {
				expected = "a name"
			}
		case *cli.StringSliceFlag:
			given = c.StringSlice(name)
			if f.TakesFile {
				expected = "a name"
			}
		}
		if c.IsSet(name) && slices.Contains(given, "") && !slices.Contains(TextFlags, name) {
			return exit.UsageError("--%s: expected %s, found none", name, expected)
		}
	}
	if slices.Contains(c.Args().Slice(), "") && !slices.Contains(textCommands, command) && command != "" {
		return exit.UsageError("expected a name, found an empty argument")
	}
	return nil
}

// CheckFlags refuses, before anything is read, what checkEmpty does, several flags of a
// command that name standard input, values that a flag can't have, and two files for a flag that names one.
func CheckFlags(command string, flags []cli.Flag) cli.BeforeFunc {
	return func(c *cli.Context) error {
		standard := ""
		if err := checkTwice(c, command, flags); err != nil {
			return err
		}
		if err := checkFilesDiffer(c, flags); err != nil {
			return err
		}
		if n := c.Int("sets"); n < 0 && c.IsSet("sets") {
			return exit.UsageError("--sets: expected a number from 0 on, found %d", n)
		}
		for _, f := range flags {
			if err := checkValue(c, command, f.Names()[0]); err != nil {
				return err
			}
		}
		if err := checkEmpty(c, command, flags); err != nil {
			return err
		}
		for _, f := range flags {
			name, takesFile := f.Names()[0], false
			var given []string
			switch f := f.(type) {
			case *cli.StringFlag:
				takesFile, given = f.TakesFile, []string{c.String(name)}
			case *cli.StringSliceFlag:
				takesFile, given = f.TakesFile, c.StringSlice(name)
			}
			if !takesFile || !c.IsSet(name) {
				continue
			}
			for _, path := range given {
				switch {
				case path != "-" || !slices.Contains(inputFlags, name):
				case standard != "":
					return exit.UsageError("--%s and --%s can't both be standard input", standard, name)
				default:
					standard = name
				}
			}
		}
		return nil
	}
}

// outputFlags name files that commands write.
var outputFlags = []string{"output", "trace", "report", "csv", "json", "map", "emit-jobs"}

// checkFilesDiffer refuses a file that is to be written by two flags, or is read by another
// one. Only -o may name what is read: convert -o replaces a file when it has been read.
//
// For example, of --csv x --json x one would be lost, and --queries x --trace x would destroy the
// questions. Paths are compared as files, so that ./x and a link to x are x too.
func checkFilesDiffer(c *cli.Context, flags []cli.Flag) error {
	type named struct{ flag, path string }
	var files []named
	for _, f := range flags {
		name := f.Names()[0]
		switch f := f.(type) {
		case *cli.StringFlag:
			if f.TakesFile && c.IsSet(name) {
				files = append(files, named{name, c.String(name)})
			}
		case *cli.StringSliceFlag:
			if f.TakesFile {
				for _, path := range c.StringSlice(name) {
					files = append(files, named{name, path})
				}
			}
		}
	}
	for _, written := range files {
		if !slices.Contains(outputFlags, written.flag) {
			continue
		}
		for _, other := range files {
			replaces := written.flag == "output" && !slices.Contains(outputFlags, other.flag)
			if other != written && !replaces && sameFile(written.path, other.path) {
				return exit.UsageError("--%s and --%s name the same file, %s", written.flag, other.flag, other.path)
			}
		}
	}
	return nil
}

// sameFile reports whether two paths name one file, which need not be there. Devices and
// streams may be named twice.
func sameFile(a, b string) bool {
	if a == "-" || b == "-" || a == "" || b == "" {
		return false
	}
	first, firstErr := os.Stat(a)
	second, secondErr := os.Stat(b)
	if firstErr == nil && secondErr == nil {
		return os.SameFile(first, second) && (first.Mode().IsRegular() || first.IsDir())
	}
	whole, err := filepath.Abs(a)
	other, otherErr := filepath.Abs(b)
	return firstErr != nil && secondErr != nil && err == nil && otherErr == nil && whole == other
}
