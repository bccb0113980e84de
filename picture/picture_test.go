package picture

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// elements returns how often each element occurs in a document, and its texts; it must be
// well-formed.
func elements(t testing.TB, document []byte) (map[string]int, []string) {
	t.Helper()
	count, texts := make(map[string]int), []string{}
	d := xml.NewDecoder(bytes.NewReader(document))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return count, texts
		}
		if err != nil {
			t.Fatalf("%v in\n%.2000s", err, document)
		}
		switch token := token.(type) {
		case xml.StartElement:
			count[token.Name.Local]++
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" {
				texts = append(texts, text)
			}
		}
	}
}

// drawn returns the picture of a graph.
func drawn(t testing.TB, g *Graph) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := g.Write(context.Background(), &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// randomGraph draws a graph of places and transitions, or of states.
func randomGraph(t *rapid.T) *Graph {
	n := rapid.IntRange(1, 14).Draw(t, "nodes")
	g := &Graph{Begin: rapid.IntRange(0, n).Draw(t, "begin")}
	shapes := rapid.SliceOfN(rapid.SampledFrom([]Shape{Circle, Bar, State, DoubleState, LivelockBox, DoubleLivelockBox}), n, n).Draw(t, "shapes")
	for i, s := range shapes {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint("n", i), Shape: s, Lines: []string{rapid.StringN(0, 60, -1).Draw(t, "name")}, Tokens: rapid.Int64Range(0, 9).Draw(t, "tokens")})
	}
	node := rapid.IntRange(0, n-1)
	for range rapid.IntRange(0, 30).Draw(t, "edges") {
		e := Edge{From: node.Draw(t, "from"), To: node.Draw(t, "to")}
		e.Lines = rapid.SliceOfN(rapid.StringN(1, 50, -1), 0, 3).Draw(t, "lines")
		g.Edges = append(g.Edges, e)
	}
	return g
}

// TestLayers: no two nodes of a picture overlap, each arrow leads from the border of one node
// to that of another, in the right direction, and the document is well-formed and has all.
func TestLayers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		l, err := newLayout(context.Background(), g)
		if err != nil {
			t.Fatal(err)
		}
		routes, err := l.layered()
		if err != nil {
			t.Fatal(err)
		}
		for i := range g.Nodes {
			for j := range i {
				a, b, p, q := l.extents[i], l.extents[j], l.at[i], l.at[j]
				if p.X-a.left < q.X+b.right && q.X-b.left < p.X+a.right && p.Y-a.above < q.Y+b.below && q.Y-b.above < p.Y+a.below {
					t.Fatalf("nodes %d at %v and %d at %v overlap", i, p, j, q)
				}
			}
		}
		atBorder := func(node int, p Point) bool {
			c, half := l.at[node], g.Nodes[node].half()
			return math.Abs(p.X-c.X) <= half.X+0.1 && math.Abs(p.Y-c.Y) <= half.Y+0.1
		}
		for i, e := range g.Edges {
			if e.From == e.To {
				continue
			}
			if way := routes[i]; len(way) < 2 || !atBorder(e.From, way[0]) || !atBorder(e.To, way[len(way)-1]) {
				t.Fatalf("edge %d from %v to %v goes by %v", i, l.at[e.From], l.at[e.To], way)
			}
		}
		var out bytes.Buffer
		if err := l.write(&out, routes); err != nil {
			t.Fatal(err)
		}
		d := xml.NewDecoder(&out)
		groups, paths := 0, 0
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if start, ok := token.(xml.StartElement); ok {
				for _, a := range start.Attr {
					if a.Name.Local == "id" && start.Name.Local == "g" {
						groups++
					}
					if a.Name.Local == "marker-end" {
						paths++
					}
				}
			}
		}
		if groups != len(g.Nodes) || paths != len(g.Edges) {
			t.Fatalf("%d nodes and %d arrows are drawn, of %d and %d", groups, paths, len(g.Nodes), len(g.Edges))
		}
	})
}

// TestCrossings: the count agrees with looking at all pairs.
func TestCrossings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, err := newLayout(context.Background(), randomGraph(t))
		if err != nil {
			t.Fatal(err)
		}
		parts, err := l.parts()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parts {
			for _, step := range []func() error{d.turn, d.rankNodes, d.passLayers, d.firstOrder} {
				if err := step(); err != nil {
					t.Fatal(err)
				}
			}
			first, naive := d.crossings(), 0
			for _, layer := range d.layers {
				for i, v := range layer {
					for _, w := range layer[:i] {
						for _, x := range d.right[v] {
							for _, y := range d.right[w] {
								if d.place[y] > d.place[x] {
									naive++
								}
							}
						}
					}
				}
			}
			if first != naive {
				t.Fatalf("%d crossings are counted, there are %d", first, naive)
			}
			for i := range d.layers {
				d.layers[i] = nil
			}
			if err := d.sortLayers(); err != nil {
				t.Fatal(err)
			}
			if d.crossings() > first {
				t.Fatalf("ordering layers made %d crossings of %d", d.crossings(), first)
			}
		}
	})
}

