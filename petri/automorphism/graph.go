package automorphism

import (
	"cmp"
	"slices"

	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// graph is a coloured graph whose automorphisms are those of a net that respect some goals. Its
// vertices are the places, then the transitions, then the parts of the goals: a predicate leads to
// its operands, a comparison to its places, and what is fireable to its transitions. Operands have
// no order, so that goals are respected up to commutativity.
//
// Edges have labels: their kind and weight, and which end this is. The edges at v lie in edges from
// start[v] to start[v+1], sorted.
type graph struct {
	places, transitions int

	colour []uint32 // equal: kinds and numbers of vertices are the same
	start  []uint32
	edges  []edge
}

// edge leads to a vertex. Edges of the same label are alike.
type edge struct {
	to    uint32
	label uint32
}

// attribute is what a colour or the label of an edge stands for.
type attribute struct {
	kind   uint32
	number int64
}

// Kinds of vertices and edges. Those of predicates follow, by their operators.
const (
	place uint32 = iota
	transition
	input
	output
	ceiling
	reset
	operand
	fireable
	summand
	goal
	single // a place like no other
	predicate
)

// builder collects a graph.
type builder struct {
	account *account.Account
	numbers map[attribute]uint32 // of colours and labels
	colour  []uint32
	pairs   []pair
}

// pair is an edge from a vertex to a higher or lower one.
type pair struct{ from, to, label uint32 }

// newGraph returns the graph of net and goals. An error is that of a.
func newGraph(a *account.Account, net *petri.Net, goals []Goal) (*graph, error) {
	b := &builder{account: a, numbers: map[attribute]uint32{}}
	arcs := net.Arcs()
	if err := a.Reserve(vertexBytes*(net.Places()+net.Transitions()) + edgeBytes*arcs); err != nil {
		return nil, err
	}
	for p := range petri.Place(net.Places()) {
		b.vertex(attribute{place, net.InitialTokens(p)})
	}
	for range net.Transitions() {
		b.vertex(attribute{transition, 0})
	}
	for t := range petri.Transition(net.Transitions()) {
		v := uint32(net.Places()) + uint32(t)
		for _, arc := range net.Pre(t) {
			b.edge(v, uint32(arc.Place), attribute{input, arc.Weight})
		}
		for _, arc := range net.Post(t) {
			b.edge(v, uint32(arc.Place), attribute{output, arc.Weight})
		}
		for _, arc := range net.Ceilings(t) {
			b.edge(v, uint32(arc.Place), attribute{ceiling, arc.Weight})
		}
		for _, p := range net.Resets(t) {
			b.edge(v, uint32(p), attribute{reset, 0})
		}
	}
	for i, g := range goals {
		if err := b.goal(uint32(net.Places()), g, int64(i)); err != nil {
			return nil, err
		}
	}
	return b.graph(net.Places(), net.Transitions())
}

// About how many bytes a vertex and an edge take while a graph is made.
const (
	vertexBytes = 32
	edgeBytes   = 64
)

// vertex adds a vertex and returns its number.
func (b *builder) vertex(colour attribute) uint32 {
	b.colour = append(b.colour, b.number(colour))
	return uint32(len(b.colour) - 1)
}

// edge adds an edge.
func (b *builder) edge(from, to uint32, label attribute) {
	b.pairs = append(b.pairs, pair{from, to, b.number(label)})
}

// number returns the number of an attribute, a new one if need be.
func (b *builder) number(x attribute) uint32 {
	n, known := b.numbers[x]
	if !known {
		n = uint32(len(b.numbers))
		b.numbers[x] = n
	}
	return n
}

// goal adds a goal, which is exchanged with no other.
func (b *builder) goal(places uint32, g Goal, number int64) error {
	root := b.vertex(attribute{goal, number})
	if g.Predicate != nil {
		return b.predicate(places, root, g.Predicate)
	}
	return b.comparison(root, *g.Maximum, g.Products)
}

// predicate adds p and what it consists of, as an operand of the vertex above. An error is that of
// the account.
func (b *builder) predicate(places, above uint32, p *logic.Predicate) error {
	if err := b.account.Charge(vertexBytes + edgeBytes*(len(p.Operands)+len(p.Transitions))); err != nil {
		return err
	}
	v := b.vertex(attribute{predicate + uint32(p.Operator), p.Sum.Constant})
	b.edge(above, v, attribute{operand, 0})
	for _, t := range p.Transitions {
		b.edge(v, places+t, attribute{fireable, 0})
	}
	for _, o := range p.Operands {
		if err := b.predicate(places, v, o); err != nil {
			return err
		}
	}
	return b.comparison(v, p.Sum, p.Products)
}

// comparison adds the places that v looks at. Places of products are alike to no others: what a
// product of sums keeps is not worth to be found out.
func (b *builder) comparison(v uint32, sum logic.Sum, products []logic.Product) error {
	if err := b.account.Charge(edgeBytes * len(sum.Terms)); err != nil {
		return err
	}
	for _, t := range sum.Terms {
		b.edge(v, t.Place, attribute{summand, t.Coefficient})
	}
	for _, product := range products {
		for _, factor := range product.Factors {
			if err := b.account.Charge(edgeBytes * len(factor.Terms)); err != nil {
				return err
			}
			for _, t := range factor.Terms {
				b.edge(v, t.Place, attribute{single, int64(t.Place)})
			}
		}
	}
	return nil
}

// graph sorts the edges by vertices, each at both of its ends.
func (b *builder) graph(places, transitions int) (*graph, error) {
	g := &graph{places: places, transitions: transitions, colour: b.colour, start: make([]uint32, len(b.colour)+1)}
	if err := b.account.Reserve(16 * len(b.pairs)); err != nil {
		return nil, err
	}
	for _, p := range b.pairs {
		g.start[p.from+1]++
		g.start[p.to+1]++
	}
	for v := range b.colour {
		g.start[v+1] += g.start[v]
	}
	g.edges = make([]edge, 2*len(b.pairs))
	next := slices.Clone(g.start)
	for _, p := range b.pairs {
		g.edges[next[p.from]] = edge{p.to, 2 * p.label}
		next[p.from]++
		g.edges[next[p.to]] = edge{p.from, 2*p.label + 1}
		next[p.to]++
	}
	for v := range b.colour {
		row := g.row(uint32(v))
		if err := b.account.Charge(16 * len(row)); err != nil {
			return nil, err
		}
		slices.SortFunc(row, compareEdges)
	}
	return g, nil
}

// row returns the edges at v.
func (g *graph) row(v uint32) []edge { return g.edges[g.start[v]:g.start[v+1]] }

func compareEdges(a, b edge) int {
	return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.label, b.label))
}

// isAutomorphism reports whether image is an automorphism: a permutation of the vertices that keeps
// colours, and edges with their labels. Only the vertices of moved are looked at, which must be
// those that are not mapped to themselves: an edge between others stays. scratch is reused.
func (g *graph) isAutomorphism(image []uint32, moved []uint32, scratch *[]edge) bool {
	for _, v := range moved {
		w := image[v]
		row, want := g.row(v), g.row(w)
		if g.colour[v] != g.colour[w] || len(row) != len(want) {
			return false
		}
		mapped := (*scratch)[:0]
		for _, e := range row {
			mapped = append(mapped, edge{image[e.to], e.label})
		}
		*scratch = mapped
		slices.SortFunc(mapped, compareEdges)
		if !slices.Equal(mapped, want) {
			return false
		}
	}
	return true
}
