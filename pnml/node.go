package pnml

import (
	"encoding/xml"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// node reads a place, transition, arc or reference node whole and adds it to d. A label that has a
// meaning is taken over. One that is known to have none for behaviour is passed. Everything else is
// reported: a label that is not understood might change what the net does, and a net read without
// it would be another net.
//
// For example, name and initialMarking have a meaning here, graphics has none, and the last label is
// a finding:
//
//	<place id="p">
//	  <name><text>a queue</text></name>
//	  <graphics><position x="1" y="2"/></graphics>
//	  <initialMarking><text>3</text></initialMarking>
//	  <delay><text>5</text></delay>
//	</place>
//
// The same document as a symmetric net has type and hlinitialMarking instead of initialMarking.
func (p *parser) node(d *document, start *xml.StartElement, at position) error {
	e, err := p.subtree(start, at)
	if err != nil {
		return err
	}
	if d.kind == plainKind {
		defer p.forget()
	}
	if e.Tag != "arc" {
		p.identifier(e, "id")
	}
	switch e.Tag {
	case "place":
		p.place(d, e)
	case "transition":
		p.transition(d, e)
	case "arc":
		p.arc(d, e)
	default:
		p.reference(d, e)
	}
	return nil
}

// identifier returns the value of an attribute that must be there.
func (p *parser) identifier(e *etree.Element, name string) string {
	value := identifier(e, name)
	if value == "" {
		p.add(p.positions[e], "<%s> without %s, expected an identifier", e.Tag, name)
	}
	return value
}

// identifier returns the value of an attribute, shorn of white space; "" if absent.
func identifier(e *etree.Element, name string) string {
	return strings.TrimSpace(e.SelectAttrValue(name, ""))
}

// attributes adds a finding for each of the given attributes that e has: in some dialect they mean
// something that cannot be honoured.
func (p *parser) attributes(e *etree.Element, unknown ...string) {
	for _, a := range e.Attr {
		if slices.Contains(unknown, a.Key) {
			p.add(p.positions[e], "<%s> %s has attribute %s=%s, expected a label element, if it is meant at all",
				e.Tag, quote(identifier(e, "id")), a.Key, quote(a.Value))
		}
	}
}

// labels calls read for each child element of e. A second one of the same kind is a finding, except
// for those that may occur any number of times.
func (p *parser) labels(e *etree.Element, read func(*etree.Element)) {
	for i, child := range e.Child {
		if p.full() {
			return
		}
		child, ok := child.(*etree.Element)
		if !ok {
			p.add(p.positions[e], "<%s> %s holds text %s, expected elements", e.Tag,
				quote(identifier(e, "id")), quote(e.Child[i].(*etree.CharData).Data))
			continue
		}
		if child.Tag == "arcpath" { // any number, and of no meaning
			continue
		}
		for _, before := range e.Child[:i] {
			if before, ok := before.(*etree.Element); ok && before.Tag == child.Tag {
				p.add(p.positions[child], "second <%s> in <%s> %s, expected one", child.Tag,
					e.Tag, quote(identifier(e, "id")))
				break
			}
		}
		read(child)
	}
}

// unexpected adds a finding about a child element that has no meaning here.
func (p *parser) unexpected(d *document, child, parent *etree.Element, expected string) {
	p.add(p.positions[child], "<%s> in <%s> %s has no meaning in a %v, expected %s",
		child.Tag, parent.Tag, quote(identifier(parent, "id")), d.kind, expected)
}

// place reads a <place> with its marking and capacity.
func (p *parser) place(d *document, e *etree.Element) {
	node := place{id: identifier(e, "id"), at: p.positions[e], capacity: noCapacity}
	p.attributes(e, "initialMarking", "invariant")
	if attribute := e.SelectAttr("capacity"); attribute != nil {
		node.capacity = p.capacity(d, node.id, attribute.Value, node.at)
	}
	// TAPAAL says of coloured nets, too, that they are place/transition nets, but each place has
	// a sort.
	if len(d.places)+len(d.transitions)+d.arcs.Length+d.special.Length == 0 && len(d.declarations) > 0 && e.SelectElement("type") != nil {
		d.kind = symmetricKind
	}
	coloured := d.kind == symmetricKind
	p.labels(e, func(label *etree.Element) {
		switch tag := label.Tag; {
		case tag == "name":
			node.name, _ = p.text(label)
		case tag == "type" && coloured:
			node.sort = label
		case tag == "hlinitialMarking" && coloured:
			node.marking = label
		case tag == "initialMarking" && !coloured:
			node.initial = p.count(label, 0, 0)
		case tag == "capacity":
			node.capacity = p.capacityLabel(d, node.id, label)
		case coloured:
			p.unexpected(d, label, e, "<name>, <type>, <hlinitialMarking>, <graphics> or <toolspecific>")
		default:
			p.unexpected(d, label, e, "<name>, <initialMarking>, <graphics> or <toolspecific>")
		}
	})
	d.places = append(d.places, node)
}

// transition reads a <transition>. Time and priorities cannot be honoured, unless they say nothing.
// So timed must be false, and all transitions must have the same priority, or all have none.
func (p *parser) transition(d *document, e *etree.Element) {
	node := transition{id: identifier(e, "id"), at: p.positions[e]}
	p.attributes(e, "guard", "timed", "urgent", "priority", "delay")
	coloured := d.kind == symmetricKind
	p.labels(e, func(label *etree.Element) {
		switch tag := label.Tag; tag {
		case "name":
			node.name, _ = p.text(label)
		case "orientation", "infiniteServer", "rate":
			// Drawing, and figures that only a timed transition uses.
		case "timed":
			if timed := p.choice(label); timed != "false" && timed != "" {
				p.add(p.positions[label], "<timed> of <transition> %s is %s, expected \"false\": time cannot be honoured",
					quote(node.id), quote(timed))
			}
		case "priority":
			node.priority = p.choice(label)
			if first := d.transitions; len(first) > 0 && first[0].priority != node.priority {
				p.add(p.positions[label], "<priority> of <transition> %s is %s, expected %s as that of %s: priorities cannot be honoured",
					quote(node.id), quote(node.priority), quote(first[0].priority), quote(first[0].id))
			}
		default:
			switch {
			case tag == "condition" && coloured:
				node.guard = label
			case coloured:
				p.unexpected(d, label, e, "<name>, <condition>, <graphics> or <toolspecific>")
			default:
				p.unexpected(d, label, e, "<name>, <graphics> or <toolspecific>")
			}
		}
	})
	if first := d.transitions; len(first) > 0 && first[0].priority != "" && node.priority == "" {
		p.add(node.at, "<transition> %s has no <priority>, expected %s as that of %s: priorities cannot be honoured",
			quote(node.id), quote(first[0].priority), quote(first[0].id))
	}
	d.transitions = append(d.transitions, node)
}

// arc reads an <arc> of any kind. Its kind may be given by an attribute, by a label, or by both alike.
func (p *parser) arc(d *document, e *etree.Element) {
	kind, weighted := normalArc, false
	node := arc{
		id: identifier(e, "id"), at: p.positions[e], weight: 1,
		source: p.shared(p.identifier(e, "source")), target: p.shared(p.identifier(e, "target")),
	}
	ofKind := func(at position, word string) {
		switch k := p.kindOfArc(d, &node, at, word); {
		case k == normalArc:
		case kind != normalArc && kind != k:
			p.add(at, "%s is of type %s, expected \"%s\", as it is of that type, too", node.describe(), quote(word), kind)
		default:
			kind = k
		}
	}
	ofKind(node.at, strings.ToLower(identifier(e, "type")))
	coloured := d.kind == symmetricKind
	byAttribute := coloured && kind == inhibitorArc
	if byAttribute {
		p.attributes(e, "inscription")
		node.weight, weighted = p.weightAttribute(e)
	} else {
		p.attributes(e, "inscription", "weight")
	}
	p.labels(e, func(label *etree.Element) {
		switch tag := label.Tag; {
		case tag == "name" || tag == "tagged":
		case tag == "hlinscription" && coloured:
			node.inscription = label
		case tag == "inscription" && !coloured:
			node.weight, weighted = p.count(label, 1, 1), true
		case tag == "type" || tag == "arctype":
			ofKind(p.positions[label], p.choice(label))
		case coloured:
			p.unexpected(d, label, e, "<hlinscription>, <type>, <graphics> or <toolspecific>")
		default:
			p.unexpected(d, label, e, "<inscription>, <type>, <graphics> or <toolspecific>")
		}
	})
	if kind != normalArc {
		d.special.Push(specialArc{node, kind, weighted, byAttribute})
		return
	}
	d.arcs.Push(node)
}

// reference reads a reference node.
func (p *parser) reference(d *document, e *etree.Element) {
	node := reference{
		id: identifier(e, "id"), target: p.identifier(e, "ref"),
		at: p.positions[e], toTransition: e.Tag == "referenceTransition",
	}
	p.labels(e, func(label *etree.Element) {
		if label.Tag != "name" {
			p.unexpected(d, label, e, "<name>, <graphics> or <toolspecific>")
		}
	})
	d.references = append(d.references, node)
}
