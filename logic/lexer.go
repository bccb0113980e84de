package logic

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/internal/lazy"
	"pnmc/logic/internal/reading"
)

// The kinds of tokens of the proposition language.
const (
	// nameToken is an identifier without quotes.
	nameToken lexer.TokenType = iota + 1
	// quotedToken is an identifier in quotes. Its value begins with a quote, so it
	// never looks like an operator. It has no other quotes or escapes.
	quotedToken
	// integerToken is a run of decimal digits.
	integerToken
	// constantToken is true, false or deadlock.
	constantToken
	// functionToken is tokens or fireable before a parenthesis.
	functionToken
	// comparisonToken is one of <= < >= > == !=.
	comparisonToken
	// operatorToken is ! & | -> <-> xor + - * ? ( ) or a comma, and in CTL [ or ].
	operatorToken
	// pathToken is EX EF EG AX AF or AG.
	pathToken
	// quantifierToken is E or A before a parenthesis or bracket.
	quantifierToken
	// temporalToken is X F or G behind a quantifier and its parenthesis.
	temporalToken
	// untilToken is U R W or M.
	untilToken
	// betweenToken is a parenthesis that closes before U, in A (p) U (q).
	betweenToken
)

const (
	// MaximumNesting bounds the parentheses open at a time, and so the stack that
	// reading takes.
	MaximumNesting = 1000
	// maximumDepth bounds the operators above one another, and so the stack that
	// walking a tree takes. Those that print as parentheses are among them, so every
	// tree can be printed and read again.
	maximumDepth = MaximumNesting - 10
)

// maximumHyphens is how many hyphens are tried in search for a hyphenated name.
const maximumHyphens = 32

