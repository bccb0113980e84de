// Package asked has the flags that ask about a net, in the order of the command line.
//
// In come the flags of a command and its arguments. Out goes a list of what they ask. Questions
// that can't be asked together are refused. Next is package questions, which answers the list.
package asked

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/usage"
)

// Flag is a flag that asks something, with its value.
type Flag struct{ Name, Value string }

// OfFile reports whether the flag asks what a file has.
func (f Flag) OfFile() bool { return slices.Contains(fileFlags, f.Name) }

// IsSwitch reports whether the flag asks by itself, without a value.
func (f Flag) IsSwitch(c *cli.Context) bool {
	_, is := flagCalled(c.App.Flags, f.Name).(*cli.BoolFlag)
	return is
}

// askingFlags are the flags that ask something; those that ask about files of questions,
// and those that ask by themselves, are among them.
var askingFlags = []string{
	"ltl", "ltl-file", "hoa", "tgta", "ctl", "ctl-file", "queries", "reachable", "invariant", "bound",
	"deadlock", "live", "quasi-live", "safe", "stable",
}

// fileFlags are the flags that ask what a file has.
var fileFlags = []string{"hoa", "tgta", "ltl-file", "ctl-file", "queries"}

// linearFlags are the flags whose questions named approaches decide.
var linearFlags = []string{"ltl", "ltl-file", "hoa", "tgta"}

// Flags returns the flags that ask.
func Flags() []cli.Flag {
	file := func(name, usage string) cli.Flag {
		return &cli.StringSliceFlag{Name: name, Usage: usage + " from `FILE`; - is standard input", TakesFile: true}
	}
	return []cli.Flag{
		file("hoa", "read automata of negated properties, in HOA or drawn by Spot's ltl2tgta,"),
		file("tgta", "likewise testing automata of negated properties, as Spot's ltl2tgta draws them,"),
		&cli.StringSliceFlag{Name: "ltl", Aliases: []string{"f"}, Usage: "ask whether all runs satisfy this `FORMULA` of linear temporal logic"},
		file("ltl-file", "read formulas of linear temporal logic, one a line, after 'name:' or not, with # before comments,"),
		&cli.StringFlag{Name: "ltl-syntax", Value: "spot", Usage: "read formulas of linear temporal logic in this `SYNTAX`: spot, spin or lbt"},
		&cli.StringSliceFlag{Name: "ctl", Usage: "ask whether the initial marking satisfies this `FORMULA` of CTL, such as 'AG EF p1 >= 2'"},
		file("ctl-file", "read formulas of CTL, as --ltl-file does,"),
		&cli.StringSliceFlag{Name: "reachable", Usage: "ask whether some reachable marking satisfies this `PREDICATE`"},
		&cli.StringSliceFlag{Name: "invariant", Usage: "ask whether all reachable markings satisfy this `PREDICATE`"},
		&cli.StringSliceFlag{Name: "bound", Usage: "ask for the largest value of this `SUM`, such as 'p1 + 2*p2' or 'p1 * p2'"},
		&cli.BoolFlag{Name: "deadlock", Usage: "ask whether a deadlock is reachable"},
		&cli.BoolFlag{Name: "live", Usage: "ask whether each transition can always fire again"},
		&cli.BoolFlag{Name: "quasi-live", Usage: "ask whether each transition can fire at some time"},
		&cli.BoolFlag{Name: "safe", Usage: "ask whether no place ever has two tokens"},
		&cli.BoolFlag{Name: "stable", Usage: "ask whether some place always has as many tokens as at first"},
		file("queries", "read property files of the Model Checking Contest, or TAPAAL's queries in XML,"),
	}
}

// All returns the flags that ask, as the command line has them: any number, mixed. The library
// keeps no order between different flags, so that the arguments are looked through again.
func All(c *cli.Context) []Flag {
	arguments, _ := c.App.Metadata[usage.ArgumentsKey].([]string)
	var list []Flag
	first, flags := 1, c.App.Flags
	if viewed(c) {
		first, flags = 2, c.Command.Flags // behind the command's name
	}
	for i := first; i < len(arguments); i++ {
		argument := arguments[i]
		if len(argument) < 2 || argument[0] != '-' || argument == "--" {
			break
		}
		name, value, given := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(argument, "-"), "-"), "=")
		flag := flagCalled(flags, name)
		if flag == nil {
			continue // which the library has refused
		}
		_, isSwitch := flag.(*cli.BoolFlag)
		if !isSwitch && !given && i+1 < len(arguments) {
			i++
			value = arguments[i]
		}
		name = flag.Names()[0]
		off := isSwitch && given && !c.Bool(name)
		if slices.Contains(askingFlags, name) && !off && (isSwitch || value != "" || !slices.Contains(fileFlags, name)) {
			list = append(list, Flag{name, value})
		}
	}
	return list
}

// flagCalled returns the flag that has this name among its names, or nil.
func flagCalled(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// Check refuses what can't be asked together, or not of the model that the flags
// name, or not by the approach.
func Check(c *cli.Context, list []Flag, approach product.Approach) error {
	standard := "" // the flag that takes standard input
	for _, flag := range []string{"pnml", "etf"} {
		if c.String(flag) == "-" {
			standard = flag
		}
	}
	for _, a := range list {
		if a.Value == "-" && a.OfFile() {
			if standard != "" {
				return exit.UsageError("--%s and --%s can't both be standard input", standard, a.Name)
			}
			standard = a.Name
		}
	}
	if err := input.CheckModelFlags(c); err != nil {
		return err
	}
	switch net := c.String("pnml") != "" || c.String("etf") != ""; {
	case len(list) == 0 && viewed(c):
	case len(list) == 0 && !net:
		return exit.UsageError("--pnml and a question such as --ltl or --hoa are missing: which net, and which property?")
	case len(list) == 0:
		return exit.UsageError("a question such as --ltl, --ctl, --hoa or --deadlock is missing: which property?")
	case !net:
		return exit.UsageError("--pnml is missing: which net?")
	}
	if approach == product.Auto {
		return nil
	}
	for _, a := range list {
		switch {
		case slices.Contains(linearFlags, a.Name):
		case c.String("etf") != "":
			return exit.UsageError("--%s: models in ETF are checked against formulas of linear temporal logic and automata", a.Name)
		default:
			return exit.UsageError("--%s is decided by --approach auto: %v checks formulas of linear temporal logic and automata", a.Name, approach)
		}
	}
	return nil
}

// viewed reports whether the command is that which shows a net, whatever is asked.
func viewed(c *cli.Context) bool { return c.Command != nil && c.Command.Name == "view" }
