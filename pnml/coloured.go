package pnml

import (
	"math/bits"
	"strings"

	"github.com/beevik/etree"

	"pnmc/petri/symmetric"
)

// symmetric makes the symmetric net of a high-level document. It reads the declarations first, then
// the sorts and markings of places, the guards of transitions and the inscriptions of arcs, each
// against the declarations. Variables belong to a transition: its guard and all of its arcs share a
// scope, so that the same name means the same colour. Faults go to f; the net is of no use then.
func (d *document) symmetric(f *findings, positions map[*etree.Element]position) *symmetric.Net {
	c := &colouring{
		declarations: declare(f, positions, d.declarations),
		net:          &symmetric.Net{ID: d.id, Name: d.name},
		nodes:        make(map[string]node, len(d.places)+len(d.transitions)),
		scopes:       make([]scope, len(d.transitions)),
		sorts:        make([]*sort, len(d.places)),
	}
	c.net.Places = make([]symmetric.Place, 0, len(d.places))
	c.net.Transitions = make([]symmetric.Transition, 0, len(d.transitions))
	for i := range d.places {
		if f.full() {
			return nil
		}
		c.place(i, &d.places[i])
	}
	for i := range d.transitions {
		if f.full() {
			return nil
		}
		c.transition(i, &d.transitions[i])
	}
	d.follow(f, c.nodes)
	for i := range d.arcs.Length {
		if !f.room(arcWork) || f.full() {
			return nil
		}
		c.connect(d.arcs.At(i))
	}
	for i := range d.special.Length {
		if !f.room(arcWork) || f.full() {
			return nil
		}
		if a := d.special.At(i); a.kind == readArc {
			c.read(a)
		} else {
			c.inhibitor(a)
		}
	}
	for i := range c.scopes {
		c.net.Transitions[i].Variables = c.scopes[i].variables
	}
	return c.net
}

// colouring builds a symmetric net.
type colouring struct {
	*declarations
	net    *symmetric.Net
	nodes  map[string]node
	scopes []scope // of the transitions
	sorts  []*sort // of the places
}

// term returns the one element in the <structure> of a label. If there is none it returns nil,
// after a finding. The <text> of a label is for human readers and is not looked at.
func (c *colouring) term(label *etree.Element) *etree.Element {
	var terms []*etree.Element
	for _, child := range label.ChildElements() {
		if child.Tag == "structure" {
			terms = append(terms, flatten(child, "structure", "subterm")...)
		}
	}
	if len(terms) == 1 {
		return terms[0]
	}
	c.add(c.at(label), "<%s> with %d terms, expected <structure> with one in it", label.Tag, len(terms))
	return nil
}

// declare enters a node under its identifier, which must be new.
func (c *colouring) declare(id string, n node, at position, tag string) {
	if _, ok := c.nodes[id]; ok {
		c.add(at, "<%s>: identifier %s is in use, expected another", tag, quote(id))
	}
	c.nodes[id] = n
}

// place adds a place with its domain and initial marking. Without a sort its tokens are dots.
func (c *colouring) place(number int, p *place) {
	c.declare(p.id, node{number: uint32(number)}, p.at, "place")
	c.net.Places = append(c.net.Places, symmetric.Place{ID: p.id, Name: p.name})
	c.sorts[number] = dot
	if p.sort != nil {
		c.sorts[number] = unknown
		if e := c.term(p.sort); e != nil {
			c.sorts[number] = c.sort(e, "")
		}
	}
	out := &c.net.Places[number]
	out.Domain = c.sorts[number].domain()
	size := uint64(1)
	for _, class := range out.Domain {
		over, low := bits.Mul64(size, uint64(class.Size))
		if size = low; over != 0 || size >= 1<<62 {
			c.add(p.at, "<place> %s of sort %v has 2^62 colours or more, expected fewer", quote(p.id), c.sorts[number])
			c.sorts[number], out.Domain = unknown, nil
			break
		}
	}
	if p.marking != nil && !blank(p.marking) {
		if e := c.term(p.marking); e != nil {
			s := &scope{declarations: c.declarations, ground: true}
			out.Initial = s.multiset(nil, e, c.sorts[number])
		}
	}
}

// blank reports whether a label says nothing, neither as a term nor as text.
func blank(label *etree.Element) bool {
	for _, e := range flatten(label, label.Tag, "structure") {
		if e.Tag != "text" || strings.TrimSpace(e.Text()) != "" {
			return false
		}
	}
	return true
}

