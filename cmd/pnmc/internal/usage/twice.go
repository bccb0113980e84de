package usage

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
)

// checkTwice refuses a flag that takes one value and is given two that differ: the library would take the
// last, and a file of questions named by the first would be lost without a word. The same value may be given
// again, and switches may be. A variable of the environment gives way to a flag, and is no second value.
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
		if before, twice := given[name]; twice && before != value && !isSlice(flags, name) {
			return exit.UsageError("--%s: expected one value, found %q and %q", name, before, value)
		}
		given[name] = value
	}
	return nil
}

// isSlice reports whether a flag may be repeated.
func isSlice(flags []cli.Flag, name string) bool {
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return f.Names()[0] == name })
	if i < 0 {
		return false
	}
	f, is := flags[i].(cli.DocGenerationSliceFlag)
	return is && f.IsSliceFlag()
}
