package main

import (
	"slices"
	"strings"
)

// waysOn says for each command how to go on after an interruption.
var waysOn = map[string]string{
	"":           "the same command begins anew; --total-timeout TIME ends it by itself, with what is known then",
	"states":     "the same command begins anew; --timeout TIME ends it by itself, and tells how far it came",
	"convert":    "the same command begins anew; --timeout TIME gives up what takes longer",
	"unfold":     "the same command begins anew; --timeout TIME ends it by itself",
	"reduce":     "the same command begins anew; --timeout TIME ends it by itself",
	"view":       "the same command begins anew; --total-timeout TIME ends it by itself, with what is known then",
	"play":       "the same command begins anew",
	"intersect":  "the same command begins anew; --timeout TIME gives up each pair that takes longer",
	"include":    "the same command begins anew; --timeout TIME gives up each pair that takes longer",
	"equivalent": "the same command begins anew; --timeout TIME gives up each pair that takes longer",
	"translate":  "the same command begins anew; --timeout TIME gives up each formula that takes longer",
	"cross":      "the same command begins anew; --timeout TIME and --check-timeout TIME give up translations and checks that take longer; --total-timeout TIME ends it by itself",
	"mcc":        "the same command begins anew; --time TIME ends it by itself, with what is known then",
	"batch":      "the same command goes on",
	"bench":      "the same command with --output FILE goes on with what the file has",
}

// wayOn returns how to go on with a command whose arguments these are; nothing where nothing is
// to be told.
func wayOn(arguments []string) string {
	if slices.Contains(arguments, "--quiet") || slices.Contains(arguments, "-q") {
		return ""
	}
	if len(arguments) < 2 || strings.HasPrefix(arguments[1], "-") {
		return waysOn[""]
	}
	return waysOn[arguments[1]]
}
