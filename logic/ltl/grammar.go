package ltl

import (
	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/logic/internal/reading"
)

// The grammar of temporal formulas in infix syntax follows Spot. From what binds least
// to what binds most, there are: -> and <->, from the right; |; xor; &; the binary
// temporal connectives, from the right; and the unary ones.

// The Boolean connectives over chains of temporal ones.
type (
	ltlFormula     = reading.Implication[ltlChain]
	ltlImplied     = reading.Implied[ltlChain]
	ltlDisjunction = reading.Disjunction[ltlChain]
	ltlExclusive   = reading.Exclusive[ltlChain]
	ltlConjunction = reading.Conjunction[ltlChain]
)

// ltlChain is operands joined by U, R, W and M.
type ltlChain struct {
	First *ltlUnary  `parser:"@@"`
	Rest  []*ltlLink `parser:"@@*"`
}

type ltlLink struct {
	Pos      lexer.Position
	Operator string    `parser:"@Temporal"`
	Operand  *ltlUnary `parser:"@@"`
}

// ltlUnary is an operand behind any number of unary connectives.
type ltlUnary struct {
	Pos      lexer.Position
	Prefixes []*ltlPrefixed `parser:"@@*"`
	Operand  *ltlOperand    `parser:"@@"`
	Look     reading.Look   `parser:"@@"`
}

// ltlPrefixed is a unary connective, perhaps with bounds.
type ltlPrefixed struct {
	Pos      lexer.Position
	Operator string       `parser:"@Prefix"`
	Bounds   *ltlBounds   `parser:"@@?"`
	Look     reading.Look `parser:"@@"`
}

// ltlBounds is [n], [n:m], [n:], [n!], [n:m!] or [!].
type ltlBounds struct {
	Pos    lexer.Position
	From   string `parser:"'[' @Number?"`
	Colon  string `parser:"( @':'"`
	To     string `parser:"  ( @Number | 'inf' )? )?"`
	Strong string `parser:"@'strong'? ']'"`
}

// ltlOperand is what stands by itself; one of its fields is set.
type ltlOperand struct {
	Constant string      `parser:"@Constant"`
	Atom     string      `parser:"| ( @Atom"`
	Negated  string      `parser:"    @'=0'? )"`
	Group    *ltlFormula `parser:"| '(' @@ ')'"`
}

// lbtFormula is a formula in LBT's prefix syntax.
type lbtFormula struct {
	Pos      lexer.Position
	Constant string       `parser:"  @Constant"`
	Atom     string       `parser:"| @Atom"`
	Prefix   string       `parser:"| ( @Prefix"`
	Operand  *lbtFormula  `parser:"    @@ )"`
	Infix    string       `parser:"| ( @(Temporal | Operator)"`
	Left     *lbtFormula  `parser:"    @@"`
	Right    *lbtFormula  `parser:"    @@ )"`
	Look     reading.Look `parser:"@@"`
}

var (
	ltlGrammar = &reading.Grammar[ltlFormula]{Symbols: ltlSymbols{}}
	lbtGrammar = &reading.Grammar[lbtFormula]{Symbols: ltlSymbols{}}
)
