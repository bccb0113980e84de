package exchange

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/internal/lazy"
)

// Texts may be longer than memory holds as trees. So a grammar is not that of a text but of a
// piece of it: what a statement begins with, or one item of its list. Pieces are a few tokens
// long, and of the same few forms again and again: a form that was parsed before is not parsed
// anew.

// The types of tokens in grammars.
const (
	grammarWord lexer.TokenType = iota + 1
	grammarQuote
	grammarMark
)

// symbols names the types of tokens to grammars.
type symbols struct{}

// Symbols names the types of tokens.
func (symbols) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{"EOF": lexer.EOF, "Word": grammarWord, "Quote": grammarQuote, "Mark": grammarMark}
}

// Lex satisfies the interface. It is never called.
func (symbols) Lex(string, io.Reader) (lexer.Lexer, error) {
	return nil, errors.New("tokens come from a scanner")
}

// A parser is that of G, made when it is first asked for.
type parser[G any] = lazy.Value[*participle.Parser[G]]

// makeParser makes the parser of G. A token decides what comes.
func makeParser[G any]() *participle.Parser[G] {
	return participle.MustBuild[G](participle.Lexer(symbols{}), participle.UseLookahead(0))
}

// part is a token in the tree of a piece, which says where it stands in the piece.
type part = lexer.Token

// given reports whether there is such a part.
func given(p part) bool { return p.Type != 0 }

// A grammar parses pieces, and remembers the trees of forms: the kinds of the tokens, with the
// text of punctuation and of words that the grammar has itself.
//
// For example, pl p1 (3) and pl p2 (7) are both "pl, a word, (, a word, )": the second has the tree
// of the first. Parts of a tree do not hold text. They hold the number of their token in the piece,
// and the window has the tokens of the present piece. So a net of a million lines is parsed by the
// grammar a few dozen times, and the memory for its text is that of one piece.
type grammar[G any] struct {
	parser *parser[G]
	begin  string   // what pieces begin with, for messages
	words  []string // of the grammar
	forms  map[string]form[G]
	key    []byte
}

// form is the tree of all pieces that are alike, and how many tokens these are.
type form[G any] struct {
	tree   *G
	tokens int
}

// formsKept is how many forms are remembered.
const formsKept = 1 << 10

// parse parses the piece that the next tokens of w begin with: at most so many, and none behind
// one that ends pieces. The tree is not to be modified. w has its parts until the next piece is
// parsed.
func (g *grammar[G]) parse(w *window, most int) (*G, error) {
	w.fill(most)
	g.key = g.key[:0]
	for _, t := range w.tokens {
		g.key = append(g.key, byte(t.kind))
		if t.kind == markToken || t.kind == wordToken && slices.Contains(g.words, t.text) {
			g.key = append(g.key, t.text...)
		}
	}
	known, ok := g.forms[string(g.key)]
	if !ok {
		var err error
		if known, err = g.parseForm(w); err != nil {
			return nil, err
		}
		if g.forms == nil || len(g.forms) >= formsKept {
			g.forms = make(map[string]form[G])
		}
		g.forms[string(g.key)] = known
	}
	w.used = known.tokens
	return known.tree, nil
}

// parseForm parses a form that is not known.
func (g *grammar[G]) parseForm(w *window) (form[G], error) {
	peeking, err := lexer.Upgrade(&pieceTokens{tokens: w.tokens, end: w.here()})
	if err != nil {
		return form[G]{}, err
	}
	tree, err := g.parser.Get().ParseFromLexer(peeking, participle.AllowTrailing(true))
	if err == nil {
		return form[G]{tree, int(peeking.RawCursor())}, nil
	}
	var syntax participle.Error
	if !errors.As(err, &syntax) {
		return form[G]{}, err
	}
	at, message := syntax.Position(), grammarTerms.Get().Replace(upToFirst(syntax.Message()))
	if w.wrongNext != nil && at.Offset == len(w.tokens) {
		return form[G]{}, w.wrongNext
	}
	if !strings.Contains(message, "(expected ") { // the first token begins none
		message += " (expected " + g.begin + ")"
	}
	return form[G]{}, w.wrong(position{int32(at.Line), int32(at.Column)}, "%s", message)
}

// upToFirst returns a message about a token without what is expected behind the first term:
// participle says all of the sequence that should come.
func upToFirst(message string) string {
	const head = " (expected "
	begin := strings.LastIndex(message, head)
	if begin < 0 || !strings.HasSuffix(message, ")") {
		return message
	}
	depth, quoted := 0, false
	terms := message[begin+len(head) : len(message)-1]
	for i, c := range terms {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ' ' && depth == 0 && !strings.HasPrefix(terms[i:], " |") && !strings.HasSuffix(terms[:i], "|"):
			return message[:begin+len(head)] + terms[:i] + ")"
		}
	}
	return message
}

// grammarTerms turns the notation of grammars into that of messages.
var grammarTerms = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("(<word> | <quote>)", "a name", "<word>", "a word", " | ", " or ",
		"LolaPlace", "a place", "LolaFirst", "an entry", "TinaTransition", "a name", "TinaPlace", "a name", "TinaLabel", "a name",
		`("," | ";")`, `"," or ";"`, `("[" | "]")`, `"[" or "]"`, `("<" | ">")`, `"<" or ">"`)
}}

// pieceTokens hands the tokens of a piece to a parser; the offset of each is its number.
type pieceTokens struct {
	tokens []token
	end    position // behind them
	next   int
}

// Next delivers the next token. The last token is the end.
func (p *pieceTokens) Next() (lexer.Token, error) {
	t := token{kind: endToken, at: p.end}
	if p.next < len(p.tokens) {
		t = p.tokens[p.next]
	}
	l := lexer.Token{Value: t.text, Pos: lexer.Position{Offset: p.next, Line: int(t.at.line), Column: int(t.at.column)}}
	p.next++
	switch t.kind {
	case endToken:
		l.Type = lexer.EOF
	case wordToken:
		l.Type = grammarWord
	case quoteToken: // no word or mark of a grammar
		l.Type, l.Value = grammarQuote, "{"+t.text+"}"
	default:
		l.Type = grammarMark
	}
	return l, nil
}

// window is the next few tokens of a text.
type window struct {
	*scanner
	advance   func() error     // to the next token of the scanner
	last      func(token) bool // reports whether a piece ends with this token
	tokens    []token
	used      int   // of tokens, by the piece that was parsed last
	wrongNext error // what is wrong behind tokens, or nil
}

// fill drops what was used, and reads on.
func (w *window) fill(most int) {
	w.tokens = w.tokens[:copy(w.tokens, w.tokens[w.used:])]
	w.used = 0
	for len(w.tokens) < most && w.wrongNext == nil {
		if n := len(w.tokens); n > 0 && (w.tokens[n-1].kind == endToken || w.last(w.tokens[n-1])) {
			return
		}
		if w.wrongNext = w.advance(); w.wrongNext == nil {
			w.tokens = append(w.tokens, w.token)
		}
	}
}

// at returns the token of a part of the piece that was parsed last.
func (w *window) at(p part) token { return w.tokens[p.Pos.Offset] }

// peek returns the token behind the piece that was parsed last. The error is that of the scanner.
func (w *window) peek() (token, error) {
	if w.fill(1); len(w.tokens) == 0 {
		return token{}, w.wrongNext
	}
	return w.tokens[0], nil
}

// unexpected returns an error about a token.
func (w *window) unexpected(t token, expected string) error {
	text := t.text
	if t.kind == endToken {
		text = "<EOF>"
	}
	return w.wrong(t.at, "unexpected token %q (expected %s)", text, expected)
}
