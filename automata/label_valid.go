package automata

import (
	"context"
	"math/bits"
	"slices"

	"pnmc/automata/internal/effort"
	"pnmc/internal/bitset"
)

// workOfSearch is what search does for a word of a cube that it looks at, measured in those
// that are only looked at.
const workOfSearch = 32

// Valid reports whether every valuation is known to match l. That is a hard problem, at
// worst exponential in the number of propositions of l: a bound on the work, or ctx, may
// end it, and the answer is no then.
func (l Label) Valid(ctx context.Context) bool { return l.valid(effort.New(ctx, labelWork)) }

// valid reports what Valid does, with a share of an effort. It is the search of Davis, Putnam,
// Logemann and Loveland for a valuation that matches no cube. As long as it can, it reads off what
// such a valuation must or may have. Then it tries both values of a proposition that occurs most
// often. It is linear in the words of l where nothing has to be tried, as with a clause and its
// negation. Its recursion is as deep as there are propositions.
//
// For example, a | !a & b | !b & c. A valuation that matches no cube has a false, since a is a cube
// by itself. The second cube is b then, so b is false too, and the third is c, so c is false: a
// valuation is found, and the label is not valid. Nothing had to be tried.
func (l Label) valid(e *effort.Bound) bool {
	if !e.Spend(8 * len(l)) {
		return false
	}
	if valid, certain := l.validByCounting(); certain {
		return valid
	}
	return l.copied().search(e)
}

// countedCubes is up to how many cubes validByCounting compares pair by pair.
const countedCubes = 64

// validByCounting reports whether l is valid, where counting is enough to know; elsewhere certain
// is false. A cube of n literals matches a share of 2^-n of all valuations. Cubes that are pairwise
// disjoint match the sum of their shares, and others match less than that sum. So a sum below one
// is not valid: a & b | !a matches three quarters. With a sum of one, the label is valid if and
// only if the cubes are pairwise disjoint, as a | !a & b | !a & !b is.
func (l Label) validByCounting() (valid, certain bool) {
	const one = 1 << 62
	sum, exact := uint64(0), true
	for _, c := range l {
		n := c.Literals()
		if n == 0 {
			return true, true
		}
		if n > 60 {
			exact = false
			continue
		}
		sum = min(sum+one>>n, 2*one)
	}
	switch {
	case !exact:
		return false, false
	case sum < one:
		return false, true
	case sum > one || len(l) > countedCubes:
		return false, false
	}
	// Their sizes add up to all valuations: they match them all exactly if no two meet.
	for i, c := range l {
		for _, d := range l[:i] {
			if c.Intersects(d) {
				return false, true
			}
		}
	}
	return true, true
}

// copied returns l with cubes of its own.
func (l Label) copied() Label {
	d := make(Label, len(l))
	for i, c := range l {
		d[i] = slices.Clone(c)
	}
	return d
}

// search reports what valid does, for a label that it may change.
func (l Label) search(e *effort.Bound) bool {
	for {
		before := len(l)
		if before > 0 && !e.Spend(workOfSearch*before*len(l[0])) {
			return false
		}
		units, valid := l.units()
		if valid {
			return true
		}
		if units != nil {
			l = l.without(units)
		}
		if l = l.bothSigned(); len(l) == 0 {
			return false
		}
		if units == nil && len(l) == before {
			break
		}
	}
	p := l.mostFrequent()
	return l.Where(p, false).search(e) && l.Where(p, true).search(e)
}

// units returns the literals that are cubes by themselves, as one cube, or nil if there are
// none. valid is true if a cube without literals, or a literal and its negation, make l valid.
func (l Label) units() (units Cube, valid bool) {
	for _, c := range l {
		n := c.Literals()
		if n == 0 {
			return nil, true
		}
		if n > 1 {
			continue
		}
		if units == nil {
			units = make(Cube, len(c))
		}
		if !units.Intersects(c) {
			return nil, true
		}
		for w := range c {
			units[w] |= c[w]
		}
	}
	return units, false
}

// without returns l, changed in place, for valuations that match none of the units. A cube that has
// a unit matches none of these and goes. The negation of a unit is true, and goes from its cubes.
func (l Label) without(units Cube) Label {
	half := len(units) / 2
	return slices.DeleteFunc(l, func(c Cube) bool {
		for w := range half {
			if c[w]&units[w]&^(c[half+w]^units[half+w]) != 0 {
				return true
			}
			c[w] &^= units[w]
			c[half+w] &^= units[w]
		}
		return false
	})
}

// bothSigned drops, in place, the cubes of l that have a proposition which occurs in l
// with one sign only. A valuation that matches no cube may have the other sign, and matches none of
// these cubes then.
func (l Label) bothSigned() Label {
	if len(l) == 0 {
		return l
	}
	half := len(l[0]) / 2
	negated, unnegated := make([]uint64, half), make([]uint64, half)
	for _, c := range l {
		for w := range half {
			negated[w] |= c[w] &^ c[half+w]
			unnegated[w] |= c[half+w]
		}
	}
	return slices.DeleteFunc(l, func(c Cube) bool {
		for w := range half {
			if c[w]&(negated[w]^unnegated[w]) != 0 {
				return true
			}
		}
		return false
	})
}

// mostFrequent returns the first of the propositions that occur in the most cubes.
func (l Label) mostFrequent() int {
	counts := make([]int, 32*len(l[0]))
	most := 0
	for _, c := range l {
		for w, word := range c[:len(c)/2] {
			for ; word != 0; word &= word - 1 {
				p := 64*w + bits.TrailingZeros64(word)
				if counts[p]++; counts[p] > counts[most] || counts[p] == counts[most] && p < most {
					most = p
				}
			}
		}
	}
	return most
}

// Where returns a copy of l under the assumption that proposition p has this value.
func (l Label) Where(p int, value bool) Label {
	var rest Label
	for _, c := range l {
		occurs, positive := c.Literal(p)
		if occurs && positive != value {
			continue
		}
		d := slices.Clone(c)
		bitset.Remove(d, p)
		bitset.Remove(d[len(d)/2:], p)
		rest = append(rest, d)
	}
	return rest
}

// FirstProposition returns a proposition of the first cube of l. It reports false if there is none:
// l is empty, or matches everything since it has a cube without literals.
func (l Label) FirstProposition() (int, bool) {
	p, some := 0, false
	for i, c := range l {
		first, has := 0, false
		for q := 0; q < 64*(len(c)/2) && !has; q++ {
			first = q
			has, _ = c.Literal(q)
		}
		if !has {
			return 0, false
		}
		if i == 0 {
			p, some = first, true
		}
	}
	return p, some
}
