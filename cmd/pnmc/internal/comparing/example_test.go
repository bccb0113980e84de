package comparing_test

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/comparing"
)

// The automata of the file say GF a, FG a, and GF a & GF b. Which of them lie in which? A row for
// each of them says that FG a and GF a & GF b lie in GF a, and each in itself.
func ExampleComparison_Run() {
	flags := flag.NewFlagSet("include", flag.ContinueOnError)
	flags.String("format", "text", "")
	flags.Bool("quiet", true, "")
	const path = "../../../../testdata/recurrence.hoa"
	if err := flags.Parse([]string{path, path}); err != nil {
		fmt.Println(err)
	}
	app := cli.NewApp()
	app.Writer = os.Stdout
	c := cli.NewContext(app, flags, nil)
	c.Context = context.Background()
	if err := comparing.Containment().Run(c); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 100
	// 110
	// 101
}
