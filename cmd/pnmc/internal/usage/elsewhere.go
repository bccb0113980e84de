package usage

import (
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/internal/lazy"
)

// elsewhere says, for flags that other commands have, how a command takes what they name.
var elsewhere = lazy.Value[map[string]map[string]string]{Make: func() map[string]map[string]string {
	return map[string]map[string]string{
		"": {
			"formulas": "--ltl-file takes formulas", "formula": "--ltl takes a formula",
		},
		"translate": {
			"formulas": "--ltl-file takes formulas", "formula": "--ltl takes a formula",
		},
		"cross": {
			"ltl-file": "--formulas takes formulas", "ltl": "--formula takes a formula",
		},
		"bench": {
			"ltl-file": "--formulas takes formulas", "ltl": "--formulas takes a file of formulas",
			"formula": "--formulas takes a file of formulas",
			"hoa":     "--formulas takes automata in a file that ends in .hoa", "tgta": "--formulas takes automata in a file that ends in .dot",
		},
		"mcc":   {"pnml": "expected pnmc mcc FOLDER, or FOLDER/model.pnml"},
		"batch": {"pnml": "expected pnmc batch FOLDER, or an archive"},
	}
}}

// undefinedFlagHint returns how the command called so takes what a flag of others names, or
// empty.
func undefinedFlagHint(command, flag string) string {
	if hint := elsewhere.Get()[command][flag]; hint != "" {
		return "; " + hint
	}
	return ""
}

// UnexpectedArgument refuses an argument. One that looks like the file of a net is told
// what takes it.
func UnexpectedArgument(argument string) error {
	return exit.UsageError("unexpected argument %q%s", argument, netHint(argument))
}

// netHint returns how a net is named, if the argument looks like the name of a net's file.
func netHint(argument string) string {
	if !strings.HasSuffix(strings.TrimSuffix(argument, ".gz"), ".pnml") {
		return ""
	}
	return "; a net is named by a flag: " + shellWords([]string{"--pnml", argument})
}

// IsGiven reports whether a flag of the command is among its arguments, and not only in
// the environment.
func IsGiven(c *cli.Context, name string) bool {
	arguments, _ := c.App.Metadata[ArgumentsKey].([]string)
	for _, a := range arguments {
		if a == "--" {
			break
		}
		given, _, _ := strings.Cut(a, "=")
		if given == "-"+name || given == "--"+name {
			return true
		}
	}
	return false
}
