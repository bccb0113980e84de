package reading

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// manyTokens is how many a text may have for the parser of all short texts, which has no
// limit: it takes some milliseconds for them.
const manyTokens = 10_000

// A Look is read where the text has nothing, once for each operand of a grammar: the parser
// asks its limit there.
type Look interface{ isLook() }

type looked struct{}

func (looked) isLook() {}

// Grammar makes parsers of one grammar, when a text is read: programs that read none neither wait
// for them nor hold them.
type Grammar[T any] struct {
	Symbols lexer.Definition
	once    sync.Once
	short   *participle.Parser[T] // asks nothing
}

// parser asks look at each operand.
func (g *Grammar[T]) parser(ask func() error) *participle.Parser[T] {
	return participle.MustBuild[T](participle.Lexer(g.Symbols), participle.UseLookahead(0),
		participle.ParseTypeWith(func(*lexer.PeekingLexer) (Look, error) { return looked{}, ask() }))
}

// Parse makes a tree of so many tokens within the limit.
func (g *Grammar[T]) Parse(l lexer.Lexer, tokens int, limit Limit) (*T, error) {
	if err := limit.Charge(tokens * tokenBytes * 9 / 4); err != nil { // a copy, as it grows
		return nil, err
	}
	peeking, err := lexer.Upgrade(l)
	if err != nil {
		return nil, err
	}
	if limit == nil || tokens < manyTokens {
		g.once.Do(func() { g.short = g.parser(func() error { return nil }) })
		return g.short.ParseFromLexer(peeking)
	}
	var over error
	tree, err := g.parser(func() error {
		if over == nil {
			over = limit.Charge(TreeBytes)
		}
		return over
	}).ParseFromLexer(peeking)
	if over != nil {
		return nil, over
	}
	return tree, err
}
