package automata

import (
	"context"
	"slices"
)

// validWork is how much is done to find out whether labels are valid, in words of cubes and,
// eight each, literals: some tenths of a second.
const validWork = 1 << 23

// Valid reports whether every valuation is known to match l. That is a hard problem, at
// worst exponential in the number of propositions of l: a bound on the work, or ctx, may
// end it, and the answer is no then.
func (l Label) Valid(ctx context.Context) bool { return l.valid(newEffort(ctx, validWork)) }

// valid splits on a proposition that occurs most often until a cube without literals or no
// cube remains. In practice that is quick, because a proposition that occurs with one sign
// only needs one side. Its recursion is as deep as there are propositions.
func (l Label) valid(e *effort) bool {
	if len(l) == 0 {
		return false
	}
	var p, most int
	counts := map[int][2]int{}
	for _, c := range l {
		literals := c.Literals()
		if literals == 0 {
			return true
		}
		if !e.spend(len(c) + 8*literals) {
			return false
		}
		for i, w := range c[:len(c)/2] {
			for _, bit := range members(w) {
				q := 64*i + bit
				n := counts[q]
				if _, positive := c.Literal(q); positive {
					n[1]++
				} else {
					n[0]++
				}
				counts[q] = n
				if weight := n[0] + n[1]; weight > most || weight == most && q < p {
					p, most = q, weight
				}
			}
		}
	}
	single := -1 // the least proposition with one sign only: the other one is harder to match
	for q, n := range counts {
		if (n[0] == 0 || n[1] == 0) && (single < 0 || q < single) {
			single = q
		}
	}
	if single >= 0 {
		return l.where(single, counts[single][1] == 0).valid(e)
	}
	return l.where(p, false).valid(e) && l.where(p, true).valid(e)
}

// where is l under the assumption that proposition p has this value.
func (l Label) where(p int, value bool) Label {
	var rest Label
	for _, c := range l {
		occurs, positive := c.Literal(p)
		if !occurs {
			rest = append(rest, c)
			continue
		}
		if positive == value {
			d := slices.Clone(c)
			d[p/64] &^= 1 << (p % 64)
			d[len(d)/2+p/64] &^= 1 << (p % 64)
			rest = append(rest, d)
		}
	}
	return rest
}
