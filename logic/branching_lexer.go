package logic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The words of CTL are no reserved words: a place may be called A, EF or U. Where
// an operand is over, U, R, W and M join. Where one begins, E, A and pairs such as
// EF are operators if an operand comes behind, and names of places if not.

// readTemporal reads a token that CTL has and propositions have not, and moves
// behind it. It reports whether there is one.
//
// For example, let a place be called EF. In EF <= 1 it is the place, as a comparison follows and
// no operand. In EF p <= 1 it is the pair of operators, as the place p follows. EFAG p has two
// pairs, which are read one after the other, and EFG is a name, as a letter follows the pair.
func (l *predicateLexer) readTemporal(token *lexer.Token, rest string) (bool, error) {
	emit := func(kind lexer.TokenType, value string, length int) (bool, error) {
		token.Type, token.Value = kind, value
		l.position.Advance(rest[:length])
		return true, nil
	}
	last, inside := l.before(1), l.inside()
	switch {
	case inside.function:
		return false, nil
	case last.Type == quantifierToken:
		if rest[0] == '[' {
			return emit(operatorToken, "[", 1)
		}
		return false, nil
	case last.Type == betweenToken:
		return emit(untilToken, plainWord(rest), 1)
	case endsOperand(last):
		if rest[0] == ')' && inside.paths && !inside.until && !inside.temporal && untilFollows(rest[1:]) {
			return emit(betweenToken, ")", 1)
		}
		if rest[0] == ']' && inside.closer == "]" {
			return emit(operatorToken, "]", 1)
		}
		word := plainWord(rest)
		if !strings.Contains("URWM", word) || len(word) != 1 {
			return false, nil
		}
		if !inside.paths {
			return false, l.errorf("unexpected %q; expected it directly inside A(…) or E(…), as in A(p %s q)", word, word)
		}
		return emit(untilToken, word, 1)
	}
	word, length := l.longestWord(rest)
	if l.isPlace(word) && !l.operandFollows(rest[length:]) {
		return false, nil
	}
	if length := pairLength(rest); length > 0 {
		return emit(pathToken, rest[:2], length)
	}
	if l.before(2).Type == quantifierToken { // and last is its parenthesis
		if operator, length := temporalAt(rest); length > 0 {
			return emit(temporalToken, operator, length)
		}
	}
	return l.readQuantifier(token, rest)
}

// untilFollows reports whether s begins with U, R, W or M.
func untilFollows(s string) bool {
	word := plainWord(strings.TrimLeftFunc(s, unicode.IsSpace))
	return len(word) == 1 && strings.Contains("URWM", word)
}

// readQuantifier reads A or E, with the temporal operator behind it if there is one, as
// readTemporal does. It reports what is wrong where one of the two is missing.
func (l *predicateLexer) readQuantifier(token *lexer.Token, rest string) (bool, error) {
	if operator, length := temporalAt(rest); length > 0 && rest[0] != '[' && rest[0] != '<' && l.operandFollows(rest[length:]) {
		return false, l.errorf("%s has no path quantifier; expected A%s or E%s", operator, operator, operator)
	}
	if rest[0] != 'A' && rest[0] != 'E' {
		return false, nil
	}
	behind := strings.TrimLeftFunc(rest[1:], unicode.IsSpace)
	apart := len(rest) - len(behind) // of the quantifier and the space
	if operator, length := temporalAt(behind); length > 0 && (apart > 1 || behind[0] == '[' || behind[0] == '<') {
		token.Type, token.Value = pathToken, rest[:1]+operator
		l.position.Advance(rest[:apart+length])
		return true, nil
	}
	if behind != "" && (behind[0] == '(' || behind[0] == '[') {
		token.Type, token.Value = quantifierToken, rest[:1]
		l.position.Advance(rest[:1])
		return true, nil
	}
	if apart > 1 && l.operandFollows(behind) {
		return false, l.errorf("%s says nothing of paths; expected X, F, G or (… U …) behind it", rest[:1])
	}
	return false, nil
}

// pairLength returns 2 if s begins with one or several pairs such as EF and AG, and no
// letter follows the last one. Otherwise it returns 0.
func pairLength(s string) int {
	n := 0
	for len(s) >= n+2 && strings.IndexByte("AE", s[n]) >= 0 && strings.IndexByte("XFG", s[n+1]) >= 0 {
		n += 2
	}
	if n == 0 || startsName(s[n:]) && s[n] != '[' {
		return 0
	}
	return 2
}

// temporalAt returns the temporal operator X, F or G that s begins with, also as [] or
// <>, and its length; 0 if there is none.
func temporalAt(s string) (operator string, length int) {
	switch {
	case strings.HasPrefix(s, "[]"):
		return "G", 2
	case strings.HasPrefix(s, "<>"):
		return "F", 2
	case s != "" && strings.IndexByte("XFG", s[0]) >= 0 && !startsName(s[1:]):
		return s[:1], 1
	}
	return "", 0
}

// operandFollows reports whether s can only go on with an operand: not with an
// operator, nor with anything that may be one, nor with the end.
func (l *predicateLexer) operandFollows(s string) bool {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	if s == "" || strings.HasPrefix(s, "!=") {
		return false
	}
	if word := plainWord(s); word != "" {
		switch word {
		case "and", "or", "xor", "AND", "OR":
			return false
		case "U", "R", "W", "M":
			return !l.inside().paths
		}
		return true
	}
	if strings.HasPrefix(s, "<>") {
		return true
	}
	first, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune(`"'(!~¬[`, first)
}

// plainWord returns the run of letters and digits that s begins with.
func plainWord(s string) string {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if end < 0 {
		return s
	}
	return s[:end]
}

// endsOperand reports whether an operand may end with a token.
func endsOperand(t lexer.Token) bool {
	switch t.Type {
	case nameToken, quotedToken, integerToken, constantToken:
		return true
	case operatorToken:
		return t.Value == ")" || t.Value == "]" || t.Value == "?"
	}
	return false
}
