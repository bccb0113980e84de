package logic

import (
	"strings"
	"unicode"
)

// comparisons map what may be written to the one spelling that grammars know, the longer
// before their prefixes.
var comparisons = []spelling{
	{"<=", "<="}, {">=", ">="}, {"==", "=="}, {"!=", "!="},
	{"<", "<"}, {">", ">"}, {"=", "=="}, {"≤", "<="}, {"≥", ">="}, {"≠", "!="},
}

// spelling is a way to write an operator.
type spelling struct {
	text  string // as it is written
	value string // as the grammar knows it
}

// functions are the words that, before a parenthesis, make a function of the
// names in it.
var functions = map[string]string{
	"tokens": "tokens", "tokens-count": "tokens",
	"fireable": "fireable", "is-fireable": "fireable",
}

// comparisonAt reads a comparison operator, and returns its length with the
// space before it.
func comparisonAt(s string) (operator string, length int) {
	trimmed := strings.TrimLeftFunc(s, unicode.IsSpace)
	space := len(s) - len(trimmed)
	for _, arrow := range []string{"<->", "<--", "<=>", "=>", "<>"} {
		if strings.HasPrefix(trimmed, arrow) {
			return "", 0
		}
	}
	for _, o := range comparisons {
		if !strings.HasPrefix(trimmed, o.text) {
			continue
		}
		if after := trimmed[len(o.text):]; o.text == "=" && space == 0 && startsWithDigit(after) &&
			after[0] <= '1' && !startsWithDigit(after[1:]) {
			return "", 0
		}
		return o.value, space + len(o.text)
	}
	return "", 0
}

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }
