package process

import (
	"fmt"
	"strings"
)

// Words divides a command line at white space outside quotes, of which there are '…' and "…". No shell
// is needed to run the result.
func Words(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, started := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, started = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation lacks its %c", quote)
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}
