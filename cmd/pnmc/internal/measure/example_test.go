package measure_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/measure"
)

// Two kinds of automata are compared as a means to check the same formula. The table of verified
// properties has a row of averages for each. Its times differ from run to run, and are left out here.
func ExampleBench() {
	folder, err := os.MkdirTemp("", "bench-")
	must(err)
	defer os.RemoveAll(folder)
	formulas := filepath.Join(folder, "formulas.ltl")
	must(os.WriteFile(formulas, []byte("G (\"fork0 <= 1\")\n"), 0o600))

	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.String("pnml", "../../../../testdata/philosophers.pnml", "")
	flags.String("approaches", "ba,tgta", "")
	flags.String("ltl-syntax", "spot", "")
	flags.Int("jobs", 1, "")
	flags.Duration("timeout", time.Minute, "")
	flags.Bool("quiet", true, "")
	flags.Var(cli.NewStringSlice(formulas), "formulas", "")
	var table strings.Builder
	app := cli.NewApp()
	app.Writer = &table
	c := cli.NewContext(app, flags, nil)
	c.Context = context.Background()
	must(measure.Bench(c))
	for row := range strings.Lines(table.String()) {
		if words := strings.Fields(row); len(words) == 12 && words[4] == "avg" {
			fmt.Println(words[3], "has", words[5], "states, and", words[7], "in the product")
		}
	}
	// Output:
	// ba has 2 states, and 27 in the product
	// tgta has 1 states, and 27 in the product
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
