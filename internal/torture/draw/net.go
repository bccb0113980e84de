package draw

import (
	"fmt"
	"strconv"
	"strings"

	"pnmc/internal/torture/twin"
)

// Net is a net as text, and what else is known of it.
type Net struct {
	Kind string
	Text []byte
	// File is what a file with the text is called, whose ending tells the format.
	File string
	// Twin is the same net for the twin, unfolded if it has colours; nil if the twin
	// can't have it.
	Twin *twin.Net
	// Places and Transitions are some names for propositions.
	Places, Transitions []string
	// Tokens are numbers that propositions compare tokens with, beside small ones.
	Tokens   []int64
	Coloured bool
}

// netKinds returns the kinds of nets with what draws them. Each is hostile in its own way:
//
//	net-small        up to 8 places and transitions, which the twin can explore
//	net-toggles      up to 5,000 transitions that are enabled at once: exponentially many markings
//	net-claims       units that claim to be safe, and are not
//	net-deep-units   up to 20,000 units, each within the one before
//	net-weights      extreme weights and tokens
//	net-unbounded    sources that put tokens without end
//	net-degenerate   no places, no transitions, or no arcs
//	net-large        up to 20,000 places in rings, most of them empty
//	net-wide         nodes with up to thousands of arcs, whose neighbours have as many
//	net-crowds       tens of thousands of nodes around a few, or that begin and end together
//	net-runs         a single run of up to a million steps
//	net-coloured     a coloured net that the twin can unfold
//	net-domains      colours of large or strange domains
//	net-terms        coloured nets with terms and declarations that are long, or stand for much
//	net-special      inhibitor, read and reset arcs
//	net-tina, -lola  small nets in other formats
//	net-names        thousands of long names, much alike, and questions about wrong ones
//	net-damaged      one of these with bytes changed, or parts cut out
//	net-long         a small net with a name, a comment or white space of many megabytes
func netKinds() kinds[func(Source) *Net] {
	return kinds[func(Source) *Net]{
		{"net-small", smallNet},
		{"net-toggles", toggles},
		{"net-claims", falseClaims},
		{"net-deep-units", deepUnits},
		{"net-weights", extremeWeights},
		{"net-unbounded", unboundedNet},
		{"net-degenerate", degenerateNet},
		{"net-large", largeNet},
		{"net-wide", wideNet},
		{"net-crowds", crowdsOf},
		{"net-runs", longRuns},
		{"net-coloured", smallColoured},
		{"net-domains", extremeDomains},
		{"net-terms", longTerms},
		{"net-special", specialNet},
		{"net-tina", tinaNet},
		{"net-lola", lolaNet},
		{"net-names", longNames},
		{"net-damaged", damagedNet},
		{"net-long", longNet},
	}
}

// NetKinds returns the names of the kinds of nets.
func NetKinds() []string { return netKinds().names() }

// NewNet draws a net of this kind.
func NewNet(s Source, kind string) *Net {
	n := netKinds().of(kind)(s)
	n.Kind = kind
	if n.File == "" {
		n.File = "net.pnml"
	}
	return n
}

// pnml writes a document.
type pnml struct {
	strings.Builder
	arcs                int
	places, transitions []string
}

// newPNML begins a document with a net of this type, and a page in it.
func newPNML(netType string) *pnml {
	w := &pnml{}
	w.WriteString(`<?xml version="1.0"?>` + "\n" + `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">` + "\n" +
		`<net id="n" type="http://www.pnml.org/version-2009/grammar/` + netType + `"><page id="page">` + "\n")
	return w
}

// place adds a place. Tokens are text, as they may be no number.
func (w *pnml) place(id, tokens string) {
	w.places = append(w.places, id)
	fmt.Fprintf(w, `<place id="%s">`, id)
	if tokens != "0" {
		fmt.Fprintf(w, `<initialMarking><text>%s</text></initialMarking>`, tokens)
	}
	w.WriteString("</place>\n")
}

