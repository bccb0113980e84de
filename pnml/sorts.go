package pnml

import (
	"fmt"
	"strconv"

	"github.com/beevik/etree"

	"pnmc/petri/symmetric"
)

// sort is the type of a term: the dot (neither class nor product), a class of colours, or a product.
//
// A declaration may build sorts from sorts, to any depth: Pair = Client × Client, Job = Pair × dot.
// A symmetric net knows only flat tuples of classes. So domain lays a sort out flat: that of Job is
// (Client, Client). Dots are left out, as there is one dot only, and it says nothing.
type sort struct {
	class      *symmetric.Class
	product    bool
	components []*sort
	leaves     int // of a product: classes and dots in it, at any depth
	depth      int // of a product: how deep products nest in it

	flat symmetric.Domain // what it comes down to; nil if that was not laid out
}

// maxLeaves bounds products. As they nest, twenty declarations of the kind A = B × B, B = C × C
// would make a million leaves. How deep they nest is bounded by maxDepth, and with it the recursion
// over a sort.
const maxLeaves = 64

// domain returns the classes that a sort comes down to, nested products laid out flat and dots left
// out. All places and terms of a declared sort share it; it is not to be modified.
func (s *sort) domain() symmetric.Domain {
	if s.flat != nil {
		return s.flat
	}
	return s.flatten(nil)
}

// flatten appends the domain of s to d.
func (s *sort) flatten(d symmetric.Domain) symmetric.Domain {
	switch {
	case s.flat != nil:
		return append(d, s.flat...)
	case s.class != nil:
		return append(d, s.class)
	}
	for _, c := range s.components {
		d = c.flatten(d)
	}
	return d
}

// width returns the number of classes in the domain.
func (s *sort) width() int { return len(s.domain()) }

// same reports whether two sorts have the same terms. Enumerations are the same only if they are of
// one declaration, even if their constants have equal names. Ranges are the same if they begin and
// end alike, and products if their components are the same. Two products are compared as deep as they
// nest: it asks for that work, and without room for it no sorts are the same.
func (d *declarations) same(s, o *sort) bool {
	switch {
	case s == o:
		return true
	case !d.room(sameWork):
		return false
	case s.class != nil && o.class != nil:
		a, b := s.class, o.class
		return a == b || a.Constants == nil && b.Constants == nil && a.Start == b.Start && a.Size == b.Size
	case s.class != nil || o.class != nil || s.product != o.product || len(s.components) != len(o.components):
		return false
	}
	for i := range s.components {
		if !d.same(s.components[i], o.components[i]) {
			return false
		}
	}
	return true
}

// sameWork is about the work of comparing two sorts, without their components.
const sameWork = 8

// String names the sort in messages.
func (s *sort) String() string {
	switch {
	case s.class != nil && s.class.Name != "":
		return quote(s.class.Name)
	case s.class != nil:
		return fmt.Sprintf("%d..%d", s.class.Start, s.class.Start+s.class.Size-1)
	case !s.product:
		return "dot"
	}
	text := ""
	for i, c := range s.components {
		if text += c.String(); i < len(s.components)-1 {
			text += "×"
		}
		if len(text) > 60 {
			return text + "…"
		}
	}
	return "(" + text + ")"
}

// dot is the sort with one value.
var dot = &sort{}

// unknown is the sort of what has none, since its declaration was wrong. There is a finding about
// that already; terms of this sort get no more findings.
var unknown = &sort{}

// namedSort returns the sort declared under an identifier, made on first use.
func (d *declarations) namedSort(id string) *sort {
	if s, ok := d.sorts[id]; ok {
		if s == nil {
			d.add(d.at(d.named[id]), "sort %s is defined by itself or wrongly, expected it not to be", quote(id))
			d.sorts[id] = unknown
			return unknown
		}
		return s
	}
	e := d.named[id]
	d.sorts[id] = nil
	definitions := e.ChildElements()
	if len(definitions) != 1 {
		d.add(d.at(e), "sort %s has %d definitions, expected one", quote(id), len(definitions))
		d.sorts[id] = unknown
		return unknown
	}
	name := e.SelectAttrValue("name", "")
	if name == "" {
		name = id
	}
	s := d.sort(definitions[0], name)
	d.sorts[id] = s
	return s
}

