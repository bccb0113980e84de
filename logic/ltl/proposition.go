package ltl

import (
	"strings"
	"unicode"

	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// longestProposition is the length of the longest proposition that is read, in bytes: its text is copied
// into automata, messages and reports.
const longestProposition = 4 << 20

const errLongProposition = "a proposition longer than 4194304 bytes, expected a shorter one"

// readProposition reads the proposition at the start of s, as it stands in a temporal
// formula. It is quoted, or a word, or fireable(…), or tokens(…), or a comparison
// between two of these or integers. It returns the name of the proposition, which is
// what the quotes hold, or the text without space, and its length in s. An integer
// alone is returned as it is.
//
// A single equals sign right before a lone 0 or 1 is not read as a comparison, because
// in other tools it gives the value of a proposition.
//
// For example, p1 >= 2 is the proposition "p1>=2", fireable(t1, t2) is "fireable(t1,t2)", and "p1
// >= 2" in quotes is "p1 >= 2" as it stands. The first and the last have different names and the
// same meaning.
func readProposition(s string) (name string, length int, err error) {
	left, length, err := readTerm(s)
	if err != nil {
		return "", 0, err
	}
	operator, behind := reading.Comparison(s[length:])
	if operator == "" {
		if s[0] == '"' || s[0] == '\'' {
			left, _, _ = reading.Unquote(s)
		}
		return left, length, nil
	}
	at := length + behind
	at += len(s[at:]) - len(strings.TrimLeftFunc(s[at:], unicode.IsSpace))
	right, size, err := readTerm(s[at:])
	if err != nil {
		err.(*logic.SyntaxError).Offset += at
		return "", 0, err
	}
	return left + operator + right, at + size, nil
}

// readTerm reads an integer, negative ones included, a quoted name, a word, or a
// function of names. The errors of this function have an offset only.
func readTerm(s string) (text string, length int, err error) {
	switch {
	case s == "":
		return "", 0, &logic.SyntaxError{Message: "unexpected end; expected a place or a number"}
	case s[0] == '"' || s[0] == '\'':
		length, ok := reading.QuotedLength(s)
		switch {
		case !ok:
			return "", 0, &logic.SyntaxError{Message: "no closing " + s[:1] + " for this quote"}
		case length > longestProposition:
			return "", 0, &logic.SyntaxError{Message: errLongProposition}
		}
		return s[:length], length, nil
	case startsWithInteger(s):
		length = len(s) - len(strings.TrimLeft(s[1:], "0123456789"))
		return s[:length], length, nil
	}
	if length = wordLength(s); strings.HasPrefix(s, counting) {
		length = len(counting)
	}
	if length == 0 {
		return "", 0, &logic.SyntaxError{Message: "expected a place or a number"}
	}
	for function := range reading.Functions.Get() {
		if !strings.HasPrefix(s, function) || len(function) < length {
			continue
		}
		after := strings.TrimLeftFunc(s[len(function):], unicode.IsSpace)
		if strings.HasPrefix(after, "(") {
			return readCall(s, function, len(s)-len(after))
		}
	}
	return s[:length], length, nil
}

// readCall reads the names between parentheses, of which the first is at open.
func readCall(s, function string, open int) (text string, length int, err error) {
	var b strings.Builder
	b.WriteString(function)
	for i := open; i < len(s); {
		switch {
		case s[i] == '"' || s[i] == '\'':
			size, ok := reading.QuotedLength(s[i:])
			if !ok {
				return "", 0, &logic.SyntaxError{Offset: i, Message: "no closing " + s[i:i+1] + " for this quote"}
			}
			b.WriteString(s[i : i+size])
			i += size
			continue
		case s[i] == '(' && i > open:
			return "", 0, &logic.SyntaxError{Offset: i, Message: `unexpected "("; expected a name, "," or ")"`}
		case strings.IndexByte(" \t\r\n", s[i]) < 0:
			b.WriteByte(s[i])
		}
		i++
		if s[i-1] == ')' {
			return b.String(), i, nil
		}
	}
	return "", 0, &logic.SyntaxError{Offset: open, Message: `no closing ")" for this parenthesis`}
}

// counting is the function of that name, which is no word.
const counting = "#tokens"
