package translate_test

import (
	"fmt"
	"strings"

	"pnmc/logic"
)

// parser reads the small part of the syntax that the test files use.
type parser struct {
	s      *logic.Formulas
	tokens []string
}

func parse(s *logic.Formulas, text string) *logic.Formula {
	p := &parser{s: s}
	for len(text) > 0 {
		n := 1
		switch c := text[0]; {
		case c == ' ':
			text = text[1:]
			continue
		case c == '"':
			n = 2 + strings.IndexByte(text[1:], '"')
		case strings.HasPrefix(text, "<->"), strings.HasPrefix(text, "xor"):
			n = 3
		case strings.HasPrefix(text, "->"):
			n = 2
		case c >= 'a' && c <= 'z':
			for n < len(text) && (text[n] >= 'a' && text[n] <= 'z' || text[n] >= '0' && text[n] <= '9') {
				n++
			}
		}
		p.tokens = append(p.tokens, text[:n])
		text = text[n:]
	}
	f := p.binary(0)
	if len(p.tokens) > 0 {
		panic(fmt.Sprint("left over: ", p.tokens))
	}
	return f
}

var levels = [][]string{{"->", "<->"}, {"|"}, {"xor"}, {"&"}, {"U", "R", "W", "M"}}

func (p *parser) binary(level int) *logic.Formula {
	if level == len(levels) {
		return p.unary()
	}
	f := p.binary(level + 1)
	for len(p.tokens) > 0 {
		op := ""
		for _, o := range levels[level] {
			if o == p.tokens[0] {
				op = o
			}
		}
		if op == "" {
			break
		}
		p.tokens = p.tokens[1:]
		right := level == 0 || level == 4
		g := f
		if right {
			g = p.binary(level)
		} else {
			g = p.binary(level + 1)
		}
		switch op {
		case "->":
			f = p.s.Implies(f, g)
		case "<->":
			f = p.s.Equivalent(f, g)
		case "|":
			f = p.s.Or(f, g)
		case "xor":
			f = p.s.Xor(f, g)
		case "&":
			f = p.s.And(f, g)
		case "U":
			f = p.s.Until(f, g)
		case "R":
			f = p.s.Release(f, g)
		case "W":
			f = p.s.WeakUntil(f, g)
		case "M":
			f = p.s.StrongRelease(f, g)
		}
	}
	return f
}

func (p *parser) unary() *logic.Formula {
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	switch t {
	case "!":
		return p.s.Not(p.unary())
	case "X":
		return p.s.Next(p.unary())
	case "F":
		return p.s.Finally(p.unary())
	case "G":
		return p.s.Globally(p.unary())
	case "(":
		f := p.binary(0)
		p.tokens = p.tokens[1:]
		return f
	case "0":
		return p.s.False()
	case "1":
		return p.s.True()
	}
	return p.s.Atom(strings.Trim(t, `"`))
}
