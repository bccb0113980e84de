package pnml

import (
	"slices"
	"unsafe"

	"github.com/beevik/etree"

	"pnmc/petri/symmetric"
)

// declarations are the sorts, constants, variables and partitions of a net, by identifier.
//
// They may stand in any order: a sort may be built from one that is declared later. So all
// declarations are collected first. Sorts are then made on demand, each with those that it needs:
// named has the elements, sorts what was made of them. An entry nil in sorts says that the sort is
// being made; who meets it has found a sort that is defined by itself.
//
// For example, with the wrappers left out:
//
//	<namedsort id="job"><productsort>
//	  <usersort declaration="client"/><dot/>
//	</productsort></namedsort>
//	<namedsort id="client"><finiteenumeration>
//	  <feconstant id="ann"/><feconstant id="bob"/>
//	</finiteenumeration></namedsort>
//	<variabledecl id="x"><usersort declaration="job"/></variabledecl>
//
// job is asked for first. It is entered as nil, and asks for client, which is made: a class with the
// constants ann and bob, of the values 0 and 1. Then job is made as the product. If client were a
// product with job in it, it would find the nil there.
type declarations struct {
	*findings
	positions  map[*etree.Element]position
	named      map[string]*etree.Element // sorts as declared, by identifier
	sorts      map[string]*sort          // those made already, or unknown; nil while being made
	constants  map[string]constant
	variables  map[string]variable
	elements   map[string]element // of partitions
	reading    int                // sorts that are being read, each for the one before
	monomials  int                // how many summands tuples of sums came to so far
	listed     int                // how many colours names of parts stood for so far
	partitions map[string]*partition
}

// constant is a named colour of an enumeration: its class, and its number there.
type constant struct {
	class *symmetric.Class
	value int64
}

// variable is a declared variable. One of a product sort stands for a tuple.
type variable struct {
	id, name string
	sort     *sort
}

// partition divides a class into parts. Guards may compare the parts that colours are in, and in
// multisets the name of a part stands for its colours.
type partition struct {
	class   *symmetric.Class
	element []int64 // of each colour
	count   int     // of parts

	// The colours, one part after the other, and where each part begins; nil until they are asked for.
	colours []int64
	begin   []int
}

// listed returns the colours in a part, ascending; nil if there is no room for the lists. All parts are
// listed at once, so that a name of a small part does not cost what the class is large.
func (p *partition) listed(part int64, m *meter) []int64 {
	if p.colours == nil {
		if !m.room(numberBytes * (len(p.element) + p.count)) {
			return nil
		}
		p.colours, p.begin = make([]int64, len(p.element)), make([]int, p.count+1)
		for _, number := range p.element {
			p.begin[number+1]++ // colours in no part, which are told, come before all others
		}
		for i := range p.count {
			p.begin[i+1] += p.begin[i]
		}
		next := slices.Clone(p.begin)
		for colour, number := range p.element {
			if number >= 0 {
				p.colours[next[number]] = int64(colour)
				next[number]++
			}
		}
	}
	return p.colours[p.begin[part]:p.begin[part+1]]
}

// element is a part of a partition.
type element struct {
	partition *partition
	number    int64
}

// at returns where an element starts in the text.
func (d *declarations) at(e *etree.Element) position { return d.positions[e] }

// declare reads the <declaration> parts of a net: first all sorts, then partitions, then variables,
// as each of these needs the ones before. Faults go to f.
func declare(f *findings, positions map[*etree.Element]position, parts []*etree.Element) *declarations {
	d := &declarations{
		findings: f, positions: positions,
		named: make(map[string]*etree.Element), sorts: make(map[string]*sort),
		constants: make(map[string]constant), variables: make(map[string]variable),
		elements: make(map[string]element),
	}
	var order, variables, partitions []*etree.Element
	for _, part := range parts {
		for _, e := range flatten(part, "declaration", "structure", "declarations") {
			if !d.room(declarationBytes) || d.full() {
				break
			}
			id := identifier(e, "id")
			switch e.Tag {
			case "text":
			case "namedsort":
				if d.named[id] != nil {
					d.add(d.at(e), "second sort %s, expected distinct identifiers", quote(id))
					continue
				}
				d.named[id] = e
				order = append(order, e)
			case "variabledecl":
				variables = append(variables, e)
			case "partition":
				partitions = append(partitions, e)
			default:
				d.add(d.at(e), "<%s> is no declaration of symmetric nets, expected <namedsort>, <variabledecl> or <partition>", e.Tag)
			}
		}
	}
	for _, e := range order {
		if d.full() {
			break
		}
		d.namedSort(identifier(e, "id"))
	}
	for _, e := range partitions {
		if d.full() { // each that is wrong may have listed a large class
			break
		}
		d.partition(e)
	}
	for _, e := range variables {
		if d.full() {
			break
		}
		d.variable(e)
	}
	return d
}

