package view

import (
	"context"
	"fmt"
	"io"

	"pnmc/internal/account"
	"pnmc/petri"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/colourless"
	"pnmc/picture"
)

// Picture writes the net as an SVG document, in its initial marking: a coloured net with
// the inscriptions of its arcs, guards, and the number of tokens of all colours. Nodes lie
// where the document puts them, if it puts all somewhere and hardly any two in the same
// place; otherwise they are laid out. It returns picture.ErrTooLarge for what nobody could
// look at, an error for a coloured net whose tokens no number of 63 bits counts, and the
// reason to stop if the context ends.
func Picture(ctx context.Context, w io.Writer, net *petri.Net, coloured *symmetric.Net, d *petri.Drawing) error {
	p := netPicture{texts: texts{Meter: account.Meter{Account: account.Of(ctx)}}}
	if coloured != nil {
		skeleton, err := colourless.Skeleton(coloured) // it has the numbers of tokens
		if err != nil {
			return err
		}
		if err := picture.Room(ctx, skeleton.Places()+skeleton.Transitions()+skeleton.Arcs()); err != nil {
			return err
		}
		p.drawColoured(coloured, skeleton)
	} else {
		if err := picture.Room(ctx, net.Places()+net.Transitions()+net.Arcs()); err != nil {
			return err
		}
		p.drawPlain(net)
	}
	if p.texts.End != nil {
		return p.texts.End
	}
	p.place(d)
	return p.Write(ctx, w)
}

// netPicture is the picture of a net while it is made.
type netPicture struct {
	picture.Graph
	ids   []string // of the nodes
	texts texts
}

// add adds a node. Its title has the identifier and what else the lines have.
func (p *netPicture) add(prefix string, number int, l petri.Label, n picture.Node, more ...string) {
	most := len(l.ID) + len(l.Name)
	for _, text := range more {
		most += len(text)
	}
	if !p.texts.Asked(nodeBytes + 3*most) { // a title is made anew with each part
		return
	}
	n.ID = fmt.Sprint(prefix, number)
	name := l.Name
	if name == "" {
		name = l.ID
	}
	n.Lines = append([]string{name}, more...)
	n.Title = l.ID
	if name != l.ID {
		n.Title += ": " + name
	}
	for _, text := range more {
		n.Title += ", " + text
	}
	if n.Shape == picture.Circle {
		n.Title += ", " + counted(n.Tokens)
	}
	p.ids = append(p.ids, l.ID)
	p.Nodes = append(p.Nodes, n)
}

// nodeBytes is about what a node of a picture takes beside its texts.
const nodeBytes = 512

// counted returns a number of tokens in words.
func counted(tokens int64) string {
	if tokens == 1 {
		return "1 token"
	}
	return fmt.Sprintf("%d tokens", tokens)
}

// describe says in words what the picture shows.
func (p *netPicture) describe(kind, name string, places, transitions int) {
	p.Title = name
	if p.Title == "" {
		p.Title = kind
	}
	p.Description = fmt.Sprintf("%s in its initial marking; places: %d, transitions: %d, arcs: %d", kind, places, transitions, len(p.Edges))
}

// drawPlaces draws the places of a net, or of the skeleton of a coloured one, and returns
// their nodes. Places that are marked come first: arrows begin there.
func (p *netPicture) drawPlaces(net *petri.Net) (nodes []int) {
	nodes = make([]int, net.Places())
	for _, marked := range []bool{true, false} {
		for i := range nodes {
			tokens := net.InitialTokens(petri.Place(i))
			if tokens > 0 == marked {
				nodes[i] = len(p.Nodes)
				var capacity []string
				if c := net.Capacity(petri.Place(i)); c != petri.Unbounded {
					capacity = []string{fmt.Sprint("≤ ", c)}
				}
				p.add("p", i, net.PlaceLabel(petri.Place(i)), picture.Node{Tokens: tokens}, capacity...)
			}
		}
		if marked {
			p.Begin = len(p.Nodes)
		}
	}
	return nodes
}

