package bdd

import (
	"slices"

	"pnmc/automata"
	"pnmc/internal/bitset"
)

// wordsPerNode bounds the size of a label, in words of its cubes, by the limit on
// nodes: with many propositions a cube is much larger than a node.
const wordsPerNode = 8

// labelWords is a size that a label may have whatever the limit on nodes is, 32 MB: a
// clause of 10,000 literals, each a cube of its own, has a diagram of as many nodes.
const labelWords = 1 << 22

// ManyCubes is a limit for labels that are only nice to have. A deterministic automaton, or
// one in which no valuation occurs twice, may need labels of exponentially many cubes, where
// labels that overlap have few. Above the limit such a label is not made.
const ManyCubes = 1 << 9

// FewPropositions is a number of propositions so small that no label over them has more
// than ManyCubes. The worst label is parity, with a cube for every second valuation.
const FewPropositions = 10

// Label returns an irredundant sum of products of g: no cube and no literal of it
// can be left out. Algorithm: Minato, "Fast generation of irredundant
// sum-of-products forms from binary decision diagrams" (1992), after Morreale; see
// irredundantSum. The work is at most proportional to cubes × propositions operations. A part that
// is one cube anyway takes no operation, so that sums of few long cubes are quick. An error is that
// of Err.
func (f *Functions) Label(g Function) (automata.Label, error) {
	return f.LabelOver(g, f.propositions)
}

// LabelOver returns the Label of g, which depends on propositions below count only, with cubes
// over that many propositions.
func (f *Functions) LabelOver(g Function, count int) (automata.Label, error) {
	s := irredundantSum{Functions: f, cube: automata.NewCube(count)}
	s.between(g, g)
	if f.err != nil {
		return nil, f.err
	}
	return s.label, nil
}

// LabelWithin returns what LabelOver does if that has at most so many cubes, and nil if it has
// more.
func (f *Functions) LabelWithin(g Function, count, most int) (automata.Label, error) {
	s := irredundantSum{Functions: f, cube: automata.NewCube(count), most: most}
	s.between(g, g)
	if s.over || f.err != nil {
		return nil, f.err
	}
	return s.label, nil
}

// HasManyCubes reports whether the label of g, which depends on propositions below count only,
// has more than ManyCubes. It makes no more of them to find out.
func (f *Functions) HasManyCubes(g Function, count int) bool {
	if count <= FewPropositions || g <= TrueFunction {
		return false
	}
	label, err := f.LabelWithin(g, count, ManyCubes)
	return label == nil && err == nil
}

// irredundantSum collects the cubes of one label.
//
// The problem: each path of a diagram to true is a cube, but a sum of all paths is longer than
// need be. The paths of a | b are a and !a & b, though the literal !a is of no use. The idea of
// Minato is to ask for less than the whole function: between(lower, upper) is any sum that covers
// lower and stays within upper. The slack between the two is what other cubes cover already.
//
// It splits by the first proposition v. Valuations of lower with !v, whose twins with v are
// forbidden, need cubes with the literal !v. Valuations of lower with v, whose twins with !v are
// forbidden, need cubes with v. The rest of lower, once these cubes are taken off, is covered
// without a literal of v. It may lie on both sides, so it must be within the upper bound of both.
//
// For example, a & b | !a & c | b & c, where b & c is not needed. Under !a it is c, under a it is
// b. Only !a: c must not lie under a, where all must be within b, so the cube !a & c. Only a: the
// cube a & b. Both together cover c and b, so nothing is left, and b & c is not made. And a | b:
// under !a it is b, under a it is true. b may lie on both sides, so no cube has !a. Under a, true
// is not within b: the cube a. The rest is b, and its cube has no literal of a.
//
// Why it is irredundant: a cube with the literal !v is made for some valuation. No cube without
// !v may cover that, and the other cubes with !v do not cover it, by induction. So it can't be
// left out, and its literal can't either. A cube without v covers something left by those with
// v.
type irredundantSum struct {
	*Functions
	cube  automata.Cube // the literals on the path to the current call
	label automata.Label
	most  int  // cubes, or 0 where the limit of the functions is the only one
	over  bool // there would be more
	made  int  // bytes of cubes since the last look at the memory
}

