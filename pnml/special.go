package pnml

import (
	"strconv"
	"strings"

	"github.com/beevik/etree"

	"pnmc/petri"
)

// Arcs that move no tokens, and capacities. Dialects write the kind of an arc as an attribute
// (TAPAAL: type="inhibitor"), as an element with a value (PIPE, Tina, GreatSPN:
// <type value="inhibitor"/>) or with a text (ProM: <arctype><text>reset</text></arctype>). All
// these are read; what is written is TAPAAL's.

// arcKind is what an arc does.
type arcKind uint8

const (
	normalArc arcKind = iota
	inhibitorArc
	resetArc
	readArc
)

// String returns the word for a kind of arc that messages have.
func (k arcKind) String() string {
	return [...]string{normalArc: "normal", inhibitorArc: "inhibitor", resetArc: "reset", readArc: "read"}[k]
}

// arcKinds are the words for them, in lower case.
var arcKinds = map[string]arcKind{
	"": normalArc, "normal": normalArc, "plain": normalArc, "standard": normalArc,
	"inhibitor": inhibitorArc, "inhibitorarc": inhibitorArc, "inhibition": inhibitorArc,
	"reset": resetArc, "resetarc": resetArc,
	"read": readArc, "readarc": readArc, "test": readArc, "testarc": readArc,
}

// specialArc is an arc of another kind than normal. They are few, and kept apart so that the
// others take no more memory.
type specialArc struct {
	arc
	kind     arcKind
	weighted bool // it has an inscription, or a weight as an attribute
	// byAttribute says of an inhibitor arc of a symmetric net that its kind is an attribute, as
	// in TAPAAL.
	byAttribute bool
}

// kindOfArc reads the word for the kind of an arc.
func (p *parser) kindOfArc(d *document, node *arc, at position, word string) arcKind {
	kind, known := arcKinds[word]
	switch {
	case !known:
		p.add(at, "%s is of type %s, expected \"normal\", \"inhibitor\", \"reset\" or \"read\": another kind of arc cannot be honoured",
			node.describe(), quote(word))
	case kind == resetArc && d.kind == symmetricKind:
		p.add(at, "%s is of type %s, expected \"normal\", \"inhibitor\" or \"read\": tools do not agree on what it is "+
			"to take all tokens of a coloured place", node.describe(), quote(word))
	default:
		return kind
	}
	return normalArc
}

// connect adds the arc to b.
func (a *specialArc) connect(f *findings, b *petri.Builder, nodes map[string]node) {
	source, target, ok := a.ends(f, nodes)
	if !ok {
		return
	}
	if !target.isTransition {
		f.add(a.at, "%s is of type %q and leads to place %s, expected it to lead from a place to a transition",
			a.describe(), a.kind.String(), quote(a.target))
		return
	}
	if a.kind == resetArc && a.weighted && a.weight != 1 {
		f.add(a.at, "%s is of type \"reset\" and has the weight %d, expected none: it takes all tokens", a.describe(), a.weight)
		return
	}
	p, t := petri.Place(source.number), petri.Transition(target.number)
	var err error
	switch a.kind {
	case inhibitorArc:
		err = b.AddInhibitor(p, t, a.weight)
	case resetArc:
		err = b.AddReset(p, t)
	default:
		err = b.AddRead(p, t, a.weight)
	}
	if err != nil {
		f.addCause(a.at, err, "%s: %v, expected an arc that can be added", a.describe(), err)
	}
}

// weightAttribute reads the weight of an inhibitor arc of a symmetric net, which TAPAAL writes as
// an attribute; it is 1 if there is none.
func (p *parser) weightAttribute(e *etree.Element) (weight int64, given bool) {
	a := e.SelectAttr("weight")
	if a == nil {
		return 1, false
	}
	weight, err := strconv.ParseInt(a.Value, 10, 64)
	if err != nil || weight < 1 {
		p.add(p.positions[e], "<arc> %s has attribute weight=%s, expected a number from 1 to 2^63-1", quote(identifier(e, "id")), quote(a.Value))
		return 1, false
	}
	return weight, true
}

// noCapacity is that of a place without one.
const noCapacity = petri.Unbounded

// capacity reads how many tokens a place may hold; 0 is PIPE's word for any number.
func (p *parser) capacity(d *document, id, text string, at position) int64 {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.TrimPrefix(text, "default,")
	switch text {
	case "", "0", "-1", "inf", "infinity", "omega", "w":
		return noCapacity
	}
	number, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || number < 0:
		p.add(at, "<capacity> of <place> %s is %s, expected a number of tokens, or 0 for any number", quote(id), quote(text))
	case d.kind == symmetricKind:
		p.add(at, "<capacity> of <place> %s is %s, expected none (0): in a symmetric net capacities cannot be honoured",
			quote(id), quote(text))
	default:
		return number
	}
	return noCapacity
}

// capacityLabel reads the capacity of an element.
func (p *parser) capacityLabel(d *document, id string, label *etree.Element) int64 {
	return p.capacity(d, id, p.choice(label), p.positions[label])
}
