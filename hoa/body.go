package hoa

import (
	"pnmc/automata"
	"pnmc/internal/bitset"
)

const (
	// gapsBound is how many states an automaton may have that its body doesn't
	// mention: it keeps a large number from allocating memory.
	gapsBound = 1 << 20
	// bodyWords bounds the memory for cubes and for marks of an automaton: 512
	// MB each.
	bodyWords = 1 << 26
	// implicitBound is the most propositions with which implicit labels, one
	// edge for each valuation, are taken.
	implicitBound = 24
)

// body collects the states and edges of one automaton.
type body struct {
	builder *automata.Builder
	defined stateSet
	used    stateSet // as destination of an edge or as initial state
	names   []stateName
	edges   int
	words   int // of cubes
	full    bool
	marks   automata.Marks
	from    stateHead
}

type stateName struct {
	state int
	name  string
}

// stateHead is what a "State:" line says, and what its edges were so far.
type stateHead struct {
	number   int
	at       Position
	label    automata.Label
	hasLabel bool
	marks    automata.Marks
	labelled int // edges with a label of their own
	implicit int // edges without
}

// readBody reads the states and edges to the mark that ends them, which becomes
// the current token.
//
// Two things make that more than a loop. Reading goes on after a mistake of syntax. It skips the
// rest of that state and begins anew at the next "State:". So one reading reports mistakes in
// several states. From the first mistake on no edge is added any more, as no automaton comes of
// it. And a file must not take more memory than its length lets expect: a state with a large
// number, or labels of many propositions, end in a report where they pass a bound.
//
// Edges without labels are numbered by valuations. For example, of two propositions a and b the
// four edges of a state read !a & !b, a & !b, !a & b, and a & b, in this order; see
// implicitLabel. A state must have all of them or none.
func (r *Reader) readBody() {
	h := &r.header
	b := &r.body
	b.defined.reset()
	b.used.reset()
	b.builder = automata.NewBuilder(h.propositions, h.acceptance)
	b.names, b.edges, b.words, b.full, b.marks = nil, 0, 0, false, automata.NewMarks(h.acceptance.Sets)
	b.from.marks = automata.NewMarks(h.acceptance.Sets)
	r.usage = usage{}
	for _, s := range h.start {
		if b.used.add(s.state) {
			b.builder.AddInitial(automata.State(s.state))
		}
	}
	for {
		switch {
		case r.kind == tokenEndMark, r.kind == tokenAbort:
			return
		case r.kind == tokenHeader && string(r.text) == "State:":
			if r.readState() && r.readEdges() {
				continue
			}
		default:
			r.report(r.position, "expected 'State:' or --END--, found %s", r.found())
		}
		if r.body.full {
			if r.stopped == nil {
				r.skipBody()
			}
			return
		}
		if !r.skipState() {
			return
		}
	}
}

// found describes the current token, or what is wrong with it.
func (r *Reader) found() string {
	if r.kind == tokenInvalid {
		return r.problem
	}
	return r.describe()
}

// skipState goes to the next state after an error. It reports false when the automaton
// ends without its mark; what comes next is then held.
func (r *Reader) skipState() bool {
	for {
		switch {
		case r.kind == tokenEndMark, r.kind == tokenAbort, r.kind == tokenHeader && string(r.text) == "State:":
			return true
		case r.kind == tokenEnd, r.kind == tokenHeader && string(r.text) == "HOA:":
			r.held = true
			return false
		}
		r.next()
	}
}

// readState reads from "State:" to the first edge. It reports false after a syntax
// error.
func (r *Reader) readState() bool {
	f := &r.body.from
	f.at, f.label, f.hasLabel, f.labelled, f.implicit = r.position, nil, false, 0, 0
	clear(f.marks)
	r.next()
	if r.kind == tokenSymbol && r.text[0] == '[' {
		first(&r.usage.stateLabel, r.position)
		label, ok := r.readLabel()
		if !ok {
			return false
		}
		f.label, f.hasLabel = label, true
	}
	if r.kind != tokenInteger {
		r.report(r.position, "expected the number of a state, found %s", r.found())
		return false
	}
	f.number = r.value
	if r.header.states >= 0 && f.number >= r.header.states {
		r.report(r.position, "state %d, but States: announces %d", f.number, r.header.states)
	} else if !r.body.defined.add(f.number) {
		r.report(r.position, "a second definition of state %d", f.number)
	}
	r.next()
	if r.kind == tokenString {
		if !r.copied(nil, len(r.text)) {
			r.body.full = true
			return false
		}
		r.body.names = append(r.body.names, stateName{f.number, unquote(r.text)})
		r.next()
	}
	if r.kind == tokenSymbol && r.text[0] == '{' {
		first(&r.usage.stateMarks, r.position)
		return r.readMarks(f.marks)
	}
	return true
}

// first notes where something occurs first.
func first(noted *Position, at Position) {
	if noted.Line == 0 {
		*noted = at
	}
}

