package automata

import "slices"

// Valid tells whether every valuation matches l. It splits on a proposition that
// occurs most often until a cube without literals or no cube remains: at worst
// exponential in the number of propositions of l, in practice small because a
// proposition that occurs with one sign only needs one side.
func (l Label) Valid() bool {
	var p, most int
	counts := map[int][2]int{}
	for _, c := range l {
		if c.Literals() == 0 {
			return true
		}
		for q := range 64 * (len(c) / 2) {
			occurs, positive := c.Literal(q)
			if !occurs {
				continue
			}
			n := counts[q]
			if positive {
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
	if most == 0 {
		return false
	}
	for q, n := range counts {
		if n[0] == 0 || n[1] == 0 { // one sign only: the other one is harder to match
			return l.where(q, n[1] == 0).Valid()
		}
	}
	return l.where(p, false).Valid() && l.where(p, true).Valid()
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