// transition adds a transition.
func (w *pnml) transition(id string) {
	w.transitions = append(w.transitions, id)
	fmt.Fprintf(w, "<transition id=\"%s\"/>\n", id)
}

// arc adds an arc, whose weight is text.
func (w *pnml) arc(source, target, weight string) {
	w.arcs++
	fmt.Fprintf(w, `<arc id="a%d" source="%s" target="%s">`, w.arcs, source, target)
	if weight != "1" {
		fmt.Fprintf(w, `<inscription><text>%s</text></inscription>`, weight)
	}
	w.WriteString("</arc>\n")
}

// net ends the document; after stands behind the page.
func (w *pnml) net(after string) *Net {
	w.WriteString("</page>" + after + "</net></pnml>\n")
	n := &Net{Text: []byte(w.String())}
	if known, err := twin.ReadNet(n.Text); err == nil {
		n.Twin = known
	}
	n.Places, n.Transitions = w.places[:min(len(w.places), 50)], w.transitions[:min(len(w.transitions), 50)]
	return n
}

// smallNet draws few places with few tokens; most of the nets are bounded.
func smallNet(s Source) *Net {
	w := newPNML("ptnet")
	w.random(s, func() string { return strconv.Itoa(Pick(s, 0, 0, 1, 1, 2)) }, func() string { return Pick(s, "1", "1", "1", "1", "2", "3") },
		s.Chance(0.8))
	return w.net("")
}

// random adds up to 8 places and transitions; balanced transitions put as many arcs
// as they take, which makes bounded nets more likely.
//
// A transition with as many arcs out as in, all of weight 1, keeps the number of tokens. So most
// balanced nets have few markings, and the twin can say something about all of them.
func (w *pnml) random(s Source, tokens, weight func() string, balanced bool) {
	places, transitions := s.Between(1, 8), s.Between(1, 8)
	for p := range places {
		w.place(fmt.Sprintf("p%d", p), tokens())
	}
	for t := range transitions {
		id := fmt.Sprintf("t%d", t)
		w.transition(id)
		in := s.Between(1, 3)
		out := in
		if !balanced {
			in, out = s.Between(0, 3), s.Between(0, 3)
		}
		for range in {
			w.arc(fmt.Sprintf("p%d", s.IntN(places)), id, weight())
		}
		for range out {
			w.arc(id, fmt.Sprintf("p%d", s.IntN(places)), weight())
		}
	}
}

// machines adds state machines whose transitions move one or two of them.
func (w *pnml) machines(s Source) (units [][]string) {
	for m := range s.Between(1, 5) {
		var unit []string
		for k := range s.Between(2, 5) {
			unit = append(unit, fmt.Sprintf("m%ds%d", m, k))
			w.place(unit[k], strconv.Itoa(max(0, 1-k)))
		}
		units = append(units, unit)
	}
	for t := range s.Between(2, 12) {
		id := fmt.Sprintf("t%d", t)
		w.transition(id)
		first := s.IntN(len(units))
		moved := []int{first}
		if second := s.IntN(len(units)); second != first {
			moved = append(moved, second)
		}
		for _, u := range moved {
			w.arc(Pick(s, units[u]...), id, "1")
			w.arc(id, Pick(s, units[u]...), "1")
		}
	}
	return units
}

// toggles draws a net of many transitions that are enabled at once, with few or many places.
func toggles(s Source) *Net {
	w := newPNML("ptnet")
	n := s.Magnitude(50, 5000)
	shape := s.IntN(3)
	if shape == 2 {
		w.place("pool", strconv.Itoa(s.Magnitude(1, 1000000)))
	}
	for i := range n {
		id := fmt.Sprintf("u%d", i)
		on, off := fmt.Sprintf("on%d", i), fmt.Sprintf("off%d", i)
		w.transition(id)
		w.place(on, "0")
		if shape == 2 { // a common pool
			w.arc("pool", id, "1")
			w.arc(id, on, "1")
			continue
		}
		w.place(off, "1")
		w.arc(off, id, "1")
		w.arc(id, on, "1")
		if shape == 1 { // back again
			w.transition("d" + id)
			w.arc(on, "d"+id, "1")
			w.arc("d"+id, off, "1")
		}
	}
	return w.net("")
}

