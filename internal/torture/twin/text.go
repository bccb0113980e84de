package twin

import (
	"fmt"
	"strconv"
	"strings"
)

// signs are the operators in Spot's syntax.
var signs = map[Op]string{Not: "!", And: "&", Or: "|", Implies: "->", Equivalent: "<->", Next: "X", Until: "U",
	Finally: "F", Globally: "G", Release: "R", WeakUntil: "W", StrongRelease: "M"}

// LTL returns the formula in Spot's syntax.
func (f *Formula) LTL() string {
	switch {
	case f.Op == True:
		return "1"
	case f.Op == False:
		return "0"
	case f.Op == Atomic:
		return f.Atom.Quoted()
	case f.Right == nil:
		return signs[f.Op] + "(" + f.Left.LTL() + ")"
	}
	return "(" + f.Left.LTL() + ") " + signs[f.Op] + " (" + f.Right.LTL() + ")"
}

// CTL returns the formula as pnmc reads formulas of CTL, and state predicates.
func (f *Formula) CTL() string {
	switch f.Op {
	case True:
		return "true"
	case False:
		return "false"
	case Atomic:
		return f.Atom.Text()
	case AllPaths, SomePath:
		paths := map[Op]string{AllPaths: "A", SomePath: "E"}[f.Op]
		if f.Left.Op == Until {
			return paths + "((" + f.Left.Left.CTL() + ") U (" + f.Left.Right.CTL() + "))"
		}
		return paths + signs[f.Left.Op] + " (" + f.Left.Left.CTL() + ")"
	case Not:
		return "!(" + f.Left.CTL() + ")"
	}
	return "(" + f.Left.CTL() + ") " + signs[f.Op] + " (" + f.Right.CTL() + ")"
}

// Quoted returns the atom as a formula has it.
func (a *Atom) Quoted() string {
	if a.Name != "" {
		return a.Name
	}
	return `"` + strings.ReplaceAll(a.Text(), `"`, `\"`) + `"`
}

// Text returns the atom as a state predicate.
func (a *Atom) Text() string {
	switch {
	case a.Name != "":
		return a.Name
	case a.Deadlock:
		return "deadlock"
	case a.Fireable != nil:
		return "is-fireable(" + strings.Join(quoted(a.Fireable), ", ") + ")"
	}
	less := side(a.Less, a.LessBy)
	if a.Times != "" {
		less = "(" + less + ") * " + side([]string{a.Times}, 0)
	}
	return less + " <= " + side(a.More, a.MoreBy)
}

func quoted(names []string) []string {
	var list []string
	for _, n := range names {
		list = append(list, `"`+n+`"`)
	}
	return list
}

// side returns one side of a comparison as text: a sum of tokens and a constant.
func side(names []string, constant int64) string {
	if len(names) == 0 {
		return strconv.FormatInt(constant, 10)
	}
	text := "tokens(" + strings.Join(quoted(names), ", ") + ")"
	if constant != 0 {
		text += fmt.Sprintf(" + %d", constant)
	}
	return text
}

// elements are the operators in the contest's property files.
var elements = map[Op]string{Not: "negation", And: "conjunction", Or: "disjunction", Next: "next", Finally: "finally",
	Globally: "globally", AllPaths: "all-paths", SomePath: "exists-path", Equivalent: "equivalence"}

// XML writes the formula as the contest's property files have it.
func (f *Formula) XML(b *strings.Builder) {
	switch name := elements[f.Op]; {
	case f.Op == Atomic:
		f.Atom.xml(b)
	case f.Op == True: // there is no element for it
		Trivial.xml(b)
	case f.Op == Until:
		b.WriteString("<until><before>")
		f.Left.XML(b)
		b.WriteString("</before><reach>")
		f.Right.XML(b)
		b.WriteString("</reach></until>")
	case name != "":
		b.WriteString("<" + name + ">")
		f.Left.XML(b)
		if f.Right != nil {
			f.Right.XML(b)
		}
		b.WriteString("</" + name + ">")
	default:
		panic(fmt.Sprintf("the contest has no operator %d", f.Op))
	}
}

// Trivial is an atom that is true everywhere.
var Trivial = &Atom{LessBy: 0, MoreBy: 1}

// xml appends the atom as the contest writes it. A constant that is added to tokens is a sum with
// a constant in it.
func (a *Atom) xml(b *strings.Builder) {
	list := func(around, each string, names []string) {
		b.WriteString("<" + around + ">")
		for _, n := range names {
			b.WriteString("<" + each + ">" + n + "</" + each + ">")
		}
		b.WriteString("</" + around + ">")
	}
	switch {
	case a.Deadlock:
		b.WriteString("<deadlock/>")
	case a.Fireable != nil:
		list("is-fireable", "transition", a.Fireable)
	default:
		b.WriteString("<integer-le>")
		for _, s := range []struct {
			names    []string
			constant int64
			times    string
		}{{a.Less, a.LessBy, a.Times}, {a.More, a.MoreBy, ""}} {
			if s.times != "" {
				b.WriteString("<integer-product>")
				list("tokens-count", "place", []string{s.times})
			}
			both := len(s.names) > 0 && s.constant != 0
			if both {
				b.WriteString("<integer-sum>")
			}
			if len(s.names) > 0 {
				list("tokens-count", "place", s.names)
			}
			if len(s.names) == 0 || both {
				fmt.Fprintf(b, "<integer-constant>%d</integer-constant>", s.constant)
			}
			if both {
				b.WriteString("</integer-sum>")
			}
			if s.times != "" {
				b.WriteString("</integer-product>")
			}
		}
		b.WriteString("</integer-le>")
	}
}

// In returns the formula in the syntax spot, spin or lbt, with these names for its atoms. Where SPIN
// lacks an operator, others say the same.
func (f *Formula) In(syntax string, names map[*Atom]string) string {
	text := func(g *Formula) string { return g.In(syntax, names) }
	words := map[string]map[Op]string{
		"spot": signs,
		"spin": {Not: "!", And: "&&", Or: "||", Implies: "->", Equivalent: "<->", Next: "X ", Until: "U", Finally: "<>", Globally: "[]", Release: "V"},
		"lbt": {Not: "!", And: "&", Or: "|", Implies: "i", Equivalent: "e", Next: "X", Until: "U", Finally: "F", Globally: "G", Release: "V",
			WeakUntil: "W", StrongRelease: "M"},
	}[syntax]
	switch {
	case f.Op == Atomic:
		return names[f.Atom]
	case syntax == "spin" && f.Op == WeakUntil: // a W b is b V (a | b)
		return "((" + text(f.Right) + ") V ((" + text(f.Left) + ") || (" + text(f.Right) + ")))"
	case syntax == "spin" && f.Op == StrongRelease: // a M b is b U (a & b)
		return "((" + text(f.Right) + ") U ((" + text(f.Left) + ") && (" + text(f.Right) + ")))"
	case syntax == "lbt" && f.Right == nil:
		return words[f.Op] + " " + text(f.Left)
	case syntax == "lbt":
		return words[f.Op] + " " + text(f.Left) + " " + text(f.Right)
	case f.Right == nil:
		return words[f.Op] + "(" + text(f.Left) + ")"
	}
	return "(" + text(f.Left) + ") " + words[f.Op] + " (" + text(f.Right) + ")"
}