// readMarks adds the sets between braces to marks. It reports false after a syntax
// error.
func (r *Reader) readMarks(marks automata.Marks) bool {
	for {
		r.next()
		switch {
		case r.kind == tokenInteger && r.value < r.header.acceptance.Sets:
			bitset.Add(marks, r.value)
		case r.kind == tokenInteger:
			r.report(r.position, "acceptance set %d, but Acceptance: announces %d", r.value, r.header.acceptance.Sets)
		case r.kind == tokenSymbol && r.text[0] == '}':
			r.next()
			return true
		default:
			r.report(r.position, "expected the number of an acceptance set or '}', found %s", r.found())
			return false
		}
	}
}

// readEdges reads the edges of a state. It reports false after a syntax error.
func (r *Reader) readEdges() bool {
	f := &r.body.from
	for {
		var label automata.Label
		begin, hasLabel := r.position, false
		switch {
		case r.kind == tokenSymbol && r.text[0] == '[':
			var ok bool
			if label, ok = r.readLabel(); !ok {
				return false
			}
			hasLabel = true
			f.labelled++
			first(&r.usage.edgeLabel, begin)
		case r.kind == tokenInteger:
			f.implicit++
		default:
			return r.finishState()
		}
		switch {
		case hasLabel && f.hasLabel:
			r.report(begin, "this edge has a label, and so has its state")
			return false
		case f.labelled > 0 && f.implicit > 0:
			r.report(begin, "some edges of state %d have a label and others have none", f.number)
			return false
		case f.hasLabel:
			label = f.label
		case !hasLabel:
			var ok bool
			if label, ok = r.implicitLabel(begin); !ok {
				return false
			}
		}
		if !r.readEdge(begin, label) {
			return false
		}
	}
}

// readEdge reads from the destination of an edge to past its marks. It reports false
// after a syntax error.
func (r *Reader) readEdge(begin Position, label automata.Label) bool {
	b := &r.body
	if r.kind != tokenInteger {
		r.report(r.position, "expected the number of a state, found %s", r.found())
		return false
	}
	to, at := r.value, r.position
	r.next()
	if r.kind == tokenSymbol && r.text[0] == '&' {
		r.report(r.position, "universal branching is not supported: an edge to a conjunction of states")
		return false
	}
	copy(b.marks, b.from.marks)
	if r.kind == tokenSymbol && r.text[0] == '{' {
		first(&r.usage.edgeMarks, r.position)
		if !r.readMarks(b.marks) {
			return false
		}
	}
	if r.header.states >= 0 && to >= r.header.states {
		r.report(at, "state %d, but States: announces %d", to, r.header.states)
		return true
	}
	if b.marks.Count() != 1 {
		first(&r.usage.notColored, begin)
	}
	b.used.add(to)
	if len(label) == 0 || len(r.errors) > 0 {
		return true
	}
	b.edges++
	b.words += len(label) * len(label[0])
	if b.words > r.wordsBound || b.edges*len(b.marks) > r.wordsBound {
		r.report(begin, "the automaton is too large: more than %d MB of labels or acceptance marks", r.wordsBound>>17)
		b.full = true
		return false
	}
	if !r.room() {
		b.full = true
		return false
	}
	b.builder.AddEdge(automata.State(b.from.number), label, b.marks, automata.State(to))
	return true
}

// implicitLabel returns the label of the next edge of a state without labels: the
// edges stand for the valuations in order, proposition 0 changing fastest.
func (r *Reader) implicitLabel(begin Position) (automata.Label, bool) {
	f, n := &r.body.from, len(r.header.numbers)
	first(&r.usage.implicitLabel, begin)
	if n > implicitBound {
		r.report(begin, "an edge without label: implicit labels are supported for up to %d propositions, here are %d", implicitBound, n)
		return nil, false
	}
	if f.implicit > 1<<n {
		r.report(begin, "edge %d of state %d, whose implicit labels are of %d propositions and make it have %d edges", f.implicit, f.number, n, 1<<n)
		return nil, false
	}
	cube := automata.NewCube(len(r.header.propositions))
	half := len(cube) / 2
	for i, p := range r.header.numbers {
		value := uint64(f.implicit-1) >> i & 1
		if bitset.Has(cube, p) && bitset.Bit(cube[half:], p) != value {
			return nil, true // one proposition under two numbers
		}
		bitset.Add(cube, p)
		bitset.Put(cube[half:], p, value)
	}
	return automata.Label{cube}, true
}

// finishState makes the checks for which the edges of a state must be complete. It
// returns true.
func (r *Reader) finishState() bool {
	f := &r.body.from
	if n := len(r.header.numbers); !f.hasLabel && f.implicit > 0 && f.implicit != 1<<n {
		r.report(f.at, "state %d has %d edges, but implicit labels of %d propositions need %d", f.number, f.implicit, n, 1<<n)
	}
	return true
}
