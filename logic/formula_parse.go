package logic

import (
	"errors"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
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
)

// maximumFormulaDepth bounds the operators above one another in a formula, and
// so the stack that walking it takes.
const maximumFormulaDepth = 10000

// FormulaParser reads formulas of linear temporal logic.
type FormulaParser struct {
	Formulas *Formulas
	Syntax   Syntax
	// Check, if set, tells for the name of a proposition what is wrong with it;
	// positions in a *SyntaxError that it returns are positions in the name.
	Check func(name string) error
}

// ParseFormula reads a formula in Spot's syntax; see FormulaParser.Parse.
func ParseFormula(text string, s *Formulas) (*Formula, error) {
	return FormulaParser{Formulas: s}.Parse(text)
}

// Parse reads a formula. An error is a *SyntaxError.
//
// Spot's syntax is all of Spot's LTL, without PSL: the connectives ! & | -> <->
// xor X F G U R W M in the spellings of Spot, SPIN, LTL2BA, Wring, and Goal;
// X[n], F[n:m], G[n:m], F[n:] and G[n:]; 0, 1, true and false in any case; and
// comments between /* and */. From what binds least to what binds most: -> and
// <->; |; xor; &; U, R, W and M; the unary ones. -> and <-> group from the
// right, and so do U, R, W and M.
//
// The name of a proposition is what stands between double or single quotes, or
// a word of letters, digits, _ and dots. A word that begins with F, G or X and
// no digit after it is this connective and the rest, so that GFa is G F a; but
// it is a proposition if Check accepts it, and none of the words that remain
// behind the connectives. Without quotes too, a proposition can be fireable(…)
// or tokens(…), and a comparison of two numbers, places or tokens(…): p1 >= 2.
// Its name is the text without space. p=0 is !p, as in Wring's syntax; p=1 is
// refused, for p alone and p == 1 are different propositions.
//
// SPIN's syntax is the same, except that F and G are ordinary letters, words are
// not divided, always, eventually, next, until, release, weakuntil, implies and
// equivalent are connectives, and that two connectives that SPIN groups from the
// left, in a row without parentheses, are refused.
//
// LBT's syntax has the connective first: ! X F G & | ^ i e U V W M, and t and f.
func (p FormulaParser) Parse(text string) (*Formula, error) {
	return p.parse(text, wholeText)
}

// parse is Parse for a text at o.
func (p FormulaParser) parse(text string, o origin) (*Formula, error) {
	f, err := p.parseText(text)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		return nil, o.shift(syntax)
	}
	return f, err
}

func (p FormulaParser) parseText(text string) (*Formula, error) {
	l := &formulaLexer{
		text: text, syntax: p.Syntax, check: remembered(p.Check),
		position: lexer.Position{Line: 1, Column: 1},
	}
	if err := l.scan(); err != nil {
		return nil, err
	}
	b := formulaBuilder{formulas: p.Formulas, syntax: p.Syntax}
	if p.Syntax == LBTSyntax {
		if err := l.lbtDepth(); err != nil {
			return nil, err
		}
		tree, err := parseTokens(lbtParser, l)
		if err != nil {
			return nil, err
		}
		return b.lbt(tree)
	}
	tree, err := parseTokens(ltlParser, l)
	if err != nil {
		return nil, err
	}
	return b.formula(tree)
}

// remembered is check, called once for each name.
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
func parseTokens[T any](parser *participle.Parser[T], l *formulaLexer) (*T, error) {
	peeking, err := lexer.Upgrade(l)
	if err != nil {
		return nil, err
	}
	tree, err := parser.ParseFromLexer(peeking)
	if err == nil {
		return tree, nil
	}
	var parse participle.Error
	if !errors.As(err, &parse) {
		return nil, err
	}
	return nil, l.unexpected(parse)
}

// unexpected says of an error of the grammar what was found and what expected.
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
	return syntaxErrorAt(at, "unexpected %s; expected %s", text, l.expected(before, open > 0))
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

// formulaBuilder makes formulas of syntax trees.
type formulaBuilder struct {
	formulas *Formulas
	syntax   Syntax
}

// bounded is f, or an error if it is too deep.
func (b *formulaBuilder) bounded(at lexer.Position, f *Formula) (*Formula, error) {
	if f.Depth() > maximumFormulaDepth {
		return nil, syntaxErrorAt(at, "the formula is more than %d connectives deep", maximumFormulaDepth)
	}
	return f, nil
}

func (b *formulaBuilder) constant(value string) *Formula {
	if value == "1" {
		return b.formulas.True()
	}
	return b.formulas.False()
}

// unary applies one of ! X F G.
func (b *formulaBuilder) unary(operator string, f *Formula) *Formula {
	switch operator {
	case "!":
		return b.formulas.Not(f)
	case "X":
		return b.formulas.Next(f)
	case "F":
		return b.formulas.Finally(f)
	default:
		return b.formulas.Globally(f)
	}
}

