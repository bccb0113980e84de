package ltl

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// The kinds of tokens of temporal formulas.
const (
	// ltlAtom is an atomic proposition; its value is a quote and the name, so
	// that it never looks like an operator.
	ltlAtom lexer.TokenType = iota + 1
	// ltlConstant is 1 or 0.
	ltlConstant
	// ltlPrefix is ! X F or G.
	ltlPrefix
	// ltlTemporal is U R W or M.
	ltlTemporal
	// ltlNumber is a bound.
	ltlNumber
	// ltlOperator is any other connective or mark.
	ltlOperator
)

// ltlSpellings maps symbols to the one spelling the grammar knows, the longer
// before their prefixes. [] and <> are kept apart from bounds and comparisons by
// their place in this order.
var ltlSpellings = []struct {
	text, value string
	kind        lexer.TokenType
}{
	{"<-->", "<->", ltlOperator}, {"<->", "<->", ltlOperator}, {"<=>", "<->", ltlOperator},
	{"↔", "<->", ltlOperator}, {"⇔", "<->", ltlOperator},
	{"-->", "->", ltlOperator}, {"->", "->", ltlOperator}, {"=>", "->", ltlOperator},
	{"→", "->", ltlOperator}, {"⟶", "->", ltlOperator}, {"⇒", "->", ltlOperator}, {"⟹", "->", ltlOperator},
	{"[]", "G", ltlPrefix}, {"□", "G", ltlPrefix}, {"⬜", "G", ltlPrefix}, {"◻", "G", ltlPrefix},
	{"<>", "F", ltlPrefix}, {"◇", "F", ltlPrefix}, {"⋄", "F", ltlPrefix}, {"♢", "F", ltlPrefix},
	{"()", "X", ltlPrefix}, {"○", "X", ltlPrefix}, {"◯", "X", ltlPrefix}, {"Ⓧ", "X", ltlPrefix},
	{"&&", "&", ltlOperator}, {"&", "&", ltlOperator}, {`/\`, "&", ltlOperator},
	{"*", "&", ltlOperator}, {"∧", "&", ltlOperator}, {"∩", "&", ltlOperator},
	{"||", "|", ltlOperator}, {"|", "|", ltlOperator}, {`\/`, "|", ltlOperator},
	{"+", "|", ltlOperator}, {"∨", "|", ltlOperator}, {"∪", "|", ltlOperator},
	{"^", "xor", ltlOperator}, {"⊕", "xor", ltlOperator},
	{"!", "!", ltlPrefix}, {"~", "!", ltlPrefix}, {"¬", "!", ltlPrefix},
	{"(", "(", ltlOperator}, {")", ")", ltlOperator},
	{"\u0305", "=0", ltlOperator}, {"\u0304", "=0", ltlOperator},
}

// formulaLexer turns the text of a temporal formula into tokens. What a word is
// depends on whether an operand or an operator can stand there.
type formulaLexer struct {
	text     string
	syntax   Syntax
	check    func(name string) error // or nil
	constant func(text string)       // or nil
	limit    logic.Limit
	position lexer.Position // of text[position.Offset:]
	open     int            // parentheses not closed
	operand  bool           // the last token ends an operand
	bounds   bool           // between the brackets after X, F or G
	tokens   []lexer.Token
	next     int // token to hand out
}

// Next hands out the tokens scanned.
func (l *formulaLexer) Next() (lexer.Token, error) {
	token := l.tokens[l.next]
	if l.next < len(l.tokens)-1 {
		l.next++
	}
	return token, nil
}

// scan reads all tokens of l.text, an end-of-file token last.
func (l *formulaLexer) scan() error {
	for {
		if err := l.skipSpace(); err != nil {
			return err
		}
		rest := l.rest()
		if rest == "" {
			l.tokens = append(l.tokens, lexer.EOFToken(l.position))
			return nil
		}
		read := l.read
		if l.bounds {
			read = l.readBound
		} else if l.syntax == LBTSyntax {
			read = l.readPrefixed
		}
		if err := l.limit.Room(l.tokens); err != nil {
			return err
		}
		if err := read(rest); err != nil {
			return err
		}
	}
}

// rest returns the text that is not read yet.
func (l *formulaLexer) rest() string { return l.text[l.position.Offset:] }

// skipSpace skips space and comments between /* and */, which nest.
func (l *formulaLexer) skipSpace() error {
	for {
		rest := l.rest()
		l.position.Advance(rest[:len(rest)-len(strings.TrimLeftFunc(rest, unicode.IsSpace))])
		if rest = l.rest(); !strings.HasPrefix(rest, "/*") {
			return nil
		}
		length := commentLength(rest)
		if length == 0 {
			return l.errorf("no */ ends this comment")
		}
		l.position.Advance(rest[:length])
	}
}

// commentLength returns the length of the comment at the start of s, with those in it, or
// 0 if it has no end.
func commentLength(s string) int {
	open := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			open++
			i++
		case "*/":
			i++
			if open--; open == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// errorf returns a syntax error at the present position.
func (l *formulaLexer) errorf(format string, arguments ...any) error {
	return reading.ErrorAt(l.position, format, arguments...)
}

// emit appends a token of the next length bytes.
func (l *formulaLexer) emit(kind lexer.TokenType, value string, length int) {
	l.tokens = append(l.tokens, lexer.Token{Type: kind, Value: value, Pos: l.position})
	if kind == ltlConstant && l.constant != nil {
		l.constant(l.rest()[:length])
	}
	l.operand = kind == ltlAtom || kind == ltlConstant || value == ")" || value == "=0"
	l.position.Advance(l.rest()[:length])
}

// read reads a token of infix syntax.
func (l *formulaLexer) read(rest string) error {
	first, _ := utf8.DecodeRuneInString(rest)
	switch {
	case first == '"' || first == '\'' || reading.StartsWithDigit(rest) || !l.operand && startsWithInteger(rest),
		!l.operand && strings.HasPrefix(rest, counting):
		return l.readOperand(rest)
	case isFormulaLetter(first):
		return l.readWord(rest)
	case l.operand && strings.HasPrefix(rest, "=0") && !reading.StartsWithDigit(rest[2:]):
		l.emit(ltlOperator, "=0", 2)
		return nil
	case l.operand && strings.HasPrefix(rest, "=1") && !reading.StartsWithDigit(rest[2:]):
		return l.errorf(`"=1" can mean that the proposition holds, for which leave it out, ` +
			`or that there is one token, for which write "== 1"`)
	case l.followsBounded() && rest[0] == '[' && !strings.HasPrefix(rest, "[]"):
		l.bounds = true
		l.emit(ltlOperator, "[", 1)
		return nil
	}
	for _, s := range ltlSpellings {
		if !strings.HasPrefix(rest, s.text) {
			continue
		}
		if s.value == "(" {
			if l.open++; l.open > logic.MaximumNesting {
				return l.errorf("more than %d parentheses are open", logic.MaximumNesting)
			}
		} else if s.value == ")" {
			l.open--
		}
		l.emit(s.kind, s.value, len(s.text))
		return nil
	}
	if strings.ContainsRune("{};", first) {
		return l.errorf("unexpected %q; expressions of PSL are not supported", first)
	}
	return l.errorf("unexpected %q; propositions other than words, comparisons and fireable(…) stand in double quotes", first)
}

// followsBounded reports whether the last token is X, F or G.
func (l *formulaLexer) followsBounded() bool {
	if len(l.tokens) == 0 {
		return false
	}
	last := l.tokens[len(l.tokens)-1]
	return last.Type == ltlPrefix && last.Value != "!"
}

// readBound reads a token between brackets, whose grammar is that of bounds.
func (l *formulaLexer) readBound(rest string) error {
	if reading.StartsWithDigit(rest) {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		l.emit(ltlNumber, rest[:digits], digits)
		return nil
	}
	for _, s := range [][2]string{
		{":", ":"}, {"..", ":"}, {",", ":"}, {"to", ":"}, {"$", "inf"}, {"inf", "inf"}, {"!", "strong"}, {"]", "]"},
	} {
		if strings.HasPrefix(rest, s[0]) {
			l.bounds = s[1] != "]"
			l.emit(ltlOperator, s[1], len(s[0]))
			return nil
		}
	}
	first, _ := utf8.DecodeRuneInString(rest)
	return l.errorf(`unexpected %q; expected a number, ":" or "]"`, first)
}

// readOperand reads a proposition or a constant.
func (l *formulaLexer) readOperand(rest string) error {
	name, length, err := readProposition(rest)
	var syntax *logic.SyntaxError
	if errors.As(err, &syntax) {
		l.position.Advance(rest[:syntax.Offset])
		return l.errorf("%s", syntax.Message)
	}
	if name == "0" || name == "1" {
		if length == 1 {
			l.emit(ltlConstant, name, length)
			return nil
		}
	}
	if startsWithInteger(name) && strings.Trim(name[1:], "0123456789") == "" && length == len(name) {
		return l.errorf("unexpected number %s; expected 0, 1 or a comparison%s", name, l.placeHint(name))
	}
	return l.emitAtom(name, length)
}

// emitAtom emits a proposition after having it checked. It is no longer than longestProposition.
func (l *formulaLexer) emitAtom(name string, length int) error {
	if length > longestProposition {
		return l.errorf("%s", errLongProposition)
	}
	if l.seemsSum(l.rest()[:length]) {
		return l.errorf(`"+" is disjunction and "*" conjunction here, between a name and a comparison; ` +
			`for arithmetic write the comparison in double quotes, else write "|" or "&"`)
	}
	if l.check != nil {
		if err := l.check(name); err != nil {
			return l.blame(err, name, l.rest()[:length])
		}
	}
	l.emit(ltlAtom, `"`+name, length)
	return nil
}

// seemsSum reports whether + or * stands between the last proposition and the next,
// which is written as source, where one is a bare name and the other a comparison
// without quotes: p1 + p2 == 9.
func (l *formulaLexer) seemsSum(source string) bool {
	n := len(l.tokens)
	if n < 2 || l.tokens[n-2].Type != ltlAtom || !strings.ContainsRune("+*", rune(l.text[l.tokens[n-1].Pos.Offset])) {
		return false
	}
	before := strings.TrimSpace(l.text[l.tokens[n-2].Pos.Offset:l.tokens[n-1].Pos.Offset])
	bare := func(s string) bool { return wordLength(s) == len(s) }
	comparison := func(s string) bool { return s[0] != '"' && s[0] != '\'' && strings.ContainsAny(s, "<>=!≤≥≠") }
	return bare(before) && comparison(source) || comparison(before) && bare(source)
}

// blame moves an error in a proposition to where the proposition is written.
//
// For example, in G "p1 >= 2 | )" the parenthesis is reported at its own column, as the name stands
// in the text as it is. If the text has escapes, places in the name and in the text differ, and
// the error is reported where the proposition begins.
func (l *formulaLexer) blame(err error, name, source string) error {
	var syntax *logic.SyntaxError
	var limit *logic.LimitError
	if errors.As(err, &limit) {
		return limit
	}
	if !errors.As(err, &syntax) {
		return l.errorf("proposition %q: %v", name, err)
	}
	inside := strings.Index(source, name) // 0, or 1 behind a quote
	if inside < 0 || inside > 1 {
		moved := *syntax
		moved.Offset, moved.Line, moved.Column = l.position.Offset, l.position.Line, l.position.Column
		moved.Message = fmt.Sprintf("proposition %q: %s", name, syntax.Message)
		return &moved
	}
	return reading.Origin{
		Offset: l.position.Offset + inside,
		Line:   l.position.Line, Column: l.position.Column + inside,
	}.Shift(syntax)
}

// ltlSymbols gives the grammar the names of the kinds of tokens.
type ltlSymbols struct{}

// Symbols names the kinds of tokens.
func (ltlSymbols) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Atom": ltlAtom, "Constant": ltlConstant, "Prefix": ltlPrefix,
		"Temporal": ltlTemporal, "Number": ltlNumber, "Operator": ltlOperator,
	}
}

// Lex satisfies an interface. It is never called.
func (ltlSymbols) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, fmt.Errorf("formulas are read with a syntax")
}
