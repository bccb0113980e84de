package main

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/cmd/pnmc/internal/exit"
)

// anyCommand is what exit codes mean where the command says nothing else.
var anyCommand = map[int]string{
	exit.Holds:    "the command did its work",
	exit.Unknown:  "interrupted, or a limit of time or memory was reached",
	exit.Usage:    "wrong usage",
	exit.Input:    "bad input: a file can't be read or used; or output can't be written",
	exit.Internal: "internal error",
}

// commandExitCodes is what exit codes mean to commands, apart from anyCommand.
var commandExitCodes = map[string]map[int]string{
	"pnmc": {
		exit.Holds:    "all properties hold: no answer is FALSE or unknown",
		exit.Violated: "some property is violated: an answer is FALSE",
		exit.Unknown:  "some verdict is unknown, and no property is violated",
		exit.Input: "bad input: a file can't be read, or a formula or automaton can't be used;\n" +
			"or output can't be written",
		exit.Internal: "internal error, such as a counterexample that doesn't replay",
	},
	"states": {exit.Unknown: "some counts are unknown: interrupted, or a limit was reached"},
	"view": {
		exit.Holds:    "the page is written, and all properties that were asked hold",
		exit.Violated: "some property is violated; the page is written, or a message says which limit\nit reached",
		exit.Unknown:  "some verdict is unknown, or the page reached a limit, and no property is violated",
		exit.Input:    "bad input: a file can't be read, or a formula can't be used; or the page can't be\nwritten",
		exit.Internal: "internal error, such as a run that doesn't replay",
	},
	"play": {
		exit.Holds:   "the player ended the game",
		exit.Unknown: "interrupted by a signal, or a limit was reached before the game began",
		exit.Usage:   "wrong usage, or there is no terminal",
		exit.Input:   "bad input: a file can't be read, or a run does not fire on the net",
	},
	"convert": {
		exit.Holds:   "all is written",
		exit.Unknown: "some automata are missing, as limits were reached or the user interrupted",
		exit.Input: "bad input: some automata can't be read, or are not of the kind that the\n" +
			"conversion needs; or output can't be written",
	},
	"intersect": {
		exit.Holds:    "some pair of automata has a word in common",
		exit.Violated: "none has",
		exit.Unknown:  "none is known to have one, and for some it is unknown",
	},
	"include": {
		exit.Holds:    "all words of the first are accepted by the second, in all pairs",
		exit.Violated: "not in all pairs",
		exit.Unknown:  "in all pairs where it is known, and in some it is unknown",
	},
	"equivalent": {
		exit.Holds:    "all pairs of automata are equivalent",
		exit.Violated: "not all are",
		exit.Unknown:  "all are for which it is known, and for some it is unknown",
	},
	"translate": {
		exit.Unknown: "a translation was given up: interrupted, or a limit was reached",
		exit.Input: "bad input: a formula is wrong, or has no automaton of the kind; or output\n" +
			"can't be written",
	},
	"cross": {
		exit.Holds:    "nothing differs",
		exit.Violated: "something does",
		exit.Unknown: "nothing does, but a translation failed or a check was given up; or interrupted,\n" +
			"or the total time is over",
	},
	"mcc": {
		exit.Holds:   "all that was asked could be read, however much was answered in time",
		exit.Unknown: "interrupted, or time or memory does not suffice to read the files",
		exit.Input:   "bad input: a file or a formula can't be read; or output can't be written",
	},
	"batch": {
		exit.Holds: "all runs are over, however much they answered; or they are submitted, listed,\n" +
			"planned or canceled",
		exit.Violated: "an answer is wrong, or contradicts another",
		exit.Unknown:  "interrupted, or the total time is over, or runs are missing where others run them",
		exit.Input: "bad input: a model, a property file or an archive can't be read, or an\n" +
			"instance lacks the file of an examination that is named; or output can't be\n" +
			"written, or Slurm refuses it or does not answer",
		exit.Internal: "internal error: a run crashed",
	},
	"bench": {
		exit.Unknown: "interrupted, or the total time is over, or a formula could not be translated\n" +
			"within the limits, or no check has a verdict; or measurements are missing\n" +
			"where others make them",
		exit.Input: "bad input: a file can't be read, or a formula is wrong: it is left out; or\n" +
			"output can't be written",
		exit.Internal: "internal error: two approaches contradict each other, or a check crashed",
	},
	"completion": {exit.Unknown: "", exit.Input: "output can't be written"},
	"man":        {exit.Input: "output can't be written"},
}

// exitCodesOf returns what --help says of the exit codes of a command.
//
// All commands share the meanings of anyCommand, and say otherwise only where they differ. So a
// code that is added to package exit is in the help of each command.
func exitCodesOf(command string) string {
	own := commandExitCodes[command]
	var text strings.Builder
	text.WriteString("EXIT CODES:")
	for code := exit.Holds; code <= exit.Internal; code++ {
		meaning, ok := own[code]
		if !ok {
			meaning = anyCommand[code]
		}
		for i, line := range slices.Collect(strings.Lines(meaning)) {
			label := fmt.Sprint(code)
			if i > 0 {
				label = " "
			}
			fmt.Fprintf(&text, "\n   %s  %s", label, strings.TrimSuffix(line, "\n"))
		}
	}
	return text.String() + "\nOf several, the largest is taken, but 1 rather than 2."
}
