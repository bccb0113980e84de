package usage

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
)

// checkTwice refuses a flag that names one file, or folder, and is given two that differ: the library would take the last, and what is
// in the other would be lost without a word. The same name may be given again. Of other flags the last value counts, so that one may
// be added to a command line that a script makes. A variable of the environment gives way to a flag, and is no second value.
//
// For example, of --pnml a.pnml --pnml=b.pnml one net would never be read.
func checkTwice(c *cli.Context, command string, flags []cli.Flag) error {
	arguments, _ := c.App.Metadata[ArgumentsKey].([]string)
	if len(arguments) < 2 {
		return nil
	}
	rest := arguments[1:]
	if c.App.Command(rest[0]) != nil {
		if command == "" { // the flags are those of a command, and are looked at there
			return nil
		}
		rest = rest[1:]
	}
	given := make(map[string]string)
	for ; len(rest) > 0; rest = rest[1:] {
		word, value, one := strings.Cut(rest[0], "=")
		if len(word) < 2 || word[0] != '-' || word == "--" {
			return nil // what follows are arguments
		}
		if !TakesValue(flags, word) {
			continue
		}
		if !one {
			if len(rest) < 2 {
				return nil // the library tells what is missing
			}
			rest = rest[1:]
			value = rest[0]
		}
		name := primaryName(flags, word)
		if before, twice := given[name]; twice && before != value && isOneFile(flags, name) {
			return exit.UsageError("--%s: expected one name, found %q and %q", name, before, value)
		}
		given[name] = value
	}
	return nil
}

// isOneFile reports whether a flag names a file, and may not be repeated.
func isOneFile(flags []cli.Flag, name string) bool {
	return slices.ContainsFunc(flags, func(f cli.Flag) bool {
		text, is := f.(*cli.StringFlag)
		return is && text.Name == name && text.TakesFile
	})
}