// transition adds a transition with its guard.
func (c *colouring) transition(number int, t *transition) {
	c.declare(t.id, node{uint32(number), true}, t.at, "transition")
	c.net.Transitions = append(c.net.Transitions, symmetric.Transition{ID: t.id, Name: t.name})
	s := &c.scopes[number]
	s.declarations = c.declarations
	if t.guard != nil {
		if e := c.term(t.guard); e != nil {
			c.net.Transitions[number].Guard = s.guard(e)
		}
	}
}

// connect reads the inscription of an arc and adds it to its transition. Without
// one an arc moves one token, which must be a dot.
func (c *colouring) connect(a *arc) {
	source, target, ok := a.ends(c.findings, c.nodes)
	if !ok {
		return
	}
	place, transition := source, target
	if source.isTransition {
		place, transition = target, source
	}
	arc := symmetric.Arc{Place: int(place.number), Expression: c.moved(a, place, transition)}
	t := &c.net.Transitions[transition.number]
	if target.isTransition {
		t.Pre = append(t.Pre, arc)
	} else {
		t.Post = append(t.Post, arc)
	}
}

// read adds a read arc to its transition, as an arc in either direction.
func (c *colouring) read(a *specialArc) {
	place, transition, ok := a.ends(c.findings, c.nodes)
	if !ok || !c.leadsToTransition(a, transition) {
		return
	}
	arc := symmetric.Arc{Place: int(place.number), Expression: c.moved(&a.arc, place, transition)}
	t := &c.net.Transitions[transition.number]
	t.Pre, t.Post = append(t.Pre, arc), append(t.Post, arc)
}

// leadsToTransition reports whether an arc of a kind that must lead to a transition does.
func (c *colouring) leadsToTransition(a *specialArc, target node) bool {
	if !target.isTransition {
		c.add(a.at, "%s is of type %q and leads to place %s, expected it to lead from a place to a transition",
			a.describe(), a.kind.String(), quote(a.target))
	}
	return target.isTransition
}

// moved returns what an arc moves: its inscription, or one dot if it has none and its place has dots.
func (c *colouring) moved(a *arc, place, transition node) (e symmetric.Expression) {
	want := c.sorts[place.number]
	if a.inscription != nil {
		if term := c.term(a.inscription); term != nil {
			e = c.scopes[transition.number].multiset(nil, term, want)
		}
	} else if want.class == nil && !want.product {
		e = symmetric.Expression{{Coefficient: 1}}
	} else {
		c.add(a.at, "%s without <hlinscription>, expected one of sort %v", a.describe(), want)
	}
	return e
}

// inhibitor adds an inhibitor arc to its transition. As in TAPAAL it looks at the tokens of all
// colours together, so that of an inscription only the number counts. Where another dialect
// may mean the tokens of the colours in the inscription, the arc is refused.
func (c *colouring) inhibitor(a *specialArc) {
	place, transition, ok := a.ends(c.findings, c.nodes)
	if !ok || !c.leadsToTransition(a, transition) {
		return
	}
	sort := c.sorts[place.number]
	if !a.byAttribute && a.inscription != nil && sort != unknown && sort.domain().Size() > 1 {
		c.add(a.at, "%s is an inhibitor arc from a place of several colours with <hlinscription>, expected TAPAAL's attribute "+
			"type=\"inhibitor\": it is not known whether tokens of one colour count, or of all", a.describe())
		return
	}
	weight := a.weight
	if a.inscription != nil {
		term := c.term(a.inscription)
		if term == nil {
			return
		}
		// Variables in it bind nothing, and are none of the transition.
		known := len(c.list)
		e := (&scope{declarations: c.declarations}).multiset(nil, term, sort)
		if len(c.list) > known || sort == unknown {
			return
		}
		if len(e) != 1 || e[0].Coefficient < 1 || hasAll(e[0], sort.domain()) {
			c.add(a.at, "%s is an inhibitor arc whose <hlinscription> is no number of tokens of one colour, expected such a one: "+
				"it looks at the tokens of all colours together", a.describe())
			return
		}
		if a.weighted && a.weight != e[0].Coefficient {
			c.add(a.at, "%s has the weight %d and %d tokens in <hlinscription>, expected the same", a.describe(), a.weight, e[0].Coefficient)
			return
		}
		weight = e[0].Coefficient
	}
	t := &c.net.Transitions[transition.number]
	t.Inhibitors = append(t.Inhibitors, symmetric.Inhibitor{Place: int(place.number), Weight: weight})
}

// hasAll reports whether a monomial stands for several colours.
func hasAll(m symmetric.Monomial, domain symmetric.Domain) bool {
	for i, t := range m.Terms {
		if t.Kind == symmetric.All && domain[i].Size > 1 {
			return true
		}
	}
	return false
}
