package stubborn

import (
	"pnmc/internal/account"
	"pnmc/petri"
)

// relations has what the rules ask of a net: who raises and lowers each place, and which places
// each transition lowers. A transition that takes 2 from a place and gives 1 lowers it; one that
// takes 1 and gives 1 only reads it, and is in none of the lists.
type relations struct {
	net       *petri.Net
	raises    rows // place: transitions that add more to it than they take
	lowers    rows // place: transitions that take more from it than they add
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
	var raises, lowers, loweredBy [][2]uint32
	for t := range uint32(net.Transitions()) {
		pre, post := net.Pre(petri.Transition(t)), net.Post(petri.Transition(t))
		if err := a.Charge(arcWork * (1 + len(pre) + len(post))); err != nil {
			return nil, err
		}
		for len(pre) > 0 || len(post) > 0 {
			switch {
			case len(post) == 0 || len(pre) > 0 && pre[0].Place < post[0].Place:
				lowers, loweredBy = append(lowers, [2]uint32{uint32(pre[0].Place), t}), append(loweredBy, [2]uint32{t, uint32(pre[0].Place)})
				pre = pre[1:]
			case len(pre) == 0 || post[0].Place < pre[0].Place:
				raises = append(raises, [2]uint32{uint32(post[0].Place), t})
				post = post[1:]
			default:
				p := uint32(pre[0].Place)
				if pre[0].Weight > post[0].Weight {
					lowers, loweredBy = append(lowers, [2]uint32{p, t}), append(loweredBy, [2]uint32{t, p})
				} else if pre[0].Weight < post[0].Weight {
					raises = append(raises, [2]uint32{p, t})
				}
				pre, post = pre[1:], post[1:]
			}
		}
	}
	if err := a.Charge(arcWork * 2 * net.Arcs()); err != nil {
		return nil, err
	}
	return &relations{
		net: net, raises: makeRows(net.Places(), raises), lowers: makeRows(net.Places(), lowers),
		loweredBy: makeRows(net.Transitions(), loweredBy),
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
