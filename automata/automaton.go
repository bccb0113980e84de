package automata

// State numbers a state of an Automaton: 0 ≤ s < States().
type State uint32

// Edge numbers an edge of an Automaton. The edges of a state are consecutive.
type Edge uint32

// Kind says which words an automaton reads.
type Kind uint8

// The kinds of automata.
const (
	// Plain automata read the valuations of a run one after the other: BA,
	// TGBA, and those with any other acceptance condition.
	Plain Kind = iota
	// TGTA are transition-based generalized testing automata: out of an
	// initial state a label is a valuation, out of any other a changeset.
	TGTA
	// TA are testing automata with Büchi and livelock acceptance, in the same
	// form as TGTA.
	TA
)

// Automaton is an immutable ω-automaton with acceptance sets on its edges.
//
// Edges are grouped by source state in compressed sparse rows. The label of an
// edge is a set of cubes over the propositions, the edge being there for every
// valuation that some cube matches; cubes and marks of all edges lie in one flat
// slice each. Safe for concurrent use.
type Automaton struct {
	// Name is free text, often the formula.
	Name string
	// Kind says how labels are read.
	Kind Kind
	// Propositions are the names of the atomic propositions; proposition i is
	// bit i of a Valuation.
	Propositions []string
	// Acceptance is the condition on the sets seen infinitely often.
	Acceptance Acceptance
	// Claims are properties that the automaton's source states of it.
	Claims Claims
	// StateNames is nil, or gives each state a name, maybe an empty one.
	StateNames []string

	initial     []State
	edgeStart   []uint32 // States()+1 offsets into destination
	destination []State
	source      []State
	cubeStart   []uint32 // Edges()+1 offsets, counted in cubes
	cubes       []uint64 // cubeWords words of care, then as many of value, each cube
	marks       []uint64 // markWords words each edge
	cubeWords   int
	markWords   int
}

// Claims are properties stated by whoever made an automaton. They are hints:
// nothing may be concluded from a wrong one that is not checked.
type Claims uint16

// The claims, named as in the Hanoi Omega-Automata format.
const (
	ClaimDeterministic Claims = 1 << iota
	ClaimComplete
	ClaimUnambiguous
	ClaimSemiDeterministic
	ClaimStutterInvariant
	ClaimWeak
	ClaimVeryWeak
	ClaimInherentlyWeak
	ClaimTerminal
)

// States returns the number of states.
func (a *Automaton) States() int { return len(a.edgeStart) - 1 }

// Edges returns the number of edges. An edge stands for as many transitions as its
// label has valuations.
func (a *Automaton) Edges() int { return len(a.destination) }

// Initial returns the initial states; not to be modified.
func (a *Automaton) Initial() []State { return a.initial }

// From returns a with other initial states; it shares the rest with a.
func (a *Automaton) From(initial []State) *Automaton {
	b := *a
	b.initial = initial
	return &b
}

// Out returns the range of edges first ≤ e < end that leave s.
func (a *Automaton) Out(s State) (first, end Edge) {
	return Edge(a.edgeStart[s]), Edge(a.edgeStart[s+1])
}

// Source returns the state that e leaves.
func (a *Automaton) Source(e Edge) State { return a.source[e] }

// Destination returns the state that e enters.
func (a *Automaton) Destination(e Edge) State { return a.destination[e] }

// Cubes returns the number of cubes in the label of e; with none e is never taken.
func (a *Automaton) Cubes(e Edge) int { return int(a.cubeStart[e+1] - a.cubeStart[e]) }

// Cube returns the i-th cube of the label of e; not to be modified.
func (a *Automaton) Cube(e Edge, i int) Cube {
	words := 2 * a.cubeWords
	at := (int(a.cubeStart[e]) + i) * words
	return Cube(a.cubes[at : at+words : at+words])
}

// Label returns a copy of the label of e.
func (a *Automaton) Label(e Edge) Label {
	l := make(Label, a.Cubes(e))
	for i := range l {
		l[i] = append(Cube(nil), a.Cube(e, i)...)
	}
	return l
}

// Marks returns the acceptance sets of e; not to be modified.
func (a *Automaton) Marks(e Edge) Marks {
	at := int(e) * a.markWords
	return Marks(a.marks[at : at+a.markWords : at+a.markWords])
}

// AllMarks returns the marks of all edges, MarkWords() words each; not to be modified.
func (a *Automaton) AllMarks() []uint64 { return a.marks }

// ValuationWords returns the number of words in a Valuation of the propositions.
func (a *Automaton) ValuationWords() int { return a.cubeWords }

// MarkWords returns the number of words in the Marks of an edge.
func (a *Automaton) MarkWords() int { return a.markWords }

// Matches reports whether e is there for the valuation v, of ValuationWords().
func (a *Automaton) Matches(e Edge, v Valuation) bool {
	words := a.cubeWords
	first, end := int(a.cubeStart[e])*2*words, int(a.cubeStart[e+1])*2*words
	if words == 1 {
		for at := first; at < end; at += 2 {
			if v[0]&a.cubes[at] == a.cubes[at+1] {
				return true
			}
		}
		return false
	}
	for at := first; at < end; at += 2 * words {
		if Cube(a.cubes[at : at+2*words]).Matches(v) {
			return true
		}
	}
	return false
}

// String returns plain, tgta or ta.
func (k Kind) String() string {
	switch k {
	case TGTA:
		return "tgta"
	case TA:
		return "ta"
	}
	return "plain"
}
