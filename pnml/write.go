package pnml

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pnmc/petri"
)

// Write writes net in the 2009 grammar, on a single page: places, transitions, arcs and nested
// units. Inhibitor and reset arcs are written as TAPAAL has them, with an attribute type of the
// arc. Reading the text gives an equal net, but for white space around names. It writes as it goes,
// and needs no memory of the net's size. For example, a transition t that takes two tokens from p,
// which has three at first, comes out as
//
//	<place id="p">
//	  <initialMarking><text>3</text></initialMarking>
//	</place>
//	<transition id="t"/>
//	<arc id="a0" source="p" target="t"><inscription><text>2</text></inscription></arc>
//
// The error is that of w, or says that XML cannot hold an identifier or name: it has control
// characters or is not UTF-8, or an identifier is empty, or begins or ends with white space.
func Write(w io.Writer, net *petri.Net) error {
	return write(w, net, `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">`,
		"http://www.pnml.org/version-2009/grammar/ptnet", `    <page id="page">`, `    </page>`)
}

// Write2004 writes as Write does, in the grammar of 2004, for tools that came before the
// standard: without a page, and with the type that WoPeD and PNML Framework gave
// place/transition nets.
func Write2004(w io.Writer, net *petri.Net) error {
	return write(w, net, `<pnml>`, "http://www.informatik.hu-berlin.de/top/pntd/ptNetb", "", "")
}

// write writes net with these lines around it.
func write(w io.Writer, net *petri.Net, root, netType, page, pageEnd string) error {
	out := &writer{w: bufio.NewWriterSize(w, 1<<16)}
	out.line(`<?xml version="1.0" encoding="UTF-8"?>`)
	out.line(root)
	out.line(`  <net id="`, out.text(net.ID), `" type="`, netType, `">`)
	out.name("    ", net.Name)
	if page != "" {
		out.line(page)
	}
	for p := range petri.Place(net.Places()) {
		out.node("place", net.PlaceLabel(p), net.InitialTokens(p), net.Capacity(p))
	}
	for t := range petri.Transition(net.Transitions()) {
		out.node("transition", net.TransitionLabel(t), 0, petri.Unbounded)
	}
	out.arcs(net)
	if units := net.NUPN(); units != nil {
		out.units(net, units)
	}
	if pageEnd != "" {
		out.line(pageEnd)
	}
	out.line(`  </net>`)
	out.line(`</pnml>`)
	if err := out.w.Flush(); out.err == nil {
		out.err = err
	}
	return out.err
}

// writer writes lines; the first error ends it.
type writer struct {
	w   *bufio.Writer
	err error
}

// line writes the parts and the end of a line, unless there was an error.
func (w *writer) line(parts ...string) {
	if w.err != nil {
		return
	}
	for _, part := range parts {
		w.w.WriteString(part)
	}
	w.err = w.w.WriteByte('\n')
}

// text returns text as XML writes it in content or in an attribute value. Text that XML cannot hold
// is an error of the writer.
func (w *writer) text(text string) string {
	for i, char := range text {
		control := char < ' ' && char != '\t' && char != '\n' && char != '\r'
		invalid := char == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError))
		if control || invalid || char == 0xFFFE || char == 0xFFFF {
			if w.err == nil {
				w.err = fmt.Errorf("%q cannot be written: XML has no character as that at byte %d", text, i)
			}
			return ""
		}
	}
	if !strings.ContainsAny(text, "&<>\"'\t\n\r") {
		return text // as almost all is
	}
	var b strings.Builder
	xml.EscapeText(&b, []byte(text))
	return b.String()
}

// identifier returns an identifier as XML writes it. One that would not be read as it is written is
// an error of the writer.
func (w *writer) identifier(id string) string {
	if w.err == nil && (id == "" || strings.TrimSpace(id) != id) {
		w.err = fmt.Errorf("%q cannot be written as an identifier: it is empty or has white space around it", id)
	}
	return w.text(id)
}

// name writes a name, if there is one.
func (w *writer) name(indent, name string) {
	if name != "" {
		w.line(indent, `<name><text>`, w.text(name), `</text></name>`)
	}
}

