package twin

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ReadAutomata reads what pnmc prints in HOA: explicit labels, few propositions, at
// most 64 acceptance sets. It does not read all of the format.
func ReadAutomata(text string) (list []*Automaton, err error) {
	p := &hoaParser{tokens: hoaToken.FindAllString(text, -1)}
	defer func() {
		if r := recover(); r != nil {
			syntax, ok := r.(syntaxError)
			if !ok {
				panic(r)
			}
			list, err = nil, syntax
		}
	}()
	for p.peek() != "" {
		list = append(list, p.automaton())
	}
	return list, nil
}

var hoaToken = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|--[A-Z]+--|[A-Za-z_][A-Za-z0-9_.-]*:?|[0-9]+|[^\s]`)

// hoaParser reads the automata that pnmc prints, and nothing else. A mistake in them is a finding. It
// is a panic with a syntaxError, which ReadAutomata catches: functions so small would else consist
// of their error handling.
type hoaParser struct {
	tokens []string
	at     int
}

type syntaxError string

func (s syntaxError) Error() string { return string(s) }

// peek returns the next token, and leaves it; empty at the end.
func (p *hoaParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *hoaParser) next() string {
	t := p.peek()
	p.at++
	return t
}

// accept takes the next token if it is this one.
func (p *hoaParser) accept(token string) bool {
	if p.peek() == token {
		p.at++
		return true
	}
	return false
}

// expect takes the next token, which must be this one.
func (p *hoaParser) expect(token string) {
	if t := p.next(); t != token {
		panic(syntaxError(fmt.Sprintf("token %d of the automata: expected %q, found %q", p.at, token, t)))
	}
}

func (p *hoaParser) int() int {
	t := p.next()
	n, err := strconv.Atoi(t)
	if err != nil {
		panic(syntaxError(fmt.Sprintf("token %d of the automata: expected a number, found %q", p.at, t)))
	}
	return n
}

func (p *hoaParser) text() string {
	t := p.next()
	if len(t) < 2 || t[0] != '"' {
		panic(syntaxError(fmt.Sprintf("token %d of the automata: expected a string, found %q", p.at, t)))
	}
	return unescape.Replace(t[1 : len(t)-1])
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// automaton reads one automaton with labels and marks on edges, or marks on states, whose edges
// get them. It panics with a syntaxError where the text is none that the twin reads.
func (p *hoaParser) automaton() *Automaton {
	a := &Automaton{}
	p.expect("HOA:")
	p.next() // the version
	for !p.accept("--BODY--") {
		p.header(a)
	}
	state, marks := -1, uint64(0)
	for !p.accept("--END--") {
		if p.accept("State:") {
			if p.peek() == "[" {
				panic(syntaxError("labels on states are not read"))
			}
			state = p.int()
			if strings.HasPrefix(p.peek(), `"`) {
				p.next()
			}
			marks = p.marks()
			continue
		}
		p.expect("[")
		label := p.label()
		p.expect("]")
		to := p.int()
		if state < 0 || state >= len(a.Edges) || to >= len(a.Edges) {
			panic(syntaxError("an edge outside the states"))
		}
		a.Edges[state] = append(a.Edges[state], Transition{label, to, marks | p.marks()})
	}
	if a.Acceptance == nil || a.Sets > 64 || len(a.Propositions) > 64 {
		panic(syntaxError("an automaton without acceptance, or too large to be read here"))
	}
	return a
}

// header reads a header; those not known are passed over.
func (p *hoaParser) header(a *Automaton) {
	switch name := p.next(); name {
	case "States:":
		a.Edges = make([][]Transition, p.int())
	case "Start:":
		a.Initial = append(a.Initial, p.int())
	case "name:":
		a.Name = p.text()
	case "AP:":
		for range p.int() {
			a.Propositions = append(a.Propositions, p.text())
		}
	case "Acceptance:":
		a.Sets = p.int()
		a.Acceptance = p.acceptance()
	case "Testing:":
		a.Testing = p.next()
	default:
		if !strings.HasSuffix(name, ":") {
			panic(syntaxError(fmt.Sprintf("expected a header, found %q", name)))
		}
		for t := p.peek(); t != "" && t != "--BODY--" && !strings.HasSuffix(t, ":"); t = p.peek() {
			p.next()
		}
	}
}

// marks reads a set of acceptance sets in braces, if one comes.
func (p *hoaParser) marks() (marks uint64) {
	if p.accept("{") {
		for !p.accept("}") {
			marks |= 1 << p.int()
		}
	}
	return marks
}

// joined returns operands with an operator between, grouped from the left.
func joined[T any](p *hoaParser, operator string, operand func() T, join func(left, right T) T) T {
	left := operand()
	for p.accept(operator) {
		left = join(left, operand())
	}
	return left
}

func (p *hoaParser) acceptance() *Acceptance {
	return joined(p, "|", p.conjunction, func(l, r *Acceptance) *Acceptance { return &Acceptance{Op: Either, Left: l, Right: r} })
}

func (p *hoaParser) conjunction() *Acceptance {
	return joined(p, "&", p.condition, func(l, r *Acceptance) *Acceptance { return &Acceptance{Op: Both, Left: l, Right: r} })
}

// condition reads a constant, Inf, Fin, or a condition in parentheses.
func (p *hoaParser) condition() (a *Acceptance) {
	switch t := p.next(); t {
	case "t":
		return &Acceptance{Op: Always}
	case "f":
		return &Acceptance{Op: Never}
	case "(":
		a = p.acceptance()
	case "Inf", "Fin":
		p.expect("(")
		a = &Acceptance{Op: Inf, Set: p.int()}
		if t == "Fin" {
			a.Op = Fin
		}
	default:
		panic(syntaxError(fmt.Sprintf("expected a condition, found %q", t)))
	}
	p.expect(")")
	return a
}

func (p *hoaParser) label() *Label {
	return joined(p, "|", p.cube, func(l, r *Label) *Label { return &Label{Op: Or, Left: l, Right: r} })
}

func (p *hoaParser) cube() *Label {
	return joined(p, "&", p.literal, func(l, r *Label) *Label { return &Label{Op: And, Left: l, Right: r} })
}

// literal reads a proposition, a constant, a label in parentheses, or a negation of one of them.
func (p *hoaParser) literal() *Label {
	switch p.peek() {
	case "!":
		p.next()
		return &Label{Op: Not, Left: p.literal()}
	case "t", "f":
		if p.next() == "t" {
			return &Label{Op: True}
		}
		return &Label{Op: False}
	case "(":
		p.next()
		l := p.label()
		p.expect(")")
		return l
	}
	return &Label{Op: Atomic, Proposition: p.int()}
}