// binary applies a connective to two operands.
func (b *formulaBuilder) binary(operator string, f, g *Formula) *Formula {
	switch operator {
	case "&":
		return b.formulas.And(f, g)
	case "|":
		return b.formulas.Or(f, g)
	case "xor":
		return b.formulas.Xor(f, g)
	case "->":
		return b.formulas.Implies(f, g)
	case "<->":
		return b.formulas.Equivalent(f, g)
	case "U":
		return b.formulas.Until(f, g)
	case "R":
		return b.formulas.Release(f, g)
	case "W":
		return b.formulas.WeakUntil(f, g)
	default:
		return b.formulas.StrongRelease(f, g)
	}
}

// formula resolves a chain of -> and <-> from its right end.
func (b *formulaBuilder) formula(t *ltlFormula) (*Formula, error) {
	if b.syntax == SPINSyntax && len(t.Rest) > 1 {
		return nil, syntaxErrorAt(t.Rest[1].Pos, "expected parentheses: SPIN groups %s and %s from the left",
			t.Rest[0].Operator, t.Rest[1].Operator)
	}
	f, err := b.disjunction(t.First)
	if err != nil {
		return nil, err
	}
	operands := []*Formula{f}
	for _, r := range t.Rest {
		if f, err = b.disjunction(r.Operand); err != nil {
			return nil, err
		}
		operands = append(operands, f)
	}
	for i := len(t.Rest) - 1; i >= 0; i-- {
		f, err = b.bounded(t.Rest[i].Pos, b.binary(t.Rest[i].Operator, operands[i], f))
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (b *formulaBuilder) disjunction(t *ltlDisjunction) (*Formula, error) {
	all, err := formulasOf(t.Operands, b.exclusive)
	if err != nil {
		return nil, err
	}
	return b.formulas.Or(all...), nil
}

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

func (b *formulaBuilder) conjunction(t *ltlConjunction) (*Formula, error) {
	all, err := formulasOf(t.Operands, b.chain)
	if err != nil {
		return nil, err
	}
	return b.formulas.And(all...), nil
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

// chain resolves a chain of U, R, W and M from its right end.
func (b *formulaBuilder) chain(t *ltlChain) (*Formula, error) {
	if b.syntax == SPINSyntax && len(t.Rest) > 1 {
		return nil, syntaxErrorAt(t.Rest[1].Pos, "expected parentheses: SPIN groups temporal operators from the left")
	}
	f, err := b.prefixed(t.First)
	if err != nil {
		return nil, err
	}
	operands := []*Formula{f}
	for _, r := range t.Rest {
		if f, err = b.prefixed(r.Operand); err != nil {
			return nil, err
		}
		operands = append(operands, f)
	}
	for i := len(t.Rest) - 1; i >= 0; i-- {
		f, err = b.bounded(t.Rest[i].Pos, b.binary(t.Rest[i].Operator, operands[i], f))
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

// prefixed applies unary connectives, from the innermost.
func (b *formulaBuilder) prefixed(t *ltlUnary) (*Formula, error) {
	f, err := b.operand(t.Operand)
	if err != nil {
		return nil, err
	}
	for i := len(t.Prefixes) - 1; i >= 0; i-- {
		p := t.Prefixes[i]
		if p.Bounds == nil {
			f = b.unary(p.Operator, f)
		} else if f, err = b.repeated(p, f); err != nil {
			return nil, err
		}
		if f, err = b.bounded(p.Pos, f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

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

// repeated applies X, F or G with bounds: X[n] is n times X; F[n:m] f is f at one
// of the positions from n to m, and G[n:m] f at all of them, written as
// X…X(f ∨ X(f ∨ …)). On infinite runs the strong forms, with !, are the same.
func (b *formulaBuilder) repeated(p *ltlPrefixed, f *Formula) (*Formula, error) {
	bounds := p.Bounds
	next := p.Operator == "X"
	switch {
	case next && bounds.Colon != "":
		return nil, syntaxErrorAt(bounds.Pos, "expected X[n], with one number")
	case !next && bounds.Colon == "":
		return nil, syntaxErrorAt(bounds.Pos, "expected %s[n:m], with two numbers", p.Operator)
	case next && bounds.From == "" && bounds.Strong != "":
		return b.formulas.Next(f), nil
	case next && bounds.From == "":
		return nil, syntaxErrorAt(bounds.Pos, "expected a number between the brackets")
	}
	from, err := boundOf(bounds, bounds.From)
	if err != nil {
		return nil, err
	}
	switch {
	case next:
	case bounds.To == "" || bounds.To == "inf":
		f = b.unary(p.Operator, f)
	default:
		to, err := boundOf(bounds, bounds.To)
		if err != nil {
			return nil, err
		}
		if to < from {
			return nil, syntaxErrorAt(bounds.Pos, "the bounds %d to %d go backwards", from, to)
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

// boundOf is the number of positions that a bound means.
func boundOf(at *ltlBounds, digits string) (int, error) {
	if digits == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > maximumNesting {
		return 0, syntaxErrorAt(at.Pos, "the bound %s exceeds %d", digits, maximumNesting)
	}
	return n, nil
}
