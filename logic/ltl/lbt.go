package ltl

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/internal/lazy"
	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// lbtOperators are the operators of LBT's prefix syntax, all of one letter.
//
// The syntax is that of the tool LBT, in which operators stand before their operands. It needs no
// parentheses, as each operator says how many operands follow: G(p0 -> F p1) is G i p0 F p1. The
// same property says where a formula ends. One operand is missing at first; each token takes the
// place of one missing operand and asks for its own. G leaves 1, i makes it 2, p0 leaves 1, F
// leaves 1, and p1 leaves 0: the formula is complete.
var lbtOperators = lazy.Value[map[string]lbtOperator]{Make: func() map[string]lbtOperator {
	return map[string]lbtOperator{
		"!": {"!", ltlPrefix, 1}, "X": {"X", ltlPrefix, 1}, "F": {"F", ltlPrefix, 1}, "G": {"G", ltlPrefix, 1},
		"&": {"&", ltlOperator, 2}, "|": {"|", ltlOperator, 2}, "^": {"xor", ltlOperator, 2},
		"i": {"->", ltlOperator, 2}, "e": {"<->", ltlOperator, 2},
		"U": {"U", ltlTemporal, 2}, "V": {"R", ltlTemporal, 2}, "R": {"R", ltlTemporal, 2},
		"W": {"W", ltlTemporal, 2}, "M": {"M", ltlTemporal, 2},
		"t": {"1", ltlConstant, 0}, "f": {"0", ltlConstant, 0},
	}
}}

// lbtOperator is what a letter stands for.
type lbtOperator struct {
	value    string
	kind     lexer.TokenType
	operands int
}

// readPrefixed reads a token of LBT's syntax.
func (l *formulaLexer) readPrefixed(rest string) error {
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case first == '"':
		name, length, ok := reading.Unquote(rest)
		if !ok {
			return l.errorf("no closing %c for this quote", first)
		}
		return l.emitAtom(name, length)
	case isFormulaLetter(first):
		size = wordLength(rest)
	}
	if o, ok := lbtOperators.Get()[rest[:size]]; ok {
		l.emit(o.kind, o.value, size)
		return nil
	}
	if !isFormulaLetter(first) {
		return l.errorf("unexpected character %q; expected %s", first, lbtExpectation)
	}
	return l.emitAtom(rest[:size], size)
}

const lbtExpectation = "a proposition, t, f, or one of ! X F G & | ^ i e U V W M"

// lbtDepth returns an error if formulas in l.tokens nest more than MaximumNesting
// deep: reading goes as deep.
func (l *formulaLexer) lbtDepth() error {
	var missing []int // operands of the operators that enclose the next token
	for _, token := range l.tokens {
		if operands := lbtOperands(token); operands > 0 {
			missing = append(missing, operands)
			if len(missing) > logic.MaximumNesting {
				return reading.ErrorAt(token.Pos, "operators nest more than %d deep", logic.MaximumNesting)
			}
			continue
		}
		for len(missing) > 0 {
			last := len(missing) - 1
			if missing[last]--; missing[last] > 0 {
				break
			}
			missing = missing[:last]
		}
	}
	return nil
}

// lbtOperands returns how many operands follow a token.
func lbtOperands(token lexer.Token) int {
	switch token.Type {
	case ltlPrefix:
		return 1
	case ltlTemporal, ltlOperator:
		return 2
	}
	return 0
}

// lbtComplete reports whether the tokens up to the one at offset are a formula.
func (l *formulaLexer) lbtComplete(offset int) bool {
	missing := 1
	for _, token := range l.tokens {
		if token.Pos.Offset > offset || token.Type == lexer.EOF {
			break
		}
		missing += lbtOperands(token) - 1
	}
	return missing == 0
}

// lbt makes a formula of a tree in prefix syntax.
func (b *formulaBuilder) lbt(f *lbtFormula) (*Formula, error) {
	if err := b.limit.Charge(reading.TreeBytes); err != nil {
		return nil, err
	}
	switch {
	case f.Constant != "":
		return b.constant(f.Constant), nil
	case f.Atom != "":
		return b.formulas.Atom(f.Atom[1:]), nil
	case f.Prefix != "":
		g, err := b.lbt(f.Operand)
		if err != nil {
			return nil, err
		}
		return b.apply(f.Prefix, g), nil
	}
	left, err := b.lbt(f.Left)
	if err != nil {
		return nil, err
	}
	right, err := b.lbt(f.Right)
	if err != nil {
		return nil, err
	}
	if operator := connectives.Get()[f.Infix]; operator == logic.And || operator == logic.Or {
		return b.junction(operator, left, right)
	}
	return b.apply(f.Infix, left, right), nil
}

// writePrefixed writes f in LBT's prefix syntax. A conjunction or disjunction
// of many operands becomes a balanced tree, so that its depth is logarithmic.
func (w *formulaWriter) writePrefixed(f *Formula) {
	switch f.operator {
	case logic.False:
		w.WriteString("f")
	case logic.True:
		w.WriteString("t")
	case Atom:
		w.WriteString(w.atom(f))
	case logic.And, logic.Or:
		w.writeBalanced(w.spelling(f.operator), f.operands)
	default:
		w.WriteString(w.spelling(f.operator))
		for _, g := range f.operands {
			w.WriteString(" ")
			w.writePrefixed(g)
		}
	}
}

// writeBalanced writes operands of an associative operator, which is binary in LBT's syntax, as a
// balanced tree: readers nest no deeper than the logarithm of their number.
func (w *formulaWriter) writeBalanced(operator string, operands []*Formula) {
	if len(operands) == 1 {
		w.writePrefixed(operands[0])
		return
	}
	half := len(operands) / 2
	w.WriteString(operator + " ")
	w.writeBalanced(operator, operands[:half])
	w.WriteString(" ")
	w.writeBalanced(operator, operands[half:])
}

// isLBTName reports whether every tool that reads LBT's syntax reads a name
// without quotes: p and a number.
func isLBTName(name string) bool {
	return len(name) > 1 && name[0] == 'p' &&
		strings.IndexFunc(name[1:], func(r rune) bool { return !unicode.Is(unicode.Nd, r) || r > '9' }) < 0
}