// TestHostileNames: what names are made of is text, whatever it looks like, and nothing that
// changes the direction of other text comes through. The title of a node has all of its name.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	for _, name := range []string{`<script>alert(1)</script>`, `"'&>]]>`, "\u202Eevil\u2066", "a\x00b\x1b[31m", "مرحبا", long, "\xff\xfe", "", "two\nlines"} {
		g := &Graph{Title: name, Description: name,
			Nodes: []Node{{ID: "p0", Lines: []string{name}, Title: name}, {ID: "t0", Shape: Bar, Lines: []string{name}, Title: name}},
			Edges: []Edge{{From: 0, To: 1, Lines: []string{name}}}}
		text := drawn(t, g)
		count, texts := elements(t, text)
		if count["script"] > 0 || count["g"] != 4 {
			t.Errorf("%.30q: elements %v", name, count)
		}
		if strings.ContainsAny(string(text), "\u202e\u2066\x1b\x00") {
			t.Errorf("%.30q: control characters come through", name)
		}
		whole := false
		for _, s := range texts {
			whole = whole || s == strings.TrimSpace(visible(name))
		}
		if !whole && name != "" {
			t.Errorf("%.30q is nowhere whole in %.300q", name, texts)
		}
	}
}

// TestLarge: large graphs are drawn whole, quickly or not at all: the context, or the size,
// ends the work before anything is written.
func TestLarge(t *testing.T) {
	g := &Graph{Begin: 1}
	for i := range 30_000 {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint("n", i), Shape: Bar, Lines: []string{fmt.Sprint(i)}})
		for _, j := range []int{i / 2, (i * 7919) % (i + 1)} {
			g.Edges = append(g.Edges, Edge{From: j, To: i})
		}
	}
	count, _ := elements(t, drawn(t, g))
	if count["g"] != len(g.Nodes)+2 || count["path"] != len(g.Edges)+1 {
		t.Errorf("%d groups and %d paths of %d nodes and %d edges", count["g"], count["path"], len(g.Nodes), len(g.Edges))
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out bytes.Buffer
	if err := g.Write(ctx, &out); !errors.Is(err, context.Canceled) || out.Len() > 0 {
		t.Errorf("after the end of the context: %v, %d bytes", err, out.Len())
	}
	g.Nodes = make([]Node, mostElements+1)
	if err := g.Write(context.Background(), &out); !errors.Is(err, ErrTooLarge) || out.Len() > 0 {
		t.Errorf("too large: %v, %d bytes", err, out.Len())
	}
}

// TestGiven: with positions nodes stay where they are, in proportion, and arrows bend where
// they shall.
func TestGiven(t *testing.T) {
	g := &Graph{Nodes: []Node{{ID: "a"}, {ID: "b", Shape: Bar}, {ID: "c"}},
		Edges:     []Edge{{From: 0, To: 1, Bends: []Point{{50, 40}}}, {From: 1, To: 2}, {From: 2, To: 1}},
		Positions: []Point{{0, 0}, {100, 0}, {100, 200}}}
	l, err := newLayout(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	l.placeGiven()
	routes := l.straight()
	scale := l.at[1].X / 100
	if l.at[0] != (Point{}) || scale < 0.3 || l.at[2] != (Point{100 * scale, 200 * scale}) {
		t.Errorf("nodes are at %v", l.at)
	}
	if len(routes[0]) != 3 || routes[0][1] != (Point{50 * scale, 40 * scale}) {
		t.Errorf("the first arrow goes by %v", routes[0])
	}
	if len(routes[1]) != 3 || math.Abs(routes[1][1].X-routes[2][1].X) < 10 {
		t.Errorf("opposite arrows lie on each other: %v, %v", routes[1], routes[2])
	}
	elements(t, drawn(t, g))
}

func BenchmarkLayers(b *testing.B) {
	g := &Graph{Begin: 1}
	for i := range 300 {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint("n", i), Shape: Bar, Lines: []string{fmt.Sprint(i)}})
		g.Edges = append(g.Edges, Edge{From: i / 2, To: i}, Edge{From: i, To: (i * 7919) % (i + 1)})
	}
	for b.Loop() {
		drawn(b, g)
	}
}
