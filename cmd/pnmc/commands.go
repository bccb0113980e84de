package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"pnmc/cmd/pnmc/internal/batches"
	"pnmc/cmd/pnmc/internal/comparing"
	"pnmc/cmd/pnmc/internal/measure"
	"pnmc/cmd/pnmc/internal/progress"
	"pnmc/cmd/pnmc/internal/usage"
	"pnmc/internal/process"
)

// commands returns all commands of pnmc, in the order in which help lists them. What a row names
// is in the command's own file: its text, its flags, and what it does.
//
// Arguments stand in ArgsUsage where they follow the options. A command that is better shown by
// examples has these in UsageText instead. Hidden commands are started by pnmc itself, or by jobs
// that it handed to a scheduler. Each command checks its flags before it runs, and reports its exit
// codes in its help.
func commands() []*cli.Command {
	list := []*cli.Command{
		{Name: "states", Usage: "count the reachable markings of a net, or states of a model in ETF",
			Description: statesDescription, Flags: statesFlags(), Action: statesAction},
		{Name: "convert", Usage: "read a net, a model in ETF or automata and write them in another format",
			Description: convertDescription, Flags: convertFlags(), Action: convertAction},
		{Name: "unfold", Usage: "write the place/transition net of a symmetric net",
			Description: unfoldDescription, Flags: unfoldFlags(), Action: unfoldAction},
		{Name: "reduce", Usage: "write a smaller net that has the same answers",
			Description: reduceDescription, Flags: reduceFlags(), Action: reduceAction},
		{Name: "view", ArgsUsage: "net.pnml", Usage: "write a page that draws a net, to be played by hand in a browser",
			Description: viewDescription, Flags: viewFlags(), Action: viewAction},
		{Name: "play", ArgsUsage: "net.pnml [trace.json]", Usage: "play the token game of a net in the terminal",
			Description: playDescription, Flags: playFlags(), Action: playAction},
	}
	process.ForgetProgram() // what describes them, of which one is wanted
	list = append(list, []*cli.Command{
		{Name: "intersect", UsageText: "pnmc intersect" + comparing.TwoStreams, Usage: "tell whether automata accept a word in common",
			Description: comparing.Intersection().Text(), Flags: comparing.Intersection().Flags(), Action: comparing.Intersection().Run},
		{Name: "include", UsageText: "pnmc include" + comparing.TwoStreams, Usage: "tell whether automata accept all words of others",
			Description: comparing.Containment().Text(), Flags: comparing.Containment().Flags(), Action: comparing.Containment().Run},
		{Name: "equivalent", UsageText: "pnmc equivalent" + comparing.TwoStreams, Usage: "tell whether automata accept the same words",
			Description: comparing.Equivalence().Text(), Flags: comparing.Equivalence().Flags(), Action: comparing.Equivalence().Run},
		{Name: "translate", UsageText: translateExamples, Usage: "print automata of temporal formulas",
			Description: translateDescription, Flags: translateFlags(), Action: translateAction},
		{Name: "cross", UsageText: comparing.CrossExample, Usage: "compare translators of temporal formulas with one another",
			Description: comparing.CrossDescription, Flags: comparing.CrossFlags(), Action: comparing.Cross},

		{Name: "mcc", ArgsUsage: "[FOLDER|FOLDER/model.pnml]", Usage: "answer an examination of the Model Checking Contest",
			Description: mccDescription, Flags: mccFlags(), Action: mccAction},
		{Name: "batch", ArgsUsage: "FOLDER|ARCHIVE... | --status|--wait|--cancel|--report [RESULTS]",
			Usage:       "answer examinations of many contest instances, and report how well",
			Description: batchDescription, Flags: batchFlags(), Action: batches.Run},
		{Name: "bench", Usage: "measure how kinds of automata compare on the same properties",
			Description: benchDescription, Flags: benchFlags(), Action: measure.Bench},
		{Name: measure.CommandName, Hidden: true, Usage: "make measurements for bench, which starts this",
			Description: "Standard input and output carry values in a form that is bench's and this command's own.",
			Action:      measure.One},
		{Name: batches.TaskCommand, Hidden: true, ArgsUsage: "RECORD [NUMBER]",
			Usage:       "run a task of a batch, for a scheduler, which starts this",
			Description: "Without a number it is that of the variable SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX.",
			Flags:       progress.Flags(), Action: batches.Task},

		{Name: "completion", ArgsUsage: "bash|zsh|fish", Usage: "print a shell completion script",
			Description: completionDescription, BashComplete: offerShells, Action: completionAction},
		{Name: "man", ArgsUsage: "[COMMAND]", Usage: "print a manual page, made from the same text as --help",
			Description: manDescription, Flags: manFlags(), BashComplete: offerCommands, Action: manAction},
	}...)
	for _, c := range list {
		c.OnUsageError = usage.OnError
		c.Before = usage.CheckFlags(c.Name, c.Flags)
		c.Description = strings.TrimSpace(c.Description + "\n\n" + exitCodesOf(c.Name))
	}
	return list
}
