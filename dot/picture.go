package dot

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/picture"
)

// Picture writes an automaton as an SVG document, with the texts that Write gives it. Edges
// between the same states are one arrow with a line for each. It returns
// picture.ErrTooLarge for what nobody could look at, a *DrawingError for a testing
// automaton that has no drawing, and the reason to stop if the context ends.
func (style Style) Picture(ctx context.Context, w io.Writer, a *automata.Automaton) error {
	g := &automatonPicture{Graph: picture.Graph{Title: a.Name}, work: account.Of(ctx)}
	err := picture.Room(ctx, a.States())
	if err != nil {
		return err
	}
	if a.Kind == automata.Plain {
		err = g.drawPlain(a)
	} else {
		var form *automata.Automaton
		if form, err = spotForm(g.work, a); err == nil {
			err = g.drawTesting(form, style)
		}
	}
	if err != nil {
		return err
	}
	if g.Title == "" {
		g.Title = "automaton"
	}
	return g.Write(ctx, w)
}

// automatonPicture is the picture of an automaton while it is made.
type automatonPicture struct {
	picture.Graph
	arrows map[[2]int]int // of each pair of nodes, the edge
	work   *account.Account
}

// arrow adds a line to the arrow between two nodes.
func (g *automatonPicture) arrow(from, to int, text string) {
	e, known := g.arrows[[2]int{from, to}]
	if !known {
		if g.arrows == nil {
			g.arrows = map[[2]int]int{}
		}
		e = len(g.Edges)
		g.arrows[[2]int{from, to}] = e
		g.Edges = append(g.Edges, picture.Edge{From: from, To: to})
	}
	if text != "" {
		g.Edges[e].Lines = append(g.Edges[e].Lines, text)
	}
}

// drawPlain draws an automaton that is no testing automaton: entries first, so that arrows
// begin there. An error is that of the account, as for drawTesting.
func (g *automatonPicture) drawPlain(a *automata.Automaton) error {
	d := drawing{a: a, onStates: true}
	for s := range automata.State(a.States()) {
		d.onStates = d.onStates && sameMarks(a, s)
		if err := g.work.Charge(nodeWork + account.EdgeWork*edges(a, s)); err != nil {
			return err
		}
	}
	entries := len(a.Initial())
	g.Begin = entries
	for i := range entries {
		g.Nodes = append(g.Nodes, picture.Node{ID: fmt.Sprint("i", i), Shape: picture.Entry})
	}
	for s := range automata.State(a.States()) {
		first, end := a.Out(s)
		name := stateName(a.StateNames, s)
		if err := g.work.Reserve(2 * len(name)); err != nil {
			return err
		}
		n := picture.Node{ID: fmt.Sprint("s", s), Shape: picture.State, Lines: []string{name}, Title: "state " + name}
		if sets := ""; d.onStates && first < end && a.Marks(first).Count() > 0 {
			sets = marks(a, first)
			if a.Acceptance.Name == "Buchi" {
				n.Shape = picture.DoubleState
				n.Title += ", accepting"
			} else {
				n.Lines = append(n.Lines, sets)
				n.Title += ", in " + sets
			}
		}
		g.Nodes = append(g.Nodes, n)
	}
	for i, s := range a.Initial() {
		g.arrow(i, entries+int(s), "")
	}
	for e := range automata.Edge(a.Edges()) {
		if err := cmp.Or(g.work.Charge(nodeWork), labelRoom(g.work, a, e)); err != nil {
			return err
		}
		text := label(a, e)
		if m := marks(a, e); m != "" && !d.onStates {
			text += " " + m
		}
		g.arrow(entries+int(a.Source(e)), entries+int(a.Destination(e)), text)
	}
	g.Description = fmt.Sprintf("ω-automaton; states: %d, edges: %d, accepts if %v", a.States(), a.Edges(), a.Acceptance.Condition)
	return nil
}

// nodeWork is about what a node or an arrow of a picture takes, in bytes, beside its texts.
const nodeWork = 512

// drawTesting draws a testing automaton in Spot's form: edges read valuations from the
// initial state, changesets elsewhere; double borders accept as in a Büchi automaton, and a
// run may stay for ever in a state with corners.
func (g *automatonPicture) drawTesting(a *automata.Automaton, style Style) error {
	d := testingDrawing{a: a, style: style, sets: a.Acceptance.Sets}
	if a.Kind == automata.TA {
		d.sets, _ = a.Acceptance.LivelockSets()
	}
	g.Begin = 1
	for s := range automata.State(a.States()) {
		first, end := a.Out(s)
		name := initialName
		if s != 0 {
			name = stateName(a.StateNames, s)
		}
		n := picture.Node{ID: fmt.Sprint("s", s), Shape: picture.State, Lines: []string{name}, Title: "state " + name}
		livelocks := a.Kind == automata.TA && s != 0
		if livelocks {
			stays := false
			for e := first; e < end; e++ {
				stays = stays || a.Marks(e).Has(d.sets)
			}
			if stays {
				n.Shape = picture.LivelockBox
			}
			if d.isBuchi(s) {
				n.Shape = n.Shape.Double()
				n.Title += ", accepting"
			}
			if stays {
				n.Title += ", accepting runs that stay"
			}
		}
		g.Nodes = append(g.Nodes, n)
		for e := first; e < end; e++ {
			if err := cmp.Or(g.work.Charge(nodeWork), labelRoom(g.work, a, e)); err != nil {
				return err
			}
			if livelocks && isStutter(a.Cube(e, 0)) {
				continue
			}
			text := d.letter(a.Cube(e, 0), s == 0)
			if sets := d.marks(e); len(sets) > 0 {
				text += " {" + strings.Join(sets, ",") + "}"
			}
			g.arrow(int(s), int(a.Destination(e)), text)
		}
	}
	g.Description = fmt.Sprintf("Testing automaton (%v); states: %d, edges: %d", a.Kind, a.States(), a.Edges())
	return nil
}