// between appends cubes whose disjunction d satisfies lower → d → upper, each
// with the literals of s.cube added, and returns d. Where lower is not false at least one
// cube comes out, so that the recursion is bounded by the size of the result.
func (s *irredundantSum) between(lower, upper Function) Function {
	switch {
	case lower == FalseFunction || s.over || s.err != nil:
		return FalseFunction
	case s.isCube(upper): // the only prime implicant, and lower is not false
		return s.add(upper)
	}
	if !s.step() {
		return FalseFunction
	}
	v := min(s.nodes[lower].variable, s.nodes[upper].variable)
	lower0, lower1 := s.cofactors(lower, v)
	upper0, upper1 := s.cofactors(upper, v)
	if lower == upper && (lower0 == FalseFunction || lower1 == FalseFunction) {
		return s.literal(v, lower0, lower1)
	}
	// What the branches where v is false and true need and the other can't have.
	occurs, positive := s.cube[:len(s.cube)/2], s.cube[len(s.cube)/2:]
	bitset.Add(occurs, v)
	only0 := s.outside(lower0, upper0, upper1)
	bitset.Add(positive, v)
	only1 := s.outside(lower1, upper1, upper0)
	bitset.Remove(occurs, v)
	bitset.Remove(positive, v)
	// The rest is covered without a literal of v.
	rest := s.Or(s.without(lower0, only0), s.without(lower1, only1))
	both := s.between(rest, s.And(upper0, upper1))
	if lower == upper && !s.over && s.err == nil {
		return upper // all that lies between
	}
	return s.Choice(v, s.Or(only0, both), s.Or(only1, both))
}

// outside returns what between returns for the part of lower that is outside other. It makes no
// function of that part where the part is empty, or where upper is a cube, which then covers it in
// any case.
func (s *irredundantSum) outside(lower, upper, other Function) Function {
	switch {
	case s.Implies(lower, other):
		return FalseFunction
	case s.err == nil && s.isCube(upper):
		return s.add(upper)
	}
	return s.between(s.And(lower, s.Not(other)), upper)
}

// without returns the part of g that is outside h.
func (s *irredundantSum) without(g, h Function) Function {
	if h == FalseFunction {
		return g
	}
	if s.Implies(g, h) {
		return FalseFunction
	}
	return s.And(g, s.Not(h))
}

// isCube reports whether g is a conjunction of literals.
func (s *irredundantSum) isCube(g Function) bool {
	for g > TrueFunction {
		n := s.nodes[g]
		switch FalseFunction {
		case n.low:
			g = n.high
		case n.high:
			g = n.low
		default:
			return false
		}
	}
	return g == TrueFunction
}

// add appends the cube g to the literals of s.cube, and returns g.
func (s *irredundantSum) add(g Function) Function {
	if s.most > 0 && len(s.label) == s.most {
		s.over = true
		return FalseFunction
	}
	if n := len(s.label); n == s.limit || n*len(s.cube) > max(labelWords, wordsPerNode*s.limit) {
		s.err = ErrTooLarge
		return FalseFunction
	}
	if !s.room() {
		return FalseFunction
	}
	cube := slices.Clone(s.cube)
	half := uint32(len(cube) / 2)
	for h := g; h != TrueFunction; {
		n := s.nodes[h]
		bitset.Add(cube, n.variable)
		if h = n.low; h == FalseFunction {
			bitset.Add(cube[half:], n.variable)
			h = n.high
		}
	}
	s.label = append(s.label, cube)
	return g
}

// cubeBytes is what a cube takes beside its words, while the slice of all grows.
const cubeBytes = 64

// room reports whether there is room for another cube. It asks for memory after each
// mebibyte of cubes, and where their slice grows.
func (s *irredundantSum) room() bool {
	s.made += cubeBytes + 8*len(s.cube)
	if s.made >= bytesBetweenLooks {
		s.reserve(s.made + cubeBytes/2*len(s.label))
		s.made = 0
	}
	return s.err == nil
}

// literal does what between(g, g) does, where g is low if v is false and high if v is true, and one of
// the two is the constant false. So each cube has a literal of v, and no bounds need to be made.
func (s *irredundantSum) literal(v uint32, low, high Function) Function {
	occurs, positive := s.cube[:len(s.cube)/2], s.cube[len(s.cube)/2:]
	bitset.Add(occurs, v)
	defer func() {
		bitset.Remove(occurs, v)
		bitset.Remove(positive, v)
	}()
	if high == FalseFunction {
		return s.Choice(v, s.between(low, low), FalseFunction)
	}
	bitset.Add(positive, v)
	return s.Choice(v, FalseFunction, s.between(high, high))
}
