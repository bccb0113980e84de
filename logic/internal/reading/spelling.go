package reading

import (
	"strings"
	"unicode"

	"pnmc/internal/lazy"
)

// Comparisons map what may be written to the one spelling that grammars know, the longer
// before their prefixes.
var Comparisons = []Spelling{
	{"<=", "<="}, {">=", ">="}, {"==", "=="}, {"!=", "!="},
	{"<", "<"}, {">", ">"}, {"=", "=="}, {"≤", "<="}, {"≥", ">="}, {"≠", "!="},
}

// Spelling is a way to write an operator.
type Spelling struct {
	Text  string // as it is written
	Value string // as the grammar knows it
}

// Functions are the words that, before a parenthesis, make a function of the
// names in it.
var Functions = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"tokens": "tokens", "tokens-count": "tokens", "#tokens": "tokens",
		"fireable": "fireable", "is-fireable": "fireable",
	}
}}

// Comparison reads a comparison operator, and returns its length with the
// space before it.
func Comparison(s string) (operator string, length int) {
	trimmed := strings.TrimLeftFunc(s, unicode.IsSpace)
	space := len(s) - len(trimmed)
	for _, arrow := range []string{"<->", "<--", "<=>", "=>", "<>"} {
		if strings.HasPrefix(trimmed, arrow) {
			return "", 0
		}
	}
	for _, o := range Comparisons {
		if !strings.HasPrefix(trimmed, o.Text) {
			continue
		}
		if after := trimmed[len(o.Text):]; o.Text == "=" && space == 0 && StartsWithDigit(after) &&
			after[0] <= '1' && !StartsWithDigit(after[1:]) {
			return "", 0
		}
		return o.Value, space + len(o.Text)
	}
	return "", 0
}

// StartsWithDigit reports whether s begins with an ASCII digit.
func StartsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }
