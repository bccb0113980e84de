package symbolic

import (
	"fmt"
	"math/big"
)

// PlaceBounds returns the largest numbers of tokens of the places over all reachable
// states, or lower bounds of them if the state space is not complete. Places are
// the variables of a System without Codes.
func (s *StateSpace) PlaceBounds() []uint32 {
	bounds := make([]uint32, s.System.Places())
	for p := range bounds {
		code := s.System.code(uint32(p))
		if code.Mark == 0 {
			bounds[p] = s.Bounds[code.Variable]
		}
	}
	if s.System.Codes == nil || !s.Complete {
		return bounds
	}
	// Of a group each value that occurs is a place that gets a token.
	for p := range bounds {
		code := s.System.code(uint32(p))
		if code.Mark != 0 && s.occurs[s.Levels[code.Variable]][code.Mark] {
			bounds[p] = 1
		}
	}
	return bounds
}

// findOccurring finds which values of variables that are groups occur in the layout of all
// states.
func (s *StateSpace) findOccurring(l *layout) {
	if s.System.Codes == nil {
		return
	}
	s.occurs = make([]map[uint32]bool, len(s.Levels)+1)
	for _, code := range s.System.Codes {
		if code.Mark != 0 {
			s.occurs[s.Levels[code.Variable]] = make(map[uint32]bool)
		}
	}
	for level, occurs := range s.occurs {
		if occurs == nil {
			continue
		}
		for _, n := range l.level(level) {
			s.Forest.charge(4 * edgeWork * int(s.Forest.degree(n)))
			for _, e := range s.Forest.Edges(n) {
				occurs[e.Value] = true
			}
		}
	}
}

// LargestValue returns the largest number of tokens in a place in a reachable state.
func (s *StateSpace) LargestValue() uint32 {
	var largest uint32
	for _, b := range s.PlaceBounds() {
		largest = max(largest, b)
	}
	return largest
}

// LargestSum returns the largest Σ weights[p]·(tokens of place p) over the reachable
// states.
func (s *StateSpace) LargestSum(weights []int64) (*big.Int, error) {
	if len(weights) != s.System.Places() {
		return nil, fmt.Errorf("%d weights for %d places", len(weights), s.System.Places())
	}
	byLevel := make([]weighting, len(s.Levels))
	for p, w := range weights {
		code := s.System.code(uint32(p))
		byLevel[s.Levels[code.Variable]-1].add(code, w)
	}
	return s.Forest.maxWeight(s.Reachable, byLevel)
}

// LargestMarking returns the largest number of tokens in a reachable marking.
func (s *StateSpace) LargestMarking() (*big.Int, error) {
	ones := make([]int64, s.System.Places())
	for i := range ones {
		ones[i] = 1
	}
	return s.LargestSum(ones)
}

// Vector returns the state in which each place p has tokens(p) tokens, by level as Contains takes
// it. It reports false if the encoding has no such state, as when two places of a group have a
// token.
func (s *StateSpace) Vector(tokens func(p uint32) int64) ([]uint32, bool) {
	vector := make([]uint32, len(s.Levels))
	for p := range uint32(s.System.Places()) {
		code, n := s.System.code(p), tokens(p)
		at := &vector[s.Levels[code.Variable]-1]
		switch {
		case n < 0 || n > 1<<32-1 || code.Mark != 0 && (n > 1 || n == 1 && *at != 0):
			return nil, false
		case code.Mark == 0:
			*at = uint32(n)
		case n == 1:
			*at = code.Mark
		}
	}
	return vector, true
}