// node writes a place or transition.
func (w *writer) node(tag string, label petri.Label, initial, capacity int64) {
	if label.Name == "" && initial == 0 && capacity == petri.Unbounded {
		w.line(`      <`, tag, ` id="`, w.identifier(label.ID), `"/>`)
		return
	}
	w.line(`      <`, tag, ` id="`, w.identifier(label.ID), `">`)
	w.name("        ", label.Name)
	if initial != 0 {
		w.line(`        <initialMarking><text>`, strconv.FormatInt(initial, 10), `</text></initialMarking>`)
	}
	switch capacity {
	case petri.Unbounded:
	case 0:
		if w.err == nil {
			w.err = fmt.Errorf("place %q has the capacity 0, which PNML says of places without a bound", label.ID)
		}
	default:
		w.line(`        <capacity><text>`, strconv.FormatInt(capacity, 10), `</text></capacity>`)
	}
	w.line(`      </`, tag, `>`)
}

// arcs writes the arcs. Their identifiers are a0, a1 and so on, without those that a node has.
func (w *writer) arcs(net *petri.Net) {
	number := 0
	arc := func(source, target, kind string, weight int64) {
		id := ""
		for taken := true; taken; number++ {
			id = "a" + strconv.Itoa(number)
			_, place := net.PlaceByID(id)
			_, transition := net.TransitionByID(id)
			taken = place || transition
		}
		rest := `/>`
		if weight != 1 {
			rest = `><inscription><text>` + strconv.FormatInt(weight, 10) + `</text></inscription></arc>`
		}
		w.line(`      <arc id="`, id, `" source="`, source, `" target="`, target, `"`, kind, rest)
	}
	for t := range petri.Transition(net.Transitions()) {
		transition := w.text(net.TransitionLabel(t).ID)
		for _, a := range net.Pre(t) {
			arc(w.text(net.PlaceLabel(a.Place).ID), transition, "", a.Weight)
		}
		for _, a := range net.Post(t) {
			arc(transition, w.text(net.PlaceLabel(a.Place).ID), "", a.Weight)
		}
		for _, a := range net.Inhibitors(t) {
			place := w.text(net.PlaceLabel(a.Place).ID)
			if a.Weight == 0 && !slices.ContainsFunc(net.Pre(t), func(b petri.Arc) bool { return b.Place == a.Place }) {
				// It can never fire: it needs a token where there is to be none.
				arc(place, transition, "", 1)
				arc(transition, place, "", 1)
			}
			arc(place, transition, ` type="inhibitor"`, max(1, a.Weight))
		}
		for _, p := range net.Resets(t) {
			arc(w.text(net.PlaceLabel(p).ID), transition, ` type="reset"`, 1)
		}
	}
}

// placeOutside returns the first place that is in no unit, if there is one.
func placeOutside(net *petri.Net, units *petri.NUPN) (petri.Place, bool) {
	inside := make([]bool, net.Places())
	for _, u := range units.Units {
		for _, p := range u.Places {
			inside[p] = true
		}
	}
	p := slices.Index(inside, false)
	return petri.Place(max(p, 0)), p >= 0
}

// units writes the nested units in the form of the NUPN manual, version 1.1.
func (w *writer) units(net *petri.Net, units *petri.NUPN) {
	count := strconv.Itoa
	list := func(id string) string {
		if w.err == nil && len(strings.Fields(id)) != 1 {
			w.err = fmt.Errorf("%q cannot be written in a unit: lists of identifiers are separated by white space", id)
		}
		return w.identifier(id)
	}
	if p, outside := placeOutside(net, units); outside && w.err == nil {
		w.err = fmt.Errorf("place %q cannot be written: it is in no unit, and each place must be in one", net.PlaceLabel(p).ID)
	}
	w.line(`      <toolspecific tool="nupn" version="1.1">`)
	w.line(`        <size places="`, count(net.Places()), `" transitions="`, count(net.Transitions()),
		`" arcs="`, count(net.Arcs()), `"/>`)
	w.line(`        <structure units="`, count(len(units.Units)), `" root="`, w.identifier(units.Units[units.Root].ID),
		`" safe="`, strconv.FormatBool(units.Safe), `">`)
	for _, u := range units.Units {
		var places, subunits []string
		for _, p := range u.Places {
			places = append(places, list(net.PlaceLabel(p).ID))
		}
		for _, sub := range u.Subunits {
			subunits = append(subunits, list(units.Units[sub].ID))
		}
		w.line(`          <unit id="`, w.identifier(u.ID), `">`)
		w.line(`            <places>`, strings.Join(places, " "), `</places>`)
		w.line(`            <subunits>`, strings.Join(subunits, " "), `</subunits>`)
		w.line(`          </unit>`)
	}
	w.line(`        </structure>`)
	w.line(`      </toolspecific>`)
}