// sort reads a sort that is called name if it is an enumeration. Those by which it is
// defined are read on the way, up to maxDepth of them in one another.
func (d *declarations) sort(e *etree.Element, name string) *sort {
	if d.reading == maxDepth {
		d.add(d.at(e), "<%s> defines more than %d sorts in one another, expected fewer", e.Tag, maxDepth)
		return unknown
	}
	if !d.room(sortWork) {
		return unknown
	}
	d.reading++
	defer func() { d.reading-- }()
	switch e.Tag {
	case "dot":
		return dot
	case "usersort":
		id := identifier(e, "declaration")
		if d.named[id] == nil {
			if id == "dot" {
				return dot
			}
			d.add(d.at(e), "sort %s is not declared, expected the identifier of a <namedsort>", quote(id))
			return unknown
		}
		return d.namedSort(id)
	case "productsort":
		product := &sort{product: true}
		for _, child := range e.ChildElements() {
			s := d.sort(child, "")
			if s == unknown {
				return unknown
			}
			product.components = append(product.components, s)
			if product.leaves += max(1, s.leaves); product.leaves > maxLeaves {
				d.add(d.at(e), "<productsort> of more than %d components, expected fewer", maxLeaves)
				return unknown
			}
			if product.depth = max(product.depth, s.depth+1); product.depth > maxDepth {
				d.add(d.at(e), "<productsort> of products that nest deeper than %d, expected fewer", maxDepth)
				return unknown
			}
		}
		product.flat = product.flatten(nil)
		return product
	case "finiteintrange":
		return d.integerRange(e, name)
	case "cyclicenumeration", "finiteenumeration":
		return d.enumeration(e, name)
	}
	d.add(d.at(e), "<%s> is no sort of symmetric nets, expected <dot>, <cyclicenumeration>, <finiteenumeration>, "+
		"<finiteintrange>, <productsort> or <usersort>", e.Tag)
	return unknown
}

// integerRange reads the range of integers from start to end.
func (d *declarations) integerRange(e *etree.Element, name string) *sort {
	start, err := strconv.ParseInt(identifier(e, "start"), 10, 64)
	end, err2 := strconv.ParseInt(identifier(e, "end"), 10, 64)
	const most = 1 << 40
	if err != nil || err2 != nil || start < -most || end > most || end < start {
		d.add(d.at(e), "<finiteintrange> from %s to %s, expected an integer and one at least as large, within ±2^40",
			quote(identifier(e, "start")), quote(identifier(e, "end")))
		return unknown
	}
	return classSort(&symmetric.Class{Name: name, Start: start, Size: end - start + 1})
}

// sortWork is about the work of reading a sort, in nanoseconds, and more than one takes without its
// constants.
const sortWork = 300

// enumeration reads a class of named constants.
func (d *declarations) enumeration(e *etree.Element, name string) *sort {
	class := &symmetric.Class{Name: name, Cyclic: e.Tag == "cyclicenumeration"}
	for _, c := range e.ChildElements() {
		if !d.room(constantBytes) || d.full() {
			return unknown
		}
		id := identifier(c, "id")
		_, taken := d.constants[id]
		if c.Tag != "feconstant" || id == "" || taken {
			d.add(d.at(c), "<%s> %s in <%s>, expected <feconstant> with an identifier of its own", c.Tag, quote(id), e.Tag)
			continue
		}
		name := c.SelectAttrValue("name", "")
		if name == "" {
			name = id
		}
		d.constants[id] = constant{class, int64(len(class.Constants))}
		class.Constants = append(class.Constants, name)
	}
	if len(e.ChildElements()) == 0 {
		d.add(d.at(e), "<%s> is empty, expected <feconstant> in it", e.Tag)
	}
	if class.Size = int64(len(class.Constants)); class.Size == 0 {
		return unknown
	}
	return classSort(class)
}

// classSort returns the sort of a class.
func classSort(class *symmetric.Class) *sort {
	return &sort{class: class, flat: symmetric.Domain{class}}
}