// drawPlain draws a net without colours.
func (p *netPicture) drawPlain(net *petri.Net) {
	place := p.drawPlaces(net)
	for t := range petri.Transition(net.Transitions()) {
		node := len(p.Nodes)
		p.add("t", int(t), net.TransitionLabel(t), picture.Node{Shape: picture.Bar})
		for _, a := range net.Pre(t) {
			p.Edges = append(p.Edges, picture.Edge{From: place[a.Place], To: node, Lines: weightText(a.Weight)})
		}
		for _, a := range net.Inhibitors(t) {
			p.Edges = append(p.Edges, picture.Edge{From: place[a.Place], To: node, Lines: weightText(a.Weight), Circle: true})
		}
		for _, q := range net.Resets(t) {
			p.Edges = append(p.Edges, picture.Edge{From: place[q], To: node, Double: true})
		}
		for _, a := range net.Post(t) {
			p.Edges = append(p.Edges, picture.Edge{From: node, To: place[a.Place], Lines: weightText(a.Weight)})
		}
	}
	p.describe("Petri net", net.Name, net.Places(), net.Transitions())
}

// weightText returns what is written at an arc: nothing for weight 1.
func weightText(weight int64) []string {
	if weight == 1 {
		return nil
	}
	return []string{fmt.Sprint(weight)}
}

// drawColoured draws a coloured net as it is.
func (p *netPicture) drawColoured(net *symmetric.Net, skeleton *petri.Net) {
	place := p.drawPlaces(skeleton)
	for i := range net.Transitions {
		t := &net.Transitions[i]
		node := len(p.Nodes)
		var guard []string
		if t.Guard != nil {
			guard = []string{"[" + p.texts.guard(t.Guard, t) + "]"}
		}
		p.add("t", i, petri.Label{ID: t.ID, Name: t.Name}, picture.Node{Shape: picture.Bar}, guard...)
		for _, a := range t.Pre {
			p.Edges = append(p.Edges, picture.Edge{From: place[a.Place], To: node, Lines: p.inscription(a, t, net)})
		}
		for _, a := range t.Inhibitors {
			p.Edges = append(p.Edges, picture.Edge{From: place[a.Place], To: node, Lines: weightText(a.Weight), Circle: true})
		}
		for _, a := range t.Post {
			p.Edges = append(p.Edges, picture.Edge{From: node, To: place[a.Place], Lines: p.inscription(a, t, net)})
		}
	}
	p.describe("Coloured Petri net", net.Name, len(net.Places), len(net.Transitions))
}

// inscription returns what stands at an arc of a coloured net, unless it is one black token.
func (p *netPicture) inscription(a symmetric.Arc, t *symmetric.Transition, net *symmetric.Net) []string {
	text := p.texts.expression(a.Expression, t, net.Places[a.Place].Domain)
	if text == "•" {
		return nil
	}
	return []string{text}
}

// place gives the nodes the positions of the document.
//
// Some tools write (0, 0) for every node, or positions for some only: such pictures would be
// heaps. So positions count only if all nodes have one, and at least nine in ten of them are
// different when cut to whole units. Otherwise all nodes are laid out.
func (p *netPicture) place(d *petri.Drawing) {
	if d == nil || len(p.Nodes) == 0 {
		return
	}
	positions := make([]picture.Point, len(p.Nodes))
	apart := make(map[[2]int]bool)
	for i, id := range p.ids {
		at, known := d.Nodes[id]
		if !known {
			return
		}
		positions[i] = picture.Point{X: at.X, Y: at.Y}
		apart[[2]int{int(at.X), int(at.Y)}] = true
	}
	if 10*len(apart) < 9*len(positions) {
		return
	}
	p.Positions = positions
	for i := range p.Edges {
		e := &p.Edges[i]
		for _, bend := range d.Bends[[2]string{p.ids[e.From], p.ids[e.To]}] {
			e.Bends = append(e.Bends, picture.Point{X: bend.X, Y: bend.Y})
		}
	}
}
