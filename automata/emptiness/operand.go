package emptiness

import (
	"slices"

	"pnmc/automata"
)

// LazyAutomaton is an ω-automaton that computes its states as they are asked for.
// States are numbers that the automaton hands out itself, dense where it can.
type LazyAutomaton interface {
	Propositions() []string
	Acceptance() automata.Acceptance
	// Initial returns the initial states.
	Initial() []uint32
	// Out adds to edges those that leave s. It is called several times for one
	// state, and adds the same each time. An error ends the search.
	Out(s uint32, edges *LazyEdges) error
}

// WeakLazyAutomaton is a LazyAutomaton that may know of itself that it is weak:
// that on every cycle all edges have the same acceptance sets.
type WeakLazyAutomaton interface {
	LazyAutomaton
	Weak() bool
}

// LabelledStructure is a Kripke structure: the states have labels, every infinite
// run counts, and a state without successors ends its runs.
type LabelledStructure interface {
	Propositions() []string
	Initial() []uint32
	// Label writes the valuation of the propositions in s.
	Label(s uint32, v automata.Valuation)
	// Successors appends the successors of s to to, and returns it. An error ends
	// the search.
	Successors(s uint32, to []uint32) ([]uint32, error)
}

// RecallingStructure is a LabelledStructure that keeps labels itself, so that Label may be
// called several times for one state. Of any other it is called once in a search, for
// states with numbers below 2^24.
type RecallingStructure interface {
	LabelledStructure
	RecallsLabels()
}

// FairStructure is a LabelledStructure whose states have acceptance sets, of which
// a run that counts satisfies the condition.
type FairStructure interface {
	LabelledStructure
	Acceptance() automata.Acceptance
	Marks(s uint32, m automata.Marks)
}

// Operand is one of two automata whose languages are compared.
type Operand struct {
	explicit *automata.Automaton
	lazy     LazyAutomaton
	kripke   LabelledStructure
	// Start, of an explicit automaton, are to be the initial states, unless nil.
	Start []uint32
}

// Explicit returns an automaton that is in memory as a whole, as an operand.
func Explicit(a *automata.Automaton) Operand { return Operand{explicit: a} }

// Lazy returns an automaton on the fly, as an operand.
func Lazy(a LazyAutomaton) Operand { return Operand{lazy: a} }

// Structure returns a Kripke structure, as an operand.
func Structure(k LabelledStructure) Operand { return Operand{kripke: k} }

// propositions returns those of the operand.
func (o Operand) propositions() []string {
	switch {
	case o.explicit != nil:
		return o.explicit.Propositions
	case o.lazy != nil:
		return o.lazy.Propositions()
	}
	return o.kripke.Propositions()
}

// initial returns the initial states of the operand.
func (o Operand) initial() []uint32 {
	switch {
	case o.Start != nil:
		return slices.Clone(o.Start)
	case o.explicit != nil:
		states := make([]uint32, len(o.explicit.Initial()))
		for i, s := range o.explicit.Initial() {
			states[i] = uint32(s)
		}
		return states
	case o.lazy != nil:
		return o.lazy.Initial()
	}
	return o.kripke.Initial()
}

// acceptance returns the condition of the operand.
func (o Operand) acceptance() automata.Acceptance {
	switch {
	case o.explicit != nil:
		return o.explicit.Acceptance
	case o.lazy != nil:
		return o.lazy.Acceptance()
	}
	if fair, isFair := o.kripke.(FairStructure); isFair {
		return fair.Acceptance()
	}
	return automata.GeneralizedBuchi(0)
}

// states returns the number of states if it is known, else 0.
func (o Operand) states() int {
	if o.explicit != nil {
		return o.explicit.States()
	}
	return 0
}

// structureAutomaton makes a Kripke structure a LazyAutomaton, each label and
// mark being moved from the state to the edges that leave it.
type structureAutomaton struct {
	LabelledStructure
	successors []uint32
	label      automata.Valuation
	marks      automata.Marks
	acceptance automata.Acceptance
}

// newStructureAutomaton returns the structure of o as an automaton whose states are those of the
// structure.
func newStructureAutomaton(o Operand) *structureAutomaton {
	acceptance := o.acceptance()
	return &structureAutomaton{
		LabelledStructure: o.kripke, acceptance: acceptance,
		label: make(automata.Valuation, automata.WordsFor(len(o.kripke.Propositions()))),
		marks: automata.NewMarks(acceptance.Sets),
	}
}

func (k *structureAutomaton) Acceptance() automata.Acceptance { return k.acceptance }

// Out adds the successors of s in the structure. Each edge reads the one letter that holds in s,
// and has the marks of s if the structure has fairness sets.
func (k *structureAutomaton) Out(s uint32, edges *LazyEdges) error {
	k.LabelledStructure.Label(s, k.label)
	if fair, isFair := k.LabelledStructure.(FairStructure); isFair {
		fair.Marks(s, k.marks)
	}
	cube := automata.CompleteCube(len(k.Propositions()), k.label)
	var err error
	k.successors, err = k.Successors(s, k.successors[:0])
	for _, t := range k.successors {
		edges.Add(automata.Label{cube}, k.marks, t)
	}
	return err
}

// LazyEdges takes the edges that leave one state of a LazyAutomaton.
type LazyEdges struct {
	to *OperandSide
	// record, where set, is told of each edge instead.
	record func(label automata.Label, marks automata.Marks, destination uint32)
}

// Add adds an edge. Label and marks are those of the automaton's own propositions
// and acceptance sets, and are copied. It does nothing once Err says why.
func (l *LazyEdges) Add(label automata.Label, marks automata.Marks, destination uint32) {
	if l.record != nil {
		l.record(label, marks, destination)
		return
	}
	s := l.to
	if s.full == nil {
		s.full = s.roomFor(len(label))
	}
	if s.full != nil {
		return
	}
	edge := automata.Edge(s.addMarks(marks))
	for _, c := range label {
		s.addRow(c, edge, automata.State(destination))
	}
}

// Err returns the reason to stop: time is over, or there is no room for more edges. A state of
// very many should ask now and then.
func (l *LazyEdges) Err() error {
	if l.to == nil {
		return nil
	}
	return l.to.full
}
