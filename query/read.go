package query

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"pnmc/internal/longtoken"
	"pnmc/internal/oneline"
	"pnmc/logic"
)

// maxDepth bounds the nesting of formulas, so that hostile files cannot exhaust
// the stack. Contest formulas nest some tens of levels.
const maxDepth = 5000

// maxSteps bounds the steps of a legacy next.
const maxSteps = 1000

// Read reads a property file of the contest or of TAPAAL. The name of the file is for
// messages. Properties that can be read are returned even where others cannot; the
// error then is an *UnreadError, of one error with position for each of those. Of a
// file that is damaged, the properties before the damage are read. A file without
// properties is an error, and so is one with a name, text or comment longer than longtoken.Most.
//
// Ids may have spaces, as TAPAAL's have. Several properties may have the same id, as TAPAAL's have
// that nobody named.
func Read(file string, source []byte) ([]Property, error) {
	return ReadWithin(file, source, nil)
}

// ReadWithin reads as Read does, within a limit, whose error is a *logic.LimitError.
func ReadWithin(file string, source []byte, limit logic.Limit) ([]Property, error) {
	return (&reader{limit: limit}).within(file, source)
}

// ReadContest reads a property file as Read does, by the contest's rules: of properties
// with the same id none is returned, because an answer could not tell which it is for.
func ReadContest(file string, source []byte) ([]Property, error) {
	return ReadContestWithin(file, source, nil)
}

// ReadContestWithin reads as ReadContest does, within a limit, whose error is a *logic.LimitError.
func ReadContestWithin(file string, source []byte, limit logic.Limit) ([]Property, error) {
	return (&reader{contest: true, limit: limit}).within(file, source)
}

// within reads, and returns errors of the limit apart from those of the text.
func (r *reader) within(file string, source []byte) ([]Property, error) {
	properties, err := r.read(file, source)
	if r.over != nil {
		return nil, &logic.LimitError{Err: r.over}
	}
	return properties, err
}

// read reads a document. If its XML is damaged, it reads the properties before the damage; see
// damageOf. A mistake within a property leaves the others readable: they are returned, with
// an *UnreadError that names the rest.
func (r *reader) read(file string, source []byte) ([]Property, error) {
	if err := checkTokens(file, source); err != nil {
		return nil, err
	}
	var problems []error
	var lost []string
	document := etree.NewDocument()
	if _, err := document.ReadFrom(&charged{reader: r, rest: source}); err != nil {
		document = etree.NewDocument() // the tree of what was read goes first
		found, over := r.damageOf(source)
		if over != nil {
			return nil, over
		}
		err = fmt.Errorf("%s:%v: %w", file, found.at, err)
		if found.whole == nil {
			return nil, err
		}
		source, lost = found.whole, found.lost
		if _, again := document.ReadFrom(&charged{reader: r, rest: source}); again != nil {
			return nil, err
		}
		problems = append(problems, err)
	}
	r.origin, r.ordinals = &origin{file: file, source: source, reader: r}, make(map[*etree.Element]int)
	root := document.Root()
	if root == nil {
		return nil, fmt.Errorf("%s:1:1: no root element, expected property-set", file)
	}
	if err := r.number(root); err != nil {
		return nil, err
	}
	if root.Tag != "property-set" {
		return nil, r.errorf(root, "element %s, expected property-set", root.Tag)
	}
	if len(root.ChildElements()) == 0 {
		return nil, r.errorf(root, "no property, expected some")
	}
	properties, unread, more := r.properties(root, lost)
	problems = append(problems, more...)
	classify(properties)
	if len(problems) == 0 {
		return properties, nil
	}
	return properties, &UnreadError{IDs: slices.Sorted(maps.Keys(unread)), Err: errors.Join(problems...)}
}

// properties reads the properties below root, of a file that has lost others. It
// returns the ids of what can't be used, and why.
//
// By the contest's rules, an id that several properties have is told once, at the second of them; where the others are lost,
// at the first. Those that can't be read count, too: an answer about another one would be taken for
// theirs.
func (r *reader) properties(root *etree.Element, lost []string) (read []Property, unread map[string]bool, problems []error) {
	unread = make(map[string]bool)
	for _, id := range lost {
		unread[id] = true
	}
	first := make(map[string]*etree.Element) // by id
	shared := make(map[string]bool)
	for _, e := range root.ChildElements() {
		if e.Tag != "property" {
			problems = append(problems, r.errorf(e, "element %s, expected property", e.Tag))
			continue
		}
		p, err := r.property(e)
		if err != nil {
			problems = append(problems, err)
		}
		if p.ID == "" {
			continue
		}
		switch before := first[p.ID]; {
		case !r.contest || shared[p.ID]: // allowed, or told
		case before != nil:
			shared[p.ID] = true
			problems = append(problems, r.errorf(e, "another property with the id %s, as at %v: none with it is answered", p.ID, r.origin.place(r.ordinals[before])))
		case unread[p.ID]:
			shared[p.ID] = true
			problems = append(problems, r.errorf(e, "another property with the id %s is in what is not read: none with it is answered", p.ID))
		}
		if first[p.ID] == nil {
			first[p.ID] = e
		}
		if err == nil {
			read = append(read, p)
		} else {
			unread[p.ID] = true
		}
	}
	for id := range shared {
		unread[id] = true
	}
	return slices.DeleteFunc(read, func(p Property) bool { return shared[p.ID] }), unread, problems
}

