package draw

import (
	"fmt"
	"math"
	"strings"

	"pnmc/internal/torture/twin"
)

// Formula is a formula of LTL as text, and perhaps for the twin.
type Formula struct {
	Kind, Text string
	Twin       *twin.Formula
}

// formulaKinds returns the kinds of formulas: small ones that the twin can decide, ones that nest
// deeply, ones with many propositions or wide ranges, ones of bounded operators, and damaged text.
func formulaKinds() kinds[func(Source, []*twin.Atom) *Formula] {
	return kinds[func(Source, []*twin.Atom) *Formula]{
		{"formula-small", smallFormula},
		{"formula-deep", deepFormula},
		{"formula-wide", wideFormula},
		{"formula-bounded", boundedFormula},
		{"formula-damaged", damagedFormula},
		{"formula-long", longFormula},
	}
}

// FormulaKinds returns the names of the kinds of formulas.
func FormulaKinds() []string { return formulaKinds().names() }

// NewFormula draws a formula of this kind over the atoms, at least one.
func NewFormula(s Source, kind string, atoms []*twin.Atom) *Formula {
	f := formulaKinds().of(kind)(s, atoms)
	f.Kind = kind
	return f
}

// Letters returns atoms that are names.
func Letters(n int) []*twin.Atom {
	var list []*twin.Atom
	for i := range n {
		list = append(list, &twin.Atom{Name: string(rune('a' + i))})
	}
	return list
}

// Atoms draws n propositions about the net.
func Atoms(s Source, net *Net, n int) []*twin.Atom {
	var list []*twin.Atom
	for len(list) < n {
		a := &twin.Atom{}
		places := len(net.Places) > 0
		switch k := s.IntN(10); {
		case k == 0:
			a.Deadlock = true
		case k < 4 && len(net.Transitions) > 0:
			for range s.Between(1, 2) {
				a.Fireable = append(a.Fireable, Pick(s, net.Transitions...))
			}
		case k < 7 && places:
			a.Less, a.MoreBy = []string{Pick(s, net.Places...)}, constant(s, net)
		case k < 9 && places:
			a.LessBy, a.More = constant(s, net), []string{Pick(s, net.Places...)}
		case places:
			a.Less, a.More = []string{Pick(s, net.Places...)}, []string{Pick(s, net.Places...)}
			if other := Pick(s, net.Places...); other != a.Less[0] && s.Chance(0.4) {
				a.Less = append(a.Less, other)
			}
		default:
			a.LessBy, a.MoreBy = int64(s.IntN(3)), int64(s.IntN(3))
		}
		if places && !a.Deadlock && a.Fireable == nil && s.Chance(0.15) {
			a.Times = Pick(s, net.Places...)
		}
		list = append(list, a)
	}
	return list
}

// constant draws what tokens are compared with: small numbers, or those at limits for a net that
// has such.
func constant(s Source, net *Net) int64 {
	if net.Kind == "net-weights" && s.Chance(0.5) {
		return Pick[int64](s, math.MaxInt64, math.MaxInt64-1, 1<<62, 1<<32, 1<<31, math.MaxInt32, 255, 256)
	}
	if len(net.Tokens) > 0 && s.Chance(0.5) {
		return Pick(s, net.Tokens...)
	}
	return int64(Pick(s, 0, 1, 1, 1, 2, 3, 5))
}

// smallFormula draws up to seven nodes, as text and for the twin.
func smallFormula(s Source, atoms []*twin.Atom) *Formula {
	f := LTL(s, atoms, s.Between(1, 7))
	return &Formula{Text: f.LTL(), Twin: f}
}

// LTL draws a formula of so many nodes, about.
func LTL(s Source, atoms []*twin.Atom, size int) *twin.Formula {
	if size <= 1 {
		return twin.Proposition(Pick(s, atoms...))
	}
	if size == 2 || s.Chance(0.4) {
		return twin.Unary(Pick(s, twin.Not, twin.Next, twin.Finally, twin.Globally, twin.Finally, twin.Globally), LTL(s, atoms, size-1))
	}
	left := s.Between(1, size-2)
	op := Pick(s, twin.And, twin.Or, twin.Implies, twin.Equivalent, twin.Until, twin.Until, twin.Release, twin.WeakUntil, twin.StrongRelease)
	return twin.Binary(op, LTL(s, atoms, left), LTL(s, atoms, size-1-left))
}

