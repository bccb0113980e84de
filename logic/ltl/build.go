package ltl

import (
	"strconv"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/internal/lazy"
	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// formulaBuilder makes formulas of syntax trees.
type formulaBuilder struct {
	formulas *Formulas
	syntax   Syntax
	limit    logic.Limit
}

// bounded returns f, or an error if it is too deep.
func (b *formulaBuilder) bounded(at lexer.Position, f *Formula) (*Formula, error) {
	if f.Depth() > maximumFormulaDepth {
		return nil, reading.ErrorAt(at, "the formula is more than %d connectives deep", maximumFormulaDepth)
	}
	return f, nil
}

// constant returns true for 1, and false for 0.
func (b *formulaBuilder) constant(value string) *Formula {
	if value == "1" {
		return b.formulas.True()
	}
	return b.formulas.False()
}

// connectives are those that the grammar knows.
var connectives = lazy.Value[map[string]Operator]{Make: func() map[string]Operator {
	return map[string]Operator{
		"!": logic.Not, "X": Next, "F": Finally, "G": Globally,
		"&": logic.And, "|": logic.Or, "xor": logic.Xor, "->": logic.Implies, "<->": logic.Equivalent,
		"U": Until, "R": Release, "W": WeakUntil, "M": StrongRelease,
	}
}}

// apply applies a connective to its operands.
func (b *formulaBuilder) apply(operator string, operands ...*Formula) *Formula {
	return b.formulas.Make(connectives.Get()[operator], operands)
}

// formula resolves a chain of -> and <->.
func (b *formulaBuilder) formula(t *ltlFormula) (*Formula, error) {
	link := func(l *ltlImplied) (operatorAt, *ltlDisjunction) { return operatorAt{l.Operator, l.Pos}, l.Operand }
	return chained(b, t.First, t.Rest, link, b.disjunction)
}

// operatorAt is a binary connective and where it stands.
type operatorAt struct {
	operator string
	at       lexer.Position
}

// fromRight joins operands by the connectives between them, from the right end;
// SPIN does so from the left.
func (b *formulaBuilder) fromRight(operands []*Formula, between []operatorAt) (*Formula, error) {
	if b.syntax == SPINSyntax && len(between) > 1 {
		return nil, reading.ErrorAt(between[1].at, "expected parentheses: SPIN groups %s and %s from the left",
			between[0].operator, between[1].operator)
	}
	f, err := operands[len(between)], error(nil)
	for i := len(between) - 1; i >= 0; i-- {
		if f, err = b.bounded(between[i].at, b.apply(between[i].operator, operands[i], f)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// disjunction returns the disjunction of its operands, which are exclusive ors.
func (b *formulaBuilder) disjunction(t *ltlDisjunction) (*Formula, error) {
	return joined(t.Operands, b.exclusive, b.formulas.Or)
}

// exclusive returns the exclusive or of its operands, from left to right, and fails where the
// formula becomes too deep.
func (b *formulaBuilder) exclusive(t *ltlExclusive) (*Formula, error) {
	all, err := formulasOf(t.Operands, b.conjunction)
	if err != nil {
		return nil, err
	}
	f := all[0]
	for i, g := range all[1:] {
		if f, err = b.bounded(t.Operands[i+1].Operands[0].First.Pos, b.formulas.Xor(f, g)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// conjunction returns the conjunction of its operands, which are chains of binary operators.
func (b *formulaBuilder) conjunction(t *ltlConjunction) (*Formula, error) {
	return joined(t.Operands, b.chain, b.formulas.And)
}

// joined makes formulas of operands, and one of all these.
func joined[T any](operands []T, build func(T) (*Formula, error), join func(...*Formula) *Formula) (*Formula, error) {
	all, err := formulasOf(operands, build)
	if err != nil {
		return nil, err
	}
	return join(all...), nil
}

// formulasOf makes formulas of operands.
func formulasOf[T any](operands []T, build func(T) (*Formula, error)) ([]*Formula, error) {
	all := make([]*Formula, len(operands))
	for i, o := range operands {
		var err error
		if all[i], err = build(o); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// chain resolves a chain of U, R, W and M.
func (b *formulaBuilder) chain(t *ltlChain) (*Formula, error) {
	link := func(l *ltlLink) (operatorAt, *ltlUnary) { return operatorAt{l.Operator, l.Pos}, l.Operand }
	return chained(b, t.First, t.Rest, link, b.prefixed)
}

// chained makes formulas of the operands of a chain, each but the first in a link with the connective
// before it, and joins them.
func chained[T, L any](b *formulaBuilder, first T, rest []L, link func(L) (operatorAt, T), build func(T) (*Formula, error)) (*Formula, error) {
	operands, between := []T{first}, []operatorAt(nil)
	for _, l := range rest {
		operator, operand := link(l)
		operands, between = append(operands, operand), append(between, operator)
	}
	all, err := formulasOf(operands, build)
	if err != nil {
		return nil, err
	}
	return b.fromRight(all, between)
}

// prefixed applies unary connectives, from the innermost.
func (b *formulaBuilder) prefixed(t *ltlUnary) (*Formula, error) {
	if err := b.limit.Charge(reading.TreeBytes); err != nil {
		return nil, err
	}
	f, err := b.operand(t.Operand)
	if err != nil {
		return nil, err
	}
	for i := len(t.Prefixes) - 1; i >= 0; i-- {
		p := t.Prefixes[i]
		if p.Bounds == nil {
			f = b.apply(p.Operator, f)
		} else if f, err = b.repeated(p, f); err != nil {
			return nil, err
		}
		if f, err = b.bounded(p.Pos, f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// operand returns a constant, a formula in parentheses, or an atom, which may be negated.
func (b *formulaBuilder) operand(t *ltlOperand) (*Formula, error) {
	switch {
	case t.Constant != "":
		return b.constant(t.Constant), nil
	case t.Group != nil:
		return b.formula(t.Group)
	}
	f := b.formulas.Atom(t.Atom[1:])
	if t.Negated != "" {
		f = b.formulas.Not(f)
	}
	return f, nil
}

// repeated applies X, F or G with bounds. X[n] is n times X. F[n:m] f is f at one of
// the positions from n to m, written as X…X(f ∨ X(f ∨ …)). G[n:m] f is f at all of
// them, likewise with ∧. On infinite runs the strong forms, with !, are the same.
//
// For example, F[1:3] a becomes X(a | X(a | Xa)), and F[2:] a becomes XXFa. The bounds are at
// most logic.MaximumNesting, as each position is one more level of the formula.
func (b *formulaBuilder) repeated(p *ltlPrefixed, f *Formula) (*Formula, error) {
	bounds := p.Bounds
	next := p.Operator == "X"
	switch {
	case next && bounds.Colon != "":
		return nil, reading.ErrorAt(bounds.Pos, "expected X[n], with one number")
	case !next && bounds.Colon == "":
		return nil, reading.ErrorAt(bounds.Pos, "expected %s[n:m], with two numbers", p.Operator)
	case next && bounds.From == "" && bounds.Strong != "":
		return b.formulas.Next(f), nil
	case next && bounds.From == "":
		return nil, reading.ErrorAt(bounds.Pos, "expected a number between the brackets")
	}
	from, err := boundOf(bounds, bounds.From)
	if err != nil {
		return nil, err
	}
	switch {
	case next:
	case bounds.To == "" || bounds.To == "inf":
		f = b.apply(p.Operator, f)
	default:
		to, err := boundOf(bounds, bounds.To)
		if err != nil {
			return nil, err
		}
		if to < from {
			return nil, reading.ErrorAt(bounds.Pos, "the bounds %d to %d go backwards", from, to)
		}
		once := f
		for range to - from {
			if f = b.formulas.Next(f); p.Operator == "F" {
				f = b.formulas.Or(once, f)
			} else {
				f = b.formulas.And(once, f)
			}
		}
	}
	for range from {
		f = b.formulas.Next(f)
	}
	return f, nil
}

// longestBound is the number of digits of a bound that can be a number: errors of longer ones repeat them.
const longestBound = 18

// boundOf returns the number of positions that a bound means.
func boundOf(at *ltlBounds, digits string) (int, error) {
	if digits == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(digits[:min(len(digits), longestBound)])
	if err != nil || len(digits) > longestBound || n > logic.MaximumNesting {
		return 0, reading.ErrorAt(at.Pos, "the bound %s exceeds %d", digits, logic.MaximumNesting)
	}
	return n, nil
}
