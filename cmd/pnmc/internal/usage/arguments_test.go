package usage_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/usage"
)

// application has a flag of its own and a command.
func application() *cli.App {
	return &cli.App{
		Name: "pnmc", Writer: os.Stdout,
		Flags: []cli.Flag{&cli.StringFlag{Name: "pnml"}},
		Commands: []*cli.Command{{
			Name:  "translate",
			Flags: []cli.Flag{&cli.StringFlag{Name: "to"}, &cli.BoolFlag{Name: "utf8"}},
		}},
	}
}

func ExampleFlagsFirst() {
	fmt.Println(strings.Join(usage.FlagsFirst(application(), []string{"pnmc", "translate", "G a", "--to", "ba", "--utf8", "F b"}), " "))
	// Output: pnmc translate --to ba --utf8 G a F b
}

func ExampleCheck() {
	fmt.Println(usage.Check(application(), []string{"pnmc", "--to", "ba", "translate", "G a"}))
	// Output: the command comes first: pnmc translate --to ba 'G a'
}

func ExampleOfferValues() {
	offered := usage.OfferValues(application(), []string{"pnmc", "translate", "--to", "", "--generate-bash-completion"})
	fmt.Println(offered)
	// Output:
	// tgba
	// ba
	// ta
	// gta
	// tgta
	// :only
	// true
}
