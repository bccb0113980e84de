package automata

import (
	"math/bits"

	"pnmc/internal/bitset"
)

// Valuation gives each atomic proposition its truth value: proposition i is bit
// i%64 of word i/64, unused bits are zero. With no propositions it still has one
// word.
type Valuation []uint64

// Cube is a conjunction of literals: in its first half a bit says that the proposition
// occurs, in its second half that it occurs unnegated. A bit of the second half is set
// only where that of the first is.
type Cube []uint64

// Label is a disjunction of cubes. The empty Label is false; a cube without
// literals is true.
type Label []Cube

// WordsFor returns the number of words of a Valuation of n propositions.
func WordsFor(propositions int) int { return max(1, bitset.WordsFor(propositions)) }

// NewCube returns the cube without literals over n propositions.
func NewCube(propositions int) Cube { return make(Cube, 2*WordsFor(propositions)) }

// CompleteCube returns the cube over n propositions that only v matches.
func CompleteCube(propositions int, v Valuation) Cube {
	c := NewCube(propositions)
	for p := range propositions {
		bitset.Add(c, p)
	}
	for w := range len(c) / 2 {
		c[len(c)/2+w] = v[w] & c[w]
	}
	return c
}

// With returns a copy of c that has the literal of proposition p too, replacing a
// literal of p that c has.
func (c Cube) With(p int, positive bool) Cube {
	d := append(Cube(nil), c...)
	half := len(d) / 2
	bitset.Add(d, p)
	bitset.Remove(d[half:], p)
	if positive {
		bitset.Add(d[half:], p)
	}
	return d
}

// Literal reports whether proposition p occurs in c, and whether unnegated.
func (c Cube) Literal(p int) (occurs, positive bool) {
	half := len(c) / 2
	return bitset.Has(c, p), bitset.Has(c[half:], p)
}

// eachLiteral calls do with each proposition that occurs in c, and whether unnegated.
func (c Cube) eachLiteral(do func(p int, positive bool)) {
	half := len(c) / 2
	for w, word := range c[:half] {
		for ; word != 0; word &= word - 1 {
			p := bits.TrailingZeros64(word)
			do(64*w+p, c[half+w]>>p&1 == 1)
		}
	}
}

// Literals returns the number of literals in c.
func (c Cube) Literals() int {
	n := 0
	for _, w := range c[:len(c)/2] {
		n += bits.OnesCount64(w)
	}
	return n
}

// Matches reports whether v makes every literal of c true.
func (c Cube) Matches(v Valuation) bool {
	half := len(c) / 2
	for i := range half {
		if v[i]&c[i] != c[half+i] {
			return false
		}
	}
	return true
}

// Intersects reports whether some valuation makes both c and d true.
func (c Cube) Intersects(d Cube) bool {
	half := len(c) / 2
	for i := range half {
		if (c[half+i]^d[half+i])&c[i]&d[i] != 0 {
			return false
		}
	}
	return true
}

// Matches reports whether v makes some cube of l true.
func (l Label) Matches(v Valuation) bool {
	for _, c := range l {
		if c.Matches(v) {
			return true
		}
	}
	return false
}

// Marks is a set of acceptance sets: set i is bit i%64 of word i/64.
type Marks []uint64

// MarkWordsFor returns the number of words of Marks over that many acceptance sets.
func MarkWordsFor(sets int) int { return max(1, bitset.WordsFor(sets)) }

// NewMarks returns the set of the listed acceptance sets, out of that many.
func NewMarks(sets int, members ...int) Marks {
	m := make(Marks, MarkWordsFor(sets))
	for _, i := range members {
		bitset.Add(m, i)
	}
	return m
}

// Has reports whether set i is in m.
func (m Marks) Has(i int) bool { return bitset.Has(m, i) }

// Count returns the number of sets in m.
func (m Marks) Count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}
