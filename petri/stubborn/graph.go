package stubborn

import (
	"pnmc/internal/account"
	"pnmc/petri"
)

// graph has who asks for whom: an edge leads from each node to those that must be in a stubborn set
// with it.
//
// Its nodes are the transitions, four lists of transitions around each place, and one list for each
// long ring. A transition that is enabled has the edges that are laid out here, once for all markings. One
// that is disabled has a single edge: to a list of those that may end a reason why it is disabled,
// which the marking decides (search.go).
//
// Mostly, edges lead straight to the members of a list. Then those that a ring excludes are left out.
// Only where a list is long an edge leads to the list as a whole. So a place with k producers and m
// consumers, if these are many, has about k+m edges, not k·m.
type graph struct {
	relations *relations
	rings     *rings
	// keys: an enabled transition of the set has to stay enabled while others fire.
	keys bool

	transitions, places uint32
	// The edges of node n lie in edges from start[n] to start[n+1].
	start, edges []uint32
	// single is the number of the first of the edges of disabled transitions: there is one for
	// each list, which goes straight to the only member of a list of one.
	single uint32
}

// Lists around place p: number list has the node transitions + list·places + p. After all of them
// come the blocked transitions of each long ring, which have no edges here, as the marking decides them.
const (
	users    = uint32(iota) // take from it, read it, or empty it
	raisers                 // may leave more tokens there
	lowerers                // may leave fewer tokens there
	hindered                // have a ceiling there, or empty it
	lists
)

// longList bounds the lists to whose members edges lead straight.
const longList = 32

// newGraph lays out the graph. An error is that of a.
func newGraph(a *account.Account, r *relations, facts petri.Facts, keys bool) (*graph, error) {
	k, err := ringsOf(a, r.net, facts)
	if err != nil {
		return nil, err
	}
	g := &graph{relations: r, rings: k, keys: keys, transitions: uint32(r.net.Transitions()), places: uint32(r.net.Places())}
	l := layer{graph: g, account: a, added: newStamps(g.nodes()), token: make([]uint32, k.count), held: newStamps(k.count)}
	g.start = append(g.start, 0)
	for t := range g.transitions {
		l.layOut(t)
		if err := a.Charge(0); err != nil {
			return nil, err
		}
		g.start = append(g.start, uint32(len(g.edges)))
	}
	for list := range lists {
		for p := range g.places {
			g.edges = append(g.edges, r.list(list, p)...)
			g.start = append(g.start, uint32(len(g.edges)))
		}
	}
	g.single = uint32(len(g.edges))
	for list := range lists {
		for p := range g.places {
			to := g.node(list, p)
			if members := r.list(list, p); len(members) == 1 {
				to = members[0]
			}
			g.edges = append(g.edges, to)
		}
	}
	for ring := range uint32(k.longs) {
		g.edges = append(g.edges, g.node(lists, ring))
	}
	return g, a.Charge(arcWork * (len(g.edges) + len(g.start)))
}

// nodes returns the number of nodes.
func (g *graph) nodes() int { return int(g.transitions+lists*g.places) + g.rings.longs }

// node returns the node of a list of p, or with lists for the list, that of ring p.
func (g *graph) node(list, p uint32) uint32 { return g.transitions + list*g.places + p }

// edge returns the edge to a list of p, or with lists for the list, to that of ring p.
func (g *graph) edge(list, p uint32) uint32 { return g.single + list*g.places + p }

// size returns the number of members of a list of p.
func (g *graph) size(list, p uint32) uint32 {
	node := g.node(list, p)
	return g.start[node+1] - g.start[node]
}

// edgesOf returns the edges of a node; of a transition, those that it has where it is enabled.
func (g *graph) edgesOf(node uint32) []uint32 { return g.edges[g.start[node]:g.start[node+1]] }

// layer lays out the edges of one transition after the other.
type layer struct {
	*graph
	account *account.Account
	added   stamps   // nodes that the transition has edges to, and itself
	held    stamps   // rings whose token does not move before the transition fires
	token   []uint32 // where it is
}

// layOut appends the edges of t.
func (l *layer) layOut(t uint32) {
	r, net := l.relations, l.relations.net
	l.added.clear()
	l.added.add(t)
	l.held.clear()
	for _, a := range net.Pre(petri.Transition(t)) {
		// Who takes the token away is in the set if t has to stay enabled, or lowers the place.
		if p := uint32(a.Place); l.keys || r.doesLower(t, p) {
			for _, ring := range l.rings.of.of(p) {
				l.held.add(ring)
				l.token[ring] = p
			}
		}
	}
	for _, p := range r.loweredBy.of(t) {
		l.lead(users, p)
	}
	for _, p := range r.raisedBy.of(t) {
		l.lead(hindered, p)
	}
	for _, p := range net.Resets(petri.Transition(t)) {
		l.lead(raisers, uint32(p)) // who lowers it is among its users
	}
	if l.keys {
		for _, a := range net.Pre(petri.Transition(t)) {
			l.lead(lowerers, uint32(a.Place))
		}
		for _, a := range net.Ceilings(petri.Transition(t)) {
			l.lead(raisers, uint32(a.Place))
		}
	}
}

// lead appends edges to the members of a list of p, but for those that are excluded, or an edge to a
// list that is long.
func (l *layer) lead(list, p uint32) {
	members := l.relations.list(list, p)
	if len(members) > longList {
		if node := l.node(list, p); l.added.add(node) {
			l.edges = append(l.edges, node)
		}
		return
	}
	l.account.Add(4 * (1 + len(members)))
	for _, u := range members {
		if !l.added.has(u) && !l.excluded(u) {
			l.added.add(u)
			l.edges = append(l.edges, u)
		}
	}
}

// excluded reports whether u needs the token of a ring on another place than it is on.
func (l *layer) excluded(u uint32) bool {
	pre := l.relations.net.Pre(petri.Transition(u))
	l.account.Add(8 * len(pre))
	for _, a := range pre {
		for _, ring := range l.rings.of.of(uint32(a.Place)) {
			if l.held.has(ring) && l.token[ring] != uint32(a.Place) {
				return true
			}
		}
	}
	return false
}
