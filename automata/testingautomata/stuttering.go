package testingautomata

import (
	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/automata/internal/marked"
	"pnmc/internal/account"
)

// stuttering is the graph of the steps of an expansion that change nothing that
// matters: from a node to the nodes that a move leads to under the same
// valuation.
//
// A TGTA has a loop in each state for these steps instead. If the language is stutter-invariant, a
// word is accepted with a letter repeated if and only if it is accepted without. So a run need not
// follow repetitions, but for one case: a word that ends in repetitions for ever. Such a run ends in
// a component of this graph. If that has edges in all sets, its nodes accept by stuttering, and
// their loops are in all sets. A run that stutters to such a component from elsewhere must still
// get there: so an edge to a node leads to the component at once, too (entries).
//
// For example, F a, whose nodes are listed at expansion. Node (0, a) stutters to (1, -), whose loop
// is accepted. So the change of a leads from (0, !a) to (0, a) and to (1, -). The first has a loop
// that is not accepted, and no other edge: it is pruned, and two states are left beside the root.
type stuttering struct {
	*expansion
	graph    *marked.Graph
	parts    *automata.Components
	accepted []bool // of each component: it has a stuttering cycle that is accepted
	entered  [][]uint32
}

// stutter finds the components of the stuttering steps of x. Exact nodes have
// none.
func (x *expansion) stutter() *stuttering {
	s := &stuttering{expansion: x, graph: &marked.Graph{Sets: x.Sets, Out: make([][]marked.Link, len(x.nodes))}, entered: make([][]uint32, len(x.nodes))}
	for n, from := range x.nodes {
		if from.exact {
			continue
		}
		for _, m := range x.moves[n] {
			to := expandedState{m.To, from.valuation & x.support[m.To], false}
			if t := x.numbers[to]; t != noNode {
				s.graph.Out[n] = append(s.graph.Out[n], marked.Link{To: automata.State(t), Marks: m.Marks, Label: bdd.TrueFunction})
			}
		}
	}
	s.parts = s.graph.Components()
	s.accepted = s.graph.AcceptingComponents(s.parts)
	return s
}

// lasts reports whether a run that stutters for ever from node n, staying in its
// component, is accepted.
func (s *stuttering) lasts(n uint32) bool { return s.accepted[s.parts.Of(automata.State(n))] }

// entries returns the nodes where an edge to node n leads when steps that stutter are left out.
// These are n, and each node of an accepted stuttering component at which a sequence of such
// steps from n can enter it first (2012, Property 5.2). It does not go on inside such a
// component: wherever the run enters it, it can stutter there for ever. Each node takes a walk
// through the steps that stutter, which is charged.
func (s *stuttering) entries(n uint32) ([]uint32, error) {
	if s.entered[n] != nil {
		return s.entered[n], nil
	}
	reached := []uint32{n}
	seen := map[uint32]bool{n: true}
	list := []uint32{n}
	for i := 0; i < len(reached); i++ {
		if err := s.account.Charge(valuationWork * (1 + len(s.graph.Out[reached[i]]))); err != nil {
			return nil, err
		}
		c := s.parts.Of(automata.State(reached[i]))
		for _, e := range s.graph.Out[reached[i]] {
			t := uint32(e.To)
			if seen[t] || s.accepted[c] && s.parts.Of(e.To) == c {
				continue
			}
			seen[t] = true
			reached = append(reached, t)
			if s.lasts(t) {
				list = append(list, t)
			}
		}
	}
	s.entered[n] = list
	return list, nil
}

// testing makes the intermediate testing automaton without stuttering steps
// other than loops: state 0 is the root, whose labels are valuations.
func (x *expansion) testing() (*marked.Reducible, error) {
	s := x.stutter()
	t := &marked.Reducible{Propositions: x.Propositions, Functions: x.Functions, Initial: []automata.State{0}, Graph: marked.Graph{Sets: x.Sets, Out: make([][]marked.Link, len(x.nodes)+1)}}
	for _, n := range x.starts {
		entries, err := s.entries(n)
		if err != nil {
			return nil, err
		}
		for _, d := range entries {
			t.Out[0] = append(t.Out[0], marked.Link{To: automata.State(d + 1), Marks: 0, Label: x.startLabel(n)})
		}
	}
	for n := range x.nodes {
		if err := s.steps(t, uint32(n)); err != nil {
			return nil, err
		}
	}
	for n := range t.Out {
		t.Merge(automata.State(n))
	}
	return t, t.Functions.Err()
}

// startLabel returns the label of an edge from the root to node n.
func (x *expansion) startLabel(n uint32) bdd.Function {
	from := x.nodes[n]
	return x.changes(x.support[from.state], from.valuation)
}

// steps adds the edges of node n to t.
func (s *stuttering) steps(t *marked.Reducible, n uint32) error {
	if !s.nodes[n].exact {
		loop := marked.Link{To: automata.State(n + 1), Marks: 0, Label: s.changes(s.relevant(n), 0)}
		if s.lasts(n) {
			loop.Marks = s.All()
		}
		t.Out[n+1] = append(t.Out[n+1], loop)
	}
	return s.changing(n, func(to uint32, marks uint64, label bdd.Function) error {
		entries, err := s.entries(to)
		if err != nil {
			return err
		}
		if err := account.Room(s.account, t.Out[n+1], len(entries)); err != nil {
			return err
		}
		for _, d := range entries {
			t.Out[n+1] = append(t.Out[n+1], marked.Link{To: automata.State(d + 1), Marks: marks, Label: label})
		}
		return nil
	})
}

// relevant returns the propositions that matter once node n has read its valuation.
func (x *expansion) relevant(n uint32) uint64 {
	support := uint64(0)
	for _, m := range x.moves[n] {
		support |= x.support[m.To]
	}
	return support
}

// valuationWork is what looking a valuation up is charged with: some tenths of a microsecond.
const valuationWork = 64

// changing calls f with each step out of node n and the changesets for which it
// is there; those that change nothing relevant only where n is exact.
func (s *stuttering) changing(n uint32, f func(to uint32, marks uint64, label bdd.Function) error) error {
	x, from := s.expansion, s.nodes[n]
	relevant := x.relevant(n)
	unchanged := x.changes(relevant, 0)
	for _, m := range x.moves[n] {
		within := x.support[m.To]
		err := eachValuation(within, func(v uint64) error {
			if err := s.account.Charge(valuationWork); err != nil {
				return err
			}
			to, ok := x.lookup(m.To, v, from.exact)
			if !ok {
				return nil
			}
			change := (from.valuation ^ v) & within
			label := x.changes(within, change)
			if !from.exact && change == 0 {
				if within == relevant {
					return nil
				}
				label = x.Functions.Minus(label, unchanged)
			}
			return f(to, m.Marks, label)
		})
		if err != nil {
			return err
		}
	}
	return s.Functions.Err()
}

// lookup returns the node of a state and valuation that a node leads to. From an exact node, that is
// the exact one if there is one.
func (x *expansion) lookup(s automata.State, v uint64, fromExact bool) (uint32, bool) {
	n, ok := x.numbers[expandedState{s, v, fromExact}]
	if !ok && fromExact {
		n, ok = x.numbers[expandedState{s, v, false}]
	}
	return n, ok && n != noNode
}