// declarationBytes is about what is kept of a declaration beside its element, in maps and lists, and
// constantBytes what is kept of a constant.
const (
	declarationBytes = 300
	constantBytes    = 160
)

// flatten returns the elements in e without the wrappers around them, to any depth.
func flatten(e *etree.Element, wrappers ...string) []*etree.Element {
	var list []*etree.Element
	var walk func(e *etree.Element)
	walk = func(e *etree.Element) {
		for _, w := range wrappers {
			if e.Tag == w {
				for _, child := range e.ChildElements() {
					walk(child)
				}
				return
			}
		}
		list = append(list, e)
	}
	walk(e)
	return list
}

// variable reads a declaration of a variable.
func (d *declarations) variable(e *etree.Element) {
	v := variable{id: identifier(e, "id"), name: e.SelectAttrValue("name", "")}
	if v.name == "" {
		v.name = v.id
	}
	if _, ok := d.variables[v.id]; ok || v.id == "" {
		d.add(d.at(e), "<variabledecl> %s, expected an identifier of its own", quote(v.id))
	}
	definitions := e.ChildElements()
	if len(definitions) == 1 {
		v.sort = d.sort(definitions[0], "")
	} else {
		d.add(d.at(e), "variable %s has %d sorts, expected one", quote(v.id), len(definitions))
		v.sort = unknown
	}
	d.variables[v.id] = v
}

// maxDivided bounds the classes that partitions divide, since a partition has a number for each
// colour.
const maxDivided = 1 << 20

// numberBytes is what a partition takes for a colour.
const numberBytes = int(unsafe.Sizeof(partition{}.element[0]))

// partition reads a division of a class into named parts. Each colour must be in exactly one part.
// If the class has the colours a, b, c and the parts are u with b and v with a and c, the numbers of
// the parts of a, b, c are 1, 0, 1.
func (d *declarations) partition(e *etree.Element) {
	if _, taken := d.partitions[identifier(e, "id")]; taken {
		d.add(d.at(e), "second partition %s, expected distinct identifiers", quote(identifier(e, "id")))
		return
	}
	children := e.ChildElements()
	if len(children) == 0 {
		d.add(d.at(e), "<partition> %s is empty, expected a sort and <partitionelement>", quote(identifier(e, "id")))
		return
	}
	s := d.sort(children[0], "")
	if s == unknown {
		return
	}
	if s.class == nil || s.class.Size > maxDivided {
		d.add(d.at(children[0]), "<partition> of sort %v, expected a class of at most %d colours", s, maxDivided)
		return
	}
	if !d.room(numberBytes * int(s.class.Size)) {
		return
	}
	p := &partition{class: s.class, element: make([]int64, s.class.Size), count: len(children) - 1}
	for i := range p.element {
		p.element[i] = -1
	}
	for number, part := range children[1:] {
		if !d.room(declarationBytes) || d.full() { // a part may have no colours
			return
		}
		id := identifier(part, "id")
		if _, ok := d.elements[id]; part.Tag != "partitionelement" || id == "" || ok {
			d.add(d.at(part), "<%s> %s, expected <partitionelement> with an identifier of its own", part.Tag, quote(id))
			continue
		}
		d.elements[id] = element{p, int64(number)}
		for _, member := range part.ChildElements() {
			if !d.room(termWork) || d.full() {
				return
			}
			if s.class.Constants == nil { // a range: its constants are integers
				terms, ok := (&scope{declarations: d, ground: true}).terms(member, s)
				switch {
				case ok && p.element[terms[0].Value] >= 0:
					d.add(d.at(member), "%s is in a part already, expected it in one", p.class.Colour(terms[0].Value))
				case ok:
					p.element[terms[0].Value] = int64(number)
				}
				continue
			}
			c, ok := d.constants[identifier(member, "declaration")]
			if member.Tag != "useroperator" || !ok || c.class != p.class || p.element[c.value] >= 0 {
				d.add(d.at(member), "<%s> %s, expected <useroperator> with a constant of %v that is in no other part",
					member.Tag, quote(identifier(member, "declaration")), s)
				continue
			}
			p.element[c.value] = int64(number)
		}
	}
	for colour, number := range p.element {
		if number < 0 {
			d.add(d.at(e), "<partition> %s leaves out %s, expected each colour in a part",
				quote(identifier(e, "id")), quote(p.class.Colour(int64(colour))))
			return
		}
	}
	if d.partitions == nil {
		d.partitions = make(map[string]*partition)
	}
	d.partitions[identifier(e, "id")] = p
}
