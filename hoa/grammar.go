package hoa

import (
	"io"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/internal/lazy"
)

// The header of an automaton is a sequence of items, each a header name and its
// values. The grammar below is that of one item, over tokens of the scanner, so
// that an item with an error leaves the others readable. The body, where the
// bulk of a file is, is parsed by hand.

// The token types of the grammar. Headers of the format and all others are
// different types, so that a malformed known header isn't taken for an unknown.
const (
	grammarKnownHeader lexer.TokenType = iota + 1
	grammarOtherHeader
	grammarIdentifier
	grammarString
	grammarInteger
	grammarAlias
	grammarSymbol
)

var grammarSymbols = lazy.Value[map[string]lexer.TokenType]{Make: func() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "KnownHeader": grammarKnownHeader, "OtherHeader": grammarOtherHeader,
		"Identifier": grammarIdentifier, "String": grammarString, "Integer": grammarInteger,
		"Alias": grammarAlias, "Symbol": grammarSymbol,
	}
}}

// knownHeaders are the headers that the grammar has a rule for.
var knownHeaders = lazy.Value[map[string]bool]{Make: func() map[string]bool {
	return map[string]bool{
		"HOA:": true, "States:": true, "Start:": true, "AP:": true, "Alias:": true,
		"Acceptance:": true, "acc-name:": true, "tool:": true, "name:": true,
		"properties:": true, testingHeader: true,
	}
}}

// testingHeader marks an automaton as a testing automaton. Its capital letter makes
// readers that don't know it refuse the automaton.
const testingHeader = "Testing:"

// headerItem is one header with its values; one field is set, as the name says.
// Positions are relative to the header's name. Not to be modified: the same value
// serves all automata of a stream that have the header in common.
type headerItem struct {
	Version      *string           `parser:"'HOA:' @Identifier"`
	States       *int              `parser:"| 'States:' @Integer"`
	Start        []int             `parser:"| 'Start:' @Integer ( '&' @Integer )*"`
	Propositions *propositionsItem `parser:"| 'AP:' @@"`
	Alias        *aliasItem        `parser:"| 'Alias:' @@"`
	Acceptance   *acceptanceItem   `parser:"| 'Acceptance:' @@"`
	AccName      *accNameItem      `parser:"| 'acc-name:' @@"`
	Tool         []string          `parser:"| 'tool:' @String @String?"`
	Name         *string           `parser:"| 'name:' @String"`
	Properties   *propertiesItem   `parser:"| 'properties:' @@"`
	Testing      *string           `parser:"| 'Testing:' @Identifier"`
	Other        *otherItem        `parser:"| @@"`
}

// propositionsItem is a number and as many names, with their quotes.
type propositionsItem struct {
	Count int                `parser:"@Integer"`
	Names []*propositionName `parser:"@@*"`
}

type propositionName struct {
	Pos  lexer.Position
	Name string `parser:"@String"`
}

type aliasItem struct {
	Name       string            `parser:"@Alias"`
	Expression *labelDisjunction `parser:"@@"`
}

// labelDisjunction and the types below are label expressions, by rising precedence: | &
// !.
type labelDisjunction struct {
	Operands []*labelConjunction `parser:"@@ ( '|' @@ )*"`
}

type labelConjunction struct {
	Operands []*labelAtom `parser:"@@ ( '&' @@ )*"`
}

type labelAtom struct {
	Pos         lexer.Position
	Negations   []string          `parser:"@'!'*"`
	Group       *labelDisjunction `parser:"( '(' @@ ')'"`
	Constant    string            `parser:"| @( 't' | 'f' )"`
	Proposition *int              `parser:"| @Integer"`
	Alias       string            `parser:"| @Alias )"`
}

type acceptanceItem struct {
	Sets      int                    `parser:"@Integer"`
	Condition *acceptanceDisjunction `parser:"@@"`
}

type acceptanceDisjunction struct {
	Operands []*acceptanceConjunction `parser:"@@ ( '|' @@ )*"`
}

type acceptanceConjunction struct {
	Operands []*acceptanceAtom `parser:"@@ ( '&' @@ )*"`
}

type acceptanceAtom struct {
	Pos      lexer.Position
	Group    *acceptanceDisjunction `parser:"'(' @@ ')'"`
	Constant string                 `parser:"| @( 't' | 'f' )"`
	Operator string                 `parser:"| @( 'Inf' | 'Fin' ) '('"`
	Negated  bool                   `parser:"@'!'?"`
	Set      int                    `parser:"@Integer ')'"`
}

type accNameItem struct {
	Name       string   `parser:"@Identifier"`
	Parameters []string `parser:"@( Identifier | Integer )*"`
}

type propertiesItem struct {
	Names []*propertyName `parser:"@@*"`
}

type propertyName struct {
	Pos     lexer.Position
	Negated bool   `parser:"@'!'?"`
	Name    string `parser:"@Identifier"`
}

// otherItem is a header that the format doesn't define, whatever its values.
type otherItem struct {
	Name   string        `parser:"@OtherHeader"`
	Values []*otherValue `parser:"@@*"`
}

// otherValue is one that the format allows, or foreign to it.
type otherValue struct {
	Pos     lexer.Position
	Plain   string `parser:"  @( Identifier | String | Integer )"`
	Foreign string `parser:"| @( Alias | Symbol )"`
}

// headerParser is made when a header is read.
var headerParser = lazy.Value[*participle.Parser[headerItem]]{Make: func() *participle.Parser[headerItem] {
	return participle.MustBuild[headerItem](participle.Lexer(headerTokens{}))
}}

// headerTokens hands the tokens of one item to the grammar; as a definition it
// only names the types, since the tokens come from the scanner.
type headerTokens struct {
	tokens []lexer.Token
}

func (headerTokens) Symbols() map[string]lexer.TokenType { return grammarSymbols.Get() }

// Lex satisfies the interface. It is never called.
func (headerTokens) Lex(string, io.Reader) (lexer.Lexer, error) { return &headerTokens{}, nil }

// Next delivers the next token. The last token is the end.
func (h *headerTokens) Next() (lexer.Token, error) {
	if len(h.tokens) == 0 {
		return lexer.EOFToken(lexer.Position{}), nil
	}
	t := h.tokens[0]
	if len(h.tokens) > 1 {
		h.tokens = h.tokens[1:]
	}
	return t, nil
}
