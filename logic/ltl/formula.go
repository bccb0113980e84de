package ltl

import (
	"math"
	"slices"

	"pnmc/internal/hashing"
	"pnmc/logic"
)

// Operator is what the root of a Formula says: a Boolean operator of package logic, or one
// of these.
type Operator = logic.Operator

// The operators of linear temporal logic beside the Boolean ones. And and Or have two or
// more operands.
const (
	Atom          = logic.Further + iota // the atomic proposition holds now
	Next                                 // X: the operand holds from the next position on
	Finally                              // F: at some position, now or later
	Globally                             // G: at every position from now on
	Until                                // U: the first holds until the second does, and it does
	Release                              // R: the second holds up to and including where the first does, or for ever
	WeakUntil                            // W: the first holds until the second does, or for ever
	StrongRelease                        // M: the second holds up to and including where the first does, and it does
)

// Formula is a formula of linear temporal logic over numbered propositions, as a node of a
// directed acyclic graph in which equal formulas are one node. So formulas of the same Formulas
// are equal if and only if their pointers are. A Formula is immutable and made by the methods of
// Formulas.
type Formula struct {
	operator Operator
	traits   Traits
	atom     uint32
	number   uint32
	depth    uint32
	length   uint32
	operands []*Formula
}

// Formulas makes formulas and keeps each of them once. It is not safe for
// concurrent use; the formulas themselves are.
type Formulas struct {
	names   []string
	numbers map[string]uint32
	atoms   []*Formula
	nodes   map[uint64][]*Formula
	count   uint32
	falsity *Formula
	truth   *Formula
}

// NewFormulas returns a maker of formulas that knows no proposition.
func NewFormulas() *Formulas {
	s := &Formulas{numbers: map[string]uint32{}, nodes: map[uint64][]*Formula{}}
	s.falsity = s.intern(logic.False, 0)
	s.truth = s.intern(logic.True, 0)
	return s
}

// Propositions returns the names of the atomic propositions in the order in which
// they were first used; not to be modified.
func (s *Formulas) Propositions() []string { return s.names }

// Len returns the number of different formulas made so far.
func (s *Formulas) Len() int { return int(s.count) }

// Operator returns the root of f.
func (f *Formula) Operator() Operator { return f.operator }

// Operands returns the operands of the root: none for a constant or an atomic
// proposition, one for !, X, F and G, two or more for & and |, and two for the others.
// Do not modify the result. Operands of & and | are in the order in which they were
// made.
func (f *Formula) Operands() []*Formula { return f.operands }

// Proposition returns the number of the atomic proposition that f is.
func (f *Formula) Proposition() int { return int(f.atom) }

// Number returns the number of f, which is unique within the same Formulas. Operands have
// smaller numbers than formulas in which they occur.
func (f *Formula) Number() int { return int(f.number) }

// Depth returns the length of the longest path from the root to a leaf: 1 for a
// constant or an atomic proposition.
func (f *Formula) Depth() int { return int(f.depth) }

// Length returns the number of connectives, constants and atomic propositions in f as
// a tree, which is how Text writes it: at most math.MaxUint32, which stands for
// all that is longer.
func (f *Formula) Length() int64 { return int64(f.length) }

// intern returns the one node with this root and these operands.
func (s *Formulas) intern(c Operator, atom uint32, operands ...*Formula) *Formula {
	hash := (uint64(c)<<32 | uint64(atom)) * hashing.Golden
	for _, f := range operands {
		hash = hashing.Add(hash, uint64(f.number))
	}
	for _, f := range s.nodes[hash] {
		if f.operator == c && f.atom == atom && slices.Equal(f.operands, operands) {
			return f
		}
	}
	f := &Formula{operator: c, atom: atom, number: s.count, operands: slices.Clone(operands), depth: 1}
	length := uint64(max(1, len(operands)-1)) // a & b & c has two connectives
	for _, g := range operands {
		f.depth = max(f.depth, g.depth+1)
		length += uint64(g.length)
	}
	f.length = uint32(min(length, math.MaxUint32))
	f.traits = traitsOf(f)
	s.count++
	s.nodes[hash] = append(s.nodes[hash], f)
	return f
}
