package pnml

import (
	"encoding/xml"
	"fmt"
	"strings"
	"unsafe"

	"github.com/beevik/etree"

	"pnmc/petri"
)

// This file reads the units of nested-unit Petri nets (Garavel, "Nested-unit Petri nets", 2019). They
// stand in a part of the net that is specific to a tool:
//
//	<toolspecific tool="nupn" version="1.1">
//	  <structure units="3" root="u0" safe="true">
//	    <unit id="u0"><places/><subunits>u1 u2</subunits></unit>
//	    <unit id="u1"><places>p q</places><subunits/></unit>
//	    <unit id="u2"><places>r</places><subunits/></unit>
//	  </structure>
//	</toolspecific>
//
// If safe is true, the document claims that p and q never have a token at the same time. The part may
// come before the nodes of the net, so that units are resolved when all nodes are known.

// unitStructure is the tool-specific part of nested units, as it stands in the text: units by
// identifiers.
type unitStructure struct {
	root  string
	safe  bool
	at    position
	units []unit
}

// unit is a <unit> with the identifiers of its own places and of its subunits.
type unit struct {
	id               string
	at               position
	places, subunits []string
}

// nupn reads the tool-specific part <toolspecific tool="nupn">.
func (p *parser) nupn(d *document, start *xml.StartElement, at position) error {
	e, err := p.subtree(start, at)
	if err != nil {
		return err
	}
	defer p.forget()
	if d.units != nil {
		p.add(at, "second unit structure, expected one")
		return nil
	}
	units, structures := &unitStructure{}, 0
	for _, child := range e.ChildElements() {
		switch child.Tag {
		case "size":
		case "structure":
			if structures++; structures > 1 {
				p.add(p.positions[child], "second <structure>, expected one")
				continue
			}
			if err := p.structure(units, child); err != nil {
				return err
			}
		default:
			p.add(p.positions[child], "<%s> in a unit structure, expected <size> or <structure>", child.Tag)
		}
	}
	if structures == 0 {
		p.add(at, "unit structure without <structure>, expected one")
		return nil
	}
	d.units = units
	return nil
}

// structure reads <structure> into s. Units are resolved later (nest), as the nodes are not known yet. An
// error is that of the limit.
func (p *parser) structure(s *unitStructure, e *etree.Element) (err error) {
	s.at = p.positions[e]
	s.root = p.identifier(e, "root")
	switch safe := strings.ToLower(identifier(e, "safe")); safe {
	case "true":
		s.safe = true
	case "", "false":
	default:
		p.add(s.at, "safe=%s, expected \"true\" or \"false\"", quote(safe))
	}
	for _, child := range e.ChildElements() {
		if child.Tag != "unit" {
			p.add(p.positions[child], "<%s> in <structure>, expected <unit>", child.Tag)
			continue
		}
		u := unit{id: p.identifier(child, "id"), at: p.positions[child]}
		for _, list := range child.ChildElements() {
			switch list.Tag {
			case "places":
				u.places, err = p.appendWords(u.places, list.Text())
			case "subunits":
				u.subunits, err = p.appendWords(u.subunits, list.Text())
			default:
				p.add(p.positions[list], "<%s> in <unit> %s, expected <places> or <subunits>", list.Tag, quote(u.id))
			}
			if err != nil {
				return err
			}
		}
		s.units = append(s.units, u)
	}
	if want := identifier(e, "units"); want != "" && want != fmt.Sprint(len(s.units)) {
		p.add(s.at, "units=%s, expected the number of <unit> elements, which is %d", quote(want), len(s.units))
	}
	return nil
}

// wordBytes is what a word in a list takes, which is copied when the list grows.
const wordBytes = 2 * int(unsafe.Sizeof(""))

// appendWords appends the words of a text, which asks for more memory than the text: words may be of one
// letter.
func (p *parser) appendWords(list []string, text string) ([]string, error) {
	for word := range strings.FieldsSeq(text) {
		if p.reader.Limit != nil {
			if err := p.reader.Limit(wordBytes); err != nil {
				return nil, err
			}
		}
		list = append(list, word)
	}
	return list, nil
}

// nest resolves the units' identifiers. It checks that the units form a tree, and that each place
// is in exactly one unit. Engines rely on both, since a unit may claim to have at most one token at
// a time. That no unit has two parents is seen while subunits are resolved. Then reach looks for
// units that do not hang under the root. It takes linear time.
func (s *unitStructure) nest(f *findings, nodes map[string]node, places int) *petri.NUPN {
	index := make(map[string]int, len(s.units))
	for i, u := range s.units {
		if _, ok := index[u.id]; ok {
			f.add(u.at, "second <unit> %s, expected distinct identifiers", quote(u.id))
			return nil
		}
		index[u.id] = i
	}
	root, ok := index[s.root]
	switch {
	case s.root == "": // told already
		return nil
	case !ok:
		f.add(s.at, "root %s is no unit, expected the identifier of a <unit>", quote(s.root))
		return nil
	}
	nested := &petri.NUPN{Units: make([]petri.Unit, len(s.units)), Root: root, Safe: s.safe}
	placed := make([]bool, places)
	parents := make([]bool, len(s.units))
	parents[root] = true // none, and none is wanted
	left := places
	for i, u := range s.units {
		out := &nested.Units[i]
		out.ID = u.id
		for _, id := range u.places {
			n, ok := nodes[id]
			switch {
			case !ok || n.isTransition:
				f.add(u.at, "<unit> %s has %s, expected the identifier of a place", quote(u.id), quote(id))
			case placed[n.number]:
				f.add(u.at, "<unit> %s has place %s again, expected each place in one unit", quote(u.id), quote(id))
			default:
				placed[n.number] = true
				left--
				out.Places = append(out.Places, petri.Place(n.number))
			}
		}
		for _, id := range u.subunits {
			sub, ok := index[id]
			switch {
			case !ok:
				f.add(u.at, "<unit> %s has subunit %s, expected the identifier of a <unit>", quote(u.id), quote(id))
			case parents[sub]:
				f.add(u.at, "<unit> %s has subunit %s, expected one that is neither the root nor in another unit",
					quote(u.id), quote(id))
			default:
				parents[sub] = true
				out.Subunits = append(out.Subunits, sub)
			}
		}
	}
	if left > 0 {
		f.add(s.at, "%d places are in no unit, expected each place in one", left)
	}
	s.reach(f, nested)
	return nested
}

// reach checks that all units hang under the root. Each has at most one parent here, so that those
// which do not are in cycles, below them, or below units without a parent.
func (s *unitStructure) reach(f *findings, nested *petri.NUPN) {
	reached := make([]bool, len(s.units))
	reached[nested.Root] = true
	for queue := []int{nested.Root}; len(queue) > 0; queue = queue[1:] {
		for _, sub := range nested.Units[queue[0]].Subunits {
			if !reached[sub] {
				reached[sub] = true
				queue = append(queue, sub)
			}
		}
	}
	for i, ok := range reached {
		if !ok {
			f.add(s.units[i].at, "<unit> %s is not below the root, expected all units to be", quote(s.units[i].id))
		}
	}
}
