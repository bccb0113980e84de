package dot

import (
	"errors"
	"regexp"
	"strings"

	"pnmc/internal/lazy"
	"pnmc/internal/longtoken"
)

// statement is one of a graph: a node, an edge if to is set, an attribute of the
// whole graph if value is, or defaults for all nodes or edges.
type statement struct {
	at              position
	from, to, value string
	attributes      []attribute // valid until the next statement is read
}

// attribute is a name with its value, as in label="init".
type attribute struct {
	at          position
	name, value string
}

// parser reads the statements of graphs one after the other: a graph may have
// millions, and a tree of them all would take more memory than the automaton. It
// knows as much of Graphviz's language as testing automata are drawn with, which
// excludes subgraphs and chains of edges.
//
// This is the drawing of a testing automaton with two edges:
//
//	digraph G {
//	  rankdir=LR
//	  0 [label="", style=invis, height=0]
//	  0 -> 1
//	  1 [label="init"]
//	  1 -> 2 [label="a & !b\n{0}"]
//	  2 [label="0"]
//	  2 -> 2 [label="{b}\n{}"]
//	}
//
// The first statement has a value, the third, fifth and seventh have a destination, and the
// others are nodes. drawn finds out what they mean together. Node 0 is invisible, so the arrow
// from it leads to the initial state. The labels of edges from there are valuations.
type parser struct {
	scanner
	token      token // the next one, if ahead
	ahead      bool
	attributes []attribute
}

// peek returns the next token, and leaves it to be read.
func (p *parser) peek() (token, error) {
	if !p.ahead {
		t, err := p.scanner.next()
		if err != nil {
			return t, err
		}
		p.token, p.ahead = t, true
	}
	return p.token, nil
}

// take returns the next token, which must be of one of these kinds; expected says so.
func (p *parser) take(expected string, kinds ...tokenKind) (token, error) {
	t, err := p.peek()
	if err != nil {
		return t, err
	}
	for _, k := range kinds {
		if t.kind == k {
			p.ahead = false
			return t, nil
		}
	}
	if t.kind == endOfInput {
		return t, problem(t.at, "expected %s, found the end", expected)
	}
	return t, problem(t.at, "expected %s, found %q", expected, t.text)
}

// accept takes the next token if it is of that kind.
func (p *parser) accept(kind tokenKind) (bool, error) {
	t, err := p.peek()
	if err != nil || t.kind != kind {
		return false, err
	}
	p.ahead = false
	return true, nil
}

// begin reads up to the opening brace.
func (p *parser) begin() error {
	t, err := p.take("a drawing, which begins with digraph", identifier)
	if err == nil && t.text == "strict" {
		t, err = p.take("digraph", identifier)
	}
	if err == nil && t.text != "digraph" {
		err = problem(t.at, "expected a drawing, which begins with digraph, found %q", t.text)
	}
	if err != nil {
		return err
	}
	if t, err = p.take("a name or {", identifier, quotation, '{'); err == nil && t.kind != '{' {
		_, err = p.take("{", '{')
	}
	return err
}

// next returns the next statement; ok is false where the closing brace was read.
func (p *parser) next() (s statement, ok bool, err error) {
	t, err := p.take("a node, an edge or }", identifier, quotation, '}')
	if err != nil || t.kind == '}' {
		return s, false, err
	}
	s.at, s.from = t.at, t.text
	punctuation, err := p.peek()
	if err != nil {
		return s, false, err
	}
	switch punctuation.kind {
	case arrow, '=':
		p.ahead = false
		if t, err = p.take("a name", identifier, quotation); err != nil {
			return s, false, err
		}
		if punctuation.kind == arrow {
			s.to = t.text
		} else {
			s.value = t.text
		}
	}
	if s.attributes, err = p.attributeLists(); err != nil {
		return s, false, err
	}
	_, err = p.accept(';')
	return s, err == nil, err
}

// attributeLists returns the attributes in brackets that come next.
func (p *parser) attributeLists() ([]attribute, error) {
	p.attributes = p.attributes[:0]
	for {
		if opened, err := p.accept('['); !opened || err != nil {
			return p.attributes, err
		}
		for {
			name, err := p.take("an attribute or ]", identifier, quotation, ']')
			if err != nil {
				return nil, err
			}
			if name.kind == ']' {
				break
			}
			if _, err := p.take("=", '='); err != nil {
				return nil, err
			}
			value, err := p.take("a value", identifier, quotation)
			if err != nil {
				return nil, err
			}
			p.attributes = append(p.attributes, attribute{name.at, name.text, value.text})
			comma, err := p.accept(',')
			if err == nil && !comma {
				_, err = p.accept(';')
			}
			if err != nil {
				return nil, err
			}
		}
	}
}

// recover goes to the beginning of the next graph after one that is wrong: behind
// a line that is a closing brace, or to a line that begins with digraph. A line that is too long is
// passed in parts, but not one that seems to have no end.
func (p *parser) recover() error {
	p.ahead = false
	for first, parts := true, graphSize/longtoken.Most; ; first = false {
		switch text := strings.TrimSpace(p.line); {
		case text == "}":
			p.at = len(p.line)
			return nil
		case !first && (strings.HasPrefix(text, "digraph") || strings.HasPrefix(text, "strict")):
			return nil
		}
		p.size = 0
		ok, err := p.nextLine()
		if isLong(err) {
			if parts--; parts < 0 {
				return errors.New(err.Error()) // and no *Error, behind which reading goes on
			}
		} else if !ok || err != nil {
			return err
		}
	}
}

// rawLabel is an initial arrow of an automaton with several of them, whose label
// ltl2tgta writes as it is, quotes of propositions included.
var rawLabel = lazy.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*-\d+\s*->\s*\d+\s*\[label=")(.*)("\]\s*)$`)
}}

// escapeRawLabel returns a line with the quotes of a raw label escaped.
func escapeRawLabel(line string) string {
	if !strings.HasPrefix(strings.TrimLeft(line, " \t"), "-") {
		return line
	}
	m := rawLabel.Get().FindStringSubmatch(line)
	if m == nil || !strings.Contains(strings.ReplaceAll(m[2], `\"`, ""), `"`) {
		return line
	}
	return m[1] + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(m[2]) + m[3]
}
