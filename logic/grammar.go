package logic

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// manyTokens is how many a text may have for the parser of all short texts, which has no
// limit: it takes some milliseconds for them.
const manyTokens = 10_000

// A look is read where the text has nothing, once for each operand of a grammar: the parser
// asks its limit there.
type look interface{ isLook() }

type looked struct{}

func (looked) isLook() {}

// grammar makes parsers of one grammar.
type grammar[T any] struct {
	symbols lexer.Definition
	short   *participle.Parser[T]
}

func newGrammar[T any](symbols lexer.Definition) *grammar[T] {
	g := &grammar[T]{symbols: symbols}
	g.short = g.parser(func() error { return nil })
	return g
}

// parser asks look at each operand.
func (g *grammar[T]) parser(ask func() error) *participle.Parser[T] {
	return participle.MustBuild[T](participle.Lexer(g.symbols), participle.UseLookahead(0),
		participle.ParseTypeWith(func(*lexer.PeekingLexer) (look, error) { return looked{}, ask() }))
}

// parse makes a tree of so many tokens within the limit.
func (g *grammar[T]) parse(l lexer.Lexer, tokens int, limit Limit) (*T, error) {
	if err := limit.charge(tokens * tokenBytes * 9 / 4); err != nil { // a copy, as it grows
		return nil, err
	}
	peeking, err := lexer.Upgrade(l)
	if err != nil {
		return nil, err
	}
	if limit == nil || tokens < manyTokens {
		return g.short.ParseFromLexer(peeking)
	}
	var over error
	tree, err := g.parser(func() error {
		if over == nil {
			over = limit.charge(treeBytes)
		}
		return over
	}).ParseFromLexer(peeking)
	if over != nil {
		return nil, over
	}
	return tree, err
}
