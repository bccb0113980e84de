package logic

import (
	"math"
	"slices"
)

// Connective is what the root of a Formula says.
type Connective uint8

// The connectives of linear temporal logic.
const (
	Falsity       Connective = iota // no run
	Truth                           // every run
	Atom                            // the atomic proposition holds now
	Negation                        // the operand does not hold
	Conjunction                     // all of two or more operands hold
	Disjunction                     // some of two or more operands holds
	ExclusiveOr                     // exactly one of the two holds
	Equivalence                     // both hold or neither
	Implication                     // if the first holds, the second holds
	Next                            // X: the operand holds from the next position on
	Finally                         // F: at some position, now or later
	Globally                        // G: at every position from now on
	Until                           // U: the first holds until the second does, and it does
	Release                         // R: the second holds up to and including where the first does, or for ever
	WeakUntil                       // W: the first holds until the second does, or for ever
	StrongRelease                   // M: the second holds up to and including where the first does, and it does
)

// Formula is a formula of linear temporal logic over numbered propositions, as
// a node of a directed acyclic graph in which equal formulas are one node:
// formulas of the same Formulas are equal if and only if their pointers are.
// A Formula is immutable and made by the methods of Formulas.
type Formula struct {
	connective Connective
	traits     Traits
	atom       uint32
	number     uint32
	depth      uint32
	length     uint32
	operands   []*Formula
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

// NewFormulas is a maker of formulas that knows no proposition.
func NewFormulas() *Formulas {
	s := &Formulas{numbers: map[string]uint32{}, nodes: map[uint64][]*Formula{}}
	s.falsity = s.intern(Falsity, 0)
	s.truth = s.intern(Truth, 0)
	return s
}

// Propositions are the names of the atomic propositions in the order in which
// they were first used; not to be modified.
func (s *Formulas) Propositions() []string { return s.names }

// Len is the number of different formulas made so far.
func (s *Formulas) Len() int { return int(s.count) }

// Connective is the root of f.
func (f *Formula) Connective() Connective { return f.connective }

// Operands are those of the root: none of a constant or an atomic proposition,
// one of !, X, F and G, two or more of & and |, two of the others; not to be
// modified. Operands of & and | are in the order in which they were made.
func (f *Formula) Operands() []*Formula { return f.operands }

// Proposition is the number of the atomic proposition that f is.
func (f *Formula) Proposition() int { return int(f.atom) }

// Number tells formulas of the same Formulas apart; operands have smaller
// numbers than what they occur in.
func (f *Formula) Number() int { return int(f.number) }

// Depth is the length of the longest path from the root to a leaf: 1 for a
// constant or an atomic proposition.
func (f *Formula) Depth() int { return int(f.depth) }

// Length is the number of connectives, constants and atomic propositions in f as
// a tree, which is how Text writes it: at most math.MaxUint32, which stands for
// all that is longer.
func (f *Formula) Length() int64 { return int64(f.length) }

// Atom is the atomic proposition of that name.
func (s *Formulas) Atom(name string) *Formula {
	p, known := s.numbers[name]
	if !known {
		p = uint32(len(s.names))
		s.names = append(s.names, name)
		s.numbers[name] = p
		s.atoms = append(s.atoms, s.intern(Atom, p))
	}
	return s.atoms[p]
}

// True is the formula that every run satisfies.
func (s *Formulas) True() *Formula { return s.truth }

// False is the formula that no run satisfies.
func (s *Formulas) False() *Formula { return s.falsity }

// Not is the negation of f; double negations and negated constants vanish.
func (s *Formulas) Not(f *Formula) *Formula {
	switch f.connective {
	case Falsity:
		return s.truth
	case Truth:
		return s.falsity
	case Negation:
		return f.operands[0]
	}
	return s.intern(Negation, 0, f)
}

// And is the conjunction of operands; nested ones are flattened, repetitions and
// the constant true dropped, a formula beside its negation makes it false.
func (s *Formulas) And(operands ...*Formula) *Formula {
	return s.nary(Conjunction, s.truth, s.falsity, operands)
}

// Or is the disjunction of operands, brought to normal form as by And.
func (s *Formulas) Or(operands ...*Formula) *Formula {
	return s.nary(Disjunction, s.falsity, s.truth, operands)
}

// nary makes a conjunction or disjunction with its neutral and absorbing
// constants.
func (s *Formulas) nary(c Connective, neutral, absorbing *Formula, operands []*Formula) *Formula {
	flat := make([]*Formula, 0, len(operands))
	for _, f := range operands {
		switch {
		case f == absorbing:
			return absorbing
		case f.connective == c:
			flat = append(flat, f.operands...)
		case f != neutral:
			flat = append(flat, f)
		}
	}
	slices.SortFunc(flat, func(f, g *Formula) int { return int(f.number) - int(g.number) })
	flat = slices.Compact(flat)
	for _, f := range flat {
		if f.connective == Negation && containsFormula(flat, f.operands[0]) {
			return absorbing
		}
	}
	switch len(flat) {
	case 0:
		return neutral
	case 1:
		return flat[0]
	}
	return s.intern(c, 0, flat...)
}

// containsFormula tells whether f is in list, which ascends by number.
func containsFormula(list []*Formula, f *Formula) bool {
	_, found := slices.BinarySearchFunc(list, f, func(g, f *Formula) int { return int(g.number) - int(f.number) })
	return found
}

// Xor is f xor g; with a constant or equal operands it vanishes.
func (s *Formulas) Xor(f, g *Formula) *Formula {
	switch {
	case f == g:
		return s.falsity
	case f.connective == Falsity:
		return g
	case g.connective == Falsity:
		return f
	case f.connective == Truth:
		return s.Not(g)
	case g.connective == Truth:
		return s.Not(f)
	case s.Not(f) == g:
		return s.truth
	}
	return s.intern(ExclusiveOr, 0, f, g)
}

// Equivalent is f <-> g; with a constant or equal operands it vanishes.
func (s *Formulas) Equivalent(f, g *Formula) *Formula {
	switch {
	case f == g:
		return s.truth
	case f.connective == Truth:
		return g
	case g.connective == Truth:
		return f
	case f.connective == Falsity:
		return s.Not(g)
	case g.connective == Falsity:
		return s.Not(f)
	case s.Not(f) == g:
		return s.falsity
	}
	return s.intern(Equivalence, 0, f, g)
}

// Implies is f -> g; with a constant or equal operands it vanishes.
func (s *Formulas) Implies(f, g *Formula) *Formula {
	switch {
	case f == g, f.connective == Falsity, g.connective == Truth:
		return s.truth
	case f.connective == Truth:
		return g
	case g.connective == Falsity:
		return s.Not(f)
	}
	return s.intern(Implication, 0, f, g)
}

// Next is X f; of a constant, the constant.
func (s *Formulas) Next(f *Formula) *Formula {
	if f.connective <= Truth {
		return f
	}
	return s.intern(Next, 0, f)
}

// Finally is F f; FF f is F f.
func (s *Formulas) Finally(f *Formula) *Formula {
	if f.connective <= Truth || f.connective == Finally {
		return f
	}
	return s.intern(Finally, 0, f)
}

// Globally is G f; GG f is G f.
func (s *Formulas) Globally(f *Formula) *Formula {
	if f.connective <= Truth || f.connective == Globally {
		return f
	}
	return s.intern(Globally, 0, f)
}

// Until is f U g; true U g is F g, and other constants vanish.
func (s *Formulas) Until(f, g *Formula) *Formula {
	switch {
	case f == g, f.connective == Falsity, g.connective <= Truth:
		return g
	case f.connective == Truth:
		return s.Finally(g)
	}
	return s.intern(Until, 0, f, g)
}

// Release is f R g; false R g is G g, and other constants vanish.
func (s *Formulas) Release(f, g *Formula) *Formula {
	switch {
	case f == g, f.connective == Truth, g.connective <= Truth:
		return g
	case f.connective == Falsity:
		return s.Globally(g)
	}
	return s.intern(Release, 0, f, g)
}

// WeakUntil is f W g; f W false is G f, and other constants vanish.
func (s *Formulas) WeakUntil(f, g *Formula) *Formula {
	switch {
	case f == g, f.connective == Falsity, g.connective == Truth:
		return g
	case f.connective == Truth:
		return f
	case g.connective == Falsity:
		return s.Globally(f)
	}
	return s.intern(WeakUntil, 0, f, g)
}

// StrongRelease is f M g; f M true is F f, and other constants vanish.
func (s *Formulas) StrongRelease(f, g *Formula) *Formula {
	switch {
	case f == g, f.connective == Truth, g.connective == Falsity:
		return g
	case f.connective == Falsity:
		return f
	case g.connective == Truth:
		return s.Finally(f)
	}
	return s.intern(StrongRelease, 0, f, g)
}

// Make is the formula with this root and these operands, as many as the connective
// has; an atom is made by Atom.
func (s *Formulas) Make(c Connective, o []*Formula) *Formula {
	switch c {
	case Falsity:
		return s.False()
	case Truth:
		return s.True()
	case Negation:
		return s.Not(o[0])
	case Conjunction:
		return s.And(o...)
	case Disjunction:
		return s.Or(o...)
	case ExclusiveOr:
		return s.Xor(o[0], o[1])
	case Equivalence:
		return s.Equivalent(o[0], o[1])
	case Implication:
		return s.Implies(o[0], o[1])
	case Next:
		return s.Next(o[0])
	case Finally:
		return s.Finally(o[0])
	case Globally:
		return s.Globally(o[0])
	case Until:
		return s.Until(o[0], o[1])
	case Release:
		return s.Release(o[0], o[1])
	case WeakUntil:
		return s.WeakUntil(o[0], o[1])
	}
	return s.StrongRelease(o[0], o[1])
}

// intern is the one node with this root and these operands.
func (s *Formulas) intern(c Connective, atom uint32, operands ...*Formula) *Formula {
	hash := (uint64(c)<<32 | uint64(atom)) * 0x9e3779b97f4a7c15
	for _, f := range operands {
		hash = (hash ^ uint64(f.number)) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	for _, f := range s.nodes[hash] {
		if f.connective == c && f.atom == atom && slices.Equal(f.operands, operands) {
			return f
		}
	}
	f := &Formula{connective: c, atom: atom, number: s.count, operands: slices.Clone(operands), depth: 1}
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
