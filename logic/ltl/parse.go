package ltl

import (
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// Syntax is a way to write temporal formulas.
type Syntax uint8

// The syntaxes of temporal formulas.
const (
	// SpotSyntax is infix, as Spot reads and writes it: G(a -> F"p >= 2").
	SpotSyntax Syntax = iota
	// SPINSyntax is infix, with [], <>, X, U, V and W: [](a -> <>b).
	SPINSyntax
	// LBTSyntax is prefix, without parentheses: G i a F "p >= 2".
	LBTSyntax
	// CommonSyntax is infix, written as Spot, Owl and LTL3BA all read it, and read as
	// Spot's: G (a -> F b).
	CommonSyntax
)

// maximumFormulaDepth bounds the operators above one another in a formula, and
// so the stack that walking it takes.
const maximumFormulaDepth = 10000

// Parser reads formulas of linear temporal logic.
type Parser struct {
	Formulas *Formulas
	Syntax   Syntax
	// Check, if set, says what is wrong with the name of a proposition. If it returns a
	// *SyntaxError, its positions are positions in the name.
	Check func(name string) error
	// Constant, if set, is called with each constant as it is written, such as 1 or true: a
	// place may be called so.
	Constant func(text string)
	// Limit is that of reading formulas.
	Limit logic.Limit
	// LineLimit, if set, makes the limit of each line of a file. A line where that is reached ends
	// alone, unless Limit is reached too.
	LineLimit func() logic.Limit
}

// Parse reads a formula in Spot's syntax; see Parser.Parse.
func Parse(text string, s *Formulas) (*Formula, error) {
	return Parser{Formulas: s}.Parse(text)
}

// Parse reads a formula. An error is a *SyntaxError, or a *LimitError.
//
// Spot's syntax is all of Spot's LTL, without PSL: the connectives ! & | -> <-> xor X F
// G U R W M in the spellings of Spot, SPIN, LTL2BA, Wring, and Goal; X[n], F[n:m],
// G[n:m], F[n:] and G[n:]; 0, 1, true and false in upper or lower case; and comments
// between /* and */, which nest. From what binds least to what binds most: -> and <->;
// |; xor; &; U, R, W and M; the unary ones. -> and <-> group from the right, and so do
// U, R, W and M.
//
// The name of a proposition is what stands between double or single quotes, or a word of letters,
// digits, _ and dots. A word that begins with F, G or X and no digit after it is this connective
// and the rest, so that GFa is G F a. It is a proposition as a whole if Check accepts it, and
// accepts none of the words that remain behind the connectives. Without quotes too, a proposition
// can be fireable(…) or tokens(…), and a comparison of two numbers, places or tokens(…): p1 >= 2.
// Its name is the text without space. p=0 is !p, as in Wring's syntax; p=1 is refused, for p
// alone and p == 1 are different propositions.
//
// SPIN's syntax differs in three things. F and G are ordinary letters, and words are not divided.
// The words always, eventually, next, until, release, weakuntil, implies and equivalent are
// connectives. And two connectives in a row that SPIN groups from the left are refused without
// parentheses.
//
// LBT's syntax has the connective first: ! X F G & | ^ i e U V W M, and t and f.
func (p Parser) Parse(text string) (*Formula, error) {
	return reading.At(reading.WholeText, text, p.parseText)
}

// parseText makes tokens of the text, a tree of them, and a formula of the tree. A mark of the
// order of bytes in front is left out.
func (p Parser) parseText(text string) (*Formula, error) {
	l := &formulaLexer{
		text: text, syntax: p.Syntax, check: remembered(p.Check), constant: p.Constant, limit: p.Limit,
		position: lexer.Position{Line: 1, Column: 1},
	}
	if mark := "\ufeff"; strings.HasPrefix(text, mark) { // of the order of bytes
		l.position.Offset = len(mark)
	}
	if err := l.scan(); err != nil {
		return nil, err
	}
	b := formulaBuilder{formulas: p.Formulas, syntax: p.Syntax, limit: p.Limit}
	if p.Syntax == LBTSyntax {
		if err := l.lbtDepth(); err != nil {
			return nil, err
		}
		tree, err := parseTokens(lbtGrammar, l)
		if err != nil {
			return nil, err
		}
		return b.lbt(tree)
	}
	tree, err := parseTokens(ltlGrammar, l)
	if err != nil {
		return nil, err
	}
	return b.formula(tree)
}

// remembered returns check, called once for each name.
func remembered(check func(string) error) func(string) error {
	if check == nil {
		return nil
	}
	results := make(map[string]error)
	return func(name string) error {
		err, known := results[name]
		if !known {
			err = check(name)
			results[name] = err
		}
		return err
	}
}

// parseTokens applies a grammar to what l has read.
func parseTokens[T any](g *reading.Grammar[T], l *formulaLexer) (*T, error) {
	tree, err := g.Parse(l, len(l.tokens), l.limit)
	if err == nil {
		return tree, nil
	}
	var parse participle.Error
	if !errors.As(err, &parse) {
		return nil, err
	}
	return nil, l.unexpected(parse)
}

// unexpected rewords an error of the grammar: what was found, and what was expected.
func (l *formulaLexer) unexpected(err participle.Error) error {
	at := err.Position()
	var before, found lexer.Token
	end, open := len(l.text), 0
	for i, t := range l.tokens {
		if t.Pos.Offset >= at.Offset {
			found = t
			if i+1 < len(l.tokens) {
				end = l.tokens[i+1].Pos.Offset
			}
			break
		}
		if t.Type == ltlOperator && t.Value == "(" {
			open++
		} else if t.Type == ltlOperator && t.Value == ")" {
			open--
		}
		before = t
	}
	text := "end"
	if found.Type != lexer.EOF {
		text = `"` + strings.TrimSpace(l.text[at.Offset:end]) + `"`
	}
	return reading.ErrorAt(at, "unexpected %s; expected %s%s", text, l.expected(before, open > 0), l.placeHint(strings.Trim(text, `"`)))
}

// placeHint returns how a place is named that is called as a word of the language is, if
// propositions may be about such a place.
func (l *formulaLexer) placeHint(word string) string {
	if l.check == nil || word == "" || strings.ContainsAny(word, "()\"',") || l.check("tokens("+word+") >= 1") != nil {
		return ""
	}
	return fmt.Sprintf("; for the place %q, which the word hides, write tokens(%[1]s) >= 1", word)
}

// expected describes what may follow the token before.
func (l *formulaLexer) expected(before lexer.Token, open bool) string {
	operand := before.Type == ltlAtom || before.Type == ltlConstant ||
		before.Type == ltlOperator && (before.Value == ")" || before.Value == "=0")
	switch {
	case l.syntax == LBTSyntax && l.lbtComplete(before.Pos.Offset):
		return "the end"
	case l.syntax == LBTSyntax:
		return lbtExpectation
	case operand && open:
		return `an operator or ")"`
	case operand:
		return "an operator or the end"
	case before.Type == ltlOperator && before.Value == "[":
		return `a number`
	case before.Type == ltlNumber, before.Value == ":", before.Value == "inf", before.Value == "strong":
		return `":", a number or "]"`
	}
	return `a proposition, 0, 1, "(", or one of ! X F G`
}
