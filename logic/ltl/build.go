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

// What a formula takes, as measured, with its entry in the table of Formulas; and what each operand of a
// conjunction or disjunction adds: two copies of the pointer, and the time to sort, hash and compare it.
const (
	formulaBytes = 200
	operandBytes = 32
)

// junction returns the conjunction or disjunction of operands. It asks the limit first for all operands
// that it will have, as nested ones are flattened.
//
// A text of n operands can ask for far more than n of them. In F[0:1000](a | b | …) each position has
// its own disjunction, of all operands and what follows: 25,000 names in 200 KB become 25 million
// operands. Parentheses do the same: ((a | b | …) | x) | y.
func (b *formulaBuilder) junction(operator Operator, operands ...*Formula) (*Formula, error) {
	flat := 0
	for _, f := range operands {
		if f.operator == operator {
			flat += len(f.operands)
		} else {
			flat++
		}
	}
	if err := b.limit.Charge(formulaBytes + flat*operandBytes); err != nil {
		return nil, err
	}
	return b.formulas.Make(operator, operands), nil
}

// next returns X f, and asks the limit first.
func (b *formulaBuilder) next(f *Formula) (*Formula, error) {
	if err := b.limit.Charge(formulaBytes); err != nil {
		return nil, err
	}
	return b.formulas.Next(f), nil
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
	return joined(b, logic.Or, t.Operands, b.exclusive)
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
	return joined(b, logic.And, t.Operands, b.chain)
}

// joined makes formulas of operands, and a conjunction or disjunction of all these.
func joined[T any](b *formulaBuilder, operator Operator, operands []T, build func(T) (*Formula, error)) (*Formula, error) {
	all, err := formulasOf(operands, build)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 1:
		return all[0], nil
	}
	return b.junction(operator, all...)
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
	isNext := p.Operator == "X"
	switch {
	case isNext && bounds.Colon != "":
		return nil, reading.ErrorAt(bounds.Pos, "expected X[n], with one number")
	case !isNext && bounds.Colon == "":
		return nil, reading.ErrorAt(bounds.Pos, "expected %s[n:m], with two numbers", p.Operator)
	case isNext && bounds.From == "" && bounds.Strong != "":
		return b.next(f)
	case isNext && bounds.From == "":
		return nil, reading.ErrorAt(bounds.Pos, "expected a number between the brackets")
	}
	from, err := boundOf(bounds, bounds.From)
	if err != nil {
		return nil, err
	}
	switch {
	case isNext:
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
		once, join := f, logic.And
		if p.Operator == "F" {
			join = logic.Or
		}
		for range to - from {
			if f, err = b.next(f); err != nil {
				return nil, err
			}
			if f, err = b.junction(join, once, f); err != nil {
				return nil, err
			}
		}
	}
	for range from {
		if f, err = b.next(f); err != nil {
			return nil, err
		}
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
