package query

import (
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"pnmc/internal/lazy"
)

// Style is one of the notations in which the contest's text files come.
type Style uint8

// The notations.
const (
	// Nested puts every operand in parentheses; the files of the reachability
	// and CTL examinations have it.
	Nested Style = iota
	// Compact parenthesizes binary operators only and marks a fireable
	// transition by a question mark; those of LTL and bounds have it.
	Compact
	// CompactLists is Compact, with transitions in parentheses even if there is
	// but one: the files of nets that have a coloured twin have it.
	CompactLists
)

// Text returns the property in the contest's text form, with a final newline.
func (p Property) Text(style Style) string {
	indent := "   "
	if style != Nested {
		indent = "  "
	}
	var b strings.Builder
	b.WriteString("Property " + p.ID + "\n")
	b.WriteString(indent + `"` + p.Description + "\"\n")
	b.WriteString(indent + "is:\n" + indent + indent)
	b.WriteString(p.Formula.Text(style))
	b.WriteString("\n" + indent + "end.\n")
	return b.String()
}

// Text returns the formula in the contest's text form, on one line.
//
// For example, that a place p never has more than three tokens is
//
//	A (G (tokens-count("p") <= 3))
//	A G ((#tokens("p")) <= (3))
//
// in the styles Nested and Compact.
func (f *Formula) Text(style Style) string {
	var b strings.Builder
	if style == Nested {
		f.nested(&b)
	} else {
		f.compact(&b, style == CompactLists)
	}
	return b.String()
}

// prefixes are the operators that stand before their operand.
var prefixes = lazy.Value[map[Kind]string]{Make: func() map[Kind]string {
	return map[Kind]string{
		AllPaths: "A", ExistsPath: "E", Globally: "G", Finally: "F", Next: "X", Negation: "!",
		Invariant: "INVARIANT", Impossibility: "IMPOSSIBILITY", Possibility: "POSSIBILITY",
	}
}}

// quoted lists names in quotes, with the separator between them. Formulas distinguish
// propositions by their texts, so only equal lists may have equal texts. Names with
// quotes in them, which the contest does not have, come with backslashes.
func quoted(names []string, separator string) string {
	list := make([]string, len(names))
	for i, name := range names {
		if list[i] = `"` + name + `"`; strings.Contains(name, `"`) {
			list[i] = strconv.Quote(name)
		}
	}
	return strings.Join(list, separator)
}

// leaf writes a node without operands as both notations have it, and reports whether f
// is one.
func (f *Formula) leaf(b *strings.Builder) bool {
	switch f.Kind {
	case Constant:
		b.WriteString(strconv.FormatBool(f.Value != 0))
	case Deadlock:
		b.WriteString("deadlock")
	case Integer:
		b.WriteString(strconv.FormatInt(f.Value, 10))
	case Bound:
		b.WriteString("bound(" + quoted(f.Names, ",") + ")")
	case Live:
		b.WriteString("is-live(L" + strconv.FormatInt(f.Value, 10) + ", " + quoted(f.Names, ", ") + ")")
	default:
		return false
	}
	return true
}

// operator returns the prefix with what a legacy next adds to it.
func (f *Formula) operator() string {
	operator := prefixes.Get()[f.Kind]
	if f.Kind == Next && f.Steps > 1 {
		operator += "[" + strconv.Itoa(f.Steps) + "]"
	}
	if f.NoSuccessor != nil {
		operator += "{" + strconv.FormatBool(*f.NoSuccessor) + "}"
	}
	return operator
}

// infix returns what the notations write between the operands of f.
func (f *Formula) infix() string {
	if f.Weak {
		return "W"
	}
	return elementByKind(f.Kind).infix
}

