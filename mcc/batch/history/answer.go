package history

import (
	"regexp"
	"strings"

	"pnmc/internal/lazy"
)

// Answer is a line that a tool printed.
type Answer struct {
	Question, Value, Techniques string
	// Seconds from the start of the run.
	Seconds float64
}

// ParseAnswer reads a line such as
//
//	FORMULA Philosophers-PT-000010-CTLFireability-00 TRUE TECHNIQUES EXPLICIT
//	FORMULA Both work FALSE TECHNIQUES STATE_EQUATION
//	STATE_SPACE STATES 59049 TECHNIQUES DECISION_DIAGRAMS
//
// Other lines, and questions that were given up, are no answers. A name may have spaces,
// as TAPAAL's have, and any words: what follows it is read from the end of the line.
func ParseAnswer(line string) (Answer, bool) {
	words := strings.Fields(line)
	if len(words) < 3 || words[0] != "FORMULA" && words[0] != "STATE_SPACE" {
		return Answer{}, false
	}
	value, techniques := 2, len(words) // places in the line
	last := len(words) - 1
	if at := lastIndex(words, "TECHNIQUES"); at > 2 && valueForm.Get().MatchString(words[at-1]) && !givenUp(words[last]) {
		value, techniques = at-1, at+1
	} else if words[0] == "FORMULA" && valueForm.Get().MatchString(words[last]) {
		value = last
	}
	if givenUp(words[value]) {
		return Answer{}, false
	}
	return Answer{
		Question: strings.Join(words[1:value], " "), Value: words[value],
		Techniques: strings.Join(words[techniques:], " "),
	}, true
}

// valueForm matches words that stand for a value, or say that there is none.
var valueForm = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:TRUE|FALSE|T|F|[+-]?[0-9]+|[0-9]\.[0-9]+E\+[0-9]+|\+?INF|\+?INFINITY|\?|CANNOT_COMPUTE|DO_NOT_COMPETE)$`)
}}

// givenUp reports whether a word stands for no value.
func givenUp(word string) bool {
	return word == "?" || word == "CANNOT_COMPUTE" || word == "DO_NOT_COMPETE"
}

// lastIndex returns the last place of a word, or -1.
func lastIndex(words []string, word string) int {
	for i := len(words) - 1; i >= 0; i-- {
		if words[i] == word {
			return i
		}
	}
	return -1
}

// Normal returns the one spelling of values that mean the same.
func Normal(value string) string {
	switch v := strings.ToUpper(value); v {
	case "T":
		return "TRUE"
	case "F":
		return "FALSE"
	case "INF", "+INF", "INFINITY":
		return "+inf"
	default:
		return v
	}
}
