package pnml

import (
	"fmt"
	"strings"

	"github.com/beevik/etree"

	"pnmc/internal/growing"
)

// document is a net as it stands in the text, before references are followed and arcs are
// connected. Nodes and arcs refer to each other by identifiers, each with its position for
// messages. Labels of a symmetric net stay elements, since the declarations that give them a
// meaning may come last.
type document struct {
	id, name    string
	kind        netKind
	at          position
	places      []place
	transitions []transition
	references  []reference
	arcs        growing.Stack[arc]        // most of a large net
	special     growing.Stack[specialArc] // those that move no tokens
	units       *unitStructure

	declarations []*etree.Element // of a high-level net
}

// place is a <place> as it stands in the text.
type place struct {
	id, name string
	at       position
	initial  int64
	capacity int64 // or noCapacity

	sort, marking *etree.Element // labels of a high-level net, or nil
}

// transition is a <transition> as it stands in the text.
type transition struct {
	id, name string
	at       position
	priority string // as written; "" if it is not

	guard *etree.Element // of a high-level net, or nil
}

// reference is a stand-in on one page for a node of another page.
type reference struct {
	id, target   string
	at           position
	toTransition bool
}

// arc is an <arc> as it stands in the text.
type arc struct {
	id, source, target string
	at                 position
	weight             int64

	inscription *etree.Element // of a high-level net, or nil
}

// netKind is one of the kinds of nets that types of nets stand for.
type netKind uint8

const (
	unknownKind   netKind = iota
	plainKind             // place/transition net
	symmetricKind         // high-level net
)

// String names the kind in messages.
func (k netKind) String() string {
	if k == symmetricKind {
		return "symmetric net"
	}
	return "place/transition net"
}

// netTypes are the last parts, in lower case, of the type names in use. Tina
// gives all its nets the type of time nets: what makes one timed is an element
// <interval>. The core model has no marking by the book, but ProM and PM4Py
// write one.
var netTypes = map[string]netKind{
	"":              plainKind,
	"ptnet":         plainKind,
	"ptnetb":        plainKind,
	"pt-net":        plainKind,
	"pt net":        plainKind,
	"t net":         plainKind, // "P/T net"
	"pnmlcoremodel": plainKind,
	"epnml-1.1":     plainKind,
	"tpn":           plainKind,
	// The extensions that are proposed on pnml.org; what an arc is, it says itself.
	"inhibitorptnet":      plainKind,
	"resetptnet":          plainKind,
	"resetinhibitorptnet": plainKind,
	"symmetricnet":        symmetricKind,
	"highlevelnet":        symmetricKind,
	"highlevel":           symmetricKind,
	"hlcore":              symmetricKind,
	"hlpng":               symmetricKind,
	"pt-hlpng":            symmetricKind,
	"hlpn":                symmetricKind,
	"coloredpetrinet":     symmetricKind,
}

// kindOf returns the kind that a net's type attribute stands for. Only the last part of the
// address counts, as in http://www.pnml.org/version-2009/grammar/ptnet.
func kindOf(netType string) netKind {
	netType = strings.ToLower(strings.TrimRight(strings.TrimSpace(netType), "/#"))
	if i := strings.LastIndexAny(netType, "/#"); i >= 0 {
		netType = netType[i+1:]
	}
	return netTypes[strings.TrimSuffix(netType, ".pntd")]
}

// describe names the arc in messages: some exporters give arcs no identifier.
func (a *arc) describe() string {
	if a.id == "" {
		return "<arc>"
	}
	return fmt.Sprintf("<arc> %s", quote(a.id))
}
