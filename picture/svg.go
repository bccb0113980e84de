package picture

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pnmc/internal/lazy"
)

// corner is the radius of the corners of states.
const corner = 14.0

// svg writes the document; an error stays in the writer.
type svg struct {
	*bufio.Writer
	*layout
	end error // the reason to stop, of the account: what follows is not written
}

// room asks for room for a title, which is made visible and then escaped.
func (s *svg) room(title int) bool {
	if s.end == nil {
		s.end = s.account.Reserve(nodeWork + titleWork*title)
	}
	return s.end == nil
}

// titleWork is about what a byte of a title takes, in bytes or nanoseconds.
const titleWork = 16

// write writes the document. It has a white background, so it looks the same everywhere.
// It has no scripts and no styles, so every viewer shows it.
//
// Edges come before labels and nodes, as what comes later covers what was there: a node hides the
// ends of arrows below it, and texts stand above arrows. Texts were measured by one width for all
// characters, since the font of the viewer is not known. At worst a wider font makes texts touch.
func (l *layout) write(w io.Writer, routes [][]Point) error {
	s := svg{Writer: bufio.NewWriter(w), layout: l}
	left, top, right, bottom := s.frame(routes)
	width, height := right-left, bottom-top
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%s" height="%s" role="img" aria-labelledby="title desc">`+"\n",
		number(left), number(top), number(width), number(height), number(width), number(height))
	fmt.Fprintf(s, "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", escape(l.graph.Title), escape(l.graph.Description))
	s.WriteString(`<defs><marker id="arrow" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z" fill="#444"/></marker>`)
	if slices.ContainsFunc(l.graph.Edges, func(e Edge) bool { return e.Double }) {
		s.WriteString(`<marker id="arrows" viewBox="0 0 18 10" refX="17.5" refY="5" markerWidth="14.4" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0,1 L10,5 L0,9 z M8,1 L18,5 L8,9 z" fill="#444"/></marker>`)
	}
	if slices.ContainsFunc(l.graph.Edges, func(e Edge) bool { return e.Circle }) {
		s.WriteString(`<marker id="circle" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><circle cx="5" cy="5" r="4" fill="#fff" stroke="#444"/></marker>`)
	}
	s.WriteString("</defs>\n")
	fmt.Fprintf(s, `<rect x="%s" y="%s" width="%s" height="%s" fill="#fff"/>`+"\n", number(left), number(top), number(width), number(height))
	s.WriteString(`<g fill="none" stroke="#444" stroke-width="1.2">` + "\n")
	for i := range l.graph.Edges {
		if s.edge(i, routes[i]); s.end != nil {
			return s.end
		}
	}
	s.WriteString("</g>\n" + `<g font-family="DejaVu Sans, Verdana, Helvetica, sans-serif" font-size="12" text-anchor="middle" fill="#111" direction="ltr" style="unicode-bidi:isolate">` + "\n")
	for i := range l.graph.Edges {
		s.label(i)
	}
	for i := range l.graph.Nodes {
		if s.node(i); s.end != nil {
			return s.end
		}
	}
	s.WriteString("</g>\n</svg>\n")
	return s.Flush()
}

// frame returns what the picture covers, with a margin.
func (s *svg) frame(routes [][]Point) (left, top, right, bottom float64) {
	left, top, right, bottom = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	cover := func(p Point, e extent) {
		left, right = min(left, p.X-e.left), max(right, p.X+e.right)
		top, bottom = min(top, p.Y-e.above), max(bottom, p.Y+e.below)
	}
	for i, p := range s.at {
		cover(p, s.extents[i])
	}
	for i, way := range routes {
		for _, p := range way {
			cover(p, extent{})
		}
		if len(s.labels[i]) > 0 {
			half := widest(s.labels[i]) / 2
			cover(s.textAt[i], extent{half, half, lineHeight * float64(len(s.labels[i])), 4})
		}
	}
	if len(s.at) == 0 {
		left, top, right, bottom = 0, 0, 0, 0
	}
	return left - around, top - around, right + around, bottom + around
}

// edge draws an arrow. A viewer shows its text as a whole where the picture cuts it.
func (s *svg) edge(i int, way []Point) {
	e := &s.graph.Edges[i]
	title := 0
	for _, line := range e.Lines {
		title += len(line)
	}
	if !s.room(title) {
		return
	}
	path := ""
	switch {
	case e.From == e.To:
		path = s.loopPath(i)
	default:
		path = s.path(i, way)
	}
	marker := "arrow"
	if e.Circle {
		marker = "circle"
	}
	if e.Double {
		marker = "arrows"
	}
	fmt.Fprintf(s, `<path d="%s" marker-end="url(#%s)"`, path, marker)
	if slices.Equal(e.Lines, s.labels[i]) {
		s.WriteString("/>\n")
		return
	}
	fmt.Fprintf(s, "><title>%s</title></path>\n", escape(strings.Join(e.Lines, "; ")))
}

// path returns the way of an edge: straight where the document gives positions, else in curves
// that leave and enter nodes horizontally.
func (s *svg) path(edge int, way []Point) string {
	var b strings.Builder
	fmt.Fprintf(&b, "M%s,%s", number(way[0].X), number(way[0].Y))
	if s.graph.Positions != nil {
		if len(way) == 3 && len(s.graph.Edges[edge].Bends) == 0 {
			fmt.Fprintf(&b, " Q%s,%s", number(way[1].X), number(way[1].Y))
			fmt.Fprintf(&b, " %s,%s", number(way[2].X), number(way[2].Y))
			return b.String()
		}
		for _, p := range way[1:] {
			fmt.Fprintf(&b, " L%s,%s", number(p.X), number(p.Y))
		}
		return b.String()
	}
	for i := 1; i < len(way); i++ {
		p, q := way[i-1], way[i]
		if p.Y == q.Y {
			fmt.Fprintf(&b, " L%s,%s", number(q.X), number(q.Y))
			continue
		}
		m := (p.X + q.X) / 2
		fmt.Fprintf(&b, " C%s,%s %s,%s %s,%s", number(m), number(p.Y), number(m), number(q.Y), number(q.X), number(q.Y))
	}
	return b.String()
}

