package reduce

import (
	"cmp"
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/petri"
)

// removeEqualPlaces removes a place p that always has a constant and the tokens of some other places
// together, and that never disables a transition because of that. p is no group of places. Each transition
// changes p by as much as it changes the others together; what takes from p needs, with the constant, at
// least as many tokens of the others.
//
// The others are looked for as removeImpliedPlaces does; but they must be exactly as many, or
// markings could not be counted.
func removeEqualPlaces(d *draft, rule int) int {
	if d.counting == nil || !d.netDue(rule) {
		return 0
	}
	s := equality{implication: implication{draft: d, of: make([]int32, len(d.transitions))}}
	n := 0
	for p := range d.placeGone {
		if d.placeGone[p] || d.protected[p] || len(d.counting.groups[p]) > 1 || len(d.links[p]) > impliedWork || !d.isModest(int32(p)) {
			continue
		}
		found := s.finds(int32(p))
		if d.over(impliedWork - s.work) {
			return n
		}
		if !found {
			continue
		}
		e := Equation{Place: petri.Place(p), Constant: s.tokens}
		for _, q := range s.chosen {
			e.Terms = append(e.Terms, d.counting.groups[q]...)
		}
		if d.neverDisables(&e) && !d.isOver() {
			d.counting.equations = append(d.counting.equations, e)
			d.counting.groups[p] = nil
			d.removePlace(int32(p))
			n++
		}
	}
	d.due.net &^= 1 << rule // where fewer places are left, fewer equal others
	return n
}

// equality is the search for places that one equals.
type equality struct{ implication }

// finds reports whether there are others that p equals.
func (s *equality) finds(p int32) bool { return s.begin(p, s.search) }

// search chooses others until they have as many tokens as the place, but for a constant. It reports
// false if it finds none within the work that is left.
func (s *equality) search() bool {
	t, adds := s.open()
	if t < 0 {
		return true
	}
	// What the place gets or loses more than the others, another one must get or lose.
	u := s.at(t)
	arcs := u.post
	if adds < 0 {
		arcs = u.pre
	}
	for i := 0; i < len(arcs) && s.work > 0; i++ {
		q := arcs[i]
		s.work--
		if q.place == s.place || len(s.links[q.place]) > s.work || !s.isModest(q.place) || slices.Contains(s.chosen, q.place) || s.changes(t, q.place)*adds <= 0 {
			continue
		}
		s.chosen = append(s.chosen, q.place)
		s.tokens -= s.initial[q.place]
		s.count(q.place, -1)
		if s.work > 0 && s.search() {
			return true
		}
		s.count(q.place, 1)
		s.tokens += s.initial[q.place]
		s.chosen = s.chosen[:len(s.chosen)-1]
	}
	return false
}

// open returns a transition that changes the place and the others differently, and by how many tokens
// more of the place. It returns -1 if there is none.
func (s *equality) open() (t int32, adds int64) {
	for i := len(s.balance) - 1; i >= 0; i-- {
		s.work--
		if b := s.balance[i]; b.adds != 0 {
			return b.transition, b.adds
		}
	}
	return -1, 0
}

// changes returns how many tokens t adds to p, at which it has an arc.
func (s *equality) changes(t, p int32) int64 {
	links := s.links[p]
	at, _ := slices.BinarySearchFunc(links, t, func(l link, t int32) int { return cmp.Compare(l.transition, t) })
	return links[at].produced - links[at].consumed
}

// neverDisables reports whether in each marking the place of the equation has as many tokens as
// a transition takes from it that has what it needs elsewhere: one of the draft, or of the original net.
func (d *draft) neverDisables(e *Equation) bool {
	of := make(map[petri.Place]int64, len(e.Terms)) // how often a token there counts
	for _, p := range e.Terms {
		of[p]++
	}
	for _, t := range d.net.Consumers(e.Place) {
		if d.counting.dead[t] || d.over(len(d.net.Pre(t))) {
			continue
		}
		least, needed := e.Constant, int64(0)
		for _, a := range d.net.Pre(t) {
			product, fits := arithmetic.Multiply(of[a.Place], a.Weight)
			sum, added := arithmetic.Add(least, product)
			if least = sum; !fits || !added {
				return false
			}
			if a.Place == e.Place {
				needed = a.Weight
			}
		}
		if needed > 0 && needed > least {
			return false
		}
	}
	return true
}
