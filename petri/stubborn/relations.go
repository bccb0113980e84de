package stubborn

import (
	"cmp"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// relations has what the rules ask of a net: who tests, raises and lowers each place, and which places
// each transition raises and lowers. A transition that takes 2 from a place and gives 1 lowers it; one
// that takes 1 and gives 1 only reads it, and neither raises nor lowers it. One that empties a place
// lowers it, and raises it as well if it gives more than it takes.
type relations struct {
	net       *petri.Net
	users     rows // place: transitions that take from it, read it, or empty it
	raises    rows // place: transitions that may leave more there than they found
	lowers    rows // place: transitions that may leave fewer there than they found
	hindered  rows // place: transitions that have a ceiling there, or empty it
	raisedBy  rows // transition: places it raises
	loweredBy rows // transition: places it lowers
}

// rows are lists of numbers, one after the other: list i lies in members from start[i] to start[i+1].
type rows struct {
	start   []uint32
	members []uint32
}

// of returns the list with number i.
func (r *rows) of(i uint32) []uint32 { return r.members[r.start[i]:r.start[i+1]] }

// makeRows returns for each first number the list of the second numbers that go with it, in their
// order. It counts first, and then files: linear in the pairs.
func makeRows(lists int, pairs [][2]uint32) rows {
	r := rows{start: make([]uint32, lists+1), members: make([]uint32, len(pairs))}
	for _, p := range pairs {
		r.start[p[0]+1]++
	}
	for i := range lists {
		r.start[i+1] += r.start[i]
	}
	next := append([]uint32(nil), r.start...)
	for _, p := range pairs {
		r.members[next[p[0]]] = p[1]
		next[p[0]]++
	}
	return r
}

// relationsOf looks at each arc of net once. An error is that of a.
func relationsOf(a *account.Account, net *petri.Net) (*relations, error) {
	var of [4][][2]uint32 // by list
	var raisedBy, loweredBy [][2]uint32
	for t := range uint32(net.Transitions()) {
		pre, post, resets := net.Pre(petri.Transition(t)), net.Post(petri.Transition(t)), net.Resets(petri.Transition(t))
		ceilings := net.Ceilings(petri.Transition(t))
		if err := a.Charge(arcWork * (1 + len(pre) + len(post) + len(resets) + len(ceilings))); err != nil {
			return nil, err
		}
		for _, c := range ceilings {
			of[hindered] = append(of[hindered], [2]uint32{uint32(c.Place), t})
		}
		for len(pre) > 0 || len(post) > 0 || len(resets) > 0 {
			p := next(pre, post, resets)
			taken, pre2 := weightAt(pre, p)
			given, post2 := weightAt(post, p)
			pre, post = pre2, post2
			empties := len(resets) > 0 && resets[0] == p
			if empties {
				resets = resets[1:]
				of[hindered] = append(of[hindered], [2]uint32{uint32(p), t})
			}
			if taken > 0 || empties {
				of[users] = append(of[users], [2]uint32{uint32(p), t})
			}
			if taken < given {
				of[raisers] = append(of[raisers], [2]uint32{uint32(p), t})
				raisedBy = append(raisedBy, [2]uint32{t, uint32(p)})
			}
			if taken > given || empties {
				of[lowerers] = append(of[lowerers], [2]uint32{uint32(p), t})
				loweredBy = append(loweredBy, [2]uint32{t, uint32(p)})
			}
		}
	}
	if err := a.Charge(arcWork * 3 * net.Arcs()); err != nil {
		return nil, err
	}
	places, transitions := net.Places(), net.Transitions()
	return &relations{
		net: net, users: makeRows(places, of[users]), raises: makeRows(places, of[raisers]), lowers: makeRows(places, of[lowerers]),
		hindered: makeRows(places, unique(of[hindered])), raisedBy: makeRows(transitions, raisedBy), loweredBy: makeRows(transitions, loweredBy),
	}, nil
}

// seenAt returns for each transition whether it changes the tokens of an observed place.
func (r *relations) seenAt(observed []petri.Place) []bool {
	seen := make([]bool, r.net.Transitions())
	for _, p := range observed {
		for _, list := range [][]uint32{r.raises.of(uint32(p)), r.lowers.of(uint32(p))} {
			for _, t := range list {
				seen[t] = true
			}
		}
	}
	return seen
}

// next returns the least place of the first arcs.
func next(pre, post []petri.Arc, resets []petri.Place) petri.Place {
	least := ^petri.Place(0)
	if len(pre) > 0 {
		least = pre[0].Place
	}
	if len(post) > 0 {
		least = min(least, post[0].Place)
	}
	if len(resets) > 0 {
		least = min(least, resets[0])
	}
	return least
}

// weightAt returns the weight of the first arc if it is one of p, else 0, and the arcs after it.
func weightAt(arcs []petri.Arc, p petri.Place) (int64, []petri.Arc) {
	if len(arcs) == 0 || arcs[0].Place != p {
		return 0, arcs
	}
	return arcs[0].Weight, arcs[1:]
}

// unique drops pairs that are there twice, one as a ceiling and one as a reset. They come by their second number.
func unique(pairs [][2]uint32) [][2]uint32 {
	slices.SortFunc(pairs, func(x, y [2]uint32) int { return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1])) })
	return slices.Compact(pairs)
}

// list returns a list of p.
func (r *relations) list(list, p uint32) []uint32 {
	switch list {
	case users:
		return r.users.of(p)
	case raisers:
		return r.raises.of(p)
	case lowerers:
		return r.lowers.of(p)
	}
	return r.hindered.of(p)
}

// doesLower reports whether t lowers p.
func (r *relations) doesLower(t, p uint32) bool {
	_, does := slices.BinarySearch(r.loweredBy.of(t), p)
	return does
}

// arcWork is about the cost of filing an arc and making room for it, in nanoseconds.
const arcWork = 32

// stamps is a set of numbers that can be emptied in constant time: i is a member if at[i] is now,
// and clear counts now up. Selections need several such sets in each marking.
type stamps struct {
	at  []uint32
	now uint32
}

func newStamps(n int) stamps { return stamps{at: make([]uint32, n)} }

// clear empties the set.
func (s *stamps) clear() {
	if s.now++; s.now == 0 {
		clear(s.at)
		s.now = 1
	}
}

// has reports whether i is in the set. clear must have been called once.
func (s *stamps) has(i uint32) bool { return s.at[i] == s.now }

// add reports whether i was not in the set, and adds it.
func (s *stamps) add(i uint32) bool {
	if s.at[i] == s.now {
		return false
	}
	s.at[i] = s.now
	return true
}
