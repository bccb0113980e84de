package petri

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"

	"pnmc/internal/account"
)

// chooseGroups picks disjoint groups of places of which at most one is marked,
// greedily by the bits they save. Candidates are semiflows with all weights one
// and the value one, which are proofs, and the units of a safe NUPN, which are
// claims that firing will check.
//
// A candidate is looked at again each time that a better one has taken places from it. So n candidates
// of which each shares a place with each other take about n³ steps. These are charged. Once the account
// ends, the groups that were found are all.
func chooseGroups(charged *account.Account, net *Net, facts Facts) []field {
	type candidate struct {
		places []Place
		exact  bool // exactly one of all its places is marked
		proven bool
	}
	var candidates []candidate
	for _, f := range facts.Semiflows {
		if charged.Charge(groupWork*len(f.Terms)) != nil {
			return nil
		}
		if f.Value == 1 && len(f.Terms) > 2 &&
			!slices.ContainsFunc(f.Terms, func(a Arc) bool { return a.Weight != 1 }) {
			c := candidate{exact: true, proven: true}
			for _, a := range f.Terms {
				c.places = append(c.places, a.Place)
			}
			candidates = append(candidates, c)
		}
	}
	if n := net.NUPN(); n != nil && n.Safe {
		for _, u := range n.Units {
			if len(u.Places) > 2 && initiallyAtMostOne(net, u.Places) && !slices.ContainsFunc(u.Places, net.Emptied) {
				candidates = append(candidates, candidate{places: slices.Clone(u.Places)})
			}
		}
	}
	// Savings only shrink as places are taken, so that the best candidate is one
	// whose saving is still the best when it is computed anew.
	queue := make(savings, len(candidates))
	for i, c := range candidates {
		queue[i] = saving{i, saved(len(c.places), c.exact)}
	}
	heap.Init(&queue)
	var groups []field
	taken := make([]bool, net.Places())
	for len(queue) > 0 && queue[0].bits > 0 {
		c := &candidates[queue[0].candidate]
		before := len(c.places)
		if charged.Charge(groupWork*(before+1)) != nil {
			break
		}
		c.places = slices.DeleteFunc(c.places, func(p Place) bool { return taken[p] })
		c.exact = c.exact && len(c.places) == before
		if bits := saved(len(c.places), c.exact); bits < queue[0].bits {
			queue[0].bits = bits
			heap.Fix(&queue, 0)
			continue
		}
		g := field{places: c.places, width: groupWidth(len(c.places), c.exact), proven: c.proven}
		if !c.exact {
			g.offset = 1
		}
		groups = append(groups, g)
		for _, p := range c.places {
			taken[p] = true
		}
		heap.Pop(&queue)
	}
	return groups
}

// groupWork is about what it takes to look at a place of a candidate, in nanoseconds or bytes.
const groupWork = 8

// saved returns the number of bits that a group saves over a bit a place.
func saved(places int, exact bool) int {
	if places < 2 {
		return 0
	}
	return places - groupWidth(places, exact)
}

// saving is what a candidate for a group saved when it was last asked; savings
// is a heap of them, the greatest first.
type saving struct{ candidate, bits int }

type savings []saving

func (s savings) Len() int { return len(s) }

func (s savings) Less(i, j int) bool {
	return s[i].bits > s[j].bits || s[i].bits == s[j].bits && s[i].candidate < s[j].candidate
}

func (s savings) Swap(i, j int) { s[i], s[j] = s[j], s[i] }

func (s *savings) Push(x any) { *s = append(*s, x.(saving)) }

func (s *savings) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

// groupWidth returns the bits of an index into places, with a value for none unless
// exactly one is always marked.
func groupWidth(places int, exact bool) int {
	if exact {
		places--
	}
	return bits.Len(uint(places))
}

// initiallyAtMostOne reports whether the places have at most one token together at first.
func initiallyAtMostOne(net *Net, places []Place) bool {
	sum := int64(0)
	for _, p := range places {
		if net.InitialTokens(p) > 1 {
			return false
		}
		sum += net.InitialTokens(p)
	}
	return sum <= 1
}

// maxImpliedTerms bounds the length of an implication: evaluating a longer one
// for each marking costs more than the bits it saves.
const maxImpliedTerms = 12

// chooseImplied picks places that need no field, since a semiflow gives their count
// from those of others. It goes through the semiflows, short ones first, and takes the
// place with the widest field among those that no implication uses so far.
func chooseImplied(net *Net, facts Facts, grouped []bool) []implication {
	flows := slices.Clone(facts.Semiflows)
	slices.SortStableFunc(flows, func(a, b Semiflow) int { return cmp.Compare(len(a.Terms), len(b.Terms)) })
	var chosen []implication
	used := make([]bool, net.Places()) // as a term
	implied := make([]bool, net.Places())
	for _, f := range flows {
		if len(f.Terms) > maxImpliedTerms+1 {
			break
		}
		best := -1
		width := func(a Arc) int { return bits.Len64(uint64(facts.Bound(a.Place))) }
		for i, a := range f.Terms {
			if grouped[a.Place] || used[a.Place] || implied[a.Place] {
				continue
			}
			if best < 0 || width(a) > width(f.Terms[best]) ||
				width(a) == width(f.Terms[best]) &&
					len(net.Consumers(a.Place)) < len(net.Consumers(f.Terms[best].Place)) {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		a := f.Terms[best]
		m := implication{place: a.Place, constant: f.Value, divisor: a.Weight}
		for i, b := range f.Terms {
			if i != best {
				m.terms = append(m.terms, b)
				used[b.Place] = true
			}
		}
		implied[a.Place] = true
		chosen = append(chosen, m)
	}
	return chosen
}
