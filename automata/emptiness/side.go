package emptiness

import (
	"cmp"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// OperandSide is one operand during a search: rows to be joined with those of the other
// side, marks, and the acceptance condition.
//
// Of an explicit automaton, rows and marks are those of all edges. Of any other
// operand they are a stack: those of the state on top of the search's path on top.
//
// For example, the path of the search has the pairs (p0, q0), (p1, q1) and (p2, q2), and the left
// side is lazy. Its rows are those of p0, then those of p1, then those of p2, and spans says
// where each begins. When the search leaves the last pair, rows are cut back to those of p0 and
// p1. So a state that is met again is asked again for its edges, and no more of them are held
// than the path has.
type OperandSide struct {
	operand   Operand
	condition *generic.Condition
	optimist  *generic.Formula // see mayAccept; nil until it is needed
	place     []int            // of each proposition in the common alphabet
	rows      []automata.Row
	rest      []uint64 // of the rows: words of the cubes beyond the first
	restWords int
	marks     []uint64 // of the edges: condition.words words each, maybe those of the automaton
	initial   []uint32

	// Explicit automata only.
	index     *automata.Rows
	accepting []bool // of a weak automaton: the state is in an accepting component
	universal []bool // of a state: every word is accepted from there; nil: none

	// Lazy automata and Kripke structures only.
	spans      []rowSpan
	edges      LazyEdges
	cube       automata.Cube
	account    *account.Account // of the search
	full       error            // why there is no room for edges of the state being entered
	successors []uint32         // Kripke structures: instead of rows, of which there is one for each state
	label      automata.Valuation
	labels     []uint64 // of the states whose bit in labelKept is set, in their order
	labelKept  []uint64
	ownMarks   automata.Marks

	// weak: on each cycle all edges have the same marks, so that those of one
	// edge tell, and none need to be kept.
	weak bool
	// keptWords is the number of words kept for each component on the stack.
	keptWords int
}

// rowSpan is where the rows, or successors, of one state on the path are.
type rowSpan struct {
	first, end uint32
	marks      uint32 // words of marks before those of the state
}

// newScannedSide prepares an explicit operand without laying anything out, if its marks
// can be taken as they are.
func newScannedSide(a *automata.Automaton) (*OperandSide, bool) {
	o := Explicit(a)
	s := &OperandSide{operand: o, initial: o.initial(), condition: generic.NewCondition(a.Acceptance)}
	s.keptWords = s.condition.Words
	s.marks = a.AllMarks()
	return s, s.condition.Same || s.condition.Words == 0
}

// NewOperandSide prepares an operand; place is where its propositions are in the
// alphabet. An explicit automaton is analysed only if asked, see analyse.
func NewOperandSide(o Operand, x *automata.Alphabet, place []int) *OperandSide {
	s := &OperandSide{
		operand: o, place: place, restWords: x.Words() - 1, initial: o.initial(),
		condition: generic.NewCondition(o.acceptance()),
	}
	s.keptWords = s.condition.Words
	if o.explicit != nil {
		s.index = automata.NewRows(o.explicit, x, place, nil)
		if s.condition.Same {
			s.marks = o.explicit.AllMarks()
		} else {
			s.marks = make([]uint64, o.explicit.Edges()*s.condition.Words)
		}
		return s
	}
	s.cube = make(automata.Cube, 2*x.Words())
	s.edges.to = s
	s.label = make(automata.Valuation, automata.WordsFor(len(o.propositions())))
	s.ownMarks = automata.NewMarks(o.acceptance().Sets)
	if w, knows := o.lazy.(WeakLazyAutomaton); knows && w.Weak() {
		s.weak, s.keptWords = true, 0
	}
	return s
}

// layOut makes the rows of a state of an explicit automaton ready.
func (s *OperandSide) layOut(n automata.State) {
	if s.index.Ready(n) {
		return
	}
	s.index.LayOut(n)
	s.rows, s.rest = s.index.Rows, s.index.Rest
	if words := s.condition.Words; words > 0 && !s.condition.Same {
		a := s.operand.explicit
		for e, end := a.Out(n); e < end; e++ {
			s.condition.Translate(a.Marks(e), s.marks[int(e)*words:(int(e)+1)*words])
		}
	}
}

// addMarks appends the bits of an edge and returns its number.
func (s *OperandSide) addMarks(marks automata.Marks) int {
	words := s.condition.Words
	if words == 0 {
		return 0
	}
	at := len(s.marks)
	s.marks = append(s.marks, make([]uint64, words)...)
	s.condition.Translate(marks, s.marks[at:])
	return at / words
}

// roomFor charges an edge of so many cubes, and reserves what its rows grow by.
func (s *OperandSide) roomFor(cubes int) error {
	if err := account.Room(s.account, s.marks, s.condition.Words); err != nil {
		return err
	}
	if err := account.Room(s.account, s.rows, cubes); err != nil {
		return err
	}
	return account.Room(s.account, s.rest, 2*s.restWords*cubes)
}

// addRow appends a cube over the operand's own propositions.
func (s *OperandSide) addRow(c automata.Cube, edge automata.Edge, destination automata.State) {
	c.Place(s.place, s.cube)
	half := len(s.cube) / 2
	s.rows = append(s.rows, automata.Row{Care: s.cube[0], Value: s.cube[half], Destination: destination, Edge: edge})
	s.rest = append(append(s.rest, s.cube[1:half]...), s.cube[half+1:]...)
}

// enterLazy puts the rows of state n on the stack.
func (s *OperandSide) enterLazy(n uint32) error {
	p := rowSpan{first: uint32(len(s.rows)), marks: uint32(len(s.marks))}
	err := s.operand.lazy.Out(n, &s.edges)
	p.end = uint32(len(s.rows))
	s.spans = append(s.spans, p)
	return cmp.Or(err, s.full, s.numbered())
}

// leaveLazy takes the rows of the last state off the stack.
func (s *OperandSide) leaveLazy() {
	p := s.spans[len(s.spans)-1]
	s.spans = s.spans[:len(s.spans)-1]
	s.rows = s.rows[:p.first]
	s.rest = s.rest[:int(p.first)*2*s.restWords]
	s.marks = s.marks[:p.marks]
}

// enterKripke puts the successors of state n on the stack, and one row for its
// label, the same for all of them.
func (s *OperandSide) enterKripke(n uint32) error {
	p := rowSpan{first: uint32(len(s.successors)), marks: uint32(len(s.marks))}
	s.readLabel(n)
	if s.condition.Words > 0 {
		s.operand.kripke.(FairStructure).Marks(n, s.ownMarks)
	}
	edge := automata.Edge(s.addMarks(s.ownMarks))
	s.addRow(automata.CompleteCube(len(s.place), s.label), edge, 0)
	var err error
	s.successors, err = s.operand.kripke.Successors(n, s.successors)
	p.end = uint32(len(s.successors))
	s.spans = append(s.spans, p)
	return cmp.Or(err, s.numbered())
}

// numbered returns ErrTooManyEdges if some edges on the path, or words of marks, have no numbers.
func (s *OperandSide) numbered() error {
	if max(len(s.rows), len(s.successors), len(s.marks)) > mostEdges {
		return ErrTooManyEdges
	}
	return nil
}

// maxKeptLabels bounds the states whose labels are kept, which are met with many states
// of the other side.
const maxKeptLabels = 1 << 24

// readLabel makes label that of state n.
func (s *OperandSide) readLabel(n uint32) {
	if _, recalls := s.operand.kripke.(RecallingStructure); recalls || n >= maxKeptLabels {
		s.operand.kripke.Label(n, s.label)
		return
	}
	words := len(s.label)
	for int(n) >= 64*len(s.labelKept) {
		s.labelKept = append(s.labelKept, 0)
		s.labels = append(s.labels, make([]uint64, 64*words)...)
	}
	kept := s.labels[int(n)*words : (int(n)+1)*words]
	if bitset.Has(s.labelKept, n) {
		copy(s.label, kept)
		return
	}
	clear(s.label)
	s.operand.kripke.Label(n, s.label)
	copy(kept, s.label)
	bitset.Add(s.labelKept, n)
}

// leaveKripke takes the successors of the last state off the stack.
func (s *OperandSide) leaveKripke() {
	p := s.spans[len(s.spans)-1]
	s.spans = s.spans[:len(s.spans)-1]
	s.successors = s.successors[:p.first]
	s.rows = s.rows[:len(s.rows)-1]
	s.rest = s.rest[:len(s.rows)*2*s.restWords]
	s.marks = s.marks[:p.marks]
}

// edgeMarks returns the bits of an edge, numbered as in the rows.
func (s *OperandSide) edgeMarks(e automata.Edge) []uint64 {
	words := s.condition.Words
	at := int(e) * words
	return s.marks[at : at+words]
}

// mayAccept reports whether the condition would be satisfied by what is kept of the
// marks of a component, were every Fin in it true.
func (s *OperandSide) mayAccept(kept []uint64) bool {
	if s.weak {
		return true
	}
	if s.optimist == nil {
		s.optimist = s.condition.Formula().Optimist()
	}
	return s.optimist.Holds(kept)
}

// acceptsCycle reports whether the operand accepts a cycle of a component whose
// marks are kept; weak operands look at the source of one edge of it, and that edge.
func (s *OperandSide) acceptsCycle(kept []uint64, state uint32, e automata.Edge) bool {
	switch {
	case !s.weak:
		return s.condition.Satisfied(kept)
	case s.accepting != nil:
		return s.accepting[state]
	}
	return s.condition.Satisfied(s.edgeMarks(e))
}
