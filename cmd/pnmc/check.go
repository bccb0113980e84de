package main

import (
	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/approach"
	"pnmc/cmd/pnmc/internal/asked"
	"pnmc/cmd/pnmc/internal/input"
	"pnmc/cmd/pnmc/internal/limits"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/questions"
	"pnmc/cmd/pnmc/internal/told"
	"pnmc/cmd/pnmc/internal/usage"
)

// checkFlags returns the flags of the main command, most of which view has, too.
func checkFlags() []cli.Flag {
	flags := append(input.NetFlags(), input.ETFFlag("to be checked on decision diagrams"), input.SetsFlag())
	flags = append(append(flags, asked.Flags()...), input.TranslatorFlags()...)
	flags = append(flags,
		&cli.StringFlag{Name: "ap", Usage: "read from `FILE` what names of propositions mean, a line 'name: expression' each", TakesFile: true},
		&cli.StringFlag{Name: "name", Usage: "call the property `NAME`, and further ones NAME-2, NAME-3, …"},
		input.StrictFlag(),
		told.FormatFlag(),
		&cli.StringFlag{Name: "trace", Usage: "write runs that show verdicts to `FILE`, as JSON if it ends in .json, as a page for a browser if it ends in .html; - is standard output", TakesFile: true},
		questions.RunFormatFlag(),
		&cli.BoolFlag{Name: "stream", Usage: "print verdicts as they are known, not in the order of the questions"},
	)
	total := limits.DurationFlag("total-timeout", 0, "give up what is not decided `TIME` after the start")
	total.DefaultText = "none"
	flags = append(append(flags, approach.Flags()...), limits.Flags(" (each question has it anew)")...)
	flags = append(flags, limits.DiskFlags("look for what --reachable, --invariant and --deadlock ask in files in this `DIR`, which go at the end, once memory does not suffice")...)
	return append(append(flags,
		total,
		&cli.IntFlag{Name: "threads", Usage: "let at most `NUMBER` engines work at the same time, which use the threads that are left for further questions and to explore; with 1, what comes out does not depend on the time that they take; with --approach tgba, ba, tgta or ta, how many threads search each product, one if not told", DefaultText: "as many as there are"},
		&cli.Uint64Flag{Name: "seed", Usage: "random choices follow from `NUMBER`"},
		&cli.BoolFlag{Name: "explain", Usage: "tell on standard error which engine decided what, and when"},
	), append(progress.Flags(),
		&cli.BoolFlag{Name: "version", Usage: "print the version, that of Go, and the build"},
	)...)
}

// checkAction decides what the flags ask, or helps who asks nothing.
func checkAction(c *cli.Context) error {
	if c.Args().Present() {
		return usage.UnknownCommand(c.App, c.Args().First())
	}
	if c.NumFlags() == 0 {
		return cli.ShowAppHelp(c)
	}
	if c.Bool("version") {
		return printVersion(c.App.Writer)
	}
	return questions.Answer(c)
}
