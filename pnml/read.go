package pnml

import (
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/beevik/etree"

	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// A document is read in three steps.
//
//  1. The outline: document finds the net that was chosen, and page goes through what it holds. Each
//     node and arc is read by itself (node.go, quick.go), and entered in lists of the document.
//     Identifiers in arcs are not looked up yet, as their nodes may come later.
//  2. The net: connect resolves identifiers and makes a place/transition net (connect.go). Of a
//     high-level document, symmetric reads declarations and terms first (coloured.go).
//  3. What was wrong on the way is joined to one error, each finding with its position. Reading
//     goes on after a finding, so that several are seen at once, until there are as many as are
//     reported. A fault that makes the outline unreadable, or a net of an unknown type, ends it at
//     once.
//
// It takes time linear in the text.

// Reader reads documents; the zero value reads those that hold a single net.
type Reader struct {
	// Net is the identifier of the net to read. It may be empty if the
	// document holds a single net.
	Net string
	// Limit, unless nil, is asked for the bytes that long names, texts and comments take, before
	// they are read, and for those that a net takes beside its document, before it is made. Of a
	// symmetric net it is asked again and again while declarations and terms are read, for what they
	// stand for. Work is asked for, too, a nanosecond as a byte. An error ends the reading.
	Limit func(bytes int) error
}

// About the bytes that a net takes for an arc and for a node, while it is made. An inhibitor arc is in
// more lists than one that moves tokens; a read arc becomes two, by maps.
const (
	arcBytes  = 56
	nodeBytes = 200
)

var specialBytes = [...]int{resetArc: 64, inhibitorArc: 160, readArc: 240}

// netBytes returns about what the net of d takes beside it while it is made.
func (d *document) netBytes() int {
	bytes := d.arcs.Length*arcBytes + (len(d.places)+len(d.transitions))*nodeBytes
	for i := range d.special.Length {
		bytes += specialBytes[d.special.At(i).kind]
	}
	return bytes
}

// Document is the net that a text holds. It is of one of two kinds.
type Document struct {
	// Net is a place/transition net, or nil.
	Net *petri.Net
	// Symmetric is a symmetric net, which remains to be unfolded, or nil.
	Symmetric *symmetric.Net
}

// ReadFile reads the net in the file at path; see Read.
func (reader Reader) ReadFile(path string) (*petri.Net, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return reader.Read(file, path)
}

// Read reads a net from PNML text; file is its name in messages. Places,
// transitions and their identifiers come in document order, reference nodes
// replaced by the nodes they stand for. A symmetric net is unfolded within the
// default limits; for more of a say, or the colours of nodes, see ReadDocument.
//
// The error joins up to 20 findings, each an *Error, in document order.
func (reader Reader) Read(r io.Reader, file string) (*petri.Net, error) {
	doc, err := reader.ReadDocument(r, file)
	if err != nil || doc.Net != nil {
		return doc.Net, err
	}
	unfolding, err := doc.Symmetric.Unfold(context.Background(), symmetric.Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return unfolding.Net, nil
}

// ReadDocumentFile reads the net in the file at path; see ReadDocument.
func (reader Reader) ReadDocumentFile(path string) (Document, error) {
	file, err := os.Open(path)
	if err != nil {
		return Document{}, err
	}
	defer file.Close()
	return reader.ReadDocument(file, path)
}

// ReadDocument reads a net from PNML text without unfolding it; the error is as
// that of Read.
func (reader Reader) ReadDocument(r io.Reader, file string) (Document, error) {
	p := &parser{scanner: newScanner(r, file, reader.Limit), reader: reader}
	p.findings.file, p.findings.limit = file, reader.Limit
	doc, err := p.document()
	if err != nil {
		return Document{}, err
	}
	if !p.room(doc.netBytes()) {
		return Document{}, p.ended
	}
	var result Document
	if doc.kind == symmetricKind {
		result.Symmetric = doc.symmetric(&p.findings, p.positions)
	} else {
		result.Net = doc.connect(&p.findings)
	}
	if err := p.findings.err(); err != nil {
		return Document{}, err
	}
	return result, nil
}

// parser reads the outline of a document: nets, pages, and the nodes on them.
type parser struct {
	*scanner
	findings
	reader     Reader
	tokenClass string // the class that markings name, in the dialect that has them
	names      map[string]string
}

// document reads all of the text and returns the net that was chosen. The error is the one finding
// that ends the reading, or all findings so far if there are as many as are reported.
func (p *parser) document() (*document, error) {
	root, at, err := p.child()
	switch {
	case err != nil:
		return nil, err
	case root == nil:
		return nil, p.fail(at, nil, "no element, expected <pnml>")
	case root.Name.Local != "pnml":
		return nil, p.fail(at, nil, "<%s>, expected <pnml>", root.Name.Local)
	}
	var chosen *document
	var seen []string
	for {
		start, at, err := p.child()
		if err != nil {
			return nil, err
		}
		if start == nil {
			break
		}
		switch start.Name.Local {
		case "net":
			id := attribute(start, "id")
			seen = append(seen, quote(id))
			if p.reader.Net != "" && id != p.reader.Net {
				inner, more, err := p.search(id)
				if err != nil {
					return nil, err
				}
				if seen = append(seen, more...); inner != nil && chosen == nil {
					chosen = inner
				}
				if p.full() {
					return nil, p.err()
				}
				continue
			}
			if chosen != nil {
				if p.reader.Net != "" {
					return nil, p.fail(at, nil, "second net %s, expected one of that identifier", quote(id))
				}
				if first := seen[0]; first == quote(id) || first == quote("") || id == "" {
					return nil, p.fail(at, nil, "second net %s, expected a single one, or each with an identifier of its own to choose by", quote(id))
				}
				return nil, p.fail(at, ErrSeveralNets, "second net %s, expected a single one, or a choice of %s or %s",
					quote(id), seen[0], quote(id))
			}
			if chosen, err = p.net(start, id, at); err != nil {
				return nil, err
			}
			if p.full() {
				return nil, p.err()
			}
		case "name", "graphics", "toolspecific":
			if err := p.skip(); err != nil {
				return nil, err
			}
		default:
			return nil, p.fail(at, nil, "<%s> in <pnml>, expected <net>", start.Name.Local)
		}
	}
	if next, at, err := p.child(); err != nil {
		return nil, err
	} else if next != nil {
		return nil, p.fail(at, nil, "<%s> after </pnml>, expected the end", next.Name.Local)
	}
	switch {
	case chosen != nil:
		return chosen, nil
	case len(seen) == 0:
		return nil, p.fail(at, nil, "<pnml> is empty, expected <net> in it")
	}
	const most = 10
	if len(seen) > most {
		seen = append(seen[:most], "…")
	}
	return nil, p.fail(at, nil, "no net %s, expected one of %s", quote(p.reader.Net), strings.Join(seen, ", "))
}

// netIdentifier returns what a net within a container of that identifier is called: as WoPeD has no
// identifiers for the nets of its subprocesses, such a net is called as its page.
func netIdentifier(start *xml.StartElement, container string) string {
	if id := attribute(start, "id"); id != "" {
		return id
	}
	return container
}

// search looks for the chosen net inside another one: pages may have nets of their own. entered is the
// identifier of the outer net, whose start was read last. seen has the identifiers of all nets inside.
func (p *parser) search(entered string) (chosen *document, seen []string, err error) {
	for within := []string{entered}; len(within) > 0; { // identifiers of what encloses the next token
		token, at, err := p.token()
		if err != nil {
			return nil, nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local != "net" {
				within = append(within, attribute(&token, "id"))
				continue
			}
			id := netIdentifier(&token, within[len(within)-1])
			seen = append(seen, quote(id))
			if id != p.reader.Net || chosen != nil {
				within = append(within, id)
				continue
			}
			if chosen, err = p.net(&token, id, at); err != nil {
				return nil, nil, err
			}
		case xml.EndElement:
			within = within[:len(within)-1]
		}
	}
	return chosen, seen, nil
}

// net reads what a <net> of that identifier holds. A type that is not known ends the reading:
// nothing in such a net has a meaning to check.
func (p *parser) net(start *xml.StartElement, id string, at position) (*document, error) {
	d := &document{id: id, at: at}
	netType := attribute(start, "type")
	if d.kind = kindOf(netType); d.kind == unknownKind {
		return nil, p.fail(at, nil, "<net> %s is of type %s, expected a place/transition net or a symmetric net",
			quote(d.id), quote(netType))
	}
	return d, p.page(d, "net", id)
}

// page reads what a <net> or <page> with that identifier holds; container says which of the
// two. Pages nest no deeper than maxDepth.
func (p *parser) page(d *document, container, containerID string) error {
	named := false
	if !p.source.atEmptyElement() {
		p.quickArcs(d)
	}
	for ; !p.full(); p.quickArcs(d) {
		start, at, err := p.child()
		if start == nil || err != nil {
			return err
		}
		switch tag := start.Name.Local; tag {
		case "page":
			err = p.page(d, tag, attribute(start, "id"))
		case "net":
			if p.reader.Net != "" { // this one was chosen, not that
				err = p.skip()
				break
			}
			id := netIdentifier(start, containerID)
			return p.fail(at, ErrSeveralNets, "<net> %s in <%s> is a net of its own, as those of WoPeD's subprocesses are, expected nodes, or a choice of %s or %s",
				quote(id), container, quote(d.id), quote(id))
		case "place", "transition", "arc", "referencePlace", "referenceTransition":
			err = p.node(d, start, at)
		case "name":
			var name string
			if name, err = p.title(start, at); container == "net" && !named {
				d.name, named = name, true
			}
		case "toolspecific":
			if d.kind == plainKind && strings.EqualFold(attribute(start, "tool"), "nupn") {
				err = p.nupn(d, start, at)
			} else {
				err = p.skip()
			}
		case "declaration":
			// In a place/transition net a use of it is an error, but not the declaration itself,
			// unless the net is one of TAPAAL's coloured nets.
			var e *etree.Element
			if e, err = p.subtree(start, at); err == nil {
				d.declarations = append(d.declarations, e)
			}
		case "graphics", "labels", "token", "finalmarkings":
			// Final markings say where runs may end, not how they go on.
			err = p.skip()
		case "transportArc":
			p.add(at, "<transportArc> %s: transport arcs cannot be honoured, expected an <arc>", quote(attribute(start, "id")))
			err = p.skip()
		default:
			p.add(at, "<%s> in <%s>, expected <page>, <place>, <transition>, <arc>, <referencePlace>, "+
				"<referenceTransition>, <name>, <graphics> or <toolspecific>", tag, container)
			err = p.skip()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// title reads the name of a net or page.
func (p *parser) title(start *xml.StartElement, at position) (string, error) {
	e, err := p.subtree(start, at)
	if err != nil {
		return "", err
	}
	name, _ := p.text(e)
	return name, nil
}
