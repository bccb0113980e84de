package pnml

import "bytes"

// Quick reading. Nearly all of a large net is arcs, and nearly all of these are written as
//
//	<arc id="a" source="p" target="t"/>
//
// or with a weight in <inscription><text>. Such arcs are taken from the text as they stand, in a
// tenth of the time that an XML decoder needs.
//
// Why that is safe. An arc is taken only if every byte of it is one of the few that this file
// expects, up to its end. Whatever looks the least different is left to the decoder: other
// attributes, entities, characters beyond ASCII, comments, white space in values. Nothing of it is
// consumed then, as it was only peeked at. So the decoder decides whether the text is well-formed,
// and writes the messages.
//
// It works only between two tokens of the decoder, when the decoder has taken no byte of the next
// one, and only if the text needs no conversion to UTF-8. Lines are counted by the same function as
// for the decoder, so that later positions are right.

// quickWindow bounds the length of an arc that is read so. A longer one is left to the decoder.
const quickWindow = 1 << 12

// quickArcs reads arcs as long as what comes next is a simple arc.
func (p *parser) quickArcs(d *document) {
	if d.kind != plainKind || p.source.converted || p.source.given(p.decoder) != 0 {
		return
	}
	for !p.full() {
		window, _ := p.source.text.Peek(quickWindow)
		q := quick{rest: window}
		q.space()
		start := len(window) - len(q.rest)
		a, ok := q.arc()
		if !ok {
			return
		}
		for _, b := range window[:start] {
			p.source.pass(b)
		}
		a.at = p.source.position(p.decoder)
		a.id, a.source, a.target = string(q.id), p.name(q.source), p.name(q.target)
		d.arcs.Push(a)
		length := len(window) - len(q.rest)
		for _, b := range window[start:length] {
			p.source.pass(b)
		}
		p.source.text.Discard(length)
	}
}

// name returns an identifier as a string. All arcs of a node share one, so that a million arcs do
// not keep a million copies.
func (p *parser) name(id []byte) string {
	if s, ok := p.names[string(id)]; ok {
		return s
	}
	return p.shared(string(id))
}

// shared returns an identifier as name does.
func (p *parser) shared(id string) string {
	if s, ok := p.names[id]; ok {
		return s
	}
	if p.names == nil {
		p.names = make(map[string]string)
	}
	p.names[id] = id
	return id
}

// quick reads an arc at the beginning of rest. id, source and target are parts of the text.
type quick struct {
	rest               []byte
	id, source, target []byte
}

// take passes the text if it comes next, and reports whether it does.
func (q *quick) take(text string) bool {
	if len(q.rest) < len(text) || string(q.rest[:len(text)]) != text {
		return false
	}
	q.rest = q.rest[len(text):]
	return true
}

// space passes white space, and reports whether there is any.
func (q *quick) space() bool {
	i := 0
	for i < len(q.rest) && (q.rest[i] == ' ' || q.rest[i] == '\n' || q.rest[i] == '\t' || q.rest[i] == '\r') {
		i++
	}
	q.rest = q.rest[i:]
	return i > 0
}

// arc reads an arc. If it reports false, what it has passed means nothing.
func (q *quick) arc() (a arc, ok bool) {
	a.weight = 1
	if !q.take("<arc") {
		return a, false
	}
	for q.space() {
		var value *[]byte
		switch {
		case q.take(`id="`):
			value = &q.id
		case q.take(`source="`):
			value = &q.source
		case q.take(`target="`):
			value = &q.target
		default:
			return a, q.ends(&a)
		}
		end := bytes.IndexByte(q.rest, '"')
		if end <= 0 || *value != nil || !plain(q.rest[:end]) {
			return a, false
		}
		*value, q.rest = q.rest[:end], q.rest[end+1:]
	}
	return a, q.ends(&a)
}

// ends reads what follows the attributes of an arc: its weight, if there is one, and its end.
// It reports false if it meets anything else.
func (q *quick) ends(a *arc) bool {
	if q.id == nil || q.source == nil || q.target == nil {
		return false
	}
	if q.take("/>") {
		return true
	}
	if !q.take(">") {
		return false
	}
	q.space()
	if q.take("<inscription>") && !q.inscription(a) {
		return false
	}
	q.space()
	return q.take("</arc>")
}

// inscription reads a weight of at most nine digits. It reports false if it meets
// anything else.
func (q *quick) inscription(a *arc) bool {
	q.space()
	if !q.take("<text>") {
		return false
	}
	weight, digits := int64(0), 0
	for digits < len(q.rest) && digits < 9 && q.rest[digits] >= '0' && q.rest[digits] <= '9' {
		weight = 10*weight + int64(q.rest[digits]-'0')
		digits++
	}
	q.rest = q.rest[digits:]
	a.weight = weight
	if weight == 0 || !q.take("</text>") {
		return false
	}
	q.space()
	return q.take("</inscription>")
}

// plain reports whether the bytes of a value stand for themselves.
func plain(value []byte) bool {
	for _, b := range value {
		if b <= ' ' || b >= 0x7f || b == '&' || b == '<' {
			return false
		}
	}
	return true
}
