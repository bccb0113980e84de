package asked_test

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"pnmc/checker/product"
	"pnmc/cmd/pnmc/internal/asked"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/usage"
)

// The order of the command line is kept between different flags, and what a named approach
// does not decide is refused.
func ExampleAll() {
	app := &cli.App{
		Name:  "pnmc",
		Flags: append(asked.Flags(), input.NetFlags()...),
		Action: func(c *cli.Context) error {
			list := asked.All(c)
			fmt.Println(list, list[0].IsSwitch(c), list[1].OfFile())
			fmt.Println(asked.Check(c, list, product.Auto))
			fmt.Println(asked.Check(c, list, product.ByTGBA))
			return nil
		},
	}
	arguments := []string{"pnmc", "--deadlock", "--ltl-file=p.ltl", "--ctl", "AG p", "--pnml", "n.pnml"}
	app.Metadata = map[string]any{usage.ArgumentsKey: arguments}
	if err := app.Run(arguments); err != nil {
		fmt.Println(err)
	}
	// Output:
	// [{deadlock } {ltl-file p.ltl} {ctl AG p}] true true
	// <nil>
	// --deadlock is decided by --approach auto: tgba checks formulas of linear temporal logic and automata
}
