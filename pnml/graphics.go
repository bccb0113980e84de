package pnml

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"

	"pnmc/petri"
)

// ReadDrawing reads where the nodes of a net lie and where its arcs bend. It reads nothing
// else and finds fault with nothing but the XML: the text is one that ReadDocument has read.
// Other commands read no graphics, and pay nothing for them.
func (reader Reader) ReadDrawing(r io.Reader, file string) (*petri.Drawing, error) {
	s := newScanner(r, file, reader.Limit)
	d := &petri.Drawing{Nodes: map[string]petri.Point{}, Bends: map[[2]string][]petri.Point{}}
	for {
		token, _, err := s.token()
		if err == io.EOF {
			return d, nil
		}
		if err != nil {
			return nil, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "net":
			if reader.Net != "" && attribute(&start, "id") != reader.Net {
				err = s.skip()
			}
		case "place", "transition":
			var points []petri.Point
			if points, err = s.graphics(); err == nil && len(points) > 0 {
				d.Nodes[attribute(&start, "id")] = points[0]
			}
		case "arc":
			var points []petri.Point
			if points, err = s.graphics(); err == nil && len(points) > 0 {
				arc := [2]string{attribute(&start, "source"), attribute(&start, "target")}
				d.Bends[arc] = points
			}
		case "toolspecific":
			err = s.skip()
		}
		if err != nil {
			return nil, err
		}
	}
}

// graphics passes the rest of a node or arc, and gives the positions in its own <graphics>;
// those of its labels, and of other tools, are theirs.
func (s *scanner) graphics() (points []petri.Point, err error) {
	for {
		start, _, err := s.child()
		if start == nil || err != nil {
			return points, err
		}
		if start.Name.Local != "graphics" {
			if err := s.skip(); err != nil {
				return nil, err
			}
			continue
		}
		if points, err = s.inGraphics(points); err != nil {
			return nil, err
		}
	}
}

// inGraphics passes the rest of <graphics>, and appends the positions in it.
func (s *scanner) inGraphics(to []petri.Point) ([]petri.Point, error) {
	for {
		part, _, err := s.child()
		if part == nil || err != nil {
			return to, err
		}
		x, xerr := strconv.ParseFloat(strings.TrimSpace(attribute(part, "x")), 64)
		y, yerr := strconv.ParseFloat(strings.TrimSpace(attribute(part, "y")), 64)
		if part.Name.Local == "position" && xerr == nil && yerr == nil && math.Abs(x) < 1e9 && math.Abs(y) < 1e9 {
			to = append(to, petri.Point{X: x, Y: y})
		}
		if err := s.skip(); err != nil {
			return nil, err
		}
	}
}