// reader reads one document; it numbers elements so that an error can be placed
// by scanning the source again. The library's tree has no positions. To find one, the source is read
// once more up to the element with that number, which only errors have to pay for.
type reader struct {
	contest  bool // by the contest's rules
	origin   *origin
	ordinals map[*etree.Element]int
	limit    logic.Limit // or nil
	over     error       // that of the limit
}

// What is taken for each byte of the text by the tree of its elements, and for each element
// by its number and its formula, measured.
const (
	treeBytes    = 10
	elementBytes = 250
)

// charge asks the limit.
func (r *reader) charge(bytes int) error {
	if r.over == nil && r.limit != nil {
		r.over = r.limit(bytes)
	}
	return r.over
}

// charged is a text for the making of its tree, which ends with the limit.
type charged struct {
	*reader
	rest  []byte
	ended bool // by the limit
}

// Read gives at most 16 KiB at once, and asks first for the memory that the tree of that text may
// take.
func (c *charged) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), 1<<14)], c.rest)
	if err := c.charge(n * treeBytes); err != nil {
		c.ended = true
		return 0, err
	}
	c.rest = c.rest[n:]
	return n, nil
}

// number gives the elements their numbers in document order.
func (r *reader) number(root *etree.Element) error {
	stack := []*etree.Element{root}
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if err := r.charge(elementBytes); err != nil {
			return err
		}
		r.ordinals[e] = len(r.ordinals)
		children := e.ChildElements()
		for i := len(children) - 1; i >= 0; i-- {
			stack = append(stack, children[i])
		}
	}
	return nil
}

// errorf returns an error at an element, with the place where it begins.
func (r *reader) errorf(e *etree.Element, format string, arguments ...any) error {
	for i, a := range arguments {
		if text, isText := a.(string); isText {
			arguments[i] = longtoken.Shorten(text) // the name of an element, or an identifier
		}
	}
	return fmt.Errorf("%s: %s", r.origin.position(r.ordinals[e]), fmt.Sprintf(format, arguments...))
}

// property reads a property; after an error it still has its id, if that was read.
func (r *reader) property(e *etree.Element) (Property, error) {
	p := Property{origin: r.origin, ordinal: r.ordinals[e]}
	id := e.SelectElement("id")
	if id == nil {
		return p, r.errorf(e, "property without id")
	}
	p.ID = inOneLine(id.Text())
	if p.ID == "" {
		return p, r.errorf(id, "empty id, expected a name")
	}
	if d := e.SelectElement("description"); d != nil {
		p.Description = strings.TrimSpace(d.Text())
	}
	f := e.SelectElement("formula")
	if f == nil {
		return p, r.errorf(e, "property %s has no formula", p.ID)
	}
	children := f.ChildElements()
	if len(children) != 1 {
		return p, r.errorf(f, "%d elements in formula, expected 1", len(children))
	}
	var err error
	p.Formula, err = r.formula(children[0], 0)
	if err == nil && elementByKind(p.Formula.Kind).integer && p.Formula.Kind != Bound {
		err = r.errorf(children[0], "integer expression %s as formula, expected a Boolean one or place-bound", children[0].Tag)
	}
	return p, err
}

// inOneLine returns an id as answers have it: with single spaces, and no line ends.
func inOneLine(id string) string { return oneline.Of(id) }