// nested writes f with each operand in parentheses, but for counts and numbers.
func (f *Formula) nested(b *strings.Builder) {
	switch {
	case f.leaf(b):
	case f.Kind == Fireable:
		b.WriteString("is-fireable(" + quoted(f.Names, ", ") + ")")
	case f.Kind == Tokens:
		b.WriteString("tokens-count(" + quoted(f.Names, ", ") + ")")
	case len(f.Operands) == 1 && prefixes.Get()[f.Kind] != "":
		b.WriteString(f.operator() + " (")
		f.Operands[0].nested(b)
		b.WriteString(")")
	default:
		for i, g := range f.Operands {
			if i > 0 {
				b.WriteString(" " + f.infix() + " ")
			}
			if g.Kind == Tokens || g.Kind == Integer {
				g.nested(b)
				continue
			}
			b.WriteString("(")
			g.nested(b)
			b.WriteString(")")
		}
	}
}

// compact writes f with parentheses around binary operators and what they compare.
func (f *Formula) compact(b *strings.Builder, lists bool) {
	switch {
	case f.leaf(b):
	case f.Kind == Fireable:
		if len(f.Names) == 1 && !lists {
			b.WriteString(quoted(f.Names, ", ") + "?")
			return
		}
		b.WriteString("(" + quoted(f.Names, ", ") + ")?")
	case f.Kind == Tokens:
		b.WriteString("#tokens(" + quoted(f.Names, ", ") + ")")
	case len(f.Operands) == 1 && prefixes.Get()[f.Kind] != "":
		b.WriteString(f.operator())
		if f.Kind != Negation {
			b.WriteString(" ")
		}
		f.Operands[0].compact(b, lists)
	default:
		b.WriteString("(")
		for i, g := range f.Operands {
			if i > 0 {
				b.WriteString(" " + f.infix() + " ")
			}
			if integer := elementByKind(g.Kind).integer; integer {
				b.WriteString("(")
				g.compact(b, lists)
				b.WriteString(")")
				continue
			}
			g.compact(b, lists)
		}
		b.WriteString(")")
	}
}

// WriteXML returns the property file that holds these properties.
func WriteXML(properties []Property) ([]byte, error) {
	document := etree.NewDocument()
	document.CreateProcInst("xml", `version="1.0" encoding="utf-8"`)
	root := document.CreateElement("property-set")
	root.CreateAttr("xmlns", "http://mcc.lip6.fr/")
	for _, p := range properties {
		e := root.CreateElement("property")
		e.CreateElement("id").SetText(p.ID)
		if p.Description != "" {
			e.CreateElement("description").SetText(p.Description)
		}
		p.Formula.writeXML(e.CreateElement("formula"))
	}
	document.Indent(2)
	return document.WriteToBytes()
}

// writeXML adds f to parent, under the first of its names in the grammar.
func (f *Formula) writeXML(parent *etree.Element) {
	d := elementByKind(f.Kind)
	tag := d.name
	if f.Kind == Constant {
		tag = strconv.FormatBool(f.Value != 0)
	}
	e := parent.CreateElement(tag)
	switch f.Kind {
	case Integer:
		e.SetText(strconv.FormatInt(f.Value, 10))
	case Live:
		e.CreateElement("level").SetText("l" + strconv.FormatInt(f.Value, 10))
	case Next:
		if f.NoSuccessor != nil {
			e.CreateElement("if-no-successor").SetText(strconv.FormatBool(*f.NoSuccessor))
		}
		if f.Steps > 1 {
			e.CreateElement("steps").SetText(strconv.Itoa(f.Steps))
		}
	case Until:
		f.Operands[0].writeXML(e.CreateElement("before"))
		f.Operands[1].writeXML(e.CreateElement("reach"))
		if f.Weak {
			e.CreateElement("strength").SetText("weak")
		}
		return
	}
	tag = "place"
	if f.Kind == Fireable || f.Kind == Live {
		tag = "transition"
	}
	for _, name := range f.Names {
		e.CreateElement(tag).SetText(name)
	}
	for _, g := range f.Operands {
		g.writeXML(e)
	}
}
