package view

import (
	"fmt"
	"strings"

	"pnmc/automata"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// automatonBlock is an automaton as the page gets it.
type automatonBlock struct {
	States  int              `json:"states"`
	Initial []automata.State `json:"initial"`
	Names   []string         `json:"names,omitempty"`
	Sets    int              `json:"sets"`
	// Condition says which runs are accepted, as HOA writes it.
	Condition string          `json:"condition"`
	Edges     []automatonEdge `json:"edges"`
}

// automatonEdge is an edge as the page gets it, with its label as text.
type automatonEdge struct {
	From  automata.State `json:"from"`
	To    automata.State `json:"to"`
	Label string         `json:"label"`
	Marks []int          `json:"marks,omitempty"`
}

// mostEdges bounds the automata that a page shows.
const mostEdges = 20_000

// showsAutomaton reports whether the page shows the automaton of the answer: not one of more than
// mostEdges edges, and no testing automaton.
func (a *Answer) showsAutomaton() bool {
	return a.Automaton != nil && a.Automaton.Edges() <= mostEdges && a.Automaton.Kind == automata.Plain
}

// newAutomatonBlock returns the automaton of an answer as the page gets it, or nil if it is not
// shown. Its labels are charged, and end with the writer's account.
func newAutomatonBlock(a *Answer, w *writer) *automatonBlock {
	if !a.showsAutomaton() {
		return nil
	}
	b := &automatonBlock{
		States: a.Automaton.States(), Initial: a.Automaton.Initial(), Names: a.Automaton.StateNames,
		Sets: a.Automaton.Acceptance.Sets, Condition: a.Automaton.Acceptance.Condition.String(), Edges: []automatonEdge{},
	}
	for s := range automata.State(b.States) {
		first, end := a.Automaton.Out(s)
		for e := first; e < end; e++ {
			edge := automatonEdge{From: s, To: a.Automaton.Destination(e), Label: w.label(a, a.Automaton.Label(e))}
			if !w.json(edge.Label) {
				return b
			}
			marks := a.Automaton.Marks(e)
			for set := range b.Sets {
				if marks.Has(set) {
					edge.Marks = append(edge.Marks, set)
				}
			}
			b.Edges = append(b.Edges, edge)
		}
	}
	return b
}

// mostCubes bounds how much of a label is written.
const mostCubes = 12

// label returns a label over the atoms: a & !b | c.
func (w *texts) label(a *Answer, label automata.Label) string {
	for i, cube := range label {
		if i > 0 {
			w.add(" | ")
		}
		if i == mostCubes {
			w.add("…")
			break
		}
		literals := 0
		for p, atom := range a.Propositions {
			mentioned, positive := cube.Literal(p)
			if !mentioned {
				continue
			}
			if literals++; literals > 1 {
				w.add(" & ")
			}
			w.literal(a.Atoms[atom].Text, positive)
		}
		if literals == 0 {
			w.text = w.text[:0]
			w.add("true")
			break
		}
	}
	if len(label) == 0 {
		w.add("false")
	}
	return w.take()
}

// literal adds an atom or its negation, in parentheses where it is needed.
func (w *texts) literal(text string, positive bool) {
	if !positive {
		w.add("!")
	}
	if strings.ContainsAny(text, " <>=&|!") {
		w.add("(")
		w.add(text)
		w.add(")")
		return
	}
	w.add(text)
}

// automatonRun is an accepting run of the automaton over the letters of a run: an edge for
// each step.
type automatonRun struct {
	start automata.State
	edges []automata.Edge
}

// mostPairs bounds the pairs of a position and a state that are looked at.
const mostPairs = 16_000_000

// follow finds an accepting run of the automaton over the run. The automaton may need
// several rounds of the cycle until it accepts: the run is then unrolled, which makes it no
// other run. Nothing is shown if the search takes too long or more memory than there is.
//
// For example, the automaton accepts what has a at every even position, and needs two states for
// that. The run has a cycle of one step in which a holds. Its automaton's run has a cycle of two
// steps, so that the page shows the cycle of the run twice, with its two states beside it.
func (r *replay) follow(a *Answer, work *account.Account) error {
	if !a.showsAutomaton() || !a.Automaton.Acceptance.IsGeneralizedBuchi() {
		return nil
	}
	n := r.positions
	if r.loop < 0 && r.grows {
		n = len(r.steps)
	}
	if int64(n)*int64(a.Automaton.States()) > mostPairs || n == 0 {
		return nil
	}
	s := &runSearch{a: a.Automaton, states: a.Automaton.States(), n: n, loop: r.loop, work: work, left: mostLooks}
	if work.Reserve(n*(24+8*a.Automaton.ValuationWords())) != nil {
		return nil
	}
	if r.grows {
		s.loop = n - r.cycle // which the automaton accepts whatever follows
	}
	for i := range n {
		v := make(automata.Valuation, a.Automaton.ValuationWords())
		for p, atom := range a.Propositions {
			switch r.atoms[atom][i] {
			case unknown:
				return nil
			case yes:
				bitset.Add(v, p)
			}
		}
		s.letters = append(s.letters, v)
	}
	if s.loop < 0 {
		if r.ended {
			s.loop = n - 1
		} else {
			r.visited = s.finite()
			return nil
		}
	}
	prefix, cycle, ok := s.lasso()
	switch {
	case s.err != nil:
		return nil
	case !ok && r.grows: // later rounds have other letters
		return nil
	case !ok:
		return fmt.Errorf("%s: the automaton accepts no run over what is shown", a.Name)
	}
	return r.unroll(s, prefix, cycle)
}

// unroll makes the run as long as that of the automaton.
func (r *replay) unroll(s *runSearch, prefix, cycle []automata.Edge) error {
	r.visited = &automatonRun{edges: append(prefix, cycle...)}
	r.visited.start = s.a.Source(r.visited.edges[0])
	if r.loop < 0 { // one that grows is shown as it is
		r.visited.edges = r.visited.edges[:min(len(r.visited.edges), len(r.steps))]
		return nil
	}
	if len(prefix) == r.loop && len(cycle) == r.cycle {
		return nil
	}
	if total := len(prefix) + len(cycle); total > mostSteps || total > 100*len(r.steps)+10_000 {
		r.visited = nil
		return nil
	}
	at := func(i int) int {
		for i >= r.positions {
			i -= r.cycle
		}
		return i
	}
	unrolled := func(track []truth) []truth {
		if track == nil {
			return nil
		}
		longer := make([]truth, len(prefix)+len(cycle))
		for i := range longer {
			longer[i] = track[at(i)]
		}
		return longer
	}
	for i := range r.atoms {
		r.atoms[i] = unrolled(r.atoms[i])
	}
	for i := range r.values {
		r.values[i] = unrolled(r.values[i])
	}
	steps := make([]Step, len(prefix)+len(cycle))
	for i := range steps {
		steps[i] = r.steps[at(i)]
	}
	r.steps, r.loop, r.cycle, r.positions = steps, len(prefix), len(cycle), len(steps)
	return nil
}
