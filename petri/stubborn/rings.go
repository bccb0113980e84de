package stubborn

import (
	"cmp"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// rings are places that share one token.
//
// A place invariant with weights 1 and value 1 says that among its places there is one token in
// every reachable marking: it moves round. The states of a process are such places, and the values
// of a variable. Three things follow, which make stubborn sets smaller, and far cheaper to find:
//
//   - A place p of a ring is empty because the token is on another place q. So what waits for p
//     waits for a transition that lowers q. The way back from p, through all places before it, need
//     not be walked.
//   - Some transitions on the way from q to p are blocked: they need something else that is not
//     there. If all ways to p lead through blocked transitions, one of these must fire first
//     (search.go, block). They are disabled, so that no enabled transition is asked for.
//   - Two transitions that take from different places of a ring are never enabled together. As
//     long as one of them stays enabled, the other can't fire, and need not be in the set with it
//     (graph.go, excluded).
//
// For example, let a process go round p1, p2, p3, p4, and let the token be on p2. The transition that
// takes from p4 is disabled. It needs the one that takes from p2 to fire first, whatever comes
// between. If the one from p3 to p4 also needs a token on r, which is empty, it is blocked. Then what
// waits for p4 may wait for that one, and so for those that raise r.
type rings struct {
	of    rows // place: its rings, at most mostRings; a ring has all its places or none
	count int
	// Long rings, from longRing places on, have numbers of their own.
	long  rows // place: its long rings
	longs int
}

// There may be exponentially many invariants; those with the fewest places say the most. A ring is
// taken if one of its places has none or few others, and none has too many.
const (
	fewRings  = 2
	mostRings = 8
)

// longRing is from how many places on it pays to look where the token of a ring may get to. In shorter
// ones the way back is walked. It is never changed but by tests.
var longRing = 8

// ringsOf finds rings among the invariants of facts, which hold of net. An error is that of a.
func ringsOf(a *account.Account, net *petri.Net, facts petri.Facts) (*rings, error) {
	var flows []*petri.Semiflow
	for i := range facts.Semiflows {
		f := &facts.Semiflows[i]
		if err := a.Charge(1 + len(f.Terms)); err != nil {
			return nil, err
		}
		if f.Value == 1 && len(f.Terms) > 1 && !slices.ContainsFunc(f.Terms, func(a petri.Arc) bool { return a.Weight != 1 }) {
			flows = append(flows, f)
		}
	}
	slices.SortStableFunc(flows, func(x, y *petri.Semiflow) int { return cmp.Compare(len(x.Terms), len(y.Terms)) })
	k := &rings{}
	in := make([]uint8, net.Places()) // how many rings
	var of, long [][2]uint32
	for _, f := range flows {
		if err := a.Charge(arcWork * len(f.Terms)); err != nil {
			return nil, err
		}
		fits, useful := true, false
		for _, t := range f.Terms {
			fits, useful = fits && in[t.Place] < mostRings, useful || in[t.Place] < fewRings
		}
		if !fits || !useful {
			continue
		}
		for _, t := range f.Terms {
			in[t.Place]++
			of = append(of, [2]uint32{uint32(t.Place), uint32(k.count)})
		}
		k.count++
		if len(f.Terms) >= longRing {
			for _, t := range f.Terms {
				long = append(long, [2]uint32{uint32(t.Place), uint32(k.longs)})
			}
			k.longs++
		}
	}
	k.long = makeRows(net.Places(), long)
	k.of = makeRows(net.Places(), of)
	return k, nil
}

// has reports whether p is a place of a long ring.
func (k *rings) has(ring, p uint32) bool { return slices.Contains(k.long.of(p), ring) }
