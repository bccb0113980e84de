package dot

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"pnmc/automata"
)

// drawn is a testing automaton while its graph is gathered: nodes and arrows are
// known, but not yet what sets and propositions there are in all.
type drawn struct {
	nodes     map[string]int // by name, as an index of states
	states    []drawnState
	edges     []drawnEdge
	arrows    []drawnEdge // from invisible nodes; from is unused
	invisible map[string]bool
	names     []string       // of the propositions
	numbers   map[string]int // of the propositions
	sets      int            // as many as mentioned
}

type drawnState struct {
	name            string
	at              lexer.Position
	buchi, livelock bool
	loops           bool // an edge for the empty changeset
}

type drawnEdge struct {
	from, to int
	at       lexer.Position
	label    string // without the acceptance sets
	marks    []int
}

// build makes the automaton of a graph.
func build(g *graph) (*automata.Automaton, error) {
	d := drawn{nodes: map[string]int{}, invisible: map[string]bool{}, numbers: map[string]int{}}
	for _, s := range g.Statements {
		if s.Value != "" || s.To != "" || s.From == "node" || s.From == "edge" || s.From == "graph" {
			continue
		}
		if err := d.node(s); err != nil {
			return nil, err
		}
	}
	for _, s := range g.Statements {
		if s.To != "" {
			if err := d.edge(s); err != nil {
				return nil, err
			}
		}
	}
	return d.automaton()
}

func problem(at lexer.Position, format string, arguments ...any) error {
	return &Error{Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, arguments...)}
}

// node takes a node over; the invisible ones are where initial arrows begin.
func (d *drawn) node(s *statement) error {
	state := drawnState{name: s.From, at: s.Pos}
	for _, a := range s.Attributes {
		switch value := unquote(a.Value); {
		case a.Name == "style" && value == "invis":
			d.invisible[s.From] = true
			return nil
		case a.Name == "peripheries":
			state.buchi = value == "2"
		case a.Name == "shape":
			state.livelock = value == "box"
		case a.Name == "label":
			state.name = strings.Join(strings.Fields(value), " ")
		}
	}
	if _, ok := d.nodes[s.From]; ok {
		return problem(s.Pos, "a second definition of node %s", s.From)
	}
	d.nodes[s.From] = len(d.states)
	d.states = append(d.states, state)
	return nil
}

// edge takes an edge or an initial arrow over.
func (d *drawn) edge(s *statement) error {
	e := drawnEdge{at: s.Pos}
	to, ok := d.nodes[s.To]
	if !ok {
		return problem(s.Pos, "an edge to node %s, which is not defined", s.To)
	}
	e.to = to
	for _, a := range s.Attributes {
		if a.Name != "label" {
			continue
		}
		e.at = a.Pos
		label, sets, _ := strings.Cut(unquote(a.Value), "\n")
		e.label = strings.TrimSpace(label)
		var err error
		if e.marks, err = d.marks(a.Pos, strings.TrimSpace(sets)); err != nil {
			return err
		}
	}
	if d.invisible[s.From] {
		d.arrows = append(d.arrows, e)
		return nil
	}
	if e.from, ok = d.nodes[s.From]; !ok {
		return problem(s.Pos, "an edge from node %s, which is not defined", s.From)
	}
	d.edges = append(d.edges, e)
	return nil
}

// marks are the acceptance sets of an edge, as {0,1} or nothing.
func (d *drawn) marks(at lexer.Position, text string) ([]int, error) {
	inside, ok := strings.CutPrefix(text, "{")
	if text == "" {
		return nil, nil
	}
	inside, closed := strings.CutSuffix(inside, "}")
	if !ok || !closed {
		return nil, problem(at, "expected acceptance sets such as {0,1}, found %q", text)
	}
	var marks []int
	for _, word := range strings.Split(inside, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || n < 0 || n >= setsBound {
			return nil, problem(at, "expected the number of an acceptance set, found %q", word)
		}
		marks = append(marks, n)
		d.sets = max(d.sets, n+1)
	}
	return marks, nil
}

// valuations is the label of an initial arrow. It makes the propositions known.
func (d *drawn) valuations(e drawnEdge) (*formula, error) {
	if strings.Count(e.label, "(") > nestingBound {
		return nil, problem(e.at, "a label with more than %d parentheses", nestingBound)
	}
	f, err := formulaParser.ParseString("", e.label)
	if err != nil {
		return nil, problem(e.at, "expected a formula of propositions, found %q", e.label)
	}
	d.collect(f)
	if len(d.names) > propositionsBound {
		return nil, problem(e.at, "more than %d propositions", propositionsBound)
	}
	return f, nil
}

func (d *drawn) collect(f *formula) {
	for _, c := range f.Operands {
		for _, a := range c.Operands {
			if a.Group != nil {
				d.collect(a.Group)
			} else if a.Name != "" {
				name := unquote(a.Name)
				if _, ok := d.numbers[name]; !ok {
					d.numbers[name] = len(d.names)
					d.names = append(d.names, name)
				}
			}
		}
	}
}

// function is a formula over known propositions.
func (d *drawn) function(functions *automata.Functions, f *formula) automata.Function {
	or := automata.FalseFunction
	for _, c := range f.Operands {
		and := automata.TrueFunction
		for _, a := range c.Operands {
			var g automata.Function
			switch {
			case a.Group != nil:
				g = d.function(functions, a.Group)
			case a.Constant == "0":
				g = automata.FalseFunction
			case a.Constant == "1":
				g = automata.TrueFunction
			default:
				g = functions.Proposition(d.numbers[unquote(a.Name)])
			}
			if len(a.Negations)%2 == 1 {
				g = functions.Not(g)
			}
			and = functions.And(and, g)
		}
		or = functions.Or(or, and)
	}
	return or
}

// changeset is the cube of an edge that doesn't leave the initial state, and
// whether nothing changes.
func (d *drawn) changeset(e drawnEdge) (automata.Cube, bool, error) {
	c, err := changesetParser.ParseString("", e.label)
	if err != nil {
		return nil, false, problem(e.at, "expected a changeset such as {a, b}, found %q", e.label)
	}
	cube := automata.NewCube(len(d.names))
	for p := range d.names {
		cube[p/64] |= 1 << (p % 64)
	}
	for _, m := range c.Members {
		p, ok := d.numbers[unquote(m)]
		if !ok {
			return nil, false, problem(e.at, "proposition %s changes, but no initial valuation names it", m)
		}
		cube[len(cube)/2+p/64] |= 1 << (p % 64)
	}
	return cube, len(c.Members) == 0, nil
}
