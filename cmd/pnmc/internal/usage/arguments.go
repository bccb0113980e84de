package usage

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// FlagsFirst moves the flags among a command's arguments before the others, so that
// pnmc translate 'G a' --to ba is understood: the library takes what follows an
// argument for arguments. Arguments after -- stay as they are.
func FlagsFirst(app *cli.App, arguments []string) []string {
	if len(arguments) < 3 || slices.Contains(arguments, completionRequest) {
		return arguments
	}
	i := slices.IndexFunc(app.Commands, func(c *cli.Command) bool { return c.HasName(arguments[1]) })
	if i < 0 {
		return arguments
	}
	sorted := slices.Clone(arguments[:2])
	var others []string
	for rest := arguments[2:]; len(rest) > 0; rest = rest[1:] {
		switch argument := rest[0]; {
		case argument == "--":
			return slices.Concat(sorted, rest[:1], others, rest[1:])
		case len(argument) < 2 || argument[0] != '-':
			others = append(others, argument)
		default:
			sorted = append(sorted, argument)
			if len(rest) > 1 && TakesValue(app.Commands[i].Flags, argument) {
				rest = rest[1:]
				sorted = append(sorted, rest[0])
			}
		}
	}
	return append(sorted, others...)
}

// TakesValue reports whether the next argument belongs to one of the flags.
func TakesValue(flags []cli.Flag, argument string) bool {
	for _, f := range flags {
		if slices.Contains(f.Names(), strings.TrimLeft(argument, "-")) {
			_, isSwitch := f.(*cli.BoolFlag)
			return !isSwitch
		}
	}
	return false
}

// ArgumentsKey is where the app keeps its arguments.
const ArgumentsKey = "arguments"