// deepFormula nests one operator, or several, up to twelve thousand deep. Each recursion over a
// formula must have a limit, or its stack is the limit.
//
// For example, "!(" eight thousand times, an atom, and as many closing parentheses. Readers that
// go down by recursion must count, and those that undo negations must not take quadratic time.
func deepFormula(s Source, atoms []*twin.Atom) *Formula {
	depth := s.Magnitude(10, 12000)
	if s.Chance(0.6) {
		depth = min(depth, s.Between(100, 900)) // readers take a thousand
	}
	atom := func() string { return Pick(s, atoms...).Quoted() }
	var b strings.Builder
	open := 0
	prefixes := []string{"!", "X", "F", "G", "(", "!(", "G(", "F(", "X(", "(%s U (", "(%s -> (", "(%s & (", "(%s | X(", "(%s R F(", "(%s <-> (", "(%s xor (", "(%s W ("}
	used := []string{Pick(s, prefixes...)}
	if s.Chance(0.4) {
		used = append(used, Pick(s, prefixes...), Pick(s, prefixes...))
	}
	for range depth {
		p := Pick(s, used...)
		if strings.Contains(p, "%s") {
			p = fmt.Sprintf(p, atom())
		}
		open += strings.Count(p, "(") - strings.Count(p, ")")
		b.WriteString(p)
	}
	if strings.HasSuffix(b.String(), "X") || strings.HasSuffix(b.String(), "F") || strings.HasSuffix(b.String(), "G") {
		b.WriteString(" ")
	}
	b.WriteString(atom())
	open = strings.Count(unquoted(b.String()), "(") - strings.Count(unquoted(b.String()), ")")
	b.WriteString(strings.Repeat(")", max(0, open)))
	return &Formula{Text: b.String()}
}

// unquoted returns the text without what stands in quotes.
func unquoted(text string) string {
	var b strings.Builder
	inside := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' && (i == 0 || text[i-1] != '\\'):
			inside = !inside
		case !inside:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// wideFormula has hundreds of propositions, or operators over ranges.
func wideFormula(s Source, atoms []*twin.Atom) *Formula {
	n := s.Magnitude(5, 800)
	if s.Chance(0.2) {
		times := s.Magnitude(2, 100000)
		return &Formula{Text: fmt.Sprintf(Pick(s, "X[%d] %s", "F[0:%d] %s", "G[1:%d] %s", "G F[0:%d] %s", "F[%d:] %s"), times, Pick(s, atoms...).Quoted())}
	}
	if s.Chance(0.15) {
		if list := longList(s, Pick(s, atoms...)); list != "" {
			return &Formula{Text: Pick(s, "F ", "G ", "G F ", "!") + list}
		}
	}
	names := variants(s, atoms, n)
	form := Pick(s, "%s", "%s", "X %s", "G F %s", "F %s", "F G %s", "(a U %s)", "G %s")
	if atoms[0].Name == "" {
		form = strings.ReplaceAll(form, "(a ", "("+atoms[0].Quoted()+" ")
	}
	for i, x := range names {
		names[i] = fmt.Sprintf(form, x)
	}
	return &Formula{Text: Pick(s, "", "!", "G", "F", "X") + "((" + strings.Join(names, ") "+Pick(s, "&", "|", "U", "<->", "->", "xor", "R")+" (") + "))"}
}

// damagedFormula draws a formula whose text is damaged. A zero byte can't be in an argument.
func damagedFormula(s Source, atoms []*twin.Atom) *Formula {
	return &Formula{Text: strings.ReplaceAll(string(Damage(s, []byte(NewFormula(s, Pick(s, "formula-small", "formula-wide"), atoms).Text))), "\x00", "")}
}
