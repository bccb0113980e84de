package dot

import (
	"slices"
	"strings"

	"pnmc/internal/oneline"
)

// propositionsBound is beyond what a drawing can have. Together with
// wordsBound, which is on the words of all labels and marks, it bounds the memory
// of an automaton.
const (
	propositionsBound = 1 << 12
	wordsBound        = 1 << 25
)

// drawn is a testing automaton while its graph is gathered: nodes and arrows are
// known, but not yet what sets and propositions there are in all. Nodes go by
// the order in which they are named, states by the order of their definitions.
type drawn struct {
	nodes  numbered // names of nodes
	state  []int32  // of each node: its number as a state, or one of those below
	states []drawnState
	edges  []drawnEdge // between states
	arrows []drawnEdge // from invisible nodes; from is unused
	labels *labels
	hint   *hint       // what the drawing says of itself, or nil
	root   int         // the artificial initial state, -1 if arrows have valuations instead
	starts []drawnEdge // those that read the first valuation

	room
	starting, changing []meaning  // of labels, as first valuations and as changes
	mentioned          []position // of each acceptance set up to the highest: where it comes first
}

// These are the kinds of nodes that are not states.
const (
	undefined = -1 - iota
	invisible // where an initial arrow begins
)

// drawnState is a node that is a state: its name, where it is defined, and what its shape says.
type drawnState struct {
	name            string
	at              position
	buchi, livelock bool
}

// drawnEdge goes from one node to another, or from one state to another once it is
// resolved.
type drawnEdge struct {
	from, to     int32
	label        int32 // of drawn.labels
	line, column int32
}

func (e drawnEdge) at() position { return position{int(e.line), int(e.column)} }

func newDrawn() *drawn {
	return &drawn{nodes: newNumbered(), labels: newLabels()}
}

// gather takes the statements of a graph over.
func (d *drawn) gather(p *parser) error {
	if err := p.begin(); err != nil {
		return err
	}
	for {
		s, ok, err := p.next()
		switch {
		case err != nil || !ok:
			return err
		case s.value != "":
			if s.from == "comment" {
				err = d.readHint(s)
			}
		case s.to != "":
			err = d.edge(s)
		case s.from == "node", s.from == "edge", s.from == "graph": // defaults
		default:
			err = d.node(s)
		}
		if err != nil {
			return err
		}
	}
}

// number returns that of a node.
func (d *drawn) number(name string) int32 {
	n := d.nodes.number(name)
	if int(n) == len(d.state) {
		d.state = append(d.state, undefined)
	}
	return n
}

// node takes a node over; the invisible ones are where initial arrows begin.
func (d *drawn) node(s statement) error {
	state := drawnState{name: strings.Clone(s.from), at: s.at}
	hidden := false
	for _, a := range s.attributes {
		switch a.name {
		case "style":
			hidden = hidden || a.value == "invis"
		case "peripheries":
			if a.value != "1" && a.value != "2" {
				return problem(a.at, "expected peripheries=1 or 2, found %q", a.value)
			}
			state.buchi = state.buchi || a.value == "2"
		case "shape":
			if !slices.Contains(shapes, a.value) {
				return problem(a.at, "expected a shape such as box or circle, found %q", a.value)
			}
			state.livelock = a.value == "box"
			state.buchi = state.buchi || a.value == "doublecircle"
		case "label":
			state.name = oneline.Of(a.value)
		default:
			if !slices.Contains(ornaments, a.name) {
				return problem(a.at, "unknown attribute %q of a node", a.name)
			}
		}
	}
	n := d.number(s.from)
	switch {
	case d.state[n] != undefined:
		return problem(s.at, "a second definition of node %s", s.from)
	case hidden:
		d.state[n] = invisible
	default:
		d.state[n] = int32(len(d.states))
		d.states = append(d.states, state)
	}
	return nil
}

// shapes are those that states have; box means livelocks, doublecircle what two borders do.
var shapes = []string{"box", "circle", "doublecircle", "ellipse", "oval", "plaintext", "none", "point"}

// ornaments are attributes of nodes and edges that have no meaning for the automaton.
// Others are errors, as a misspelt one that has would change what is accepted.
var ornaments = []string{
	"URL", "arrowhead", "arrowsize", "arrowtail", "class", "color", "colorscheme", "comment", "constraint", "dir", "fillcolor",
	"fixedsize", "fontcolor", "fontname", "fontsize", "group", "height", "href", "id", "labelfloat", "labelfontcolor",
	"labelfontname", "labelfontsize", "labeltooltip", "len", "lp", "margin", "minlen", "ordering", "penwidth", "pos", "rank",
	"style", "target", "tooltip", "weight", "width", "xlabel", "xlp",
}

// edge takes an edge or an initial arrow over.
func (d *drawn) edge(s statement) error {
	e := drawnEdge{from: d.number(s.from), to: d.number(s.to), label: noLabel}
	at := s.at
	for _, a := range s.attributes {
		switch {
		case a.name == "label":
			at = a.at
			e.label = d.labels.number(a.value)
		case !slices.Contains(ornaments, a.name):
			return problem(a.at, "unknown attribute %q of an edge", a.name)
		}
	}
	e.line, e.column = int32(at.line), int32(at.column)
	if d.state[e.from] == invisible {
		d.arrows = append(d.arrows, e)
	} else {
		d.edges = append(d.edges, e)
	}
	return nil
}

// resolve finds the states that edges lead from and to, and the edges that read the
// first valuation: those of the artificial initial state, or labelled arrows.
func (d *drawn) resolve() error {
	if err := d.findStates(); err != nil {
		return err
	}
	d.root = -1
	for i, arrow := range d.arrows {
		labelled := arrow.label != noLabel
		switch {
		case i > 0 && labelled != (d.root < 0):
			return problem(arrow.at(), "initial arrows with and without valuations")
		case labelled:
			d.starts = append(d.starts, arrow)
		case d.root >= 0:
			return problem(arrow.at(), "a second initial arrow without a valuation")
		default:
			d.root = int(arrow.to)
		}
	}
	if len(d.arrows) == 0 && len(d.states) > 0 {
		return problem(d.states[0].at, "the graph has no initial arrow from an invisible node")
	}
	inside := d.edges[:0]
	for _, e := range d.edges {
		switch d.root {
		case int(e.to):
			return problem(e.at(), "an edge to the initial state, which only reads the first valuation")
		case int(e.from):
			d.starts = append(d.starts, e)
		default:
			inside = append(inside, e)
		}
	}
	d.edges = inside
	return nil
}

// findStates replaces nodes by states in all edges, and fails at the first edge of a node that is
// not defined. An edge from an invisible node that is defined behind the edge is found only here
// to be an arrow to an initial state.
func (d *drawn) findStates() error {
	arrows := d.arrows
	for _, edges := range []*[]drawnEdge{&arrows, &d.edges} {
		kept := (*edges)[:0]
		for _, e := range *edges {
			from, to := d.state[e.from], d.state[e.to]
			switch {
			case to == undefined:
				return problem(e.at(), "an edge to node %s, which is not defined", d.nodes.texts[e.to])
			case to == invisible:
				return problem(e.at(), "an edge to node %s, which is invisible", d.nodes.texts[e.to])
			case from == undefined:
				return problem(e.at(), "an edge from node %s, which is not defined", d.nodes.texts[e.from])
			case from == invisible && edges != &arrows: // the node was defined behind it
				d.arrows = append(d.arrows, drawnEdge{e.from, to, e.label, e.line, e.column})
			default:
				kept = append(kept, drawnEdge{from, to, e.label, e.line, e.column})
			}
		}
		*edges = kept
	}
	return nil
}
