package emptiness

import (
	"fmt"
	"slices"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// replay runs one side over the word that prefix and cycle spell, step by step on
// the operand itself, and returns an error unless the run is accepted. It looks at
// the operand's own labels, marks and condition, not at what the search made of
// them.
//
// A word is the proof that two automata have one in common, and people act on it. The search that
// has found it translates marks into bits of its own, and pairs of states into numbers; a mistake
// there could give a word that one side rejects. So each side is asked again, alone. Does it have
// these states in a row, with an edge for each letter? Does the cycle end in the state where it
// began? Do the marks of the cycle satisfy the condition? That takes a time linear in the word,
// and in the edges out of its states if the operand is computed.
//
// The marks of the cycle are kept twice. Some are the sets that any of its edges is in, and
// decide Inf(s). All are the sets that every edge is in, and decide Inf(!s), which asks for an
// edge outside of s.
func (s *JointSearch[L, R]) replay(y *OperandSide, prefix, cycle []WordStep) error {
	run := operandRun{side: y, left: y == s.left}
	if len(cycle) == 0 {
		return fmt.Errorf("the cycle has no step")
	}
	first, _ := s.statesOf(cycle[0].From)
	if !run.left {
		_, first = s.statesOf(cycle[0].From)
	}
	at := uint32(0)
	for i, step := range slices.Concat(prefix, cycle) {
		a, b := s.statesOf(step.From)
		c, d := s.statesOf(step.To)
		from, to := a, c
		if !run.left {
			from, to = b, d
		}
		switch {
		case i == 0 && !slices.Contains(y.operand.initial(), from):
			return fmt.Errorf("state %d is not initial", from)
		case i > 0 && from != at:
			return fmt.Errorf("step %d leaves state %d, not %d", i, from, at)
		}
		at = to
		marks, err := run.step(from, to, step)
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		if i >= len(prefix) {
			run.see(marks)
		}
	}
	if at != first {
		return fmt.Errorf("the cycle ends in state %d, not in %d", at, first)
	}
	if !y.operand.acceptance().Condition.Accepts(run.some, run.all) {
		return fmt.Errorf("the marks %v of the cycle do not satisfy the acceptance condition", run.some)
	}
	return nil
}

// statesOf returns the states of pair n.
func (s *JointSearch[L, R]) statesOf(n uint32) (a, b uint32) {
	left, right := s.Pairs.At(n)
	return uint32(left), uint32(right)
}

// operandRun is a run of one side.
type operandRun struct {
	side      *OperandSide
	left      bool
	some, all automata.Marks
}

// see adds the marks of a step of the cycle.
func (r *operandRun) see(marks automata.Marks) {
	if r.some == nil {
		r.some, r.all = slices.Clone(marks), slices.Clone(marks)
		return
	}
	for i, w := range marks {
		r.some[i] |= w
		r.all[i] &= w
	}
}

// step finds the edge taken and returns its marks, or an error if there is none.
func (r *operandRun) step(from, to uint32, step WordStep) (automata.Marks, error) {
	o := r.side.operand
	own := make(automata.Valuation, automata.WordsFor(len(r.side.place)))
	for p, q := range r.side.place {
		bitset.Put(own, p, bitset.Bit(step.letter, q))
	}
	edge, bits := step.RightEdge, step.rightBits
	if r.left {
		edge, bits = step.leftEdge, step.leftBits
	}
	if o.explicit != nil {
		a := o.explicit
		if uint32(a.Source(edge)) != from || uint32(a.Destination(edge)) != to || !a.Matches(edge, own) {
			return nil, fmt.Errorf("edge %d does not go from state %d to %d for the letter", edge, from, to)
		}
		return a.Marks(edge), nil
	}
	lazy := o.lazy
	if lazy == nil {
		lazy = newStructureAutomaton(o)
	}
	var found automata.Marks
	translated := make([]uint64, r.side.condition.Words)
	err := lazy.Out(from, &LazyEdges{record: func(label automata.Label, marks automata.Marks, destination uint32) {
		r.side.condition.Translate(marks, translated)
		if destination == to && label.Matches(own) && slices.Equal(translated, bits) {
			found = slices.Clone(marks)
		}
	}})
	if err == nil && found == nil {
		err = fmt.Errorf("no edge from state %d to %d for the letter", from, to)
	}
	return found, err
}
