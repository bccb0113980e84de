package emptiness

import (
	"context"
	"slices"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
)

// Analyse looks at the components of an explicit automaton. The linear pass pays for
// itself in a product that may be quadratic, but not where the search ends soon:
//
//   - edges to states whose language is empty are left out;
//   - the automaton is known to be weak where all edges of each accepting
//     component have the same marks;
//   - states are found from which every word is accepted (those of a terminal
//     component). With collapse they become a single state. Past them, only the other
//     operand is searched.
//
// An error is that of the context.
func (s *OperandSide) Analyse(ctx context.Context, x *automata.Alphabet, collapse bool) error {
	a := s.operand.explicit
	useful, err := s.classify(ctx, generic.NewGraph(a, s.condition))
	if err != nil {
		return err
	}
	if s.weak {
		s.keptWords = 0
	}
	s.initial = slices.DeleteFunc(s.initial, func(n uint32) bool { return !useful[n] })
	keep := func(e automata.Edge) bool { return useful[a.Destination(e)] }
	universal := collapse && s.weak && s.findUniversal(ctx, a)
	if !universal {
		s.index = automata.NewRows(a, x, s.place, keep)
		return nil
	}
	one := automata.State(slices.Index(s.universal, true))
	s.index = automata.NewRows(a, x, s.place, func(e automata.Edge) bool {
		n := a.Source(e)
		return keep(e) && (!s.universal[n] || n == one)
	})
	for n := range automata.State(a.States()) {
		s.index.LayOut(n)
	}
	s.collapseUniversal(one)
	s.rows, s.rest = s.index.Rows, s.index.Rest
	return nil
}

// classify returns which states have a nonempty language, and sets accepting and
// weak.
func (s *OperandSide) classify(ctx context.Context, g *generic.Graph) ([]bool, error) {
	search := generic.NewSearch(ctx, g)
	all := make([]uint32, g.Nodes())
	for n := range all {
		all[n] = uint32(n)
	}
	none := make([]uint64, g.Words)
	useful, accepting := make([]bool, len(all)), make([]bool, len(all))
	s.weak = true
	// Components come in the order in which the search completes them: no edge
	// leads to a later one.
	for _, part := range search.Components(all, none) {
		accepts := search.Accepts(part, none, s.condition.Formula())
		if search.Err != nil {
			return nil, search.Err
		}
		if accepts && !search.Uniform(part, s.condition) {
			s.weak = false
		}
		reaches := accepts
		for i := 0; i < len(part) && !reaches; i++ {
			for e := g.Start[part[i]]; e < g.Start[part[i]+1]; e++ {
				reaches = reaches || useful[g.Destination[e]]
			}
		}
		for _, n := range part {
			useful[n], accepting[n] = reaches, accepts
		}
	}
	if s.weak {
		s.accepting = accepting
	}
	return useful, search.Err
}

// findUniversal finds states of a weak automaton from which there is a run within accepting
// components for every word. They are the greatest set of states of accepting components such
// that from each of them the labels of the edges that stay in the set cover all valuations. It
// reports whether there is one. A state whose labels are too hard to look at is not in the set.
func (s *OperandSide) findUniversal(ctx context.Context, a *automata.Automaton) bool {
	universal := slices.Clone(s.accepting)
	outgoing := automata.NewOutgoing(ctx, a)
	stays := func(e automata.Edge) bool { return universal[a.Destination(e)] }
	some := false
	for changed := true; changed; {
		changed, some = false, false
		for n := range universal {
			if universal[n] {
				covered, _ := outgoing.Complete(automata.State(n), stays)
				universal[n], changed = covered, changed || !covered
			}
			some = some || universal[n]
		}
	}
	if some {
		s.universal = universal
	}
	return some
}

// collapseUniversal makes the universal states the one given, with edges to itself
// for all valuations only. Marks of a weak automaton are not looked at: its states
// tell.
func (s *OperandSide) collapseUniversal(one automata.State) {
	for i := range s.index.Rows {
		if r := &s.index.Rows[i]; s.universal[r.Destination] {
			r.Destination = one
		}
	}
	for i, n := range s.initial {
		if s.universal[n] {
			s.initial[i] = uint32(one)
		}
	}
	slices.Sort(s.initial)
	s.initial = slices.Compact(s.initial)
	s.index.MakeUniversal(one)
}
