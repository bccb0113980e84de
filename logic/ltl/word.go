package ltl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"pnmc/internal/lazy"
	"pnmc/logic/internal/reading"
)

// maximumWord bounds the length of a word, which is looked at again behind each
// F, G or X that it begins with.
const maximumWord = 4096

// spinWords are unary connectives that SPIN spells with letters.
var spinWords = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"always": "G", "eventually": "F", "next": "X", "X": "X", "not": "!",
	}
}}

// spinInfixes are connectives spelled with letters, after an operand.
var spinInfixes = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"U": "U", "until": "U", "stronguntil": "U", "V": "R", "R": "R", "release": "R",
		"W": "W", "weakuntil": "W", "implies": "->", "equivalent": "<->",
		"and": "&", "or": "|", "xor": "xor",
	}
}}

// readWord reads a token that begins with a letter.
//
// The meaning of such a word depends on where it stands. After an operand it must be an operator,
// as in a U b or a Ub; but aUb is one name. Where an operand is expected, it may be a constant, a
// name, or unary operators with or without a name behind them. For example, GFp0 is G F p0, and F
// is F of what follows. X0 is a name, as a digit follows the letter. A name that the caller knows
// is that name: with a place called Free, Free is the place, and not F of ree, unless ree is known
// too. SPIN's syntax has words for operators, and no letters that are run together with a name.
func (l *formulaLexer) readWord(rest string) error {
	word := rest[:wordLength(rest)]
	if len(word) > maximumWord {
		return l.errorf("a word of more than %d bytes", maximumWord)
	}
	lower := strings.ToLower(word)
	switch {
	case l.operand:
		return l.readInfix(word)
	case lower == "true" || lower == "false":
		value := map[string]string{"true": "1", "false": "0"}[lower]
		l.emit(ltlConstant, value, len(word))
		return nil
	case word == "not" && startsOperand(rest[len(word):]):
		l.emit(ltlPrefix, "!", len(word))
		return nil
	case isInfix(word, l.syntax):
		return l.readInfix(word)
	case l.syntax == SPINSyntax:
		if value, ok := spinWords.Get()[word]; ok && startsOperand(rest[len(word):]) {
			l.emit(ltlPrefix, value, len(word))
			return nil
		}
	case beginsWithPrefix(word) && !isCompared(word, rest) && !l.isKnownWord(rest):
		l.emit(ltlPrefix, word[:1], 1)
		return nil
	}
	return l.readOperand(rest)
}

// isInfix reports whether a word is an operator wherever it stands.
func isInfix(word string, syntax Syntax) bool {
	if syntax == SPINSyntax {
		return word == "U" || word == "V" || word == "W" || word == "xor"
	}
	return len(word) == 1 && strings.Contains("URVWM", word) || word == "xor"
}

// readInfix reads a word after an operand. Outside SPIN's syntax, one that
// begins with the letter of an operator is this operator and what follows.
func (l *formulaLexer) readInfix(word string) error {
	value, length := spinInfixes.Get()[word], len(word)
	if l.syntax != SPINSyntax {
		switch {
		case word == "and" || word == "or" || word == "xor":
		case strings.Contains("URVWM", word[:1]):
			value, length = map[string]string{"V": "R"}[word[:1]], 1
			if value == "" {
				value = word[:1]
			}
		default:
			value = ""
		}
	}
	switch {
	case value == "":
		return l.errorf("unexpected %q; expected an operator", word)
	case strings.Contains("URWM", value):
		l.emit(ltlTemporal, value, length)
	default:
		l.emit(ltlOperator, value, length)
	}
	return nil
}

// beginsWithPrefix reports whether a word is an F, G or X and what it applies to:
// unless a digit follows the letter, as in X0.
func beginsWithPrefix(word string) bool {
	return strings.Contains("FGX", word[:1]) && (len(word) == 1 || !reading.StartsWithDigit(word[1:]))
}

// isCompared reports whether a word at the start of rest is a letter that is
// compared, and so is a name.
func isCompared(word, rest string) bool {
	operator, _ := reading.Comparison(rest[len(word):])
	return len(word) == 1 && operator != ""
}

// isKnownWord reports whether a word that begins with F, G or X is a proposition
// all the same, because it is known and nothing that it could apply to is.
func (l *formulaLexer) isKnownWord(rest string) bool {
	if l.check == nil {
		return false
	}
	known := func(s string) bool {
		name, _, err := readProposition(s)
		return err == nil && l.check(name) == nil
	}
	if !known(rest) {
		return false
	}
	for beginsWithPrefix(rest) {
		if rest = rest[1:]; wordLength(rest) == 0 || known(rest) {
			return false
		}
	}
	return true
}

// isFormulaLetter reports whether a word of a formula may begin with r.
func isFormulaLetter(r rune) bool {
	return r == '_' || r == '.' || r != utf8.RuneError && unicode.IsLetter(r)
}

// wordLength returns the length of the word at the start of s, in bytes.
func wordLength(s string) int {
	for i, r := range s {
		if !isFormulaLetter(r) && (i == 0 || r < '0' || r > '9') {
			return i
		}
	}
	return len(s)
}

// startsWithInteger reports whether digits follow, or a minus and digits: variables
// of an ETF can be negative. Nothing else in a formula begins with a minus before
// a digit, where an operand is expected.
func startsWithInteger(s string) bool { return reading.StartsWithDigit(strings.TrimPrefix(s, "-")) }

// startsOperand reports whether an operand follows: it makes an operator of a word
// that could be a proposition.
func startsOperand(s string) bool {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(s)
	if isFormulaLetter(first) {
		word := s[:wordLength(s)]
		_, infix := spinInfixes.Get()[word]
		return !infix && !isInfix(word, SpotSyntax)
	}
	return s != "" && strings.ContainsRune(`"'([!~¬<□◇○`, first) && !strings.HasPrefix(s, "<-") &&
		!strings.HasPrefix(s, "<=") && !strings.HasPrefix(s, "!=") || startsWithInteger(s)
}
