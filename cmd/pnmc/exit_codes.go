package main

import (
	"fmt"
	"slices"
	"strings"

	"pnmc/internal/unpack"
)

// The exit codes, as --help documents them. Where several apply, the one that
// comes last here is taken, but that a violation outweighs an unknown verdict.
const (
	exitHolds    = 0
	exitViolated = 1
	exitUnknown  = 2
	exitUsage    = 3
	exitInput    = 4
	exitInternal = 5
)

// failure is an error with the exit code it leads to. Its message may be empty:
// all there is to say was said.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return unpack.Words(f.err)
}

func (f *failure) Unwrap() error { return f.err }

func usageError(format string, arguments ...any) error {
	return &failure{exitUsage, fmt.Errorf(format, arguments...)}
}

func inputError(err error) error { return &failure{exitInput, err} }

// anyCommand is what exit codes mean where the command says nothing else.
var anyCommand = map[int]string{
	exitHolds:    "the command did its work",
	exitUnknown:  "interrupted, or a limit of time or memory was reached",
	exitUsage:    "wrong usage",
	exitInput:    "bad input: a file can't be read or used; or output can't be written",
	exitInternal: "internal error",
}

// commandExitCodes is what exit codes mean to commands, apart from anyCommand.
var commandExitCodes = map[string]map[int]string{
	"pnmc": {
		exitHolds:    "all properties hold: no answer is FALSE or unknown",
		exitViolated: "some property is violated: an answer is FALSE",
		exitUnknown:  "some verdict is unknown, and no property is violated",
		exitInput: "bad input: a file can't be read, or a formula or automaton can't be used;\n" +
			"or output can't be written",
		exitInternal: "internal error, such as a counterexample that doesn't replay",
	},
	"states": {exitUnknown: "some counts are unknown: interrupted, or a limit was reached"},
	"view": {
		exitHolds:    "the page is written, and all properties that were asked hold",
		exitViolated: "the page is written, and some property is violated",
		exitUnknown:  "some verdict is unknown, and no property is violated",
		exitInput:    "bad input: a file can't be read, or a formula can't be used; or the page can't be\nwritten",
		exitInternal: "internal error, such as a run that doesn't replay",
	},
	"play": {
		exitHolds:   "the player ended the game",
		exitUnknown: "interrupted by a signal, or a limit was reached before the game began",
		exitUsage:   "wrong usage, or there is no terminal",
		exitInput:   "bad input: a file can't be read, or a run does not fire on the net",
	},
	"convert": {
		exitHolds:   "all is written",
		exitUnknown: "some automata are missing, as limits were reached or the user interrupted",
		exitInput: "bad input: some automata can't be read, or are not of the kind that the\n" +
			"conversion needs; or output can't be written",
	},
	"intersect": {
		exitHolds:    "some pair of automata has a word in common",
		exitViolated: "none has",
		exitUnknown:  "none is known to have one, and for some it is unknown",
	},
	"include": {
		exitHolds:    "all words of the first are accepted by the second, in all pairs",
		exitViolated: "not in all pairs",
		exitUnknown:  "in all pairs where it is known, and in some it is unknown",
	},
	"equivalent": {
		exitHolds:    "all pairs of automata are equivalent",
		exitViolated: "not all are",
		exitUnknown:  "all are for which it is known, and for some it is unknown",
	},
	"translate": {
		exitUnknown: "a translation was given up: interrupted, or a limit was reached",
		exitInput: "bad input: a formula is wrong, or has no automaton of the kind; or output\n" +
			"can't be written",
	},
	"cross": {
		exitHolds:    "nothing differs",
		exitViolated: "something does",
		exitUnknown:  "nothing does, but a translation failed or a check was given up",
	},
	"mcc": {
		exitHolds:   "all that was asked could be read, however much was answered in time",
		exitUnknown: "interrupted, or the memory does not suffice to read the files",
		exitInput:   "bad input: a file or a formula can't be read; or output can't be written",
	},
	"batch": {
		exitHolds:    "all runs are over, however much they answered",
		exitViolated: "an answer is wrong, or contradicts another",
		exitUnknown:  "interrupted",
		exitInput: "bad input: a model, a property file or an archive can't be read, or an\n" +
			"instance lacks the file of an examination that is named; or output can't be\n" +
			"written",
		exitInternal: "internal error: a run crashed",
	},
	"bench": {
		exitUnknown: "interrupted, or a formula could not be translated within the limits, or no check\n" +
			"has a verdict",
		exitInput: "bad input: a file can't be read, or a formula is wrong: it is left out; or\n" +
			"output can't be written",
		exitInternal: "internal error: two approaches contradict each other, or a check crashed",
	},
	"completion": {exitUnknown: "", exitInput: "output can't be written"},
	"man":        {exitInput: "output can't be written"},
}

// exitCodesOf is what --help says of the exit codes of a command.
func exitCodesOf(command string) string {
	own := commandExitCodes[command]
	var text strings.Builder
	text.WriteString("EXIT CODES:")
	for code := exitHolds; code <= exitInternal; code++ {
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