// label writes the text of an edge, its last line lowest.
func (s *svg) label(edge int) {
	p, lines := s.textAt[edge], s.labels[edge]
	for i, line := range lines {
		s.text(p.X, p.Y-lineHeight*float64(len(lines)-1-i), line, halo)
	}
}

// loopPath returns the way of an edge from a node to itself, above it. Further ones go around it.
func (l *layout) loopPath(edge int) string {
	v := l.graph.Edges[edge].From
	c, half := l.at[v], l.halves[v]
	peak := l.textAt[edge].Y + 4
	foot := c.Y - half.Y + 1
	control := foot - (foot-peak)*4/3
	return fmt.Sprintf("M%s,%s C%s,%s %s,%s %s,%s", number(c.X-7), number(foot), number(c.X-22), number(control), number(c.X+22), number(control), number(c.X+7), number(foot))
}

// node draws a node with its texts.
func (s *svg) node(i int) {
	n, c := &s.graph.Nodes[i], s.at[i]
	if !s.room(len(n.Title)) {
		return
	}
	half := s.halves[i]
	fmt.Fprintf(s, `<g id="%s">`, escape(n.ID))
	if n.Title != "" {
		fmt.Fprintf(s, "<title>%s</title>", escape(n.Title))
	}
	switch n.Shape {
	case Circle:
		fmt.Fprintf(s, `<circle cx="%s" cy="%s" r="%s" fill="#fff" stroke="#111" stroke-width="1.4"/>`, number(c.X), number(c.Y), number(placeRadius))
		s.tokens(c, n.Tokens)
		for j, line := range s.lines[i] {
			s.text(c.X, c.Y+half.Y+lineHeight*float64(j+1), line, halo)
		}
	case Entry:
		fmt.Fprintf(s, `<circle cx="%s" cy="%s" r="2" fill="#111"/>`, number(c.X), number(c.Y))
	default:
		s.box(n, c, half)
		for j, line := range s.lines[i] {
			s.text(c.X, c.Y+4+lineHeight*(float64(j)-float64(len(s.lines[i])-1)/2), line, "")
		}
	}
	s.WriteString("</g>\n")
}

// box draws the outline of a node that has its texts inside.
func (s *svg) box(n *Node, c, half Point) {
	round, fill := 0.0, "#fff"
	switch n.Shape {
	case Bar:
		round, fill = 2, "#f0f0f0"
	case State, DoubleState:
		round = corner
	}
	outline := func(inside float64) {
		fmt.Fprintf(s, `<rect x="%s" y="%s" width="%s" height="%s" rx="%s" fill="%s" stroke="#111" stroke-width="1.4"/>`,
			number(c.X-half.X+inside), number(c.Y-half.Y+inside), number(2*(half.X-inside)), number(2*(half.Y-inside)), number(max(0, round-inside)), fill)
	}
	outline(0)
	if n.Shape == DoubleState || n.Shape == DoubleLivelockBox {
		outline(3)
	}
}

// dots are where up to five tokens lie, in parts of the radius of their place.
var dots = [][]Point{
	nil, {{0, 0}}, {{-.4, 0}, {.4, 0}}, {{0, -.42}, {-.42, .32}, {.42, .32}},
	{{-.38, -.38}, {.38, -.38}, {-.38, .38}, {.38, .38}},
	{{-.45, -.45}, {.45, -.45}, {0, 0}, {-.45, .45}, {.45, .45}},
}

// tokens draws the tokens of a place: dots if they are few, else a number that is as small as the
// place needs.
func (s *svg) tokens(c Point, tokens int64) {
	if tokens < 0 || tokens >= int64(len(dots)) {
		text := strconv.FormatInt(tokens, 10)
		size := min(12, 1.8*placeRadius/(0.6*float64(len(text))))
		fmt.Fprintf(s, `<text x="%s" y="%s" font-size="%s" font-weight="bold">%s</text>`, number(c.X), number(c.Y+size/3), number(size), text)
		return
	}
	for _, dot := range dots[tokens] {
		fmt.Fprintf(s, `<circle cx="%s" cy="%s" r="3.2" fill="#111"/>`, number(c.X+placeRadius*dot.X), number(c.Y+placeRadius*dot.Y))
	}
}

// halo keeps text legible where an arrow passes behind it.
const halo = ` paint-order="stroke" stroke="#fff" stroke-width="3" stroke-linejoin="round"`

// text writes one line around x, with or without a halo.
func (s *svg) text(x, y float64, line, halo string) {
	if line != "" {
		fmt.Fprintf(s, `<text x="%s" y="%s"%s>%s</text>`, number(x), number(y), halo, escape(line))
	}
}

// number returns a coordinate with one digit behind the point, so that pictures are the same on
// all machines.
func number(x float64) string {
	text := strconv.FormatFloat(math.Round(10*x)/10, 'f', -1, 64)
	if text == "-0" {
		return "0"
	}
	return text
}

// escape returns text that XML can have, as text and in quotes.
func escape(text string) string {
	return xmlEscaper.Get().Replace(visible(text))
}

var xmlEscaper = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")
}}
