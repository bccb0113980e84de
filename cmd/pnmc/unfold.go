package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/exit"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/petri/symmetric"
	"pnmc/pnml"
)

const unfoldDescription = `A place becomes one for each of its colours, a transition one for each binding;
their names tell which. What no token can reach is left out, and so are places
whose tokens never move, with the bindings that lack them. A net without
colours is written as it is.`

func unfoldFlags() []cli.Flag {
	return append(input.NetFlags(),
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` instead of standard output", TakesFile: true},
		&cli.BoolFlag{Name: "keep-all", Usage: "keep places that never change and transitions that never fire"},
		&cli.BoolFlag{Name: "merge", Usage: "merge colours that the net can't tell apart: fewer nodes, and markings that stand for many"},
		&cli.IntFlag{Name: "max-nodes", Value: symmetric.DefaultMaxNodes, Usage: "give up beyond `N` places and transitions"},
		limits.TimeoutFlag(""),
		limits.MemoryFlag(),
	)
}

// unfoldAction writes the unfolding of a net with colours, and any other net as it is.
func unfoldAction(c *cli.Context) error {
	if c.Args().Present() {
		return usage.UnexpectedArgument(c.Args().First())
	}
	if c.Bool("keep-all") && c.Bool("merge") {
		return exit.UsageError("expected one of --keep-all and --merge")
	}
	if c.Int("max-nodes") < 1 {
		return exit.UsageError("--max-nodes: expected a positive number, found %d", c.Int("max-nodes"))
	}
	return withDocument(c, []string{c.String("output")}, func(document pnml.Document) error {
		return writeUnfolded(c, document)
	})
}

// writeUnfolded writes the unfolding of what was read.
func writeUnfolded(c *cli.Context, document pnml.Document) error {
	net := document.Net
	if document.Symmetric != nil {
		unfolding, err := input.Unfold(c, document.Symmetric, symmetric.Options{
			KeepAll: c.Bool("keep-all"), DropConstant: !c.Bool("keep-all"),
			Merge: c.Bool("merge"), MaxNodes: c.Int("max-nodes"),
		})
		if err != nil {
			return err
		}
		net = unfolding.Net
	}
	return writeOutput(c, c.String("output"), func(w io.Writer) error { return pnml.Write(w, net) })
}
