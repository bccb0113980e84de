package checker

import (
	"math"
	"slices"

	"pnmc/automata"
)

// leftRow is the row of the left side that is current: of a Kripke structure, that
// of the label of the state on top.
func (s *jointSearch[L, R]) leftRow() uint32 {
	var l L
	if len(l) == isKripke {
		return uint32(len(s.left.rows) - 1)
	}
	return s.row
}

// leftEdge is the number, for the marks, of the edge of the left side that is
// current.
func (s *jointSearch[L, R]) leftEdge() automata.Edge {
	var l L
	if len(l) == isScanned {
		return automata.Edge(s.row)
	}
	return s.left.rows[s.leftRow()].Edge
}

// rightEdge is likewise that of the right side.
func (s *jointSearch[L, R]) rightEdge() automata.Edge {
	var r R
	if len(r) == isScanned {
		return automata.Edge(s.partner)
	}
	return s.right.rows[s.partner].Edge
}

// destination is the pair of states that the current edge leads to.
func (s *jointSearch[L, R]) destination() (a, b uint32) {
	var l L
	switch len(l) {
	case isScanned:
		left, right := s.left.operand.explicit, s.right.operand.explicit
		return uint32(left.Destination(automata.Edge(s.row))), uint32(right.Destination(automata.Edge(s.partner)))
	case isKripke:
		a = s.left.successors[s.row]
	default:
		a = uint32(s.left.rows[s.row].Destination)
	}
	return a, uint32(s.right.rows[s.partner].Destination)
}

// restMeets tells whether a row of each side agree beyond the first words.
func (s *jointSearch[L, R]) restMeets(i, j uint32) bool {
	return automata.RestMeets(s.left.rest, i, s.right.rest, j, s.left.restWords)
}

// mayAcceptPart tells whether the component on top of the path would satisfy what
// is kept of the conditions if Fin were true.
func (s *jointSearch[L, R]) mayAcceptPart(top int) bool {
	marks := s.rootMarks[top*s.stride : (top+1)*s.stride]
	kept := s.left.keptWords
	return s.left.mayAccept(marks[:kept]) && s.right.mayAccept(marks[kept:])
}

// acceptsPart tells whether a complete component, of these pairs, has an accepting
// part. An error is that of the context.
func (s *jointSearch[L, R]) acceptsPart(numbers []uint32) (bool, error) {
	a, b := s.pairs.At(numbers[0])
	if !s.left.mayAcceptAt(a) || !s.right.mayAcceptAt(b) {
		return false, nil
	}
	g, err := s.componentGraph(numbers)
	if err != nil {
		return false, err
	}
	part, err := g.acceptingComponent(s.poll.ctx, s.jointFormula())
	return part != nil, err
}

// mayAcceptAt is false if the component of a state is known to have no accepting
// cycle.
func (s *operandSide) mayAcceptAt(n automata.State) bool { return s.accepting == nil || s.accepting[n] }

// jointFormula is the conjunction of what remains of both conditions in a component
// whose states may accept, the bits of the right side coming after all words of the
// left. Of an operand whose accepting states are known nothing remains: there, all
// cycles are accepted.
func (s *jointSearch[L, R]) jointFormula() *markFormula {
	left, right := markTrue, markTrue
	if s.left.accepting == nil {
		left = s.left.condition.formula()
	}
	if s.right.accepting == nil {
		right = s.right.condition.formula().shift(64 * s.left.condition.words)
	}
	return combineMarks(automata.ConditionAnd, []*markFormula{left, right})
}

// componentGraph is the part of the product between pairs, given by their numbers
// in ascending order: node i is the i-th of them. Its marks are all those of both
// sides, kept by the search or not.
func (s *jointSearch[L, R]) componentGraph(numbers []uint32) (*markedGraph, error) {
	g := &markedGraph{start: make([]uint32, 1, len(numbers)+1), words: s.left.condition.words + s.right.condition.words}
	for _, n := range numbers {
		err := s.forEachSuccessor(n, func(to uint32) bool {
			if i, inside := slices.BinarySearch(numbers, to); inside {
				g.destination = append(g.destination, uint32(i))
				g.marks = s.appendMarks(g.marks)
			}
			return true
		})
		if err == nil {
			err = s.check()
		}
		if err != nil {
			return nil, err
		}
		g.start = append(g.start, uint32(len(g.destination)))
	}
	return g, nil
}

// appendMarks appends all marks of the current edge.
func (s *jointSearch[L, R]) appendMarks(marks []uint64) []uint64 {
	marks = append(marks, s.left.edgeMarks(s.leftEdge())...)
	return append(marks, s.right.edgeMarks(s.rightEdge())...)
}

// forEachSuccessor makes each joint edge of pair n to a pair that has a number the
// current one, in turn, and calls visit with that number, until it returns false.
// It leaves the search as it was.
func (s *jointSearch[L, R]) forEachSuccessor(n uint32, visit func(to uint32) bool) error {
	a, b := s.pairs.At(n)
	if err := s.push(n, uint32(a), uint32(b)); err != nil {
		return err
	}
	defer s.pop()
	// All edges are wanted here, however many the search itself may look at.
	defer func(labels int64) { s.poll.labels = labels }(s.poll.labels)
	s.poll.labels = math.MaxInt64
	for s.next(&s.path[len(s.path)-1]) {
		if err := s.account.Charge(edgeWork); err != nil {
			return err
		}
		a, b := s.destination()
		to, known := s.pairs.Find(automata.State(a), automata.State(b))
		if known && !visit(to) {
			break
		}
	}
	return nil
}
