package marked

import (
	"errors"
	"slices"

	"pnmc/automata"
	"pnmc/automata/bdd"
	"pnmc/internal/account"
	"pnmc/internal/bitset"
)

// Limits of the search for similar states.
const (
	// mostSpent bounds the edges and classes that are compared, and the nodes and steps of
	// diagrams: half a second.
	mostSpent = 5_000_000
	// similarStates is the number of states up to which there are rows for all pairs: 8 MB.
	similarStates = 1 << 13
	// similarRounds is the number of rounds that compare classes; one at least, as they set the
	// root apart.
	similarRounds = 8
)

// similarity says which states may simulate which. It may have too many pairs, never too
// few.
type similarity struct {
	*signatures
	rooted bool
	count  int // of classes
	// spent is how many classes were compared, and nodes and steps made for that; there may
	// be most of them.
	spent, most int
}

// similar finds the states that simulate each other, and which of these classes simulate
// which. They are numbered in the order of their first states. There are none where to find
// out is too much, in time or in Boolean functions.
//
// A few rounds split classes of states that may simulate each other by their signatures,
// which is quick where edges are many, and enough for most automata. Where it is not, as in
// chains, the pairs of states that are left are looked at one by one.
//
// A round starts from too many pairs, and takes away those whose signatures do not imply each
// other: what is left is still too much or right. In the first round all states are one class, so
// only labels and marks are compared. The second round compares what the successors did in the
// first, and so on. In a chain of n states only the n-th round sees the end from the beginning, and
// each round computes all signatures: hence the pairs.
func (d *Reducible) similar(rooted bool, rounds, most int) (class []uint32, above [][]uint32, err error) {
	s := &similarity{newSignatures(d, make([]uint32, len(d.Out))), rooted, 1, 0, most}
	s.above = [][]uint32{{0}}
	for range rounds {
		count, pairs := s.count, s.pairs()
		if err := account.Reason(d.context()); err != nil {
			return nil, nil, err
		}
		s.round()
		if s.spent > most || s.diagrams.Err() != nil {
			return nil, nil, d.context().Err()
		}
		if s.count == count && s.pairs() == pairs {
			return s.class, s.above, nil
		}
	}
	if len(d.Out) > similarStates {
		return nil, nil, nil
	}
	exact, err := s.pairwise()
	switch {
	case errors.Is(err, errSpent), errors.Is(err, bdd.ErrTooLarge):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	}
	class, above = exact.classes()
	return class, above, nil
}

// pairs returns how many pairs of classes there are of which one may simulate the other.
func (s *similarity) pairs() int {
	n := 0
	for _, a := range s.above {
		n += len(a)
	}
	return n
}

// round splits the classes by the signatures of their states. The root's says with one more
// variable that it is none of the others.
func (s *similarity) round() {
	s.forget()
	numbers := map[bdd.Function]uint32{}
	class := make([]uint32, len(s.class))
	signature := []bdd.Function(nil)
	parts := make([][]uint32, s.count) // of each class: what it is split into
	for state := range automata.State(len(s.Out)) {
		g := s.sign(state)
		if s.rooted && state == s.Initial[0] {
			g = s.diagrams.Xor(g, s.diagrams.Proposition(int(s.classVariable(uint32(len(s.Out))))))
		}
		n, known := numbers[g]
		if !known {
			n = uint32(len(signature))
			numbers[g] = n
			signature = append(signature, g)
			parts[s.class[state]] = append(parts[s.class[state]], n)
		}
		class[state] = n
	}
	s.spent += s.diagrams.Nodes() + s.diagrams.Steps
	s.relate(signature, parts)
	s.class, s.count = class, len(signature)
}

// relate finds which of the new classes may simulate which: of two of them only if the
// classes did that they are parts of.
func (s *similarity) relate(signature []bdd.Function, parts [][]uint32) {
	above := make([][]uint32, len(signature))
	for old, list := range parts {
		for _, c := range list {
			for _, higher := range s.above[old] {
				before := s.diagrams.Steps
				for _, b := range parts[higher] {
					if b == c || s.diagrams.Implies(signature[c], signature[b]) {
						above[c] = append(above[c], b)
					}
				}
				s.spent += len(parts[higher]) + s.diagrams.Steps - before
				if s.spent > s.most {
					return // the round is of no use any more
				}
			}
			slices.Sort(above[c])
		}
	}
	s.above = above
}

// pairwise returns the greatest simulation, found on the pairs that are left.
func (s *similarity) pairwise() (*simulation, error) {
	exact := unrefinedSimulation(s.withOwnLabels(), false)
	exact.most = s.most
	rows := make([][]uint64, s.count) // of each class: the states that may simulate it
	for c := range rows {
		rows[c] = make([]uint64, bitset.WordsFor(len(s.class)))
	}
	members := make([][]automata.State, s.count)
	for state, c := range s.class {
		members[c] = append(members[c], automata.State(state))
	}
	for c, row := range rows {
		for _, b := range s.above[c] {
			for _, state := range members[b] {
				bitset.Add(row, state)
			}
		}
	}
	for state, c := range s.class {
		exact.simulated[state] = slices.Clone(rows[c])
	}
	return exact, exact.refineAll(s.context())
}

// classes returns the classes of states that simulate each other, and for each the classes that
// simulate it.
func (s *simulation) classes() (class []uint32, above [][]uint32) {
	class = make([]uint32, len(s.simulated))
	var leaders []automata.State
	for p := range automata.State(len(class)) {
		class[p] = uint32(len(leaders))
		s.each(p, func(q automata.State) {
			if q < p && s.has(q, p) {
				class[p] = class[q]
			}
		})
		if int(class[p]) == len(leaders) {
			leaders = append(leaders, p)
		}
	}
	above = make([][]uint32, len(leaders))
	for c, p := range leaders {
		s.each(p, func(q automata.State) {
			if leaders[class[q]] == q {
				above[c] = append(above[c], class[q])
			}
		})
	}
	return class, above
}

// withOwnLabels returns d with labels in functions of its own, so that what is done to these does
// not count as work on d.
func (d *Reducible) withOwnLabels() *Reducible {
	labels := newSignatures(d, nil)
	copied := &Reducible{Propositions: d.Propositions, Functions: labels.diagrams, Initial: d.Initial, Graph: Graph{Sets: d.Sets, Out: make([][]Link, len(d.Out))}}
	for s, out := range d.Out {
		copied.Out[s] = make([]Link, len(out))
		for i, e := range out {
			e.Label = labels.label(e.Label)
			copied.Out[s][i] = e
		}
	}
	return copied
}