// spellings maps what may be written to the one spelling the grammar knows, the longer
// before their prefixes.
var spellings = lazy.Value[[]operatorSpelling]{Make: func() []operatorSpelling {
	return longestFirst([]reading.Spelling{
		{Text: "<->", Value: "<->"}, {Text: "<=>", Value: "<->"}, {Text: "->", Value: "->"}, {Text: "=>", Value: "->"},
		{Text: "&&", Value: "&"}, {Text: "||", Value: "|"}, {Text: `/\`, Value: "&"}, {Text: `\/`, Value: "|"},
		{Text: "!", Value: "!"}, {Text: "~", Value: "!"}, {Text: "¬", Value: "!"}, {Text: "&", Value: "&"}, {Text: "|", Value: "|"}, {Text: "∧", Value: "&"}, {Text: "∨", Value: "|"},
		{Text: "^", Value: "xor"}, {Text: "+", Value: "+"}, {Text: "-", Value: "-"}, {Text: "*", Value: "*"}, {Text: "(", Value: "("}, {Text: ")", Value: ")"}, {Text: ",", Value: ","}, {Text: "?", Value: "?"},
	})
}}

// operatorSpelling is a spelling of a token of a kind.
type operatorSpelling struct {
	reading.Spelling
	kind lexer.TokenType
}

// longestFirst returns the operators and the comparisons, the longer ones first.
func longestFirst(operators []reading.Spelling) []operatorSpelling {
	var all []operatorSpelling
	for _, s := range operators {
		all = append(all, operatorSpelling{s, operatorToken})
	}
	for _, s := range reading.Comparisons {
		all = append(all, operatorSpelling{s, comparisonToken})
	}
	slices.SortStableFunc(all, func(a, b operatorSpelling) int { return len(b.Text) - len(a.Text) })
	return all
}

// words are the words with a meaning of their own; to name a place so called,
// put it in quotes.
var words = lazy.Value[map[string]word]{Make: func() map[string]word {
	return map[string]word{
		"not": {"!", operatorToken}, "and": {"&", operatorToken},
		"or": {"|", operatorToken}, "xor": {"xor", operatorToken},
		"true": {"true", constantToken}, "false": {"false", constantToken},
		"deadlock": {"deadlock", constantToken}, "is-deadlock": {"deadlock", constantToken},
	}
}}

// word is what a word stands for.
type word struct {
	value string
	kind  lexer.TokenType
}

// capitals are operators as verifypn writes them, too. They hide no place: AND and OR are
// operators behind an operand only, where no name can be, and NOT before one.
var capitals = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{"NOT": "not", "AND": "and", "OR": "or"}
}}

// plain returns the word that stands for an operator in capitals before rest, or the word itself.
func (l *predicateLexer) plain(word, rest string) string {
	small, ok := capitals.Get()[word]
	switch {
	case !ok || l.function != "":
		return word
	case word == "NOT":
		if l.isPlace(word) && !l.operandFollows(rest) {
			return word
		}
	case !endsOperand(l.before(1)):
		return word
	}
	return small
}

// predicateLexer turns text into tokens. It asks the vocabulary for hyphenated
// words, which are names if known and subtractions if not.
type predicateLexer struct {
	text       string
	vocabulary Vocabulary
	temporal   bool                  // the language is CTL
	defined    map[string]*Predicate // opaque names, in CTL
	position   lexer.Position        // of text[position.Offset:]
	open       []place               // parentheses and brackets not closed
	function   string                // whose parentheses hold position, or ""
	tokens     []lexer.Token
	next       int // token to hand out
	limit      Limit
	looked     int // bytes to ask for, which stand for the time of looking names up
}

// scan reads all tokens of l.text, an end-of-file token last.
func (l *predicateLexer) scan() error {
	for {
		l.skipSpace()
		token := lexer.Token{Pos: l.position}
		rest := l.text[l.position.Offset:]
		if rest == "" {
			token.Type = lexer.EOF
			l.tokens = append(l.tokens, token)
			return nil
		}
		if err := l.limit.Room(l.tokens); err != nil {
			return err
		}
		if err := l.read(&token, rest); err != nil {
			return err
		}
		if err := l.limit.Charge(l.looked); err != nil {
			return err
		}
		l.looked = 0
		l.open = enter(l.open, l.before(1), token)
		if len(l.open) > MaximumNesting+1 {
			return reading.ErrorAt(token.Pos, "more than %d parentheses are open", MaximumNesting)
		}
		l.tokens = append(l.tokens, token)
	}
}

// before returns the n-th last token read, or none.
func (l *predicateLexer) before(n int) lexer.Token {
	if n > len(l.tokens) {
		return lexer.Token{}
	}
	return l.tokens[len(l.tokens)-n]
}

// inside returns what the innermost open parenthesis or bracket holds.
func (l *predicateLexer) inside() place { return l.open[len(l.open)-1] }

// Next hands out the tokens scanned.
func (l *predicateLexer) Next() (lexer.Token, error) {
	token := l.tokens[l.next]
	if l.next < len(l.tokens)-1 {
		l.next++
	}
	return token, nil
}

// skipSpace moves the position behind white space.
func (l *predicateLexer) skipSpace() {
	rest := l.text[l.position.Offset:]
	l.position.Advance(rest[:len(rest)-len(strings.TrimLeftFunc(rest, unicode.IsSpace))])
}

// read sets the kind and value of token, which begins rest, and moves behind it.
func (l *predicateLexer) read(token *lexer.Token, rest string) error {
	if rest[0] == '"' || rest[0] == '\'' {
		value, length, ok := reading.Unquote(rest)
		if !ok {
			return l.errorf("no closing %c for this quote", rest[0])
		}
		token.Type, token.Value = quotedToken, `"`+value
		l.position.Advance(rest[:length])
		return nil
	}
	if l.temporal {
		if done, err := l.readTemporal(token, rest); done || err != nil {
			return err
		}
	}
	if first, _ := utf8.DecodeRuneInString(rest); isNameRune(first) && strings.IndexByte("[]:.", rest[0]) < 0 {
		return l.readWord(token, rest)
	}
	for _, s := range spellings.Get() {
		if strings.HasPrefix(rest, s.Text) {
			token.Type, token.Value = s.kind, s.Value
			if s.Value == ")" {
				l.function = ""
				if l.inside().closer == "]" {
					return l.errorf(`unexpected ")"; expected "]"`)
				}
			}
			l.position.Advance(s.Text)
			return nil
		}
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return l.errorf("unexpected character %q", first)
}

// readWord reads an unquoted name, an integer or a word with a meaning.
func (l *predicateLexer) readWord(token *lexer.Token, rest string) error {
	word, length := l.longestWord(rest)
	token.Value = word
	switch special, ok := words.Get()[l.plain(word, rest[length:])]; {
	case l.function != "":
		token.Type = nameToken
	case ok:
		token.Type, token.Value = special.kind, special.value
	case strings.Trim(word, "0123456789") == "":
		token.Type = integerToken
	default:
		token.Type = nameToken
		if strings.HasPrefix(strings.TrimLeftFunc(rest[length:], unicode.IsSpace), "(") {
			function, ok := reading.Functions.Get()[word]
			if !ok {
				return l.errorf("no function %q; expected tokens(…) or fireable(…)", word)
			}
			token.Type, token.Value, l.function = functionToken, function, function
		}
	}
	l.position.Advance(rest[:length])
	return nil
}

// longestWord finds the longest word at the start of rest that is a name. It is the whole word
// with its hyphens, or the longest part of it that ends before a hyphen, if one of these is
// known. Otherwise it is what comes before the first hyphen. Between the parentheses of a
// function, where nothing can be subtracted, it is the whole word. It returns the word without
// escapes, and how many bytes of rest it takes.
//
// For example, in-use-free means the place of that name, if there is one. Otherwise it means in-use
// minus free, if in-use is a place. Otherwise it means in minus use minus free. The longest known
// name wins, so that a net with a place in-use-free and one called in reads as its author meant it.
// Names with more than maximumHyphens hyphens are not searched further.
func (l *predicateLexer) longestWord(rest string) (string, int) {
	var word strings.Builder
	var cuts [][2]int // lengths of word and of its text before each hyphen
	i, brackets := 0, 0
	for i < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[i:])
		if r == '[' {
			brackets++
		} else if r == ']' {
			brackets--
		}
		switch {
		case brackets < 0 && l.inside().closer == "]":
			size = 0 // it closes what the word stands in
		case isNameRune(r):
			word.WriteString(rest[i : i+size])
		case r == '\\' && i+1 < len(rest) && strings.IndexByte(".:-[](){}@#$", rest[i+1]) >= 0:
			word.WriteByte(rest[i+1])
			size = 2
		case r == '-' && len(cuts) < maximumHyphens && i+1 < len(rest) && startsName(rest[i+1:]):
			cuts = append(cuts, [2]int{word.Len(), i})
			word.WriteByte('-')
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		i += size
	}
	if l.function != "" || len(cuts) == 0 {
		return word.String(), i
	}
	whole := word.String()
	if l.known(whole) {
		return whole, i
	}
	for c := len(cuts) - 1; c > 0; c-- {
		if part := whole[:cuts[c][0]]; l.known(part) {
			return part, cuts[c][1]
		}
	}
	return whole[:cuts[0][0]], cuts[0][1]
}

// known reports whether a word with hyphens has a meaning.
func (l *predicateLexer) known(word string) bool {
	_, isWord := words.Get()[word]
	_, isFunction := reading.Functions.Get()[word]
	if strings.Contains(word, "_") {
		l.looked += 2 * lookBytes
	}
	return isWord || isFunction || l.isPlace(word) || l.vocabulary.Transitions(word) != nil
}

// isPlace reports whether a word names places, or has a meaning by definition.
func (l *predicateLexer) isPlace(word string) bool {
	return l.defined[word] != nil || l.vocabulary.Places(word) != nil
}

// startsName reports whether an unquoted name may begin as s does.
func startsName(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isNameRune(r)
}

// isNameRune reports whether r may be in an unquoted name.
func isNameRune(r rune) bool {
	return r < utf8.RuneSelf && strings.ContainsRune("_.:@#$[]", r) ||
		r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// errorf returns a syntax error at the present position.
func (l *predicateLexer) errorf(format string, arguments ...any) error {
	return reading.ErrorAt(l.position, format, arguments...)
}

// predicateSymbols gives the grammar the names of the kinds of tokens. It reads
// nothing: tokens need a vocabulary, and come from a predicateLexer.
type predicateSymbols struct{}

// Symbols names the kinds of tokens.
func (predicateSymbols) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Name": nameToken, "Quoted": quotedToken,
		"Integer": integerToken, "Constant": constantToken, "Function": functionToken,
		"Comparison": comparisonToken, "Operator": operatorToken, "Path": pathToken,
		"Quantifier": quantifierToken, "Temporal": temporalToken, "Until": untilToken, "Between": betweenToken,
	}
}

// Lex satisfies an interface. It is never called.
func (predicateSymbols) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, fmt.Errorf("propositions are read with a vocabulary")
}
