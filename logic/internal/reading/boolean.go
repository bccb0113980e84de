package reading

import "github.com/alecthomas/participle/v2/lexer"

// The Boolean connectives that the grammars of all logics share, over operands of any form,
// from what binds least to what binds most. Precedence and associativity are those of Spot:
// -> and <-> group to the right and bind less than |, then xor, then &.

// Implication is operands joined by -> and <->, from the right.
type Implication[O any] struct {
	Pos   lexer.Position
	First *Disjunction[O] `parser:"@@"`
	Rest  []*Implied[O]   `parser:"@@*"`
}

// Implied is an operand behind -> or <->.
type Implied[O any] struct {
	Pos      lexer.Position
	Operator string          `parser:"@('->' | '<->')"`
	Operand  *Disjunction[O] `parser:"@@"`
}

// Disjunction is operands joined by |.
type Disjunction[O any] struct {
	Operands []*Exclusive[O] `parser:"@@ ('|' @@)*"`
}

// Exclusive is operands joined by xor.
type Exclusive[O any] struct {
	Pos      lexer.Position
	Operands []*Conjunction[O] `parser:"@@ ('xor' @@)*"`
}

// Conjunction is operands joined by &.
type Conjunction[O any] struct {
	Operands []*O `parser:"@@ ('&' @@)*"`
}
