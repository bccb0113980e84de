package questions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/usage"
)

// Questions are asked by flags, any number of them, mixed, and are answered in the order
// of the command line. The library keeps no order between different flags, so that the
// arguments are looked through again.

// asked is a flag that asks something, with its value.
type asked struct{ flag, value string }

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

// Flags ask.
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
		&cli.StringSliceFlag{Name: "bound", Usage: "ask for the largest value of this `SUM` of places, such as 'p1 + 2*p2'"},
		&cli.BoolFlag{Name: "deadlock", Usage: "ask whether a deadlock is reachable"},
		&cli.BoolFlag{Name: "live", Usage: "ask whether each transition can always fire again"},
		&cli.BoolFlag{Name: "quasi-live", Usage: "ask whether each transition can fire at some time"},
		&cli.BoolFlag{Name: "safe", Usage: "ask whether no place ever has two tokens"},
		&cli.BoolFlag{Name: "stable", Usage: "ask whether some place always has as many tokens as at first"},
		file("queries", "read property files of the Model Checking Contest, or TAPAAL's queries in XML,"),
	}
}

// allAsked are the flags that ask, as the command line has them.
func allAsked(c *cli.Context) []asked {
	arguments, _ := c.App.Metadata[usage.ArgumentsKey].([]string)
	var list []asked
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
			list = append(list, asked{name, value})
		}
	}
	return list
}

func flagCalled(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// checkAsked refuses what can't be asked together, or not of the model that the flags
// name, or not by the approach.
func checkAsked(c *cli.Context, list []asked, approach product.Approach) error {
	standard := "" // the flag that takes standard input
	for _, flag := range []string{"pnml", "etf"} {
		if c.String(flag) == "-" {
			standard = flag
		}
	}
	for _, a := range list {
		if a.value == "-" && slices.Contains(fileFlags, a.flag) {
			if standard != "" {
				return exit.UsageError("--%s and --%s can't both be standard input", standard, a.flag)
			}
			standard = a.flag
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
		case slices.Contains(linearFlags, a.flag):
		case c.String("etf") != "":
			return exit.UsageError("--%s: models in ETF are checked against formulas of linear temporal logic and automata", a.flag)
		default:
			return exit.UsageError("--%s is decided by --approach auto: %v checks formulas of linear temporal logic and automata", a.flag, approach)
		}
	}
	return nil
}

// place tells where a property is that has no name of its own.
func place(file string, number int) string { return fmt.Sprintf("%s:%d", file, number) }

// viewed reports whether the command is that which shows a net, whatever is asked.
func viewed(c *cli.Context) bool { return c.Command != nil && c.Command.Name == "view" }
