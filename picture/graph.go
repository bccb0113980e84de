package picture

import (
	"context"
	"errors"
	"fmt"
	"io"

	"pnmc/internal/account"
)

// Shape is the outline of a node.
type Shape uint8

const (
	Circle      Shape = iota // a place: its tokens inside, its name below
	Bar                      // a transition: its name inside
	State                    // a state of an automaton: its name inside
	DoubleState              // the same with a double border, for one that accepts
	LivelockBox              // the same with corners, for one in which a run may stay
	DoubleLivelockBox
	Entry // a point from which an initial state is entered
)

// Double returns the outline of a state with a double border.
func (s Shape) Double() Shape {
	switch s {
	case State:
		return DoubleState
	case LivelockBox:
		return DoubleLivelockBox
	}
	return s
}

// Point is a position in the picture, x to the right and y downwards.
type Point struct{ X, Y float64 }

// Node is drawn with its texts.
type Node struct {
	// ID is the identifier of its element in the document. It consists of ASCII letters
	// and digits.
	ID    string
	Shape Shape
	// Title is the whole text of the node, which a viewer shows on demand.
	Title string
	// Lines stand in the node, or, of a Circle, below it. Long ones are cut in the picture.
	Lines []string
	// Tokens are those of a Circle: up to five are dots, more are a number.
	Tokens int64
}

// Edge is an arrow between two nodes, by their numbers.
type Edge struct {
	From, To int
	// Lines stand beside the arrow.
	Lines []string
	// Bends are where it bends, if the graph has positions.
	Bends []Point
	// Circle: it ends in a circle, not in an arrow head.
	Circle bool
	// Double: it ends in two arrow heads.
	Double bool
}

// Graph is what a picture shows.
type Graph struct {
	// Title and Description tell a reader who does not see the picture what it shows.
	Title, Description string
	Nodes              []Node
	Edges              []Edge
	// Begin is how many nodes, the first ones, stand leftmost: what is marked or initial.
	Begin int
	// Positions are the centres of the nodes, or nil: the graph is then laid out.
	Positions []Point
}

// mostElements bounds nodes and edges of a picture. A larger one is no help to anybody, and
// viewers do not open it.
const mostElements = 200_000

// ErrTooLarge means that a graph has more nodes and edges than a picture shows.
var ErrTooLarge = errors.New("too large to be drawn")

// elementBytes is about what a node or an edge takes, with its texts.
const elementBytes = 256

// Room reports why a graph of so many nodes and edges is not to be made: ErrTooLarge, or the
// reason to stop if the context ends, or the budget of memory in it.
func Room(ctx context.Context, elements int) error {
	if elements > mostElements {
		return fmt.Errorf("%w: %d nodes and edges, a picture shows at most %d", ErrTooLarge, elements, mostElements)
	}
	return account.Of(ctx).Reserve(elements * elementBytes)
}

// Write writes the graph as an SVG document. It returns the reason to stop if the context,
// or the budget of memory in it, ends. If it does so before the layout is done, nothing is written.
func (g *Graph) Write(ctx context.Context, w io.Writer) error {
	if err := Room(ctx, len(g.Nodes)+len(g.Edges)); err != nil {
		return err
	}
	var routes [][]Point // of each edge, from border to border
	l, err := newLayout(ctx, g)
	if err != nil {
		return err
	}
	if g.Positions != nil {
		l.placeGiven()
		routes = l.straight()
	} else if routes, err = l.layered(); err != nil {
		return err
	}
	return l.write(w, routes)
}
