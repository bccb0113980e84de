package reduce

import "slices"

// impliedWork bounds the search for what implies one place, in arcs and transitions looked at.
const impliedWork = 1024

// removeImpliedPlaces removes a place p that never disables a transition because of some other
// places. p always has at least as many tokens as these others together. Each transition that
// takes from p needs at least as many tokens of the others. p has at least as many at first,
// and no transition adds less to p than to the others. A reset, or whatever else keeps
// transitions from firing, does no harm then.
//
// The others are what the tokens of p are elsewhere: looked for from the transitions that take
// from p backwards to those that put the tokens there. A transition that gives to them and not
// to p must take from another of them. (Such a place is structurally implicit: Silva, Teruel,
// Colom, "Linear algebraic and linear programming techniques for the analysis of place/transition
// net systems", 1998. With rational weights a linear program finds all; here weights are 1, and
// on the nets of the contest that were tried the search missed none.)
func removeImpliedPlaces(d *draft, rule int) int {
	if !d.netDue(rule) {
		return 0
	}
	s := implication{draft: d, of: make([]int32, len(d.transitions))}
	n := 0
	for p := range d.placeGone {
		if d.placeGone[p] || d.protected[p] || d.consumers[p] == 0 || len(d.links[p]) > impliedWork || !d.isModest(int32(p)) {
			continue
		}
		found := s.finds(int32(p))
		if d.over(impliedWork - s.work) {
			return n
		}
		if found {
			d.removePlace(int32(p))
			n++
		}
	}
	d.due.net &^= 1 << rule // where fewer places are left, fewer imply others
	return n
}

// isModest reports whether a place has so few tokens at first, and arcs of so small weights, that sums over
// impliedWork of them do not overflow.
func (d *draft) isModest(p int32) bool {
	return d.initial[p] <= maxWeight && !slices.ContainsFunc(d.links[p], func(l link) bool { return l.consumed > maxWeight || l.produced > maxWeight })
}

// implication is the search for places that imply one.
type implication struct {
	*draft
	place   int32
	tokens  int64 // that the others may have yet at first
	chosen  []int32
	of      []int32 // by transition: its number in balances, from 1, or 0
	balance []balance
	work    int // that is left
}

// balance is what a transition does to the place and does not to the others.
type balance struct {
	transition  int32
	needs, adds int64 // more tokens of the place than of the others
}

// finds reports whether there are others that imply p.
func (s *implication) finds(p int32) bool { return s.begin(p, s.search) }

// begin reports what search does, which chooses others of p.
func (s *implication) begin(p int32, search func() bool) bool {
	s.place, s.tokens, s.work = p, s.initial[p], impliedWork
	s.chosen, s.balance = s.chosen[:0], s.balance[:0]
	s.count(p, 1)
	found := search()
	for _, b := range s.balance {
		s.of[b.transition] = 0
	}
	return found
}

// count adds what transitions do to a place to the balance, or with -1 subtracts it.
func (s *implication) count(p int32, sign int64) {
	links := s.linksOf(p)
	s.work -= len(links)
	for _, l := range links {
		if s.transitions[l.transition].removed {
			continue
		}
		if s.of[l.transition] == 0 {
			s.balance = append(s.balance, balance{transition: l.transition})
			s.of[l.transition] = int32(len(s.balance))
		}
		b := &s.balance[s.of[l.transition]-1]
		b.needs += sign * l.consumed
		b.adds += sign * (l.produced - l.consumed)
	}
}

// search chooses others until they imply the place. It reports false if it finds none within
// the work that is left.
func (s *implication) search() bool {
	t, taken := s.open()
	if t < 0 {
		return true
	}
	u := s.at(t)
	for i := 0; i < len(u.pre) && s.work > 0; i++ {
		q := u.pre[i]
		s.work--
		if q.place == s.place || s.initial[q.place] > s.tokens || len(s.links[q.place]) > s.work || !s.isModest(q.place) ||
			slices.Contains(s.chosen, q.place) || taken && !lessens(u, q) {
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

// open returns a transition for which some place is still missing among the others: it needs
// too few tokens of them, or adds more to them than to the place. It returns -1 if there is
// none.
func (s *implication) open() (t int32, taken bool) {
	for i := len(s.balance) - 1; i >= 0; i-- {
		b := s.balance[i]
		s.work--
		if b.adds < 0 {
			return b.transition, true
		}
		if b.needs > 0 {
			return b.transition, false
		}
	}
	return -1, false
}

// lessens reports whether t leaves a place of its pre-set with fewer tokens.
func lessens(t *transition, a arc) bool {
	i, found := slices.BinarySearchFunc(t.post, a.place, func(b arc, p int32) int { return int(b.place) - int(p) })
	return !found || t.post[i].weight < a.weight
}