// readable are extreme numbers that weights may be.
var readable = []string{"1", "2", "255", "256", "65535", "65536", "1048576", "2147483647", "2147483648", "4294967295", "4294967296",
	"9007199254740993", "4611686018427387904", "9223372036854775806", "9223372036854775807", "007"}

// extremeWeights draws a small net some of whose weights and tokens are at the limits of numbers.
func extremeWeights(s Source) *Net {
	w := newPNML("ptnet")
	share := s.Float64() * 0.7
	extreme := func() string { return Pick(s, readable...) }
	if s.Chance(0.15) {
		extreme = func() string { return Extreme(s) }
	}
	number := func(usual ...string) func() string {
		return func() string {
			if s.Chance(share) {
				return extreme()
			}
			return Pick(s, usual...)
		}
	}
	w.random(s, number("0", "1", "2", "3"), number("1", "1", "2"), s.Chance(0.5))
	return w.net("")
}

// unboundedNet draws a small net with transitions that add tokens again and again.
func unboundedNet(s Source) *Net {
	w := newPNML("ptnet")
	w.random(s, func() string { return strconv.Itoa(Pick(s, 0, 1, 1, 2)) }, func() string { return Pick(s, "1", "1", "2", "5") }, s.Chance(0.5))
	for i := range s.Between(1, 3) {
		id := fmt.Sprintf("source%d", i)
		w.transition(id)
		if s.Chance(0.5) {
			catalyst := Pick(s, w.places...)
			w.arc(catalyst, id, "1")
			w.arc(id, catalyst, "1")
		}
		w.arc(id, Pick(s, w.places...), Pick(s, "1", "1", "2", "1000000007", "4611686018427387904"))
	}
	return w.net("")
}

// degenerateNet lacks something.
func degenerateNet(s Source) *Net {
	w := newPNML("ptnet")
	places := Pick(s, 0, 1, 3, 2000)
	transitions := Pick(s, 0, 1, 3, 2000)
	for p := range places {
		w.place(fmt.Sprintf("p%d", p), Pick(s, "0", "0", "1", "9223372036854775807"))
	}
	for t := range transitions {
		w.transition(fmt.Sprintf("t%d", t))
	}
	if places > 0 && transitions > 0 && s.Chance(0.5) {
		w.arc("p0", "t0", "1")
	}
	if places > 1 && transitions > 1 && s.Chance(0.5) {
		w.arc("t1", "p1", Pick(s, "0", "1"))
	}
	return w.net("")
}

// largeNet has many nodes and few tokens, in rings that are linked.
func largeNet(s Source) *Net {
	w := newPNML("ptnet")
	n := s.Magnitude(500, 20000)
	for p := range n {
		tokens := "0"
		if s.Chance(10 / float64(n)) {
			tokens = "1"
		}
		w.place(fmt.Sprintf("p%d", p), tokens)
	}
	links := s.Chance(0.5)
	for t := range n {
		id := fmt.Sprintf("t%d", t)
		w.transition(id)
		w.arc(fmt.Sprintf("p%d", t), id, "1")
		w.arc(id, fmt.Sprintf("p%d", (t+1)%n), "1")
		if links {
			other := fmt.Sprintf("p%d", s.IntN(n))
			w.arc(other, id, "1")
			w.arc(id, other, "1")
		}
	}
	return w.net("")
}

// damagedNet draws a net of another kind, and damages its text. The twin does not have it.
func damagedNet(s Source) *Net {
	kind := Pick(s, "net-small", "net-claims", "net-weights", "net-degenerate", "net-coloured", "net-domains", "net-deep-units")
	n := NewNet(s, kind)
	n.Text, n.Twin = Damage(s, n.Text), nil
	return n
}