// formula reads an expression of either sort; its parent checks the sort.
func (r *reader) formula(e *etree.Element, depth int) (*Formula, error) {
	d := elementByName(e.Tag)
	if d == nil {
		return nil, r.errorf(e, "unknown element %s in a formula", e.Tag)
	}
	if err := r.charge(elementBytes); err != nil {
		return nil, err
	}
	if depth > maxDepth {
		return nil, r.errorf(e, "formula nests deeper than %d", maxDepth)
	}
	f := &Formula{Kind: d.kind, ordinal: r.ordinals[e]}
	var err error
	switch d.operands {
	case placeNames:
		f.Names, err = r.names(e, e.ChildElements(), "place", d.min)
	case transitionNames:
		f.Names, err = r.names(e, e.ChildElements(), "transition", d.min)
	case booleans, integers:
		err = r.operands(f, e, e.ChildElements(), d, depth)
	case special:
		err = r.special(f, e, d, depth)
	case noContent:
		if e.Tag == "true" {
			f.Value = 1
		}
		if children := e.ChildElements(); len(children) > 0 {
			err = r.errorf(children[0], "element %s in %s, expected none", children[0].Tag, e.Tag)
		}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// operands reads the operands of f, of the number and sort that d asks for.
//
// For example, a conjunction in integer-le is reported at the conjunction, as a Boolean expression
// where an integer one is expected. An integer-le with one operand is reported at itself.
func (r *reader) operands(f *Formula, e *etree.Element, children []*etree.Element, d *element, depth int) error {
	if n := len(children); n < d.min || d.max > 0 && n > d.max {
		expected := strconv.Itoa(d.min)
		if d.max == 0 {
			expected += " or more"
		}
		return r.errorf(e, "%d operands in %s, expected %s", n, e.Tag, expected)
	}
	for _, c := range children {
		operand, err := r.formula(c, depth+1)
		if err != nil {
			return err
		}
		if integer := elementByKind(operand.Kind).integer; integer != (d.operands == integers) {
			sort := map[bool]string{true: "an integer", false: "a Boolean"}
			return r.errorf(c, "%s in %s is %s expression, expected %s one", c.Tag, e.Tag, sort[integer], sort[!integer])
		}
		f.Operands = append(f.Operands, operand)
	}
	if f.Kind == Difference && len(f.Operands) == 1 { // to verifypn a difference from zero
		f.Operands = []*Formula{{Kind: Integer, ordinal: f.ordinal}, f.Operands[0]}
	}
	return nil
}

// names reads a list of elements with the names of places or transitions.
func (r *reader) names(e *etree.Element, children []*etree.Element, tag string, atLeast int) ([]string, error) {
	var names []string
	for _, c := range children {
		if c.Tag != tag {
			return nil, r.errorf(c, "element %s in %s, expected %s", c.Tag, e.Tag, tag)
		}
		name := strings.TrimSpace(c.Text())
		if name == "" {
			return nil, r.errorf(c, "empty %s", tag)
		}
		names = append(names, name)
	}
	if len(names) < atLeast {
		return nil, r.errorf(e, "%s without %s", e.Tag, tag)
	}
	return names, nil
}

// special reads the elements whose content is not a plain list of operands.
func (r *reader) special(f *Formula, e *etree.Element, d *element, depth int) error {
	children := e.ChildElements()
	switch d.kind {
	case Integer:
		v, err := strconv.ParseInt(strings.TrimSpace(e.Text()), 10, 64)
		if err != nil || v == -1<<63 {
			return r.errorf(e, "%q, expected an integer of at most 63 bits", strings.TrimSpace(e.Text()))
		}
		f.Value = v
		return nil
	case Live:
		if len(children) == 0 || children[0].Tag != "level" {
			return r.errorf(e, "is-live without level")
		}
		level := strings.ToLower(strings.TrimSpace(children[0].Text()))
		if len(level) != 2 || level[0] != 'l' || level[1] < '0' || level[1] > '4' {
			return r.errorf(children[0], "level %q, expected l0 to l4", level)
		}
		f.Value = int64(level[1] - '0')
		var err error
		f.Names, err = r.names(e, children[1:], "transition", 1)
		return err
	case Next:
		return r.next(f, e, d, depth)
	}
	return r.until(f, e, depth)
}

// next reads the operand of a next, and what else the legacy form of it may say.
func (r *reader) next(f *Formula, e *etree.Element, d *element, depth int) error {
	f.Steps = 1
	var operands []*etree.Element
	for _, c := range e.ChildElements() {
		text := strings.TrimSpace(c.Text())
		switch c.Tag {
		case "steps":
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 || n > maxSteps {
				return r.errorf(c, "%q steps, expected 1 to %d", text, maxSteps)
			}
			f.Steps = n
		case "if-no-successor":
			if text != "true" && text != "false" {
				return r.errorf(c, "if-no-successor %q, expected true or false", text)
			}
			value := text == "true"
			f.NoSuccessor = &value
		default:
			operands = append(operands, c)
		}
	}
	return r.operands(f, e, operands, &element{operands: booleans, min: d.min, max: d.max}, depth)
}

// until reads its two operands by their names, in any order.
func (r *reader) until(f *Formula, e *etree.Element, depth int) error {
	one := &element{operands: booleans, min: 1, max: 1}
	parts := map[string]*Formula{"before": nil, "reach": nil}
	for _, c := range e.ChildElements() {
		part, known := parts[c.Tag]
		switch {
		case c.Tag == "strength":
			switch text := strings.TrimSpace(c.Text()); text {
			case "weak":
				f.Weak = true
			case "strong":
			default:
				return r.errorf(c, "strength %q, expected weak or strong", text)
			}
		case !known:
			return r.errorf(c, "element %s in until, expected before, reach or strength", c.Tag)
		case part != nil:
			return r.errorf(c, "second %s in until", c.Tag)
		default:
			part = new(Formula)
			if err := r.operands(part, c, c.ChildElements(), one, depth); err != nil {
				return err
			}
			parts[c.Tag] = part
		}
	}
	for _, tag := range []string{"before", "reach"} {
		if parts[tag] == nil {
			return r.errorf(e, "until without %s", tag)
		}
		f.Operands = append(f.Operands, parts[tag].Operands[0])
	}
	return nil
}
