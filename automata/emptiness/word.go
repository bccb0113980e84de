package emptiness

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pnmc/automata"
)

// WordStep is one step of both sides through the product.
type WordStep struct {
	From, To uint32 // numbers of pairs
	letter   automata.Valuation
	// Of each side, the edge if it is explicit, and its bits.
	leftEdge, RightEdge automata.Edge
	leftBits, rightBits []uint64
}

// word finds, after a search that found an accepting component, a word that both
// sides accept.
func (s *JointSearch[L, R]) word(x *automata.Alphabet) (*automata.Lasso, error) {
	prefix, cycle, err := s.AcceptedRun()
	if err != nil {
		return nil, err
	}
	word := &automata.Lasso{Propositions: x.Propositions}
	for _, step := range prefix {
		word.Prefix = append(word.Prefix, step.letter)
	}
	for _, step := range cycle {
		word.Cycle = append(word.Cycle, step.letter)
	}
	return word, nil
}

// AcceptedRun returns a run of both sides, after a search that found one. It traverses the product
// a second time, but only the pairs that the search has met. The prefix is as short as any to the
// accepting part; the cycle goes round by the nearest edge that has a mark still missing.
//
// Before it is returned, both sides are run over its word by replay, on their own labels and marks. An
// error says which side rejects it: then the search is wrong, or an operand gave other edges the
// second time.
func (s *JointSearch[L, R]) AcceptedRun() (prefix, cycle []WordStep, err error) {
	root, _ := slices.BinarySearch(s.live, s.roots[len(s.roots)-1])
	numbers := s.live[root:]
	for len(s.path) > 0 { // what the first traversal left on the stacks
		s.pop()
	}
	g, err := s.componentGraph(numbers)
	if err != nil {
		return nil, nil, err
	}
	part, err := g.AcceptingComponent(s.poll.ctx, s.jointFormula())
	if err != nil {
		return nil, nil, err
	}
	if part == nil {
		return nil, nil, errors.New("the accepting component is not found again: an operand changed")
	}
	inPart := make(map[uint32]uint32, len(part.Nodes))
	for _, n := range part.Nodes {
		inPart[numbers[n]] = n
	}
	prefix, entry, err := s.wordPrefix(inPart)
	if err != nil {
		return nil, nil, err
	}
	edges, err := g.Cycle(s.poll.ctx, part, inPart[entry], s.jointFormula())
	if err != nil {
		return nil, nil, err
	}
	for _, e := range edges {
		from := numbers[g.Source(e)]
		step, err := s.wordStep(from, numbers[g.Destination[e]], g.EdgeMarks(e))
		if err != nil {
			return nil, nil, err
		}
		cycle = append(cycle, step)
	}
	for _, y := range [2]*OperandSide{s.left, s.right} {
		if err := s.replay(y, prefix, cycle); err != nil {
			return nil, nil, fmt.Errorf("the word found is not accepted: %w", err)
		}
	}
	return prefix, cycle, nil
}

// wordPrefix returns a shortest path from a pair of initial states to one of the pairs
// in targets, and that pair.
func (s *JointSearch[L, R]) wordPrefix(targets map[uint32]uint32) ([]WordStep, uint32, error) {
	const unknown = ^uint32(0)
	parent := make([]uint32, s.Pairs.Len())
	for n := range parent {
		parent[n] = unknown
	}
	queue := s.initialPairs()
	for _, n := range queue {
		parent[n] = n
	}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		if _, reached := targets[n]; reached {
			path, err := s.wordPath(parent, n)
			return path, n, err
		}
		err := s.forEachSuccessor(n, func(to uint32) bool {
			if parent[to] == unknown {
				parent[to] = n
				queue = append(queue, to)
			}
			return true
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, errors.New("the accepting component is not reached again: an operand changed")
}

// initialPairs returns the pairs of initial states that the search has met, in the order of the sides'
// initial states. It goes through the pairs that were met: two automata with many initial states each
// have far more pairs of these than a search that soon finds something.
func (s *JointSearch[L, R]) initialPairs() []uint32 {
	first := func(initial []uint32) map[uint32]int {
		place := make(map[uint32]int, len(initial))
		for i, q := range initial {
			if _, known := place[q]; !known {
				place[q] = i
			}
		}
		return place
	}
	left, right := first(s.left.initial), first(s.right.initial)
	var list []uint32
	for n := range uint32(s.Pairs.Len()) {
		a, b := s.Pairs.At(n)
		_, begins := left[uint32(a)]
		if _, alsoBegins := right[uint32(b)]; begins && alsoBegins {
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(m, n uint32) int {
		a, b := s.Pairs.At(m)
		c, d := s.Pairs.At(n)
		return cmp.Or(cmp.Compare(left[uint32(a)], left[uint32(c)]), cmp.Compare(right[uint32(b)], right[uint32(d)]))
	})
	return list
}

// wordPath returns the steps to n from the pair that is its own parent.
func (s *JointSearch[L, R]) wordPath(parent []uint32, n uint32) ([]WordStep, error) {
	var path []WordStep
	for ; parent[n] != n; n = parent[n] {
		step, err := s.wordStep(parent[n], n, nil)
		if err != nil {
			return nil, err
		}
		path = append(path, step)
	}
	slices.Reverse(path)
	return path, nil
}

// wordStep returns a step between two pairs, with these marks of both sides unless
// they are nil.
func (s *JointSearch[L, R]) wordStep(from, to uint32, marks []uint64) (WordStep, error) {
	step := WordStep{From: from, To: to}
	err := s.forEachSuccessor(from, func(n uint32) bool {
		if n != to || marks != nil && !slices.Equal(s.appendMarks(nil), marks) {
			return true
		}
		i, j := s.leftRow(), s.partner
		row, partner := &s.left.rows[i], &s.right.rows[j]
		step.letter = automata.Valuation{row.Value | partner.Value}
		words := s.left.restWords
		for w := range words {
			at := words + w
			step.letter = append(step.letter, s.left.rest[int(i)*2*words+at]|s.right.rest[int(j)*2*words+at])
		}
		step.leftEdge, step.RightEdge = row.Edge, partner.Edge
		step.leftBits = slices.Clone(s.left.edgeMarks(row.Edge))
		step.rightBits = slices.Clone(s.right.edgeMarks(partner.Edge))
		return false
	})
	if err == nil && step.letter == nil {
		err = errors.New("a step is not found again: an operand changed")
	}
	return step, err
}
