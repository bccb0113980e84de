package emptiness

import (
	"cmp"
	"math"
	"slices"

	"pnmc/automata"
	"pnmc/automata/emptiness/generic"
	"pnmc/internal/account"
)

// leftRow returns the row of the left side that is current: of a Kripke structure, that
// of the label of the state on top.
func (s *JointSearch[L, R]) leftRow() uint32 {
	var l L
	if len(l) == isKripke {
		return uint32(len(s.left.rows) - 1)
	}
	return s.row
}

// leftEdge returns the number, for the marks, of the edge of the left side that is
// current.
func (s *JointSearch[L, R]) leftEdge() automata.Edge {
	var l L
	if len(l) == isScanned {
		return automata.Edge(s.row)
	}
	return s.left.rows[s.leftRow()].Edge
}

// rightEdge returns the number of the current edge of the right side.
func (s *JointSearch[L, R]) rightEdge() automata.Edge {
	var r R
	if len(r) == isScanned {
		return automata.Edge(s.partner)
	}
	return s.right.rows[s.partner].Edge
}

// destination returns the pair of states that the current edge leads to.
func (s *JointSearch[L, R]) destination() (a, b uint32) {
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

// restMeets reports whether a row of each side agree beyond the first words.
func (s *JointSearch[L, R]) restMeets(i, j uint32) bool {
	return automata.RestMeets(s.left.rest, i, s.right.rest, j, s.left.restWords)
}

// mayAcceptPart reports whether the component on top of the path would satisfy what
// is kept of the conditions if Fin were true.
func (s *JointSearch[L, R]) mayAcceptPart(top int) bool {
	marks := s.rootMarks[top*s.stride : (top+1)*s.stride]
	kept := s.left.keptWords
	return s.left.mayAccept(marks[:kept]) && s.right.mayAccept(marks[kept:])
}

// acceptsPart reports whether a complete component, of these pairs, has an accepting
// part. An error is that of the context.
//
// The search kept the union of the marks only, which does not say which cycle avoids a set. So the
// component is built as a graph with all marks, and searched by package generic. That is done only
// where Fin occurs, and where the component would be accepting if all Fin were true.
func (s *JointSearch[L, R]) acceptsPart(numbers []uint32) (bool, error) {
	a, b := s.Pairs.At(numbers[0])
	if !s.left.mayAcceptAt(a) || !s.right.mayAcceptAt(b) {
		return false, nil
	}
	g, err := s.componentGraph(numbers)
	if err != nil {
		return false, err
	}
	part, err := g.AcceptingComponent(s.poll.ctx, s.jointFormula())
	return part != nil, err
}

// mayAcceptAt reports whether the component of a state may have an accepting cycle; false means
// that it is known to have none.
func (s *OperandSide) mayAcceptAt(n automata.State) bool { return s.accepting == nil || s.accepting[n] }

// jointFormula returns the conjunction of what remains of both conditions in a component
// whose states may accept, the bits of the right side coming after all words of the
// left. Of an operand whose accepting states are known nothing remains: there, all
// cycles are accepted.
func (s *JointSearch[L, R]) jointFormula() *generic.Formula {
	left, right := generic.True, generic.True
	if s.left.accepting == nil {
		left = s.left.condition.Formula()
	}
	if s.right.accepting == nil {
		right = s.right.condition.Formula().Shift(64 * s.left.condition.Words)
	}
	return generic.Combine(automata.ConditionAnd, []*generic.Formula{left, right})
}

// componentGraph returns the part of the product between pairs, given by their numbers
// in ascending order: node i is the i-th of them. Its marks are all those of both
// sides, kept by the search or not.
func (s *JointSearch[L, R]) componentGraph(numbers []uint32) (*generic.Graph, error) {
	g := &generic.Graph{Start: make([]uint32, 1, len(numbers)+1), Words: s.left.condition.Words + s.right.condition.Words}
	for _, n := range numbers {
		var full error
		err := s.forEachSuccessor(n, func(to uint32) bool {
			i, inside := slices.BinarySearch(numbers, to)
			if !inside {
				return true
			}
			if len(g.Destination) >= mostEdges {
				full = ErrTooManyEdges
				return false
			}
			if full = cmp.Or(account.Room(s.account, g.Destination, 1), account.Room(s.account, g.Marks, g.Words)); full != nil {
				return false
			}
			g.Destination = append(g.Destination, uint32(i))
			g.Marks = s.appendMarks(g.Marks)
			return true
		})
		if err = cmp.Or(err, full); err == nil {
			err = s.check()
		}
		if err != nil {
			return nil, err
		}
		g.Start = append(g.Start, uint32(len(g.Destination)))
	}
	return g, nil
}

// appendMarks appends all marks of the current edge.
func (s *JointSearch[L, R]) appendMarks(marks []uint64) []uint64 {
	marks = append(marks, s.left.edgeMarks(s.leftEdge())...)
	return append(marks, s.right.edgeMarks(s.rightEdge())...)
}

// forEachSuccessor makes each joint edge of pair n to a pair that has a number the
// current one, in turn, and calls visit with that number, until it returns false.
// It leaves the search as it was.
func (s *JointSearch[L, R]) forEachSuccessor(n uint32, visit func(to uint32) bool) error {
	a, b := s.Pairs.At(n)
	if err := s.push(n, uint32(a), uint32(b)); err != nil {
		return err
	}
	defer s.pop()
	// All edges are wanted here, however many the search itself may look at.
	defer func(labels int64) { s.poll.labels = labels }(s.poll.labels)
	s.poll.labels = math.MaxInt64
	for s.next(&s.path[len(s.path)-1]) {
		if err := s.account.Charge(account.EdgeWork); err != nil {
			return err
		}
		a, b := s.destination()
		to, known := s.Pairs.Find(automata.State(a), automata.State(b))
		if known && !visit(to) {
			break
		}
	}
	return nil
}
