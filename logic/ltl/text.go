package ltl

import (
	"strings"

	"pnmc/logic"
	"pnmc/logic/internal/reading"
)

// Text writes f, which s made, in a syntax. The formula that Parse makes of it with s is f, with
// two exceptions. Not all that read SPIN's syntax, or the common one, know xor: f xor g is
// written !(f <-> g) there. And SPIN does not know M: for it f M g is written !(!f W !g). Both
// mean the same. Propositions are in quotes where the syntax demands it. Its length is that of f
// as a tree, which can be exponential in the number of different subformulas.
//
// For example, in the syntaxes of Spot, SPIN, that which they share with others, and LBT:
//
//	G(p0 -> Fp1)
//	[](p0 -> <>p1)
//	G (p0 -> F p1)
//	G i p0 F p1
func (s *Formulas) Text(f *Formula, syntax Syntax) string {
	w := formulaWriter{formulas: s, syntax: syntax}
	if syntax == LBTSyntax {
		w.writePrefixed(f)
	} else {
		w.write(f, false)
	}
	return w.String()
}

type formulaWriter struct {
	strings.Builder
	formulas *Formulas
	syntax   Syntax
}

// spellingsOf are the connectives in each syntax, by Connective.
var spellingsOf = [...][]string{
	SpotSyntax: {
		logic.False: "0", logic.True: "1", logic.Not: "!", logic.And: " & ", logic.Or: " | ",
		logic.Xor: " xor ", logic.Equivalent: " <-> ", logic.Implies: " -> ",
		Next: "X", Finally: "F", Globally: "G",
		Until: " U ", Release: " R ", WeakUntil: " W ", StrongRelease: " M ",
	},
	SPINSyntax: {
		logic.False: "false", logic.True: "true", logic.Not: "!", logic.And: " && ", logic.Or: " || ",
		logic.Xor: " <-> ", logic.Equivalent: " <-> ", logic.Implies: " -> ",
		Next: "X ", Finally: "<>", Globally: "[]",
		Until: " U ", Release: " V ", WeakUntil: " W ", StrongRelease: " W ",
	},
	CommonSyntax: {
		logic.False: "false", logic.True: "true", logic.Not: "!", logic.And: " && ", logic.Or: " || ",
		logic.Xor: " <-> ", logic.Equivalent: " <-> ", logic.Implies: " -> ",
		Next: "X ", Finally: "F ", Globally: "G ",
		Until: " U ", Release: " R ", WeakUntil: " W ", StrongRelease: " M ",
	},
	LBTSyntax: {
		logic.False: "f", logic.True: "t", logic.Not: "!", logic.And: "&", logic.Or: "|",
		logic.Xor: "^", logic.Equivalent: "e", logic.Implies: "i", Next: "X", Finally: "F", Globally: "G",
		Until: "U", Release: "V", WeakUntil: "W", StrongRelease: "M",
	},
}

// spelling returns how the writer's syntax writes an operator.
func (w *formulaWriter) spelling(c Operator) string { return spellingsOf[w.syntax][c] }

// write writes f in infix syntax, in parentheses if tight and f is binary.
func (w *formulaWriter) write(f *Formula, tight bool) {
	switch f.operator {
	case logic.False, logic.True:
		w.WriteString(w.spelling(f.operator))
		return
	case Atom:
		w.WriteString(w.atom(f))
		return
	case logic.Not, Next, Finally, Globally:
		w.WriteString(w.spelling(f.operator))
		w.write(f.operands[0], true)
		return
	}
	operands := f.operands
	if f.operator == logic.Xor && w.syntax != SpotSyntax || f.operator == StrongRelease && w.syntax == SPINSyntax {
		w.WriteString("!")
		tight = true
		if f.operator == StrongRelease {
			operands = []*Formula{w.formulas.Not(operands[0]), w.formulas.Not(operands[1])}
		}
	}
	if tight {
		w.WriteString("(")
	}
	for i, g := range operands {
		if i > 0 {
			w.WriteString(w.spelling(f.operator))
		}
		w.write(g, true)
	}
	if tight {
		w.WriteString(")")
	}
}

// atom returns the name of a proposition, in quotes if it needs them.
func (w *formulaWriter) atom(f *Formula) string {
	name := w.formulas.names[f.atom]
	bare := isSpotName(name)
	switch w.syntax {
	case SPINSyntax, CommonSyntax:
		bare = isSPINName(name)
	case LBTSyntax:
		bare = isLBTName(name)
	}
	if bare {
		return name
	}
	return `"` + reading.Escapes.Get().Replace(name) + `"`
}

// isLetter reports whether c is a letter of ASCII.
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isPlainWord reports whether name consists of ASCII letters, digits, _ and dots,
// does not begin with a digit, and is no constant.
func isPlainWord(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c == '_' || c == '.' || isLetter(c)
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && !strings.EqualFold(name, "true") && !strings.EqualFold(name, "false")
}

// isSpotName reports whether Spot, and this package, read name without quotes,
// behind an F too, where "alse" would make a constant.
func isSpotName(name string) bool {
	_, infix := spinInfixes.Get()[name]
	return isPlainWord(name) && !infix && !strings.EqualFold(name, "alse") && name != "M" && name != "not" && !beginsWithPrefix(name)
}

// isSPINName reports whether SPIN, and this package, read name without quotes.
func isSPINName(name string) bool {
	_, infix := spinInfixes.Get()[name]
	_, prefix := spinWords.Get()[name]
	return isPlainWord(name) && !infix && !prefix &&
		('a' <= name[0] && name[0] <= 'z' || name[0] == '_') && !strings.Contains(name, ".")
}
