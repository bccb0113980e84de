package pnml

import (
	"pnmc/petri"
)

// node is what an identifier of the document stands for.
type node struct {
	number       uint32 // of a petri.Place or petri.Transition
	isTransition bool
}

// arcWork is about the work of connecting an arc, in nanoseconds.
const arcWork = 100

// connect makes the net: it numbers places and transitions in document order, follows references,
// and connects arcs. Only now can it do so: in the text, an arc may stand before the nodes that it
// connects, on another page, and lead to reference nodes. Faults go to f; then the net is nil. It
// takes time linear in the document, but for the sorting of arcs.
func (d *document) connect(f *findings) *petri.Net {
	b := &petri.Builder{ID: d.id, Name: d.name}
	nodes := make(map[string]node, len(d.places)+len(d.transitions)+len(d.references))
	for _, p := range d.places {
		number, err := b.AddPlace(p.id, p.name, p.initial)
		if err != nil {
			f.addCause(p.at, err, "<place>: %v, expected another", err)
			continue
		}
		nodes[p.id] = node{number: uint32(number)}
		if p.capacity != noCapacity {
			if err := b.SetCapacity(number, p.capacity); err != nil {
				f.addCause(p.at, err, "<place>: %v, expected no more tokens than it may hold", err)
			}
		}
	}
	for _, t := range d.transitions {
		number, err := b.AddTransition(t.id, t.name)
		if err != nil {
			f.addCause(t.at, err, "<transition>: %v, expected another", err)
			continue
		}
		nodes[t.id] = node{uint32(number), true}
	}
	d.follow(f, nodes)
	for i := range d.arcs.Length {
		if !f.room(arcWork) || f.full() {
			return nil
		}
		d.arcs.At(i).connect(f, b, nodes)
	}
	for i := range d.special.Length {
		if !f.room(arcWork) || f.full() {
			return nil
		}
		d.special.At(i).connect(f, b, nodes)
	}
	if d.units != nil {
		b.SetNUPN(d.units.nest(f, nodes, len(d.places)))
	}
	if len(f.list) > 0 || f.ended != nil {
		return nil
	}
	net, err := b.Build()
	if err != nil {
		f.addCause(d.at, err, "<net> %s: %v, expected less", quote(d.id), err)
	}
	return net
}

// follow adds to nodes what the reference nodes stand for. A reference may lead to another one, and
// so on; a document may also have chains that end nowhere, or circles.
//
// For example, let r1 lead to r2, r2 to r3 and r3 to place p. From r1 the path r1, r2, r3 is walked
// to p, and all three become p. When r2 and r3 are asked next, they were visited, and nothing is
// left to do. In a circle r1, r2, r1 the path ends where a visited reference comes that is no node:
// one finding names it. Each reference is walked over once, so that the time is linear.
func (d *document) follow(f *findings, nodes map[string]node) {
	index := make(map[string]int, len(d.references))
	for i, r := range d.references {
		_, isNode := nodes[r.id]
		if _, isReference := index[r.id]; isNode || isReference {
			f.add(r.at, "reference node: identifier %s is in use, expected another", quote(r.id))
			continue
		}
		index[r.id] = i
	}
	visited := make([]bool, len(d.references))
	var path []int
	for i := range d.references {
		path = path[:0]
		next, isReference := i, true
		var id string
		for isReference && !visited[next] {
			visited[next] = true
			path = append(path, next)
			id = d.references[next].target
			next, isReference = index[id]
		}
		if len(path) == 0 {
			continue
		}
		last := d.references[path[len(path)-1]]
		end, ok := nodes[id]
		switch {
		case id == "": // told already
		case !ok && isReference:
			f.add(last.at, "reference node %s leads to %s in a circle or to no node, expected it to lead to a node",
				quote(last.id), quote(id))
		case !ok:
			f.add(last.at, "reference node %s leads to %s, expected the identifier of a node", quote(last.id), quote(id))
		}
		for _, r := range path {
			r := d.references[r]
			if ok && r.toTransition != end.isTransition {
				f.add(r.at, "reference node %s leads to %s of the other kind, expected places for places and transitions for transitions",
					quote(r.id), quote(id))
			} else if ok {
				nodes[r.id] = end
			}
		}
	}
}

// connect adds the arc to b, or a finding to f.
func (a *arc) connect(f *findings, b *petri.Builder, nodes map[string]node) {
	source, target, ok := a.ends(f, nodes)
	if !ok {
		return
	}
	var err error
	if target.isTransition {
		err = b.AddInput(petri.Place(source.number), petri.Transition(target.number), a.weight)
	} else {
		err = b.AddOutput(petri.Transition(source.number), petri.Place(target.number), a.weight)
	}
	if err != nil {
		f.addCause(a.at, err, "%s: %v, expected an arc that can be added", a.describe(), err)
	}
}

// ends finds the nodes that the arc connects. It reports false, after a finding, unless one is a
// place and the other a transition.
func (a *arc) ends(f *findings, nodes map[string]node) (source, target node, ok bool) {
	if a.source == "" || a.target == "" {
		return source, target, false // told already
	}
	if source, ok = nodes[a.source]; !ok {
		f.add(a.at, "%s comes from %s, expected the identifier of a node", a.describe(), quote(a.source))
		return source, target, false
	}
	if target, ok = nodes[a.target]; !ok {
		f.add(a.at, "%s leads to %s, expected the identifier of a node", a.describe(), quote(a.target))
		return source, target, false
	}
	if source.isTransition == target.isTransition {
		kind := "place"
		if source.isTransition {
			kind = "transition"
		}
		f.add(a.at, "%s leads from %s %s to %s %s, expected a place and a transition",
			a.describe(), kind, quote(a.source), kind, quote(a.target))
		return source, target, false
	}
	return source, target, true
}
