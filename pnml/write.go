package pnml

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
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
	out.raw(`<?xml version="1.0" encoding="UTF-8"?>`, "\n", root, "\n", `  <net id="`)
	out.text(net.ID)
	out.raw(`" type="`, netType, "\">\n")
	out.name("    ", net.Name)
	if page != "" {
		out.raw(page, "\n")
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
		out.raw(pageEnd, "\n")
	}
	out.raw("  </net>\n</pnml>\n")
	if err := out.w.Flush(); out.err == nil {
		out.err = err
	}
	return out.err
}

// writer writes text; the first error ends it. The writer behind it may fail because time is over, and
// is asked for each longestPart of a text: so nothing is looked at for long, or again, after that.
type writer struct {
	w   *bufio.Writer
	err error
}

// longestPart is how many bytes of a text are looked at before they are written.
const longestPart = 1 << 16

// raw writes the parts as they are, unless there was an error.
func (w *writer) raw(parts ...string) {
	for _, part := range parts {
		if w.err != nil {
			return
		}
		_, w.err = w.w.WriteString(part)
	}
}

// text writes text as XML has it in content or in an attribute value. Text that XML cannot hold is an
// error of the writer.
func (w *writer) text(text string) {
	for begin := 0; begin < len(text) && w.err == nil; {
		end := min(begin+longestPart, len(text))
		for end < len(text) && end > begin+longestPart-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		part := text[begin:end]
		if i := unwritable(part); i >= 0 {
			w.err = fmt.Errorf("%s cannot be written: XML has no character as that at byte %d", quote(text), begin+i)
			return
		}
		if strings.ContainsAny(part, "&<>\"'\t\n\r") { // as few do
			w.err = xml.EscapeText(w.w, []byte(part))
		} else {
			w.raw(part)
		}
		begin = end
	}
}

// unwritable returns where the first character of text is that XML cannot hold, or -1.
func unwritable(text string) int {
	for i, char := range text {
		control := char < ' ' && char != '\t' && char != '\n' && char != '\r'
		invalid := char == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError))
		if control || invalid || char == 0xFFFE || char == 0xFFFF {
			return i
		}
	}
	return -1
}

// identifier writes an identifier. One that would not be read as it is written is an error of the
// writer.
func (w *writer) identifier(id string) {
	if w.err == nil && (id == "" || strings.TrimSpace(id) != id) {
		w.err = fmt.Errorf("%s cannot be written as an identifier: it is empty or has white space around it", quote(id))
	}
	w.text(id)
}

// name writes a name, if there is one.
func (w *writer) name(indent, name string) {
	if name != "" {
		w.raw(indent, `<name><text>`)
		w.text(name)
		w.raw("</text></name>\n")
	}
}

// node writes a place or transition.
func (w *writer) node(tag string, label petri.Label, initial, capacity int64) {
	if w.err != nil {
		return
	}
	w.raw(`      <`, tag, ` id="`)
	w.identifier(label.ID)
	if label.Name == "" && initial == 0 && capacity == petri.Unbounded {
		w.raw("\"/>\n")
		return
	}
	w.raw("\">\n")
	w.name("        ", label.Name)
	if initial != 0 {
		w.raw(`        <initialMarking><text>`, strconv.FormatInt(initial, 10), "</text></initialMarking>\n")
	}
	switch capacity {
	case petri.Unbounded:
	case 0:
		if w.err == nil {
			w.err = fmt.Errorf("place %s has the capacity 0, which PNML says of places without a bound", quote(label.ID))
		}
	default:
		w.raw(`        <capacity><text>`, strconv.FormatInt(capacity, 10), "</text></capacity>\n")
	}
	w.raw(`      </`, tag, ">\n")
}

// arcs writes the arcs. Their identifiers are a0, a1 and so on, without those that a node has.
func (w *writer) arcs(net *petri.Net) {
	number := 0
	arc := func(source, target, kind string, weight int64) {
		if w.err != nil {
			return
		}
		id := ""
		for taken := true; taken; number++ {
			id = "a" + strconv.Itoa(number)
			_, place := net.PlaceByID(id)
			_, transition := net.TransitionByID(id)
			taken = place || transition
		}
		w.raw(`      <arc id="`, id, `" source="`)
		w.text(source)
		w.raw(`" target="`)
		w.text(target)
		if weight == 1 {
			w.raw(`"`, kind, "/>\n")
		} else {
			w.raw(`"`, kind, `><inscription><text>`, strconv.FormatInt(weight, 10), "</text></inscription></arc>\n")
		}
	}
	for t := range petri.Transition(net.Transitions()) {
		transition := net.TransitionLabel(t).ID
		for _, a := range net.Pre(t) {
			arc(net.PlaceLabel(a.Place).ID, transition, "", a.Weight)
		}
		for _, a := range net.Post(t) {
			arc(transition, net.PlaceLabel(a.Place).ID, "", a.Weight)
		}
		for _, a := range net.Inhibitors(t) {
			place := net.PlaceLabel(a.Place).ID
			if a.Weight == 0 && !takes(net, t, a.Place) {
				// It can never fire: it needs a token where there is to be none.
				arc(place, transition, "", 1)
				arc(transition, place, "", 1)
			}
			arc(place, transition, ` type="inhibitor"`, max(1, a.Weight))
		}
		for _, p := range net.Resets(t) {
			arc(net.PlaceLabel(p).ID, transition, ` type="reset"`, 1)
		}
		if w.err != nil {
			return
		}
	}
}

// takes reports whether t takes tokens from p. It looks by halves, as a transition may have as many
// inhibitor arcs as others.
func takes(net *petri.Net, t petri.Transition, p petri.Place) bool {
	_, found := slices.BinarySearchFunc(net.Pre(t), p, func(a petri.Arc, p petri.Place) int { return cmp.Compare(a.Place, p) })
	return found
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
	if p, outside := placeOutside(net, units); outside && w.err == nil {
		w.err = fmt.Errorf("place %s cannot be written: it is in no unit, and each place must be in one", quote(net.PlaceLabel(p).ID))
	}
	w.raw("      <toolspecific tool=\"nupn\" version=\"1.1\">\n",
		`        <size places="`, count(net.Places()), `" transitions="`, count(net.Transitions()), `" arcs="`, count(net.Arcs()), "\"/>\n",
		`        <structure units="`, count(len(units.Units)), `" root="`)
	w.identifier(units.Units[units.Root].ID)
	w.raw(`" safe="`, strconv.FormatBool(units.Safe), "\">\n")
	for _, u := range units.Units {
		if w.err != nil {
			return
		}
		w.raw(`          <unit id="`)
		w.identifier(u.ID)
		w.raw("\">\n            <places>")
		for i, p := range u.Places {
			w.listed(i, net.PlaceLabel(p).ID)
		}
		w.raw("</places>\n            <subunits>")
		for i, sub := range u.Subunits {
			w.listed(i, units.Units[sub].ID)
		}
		w.raw("</subunits>\n          </unit>\n")
	}
	w.raw("        </structure>\n      </toolspecific>\n")
}

// listed writes the i-th identifier of a list.
func (w *writer) listed(i int, id string) {
	if w.err != nil {
		return
	}
	if word := strings.TrimSpace(id); word == "" || strings.ContainsFunc(word, unicode.IsSpace) {
		w.err = fmt.Errorf("%s cannot be written in a unit: lists of identifiers are separated by white space", quote(id))
	}
	if i > 0 {
		w.raw(" ")
	}
	w.identifier(id)
}
