package symbolic

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestCTL compares the operators with fixpoints over explicit states.
func TestCTL(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space, states := drawSpace(t)
		space.Forest.eager = rapid.Bool().Draw(t, "eager")
		if rapid.Bool().Draw(t, "merge") {
			space.Relation.merge()
		}
		s, f := space.System, space.Forest
		pf, pg := drawPredicate(t, s, 1), drawPredicate(t, s, 1)
		sf, sg := vectorSet{}, vectorSet{}
		for _, v := range states {
			if holds(s, pf, v) {
				sf.add(v)
			}
			if holds(s, pg, v) {
				sg.add(v)
			}
		}
		nf, err := space.Satisfying(pf)
		must(t, err)
		f.Keep(nf)
		ng, err := space.Satisfying(pg)
		must(t, err)
		f.Keep(ng)
		ctx := context.Background()
		for name, c := range map[string]struct {
			want vectorSet
			got  func() (Node, error)
		}{
			"EX": {naivePredecessors(s, states, sg), func() (Node, error) { return space.ExistsNext(ctx, ng) }},
			"EU": {naiveUntil(s, states, sf, sg), func() (Node, error) { return space.ExistsUntil(ctx, nf, ng) }},
			"EG": {naiveGlobally(s, sf), func() (Node, error) { return space.ExistsGlobally(ctx, nf) }},
		} {
			n, err := c.got()
			must(t, err)
			if g, w := space.statesOf(n).keys(), c.want.keys(); !slices.Equal(g, w) {
				t.Fatalf("%s: got %v, want %v", name, g, w)
			}
		}
		onwards := naiveOnwards(s, sg, sf)
		for name, c := range map[string]struct {
			want vectorSet
			got  func() (Node, error)
		}{
			"successors":     {naiveSuccessors(s, sf), func() (Node, error) { return space.Successors(ctx, nf) }},
			"onwards within": {onwards, func() (Node, error) { return space.Onwards(ctx, ng, nf) }},
			"onwards":        {naiveOnwards(s, sg, states), func() (Node, error) { return space.Onwards(ctx, ng, space.Reachable) }},
		} {
			n, err := c.got()
			must(t, err)
			if g, w := space.statesOf(n).keys(), c.want.keys(); !slices.Equal(g, w) {
				t.Fatalf("%s: got %v, want %v", name, g, w)
			}
		}
		has, err := space.HasMaximalPath(ctx, ng, nf)
		must(t, err)
		if want := len(naiveGlobally(s, onwards)) > 0; has != want {
			t.Fatalf("some maximal path: %v, want %v", has, want)
		}
	})
}

// statesOf returns the naive twin of n, with values by variable.
func (s *StateSpace) statesOf(n Node) vectorSet {
	states := vectorSet{}
	for _, v := range vectorsOf(s.Forest, n) {
		w := make([]uint32, len(v))
		for i, level := range s.Levels {
			w[i] = v[level-1]
		}
		states.add(w)
	}
	return states
}

func naiveSuccessors(s *System, of vectorSet) vectorSet {
	found := vectorSet{}
	for _, v := range of {
		for _, w := range s.successors(v) {
			found.add(w)
		}
	}
	return found
}

// naiveOnwards returns the vectors on paths from those of from that stay in within.
func naiveOnwards(s *System, from, within vectorSet) vectorSet {
	found := vectorSet{}
	for key, v := range from {
		if _, ok := within[key]; ok {
			found.add(v)
		}
	}
	for again := true; again; {
		again = false
		for key, w := range naiveSuccessors(s, found) {
			if _, ok := within[key]; ok {
				again = found.add(w) || again
			}
		}
	}
	return found
}

func naivePredecessors(s *System, states, of vectorSet) vectorSet {
	found := vectorSet{}
	for _, v := range states {
		for _, w := range s.successors(v) {
			if _, ok := of[fmt.Sprint(w)]; ok {
				found.add(v)
			}
		}
	}
	return found
}

func naiveUntil(s *System, states, hold, reach vectorSet) vectorSet {
	found := vectorSet{}
	for _, v := range reach {
		found.add(v)
	}
	for again := true; again; {
		again = false
		for key, v := range naivePredecessors(s, states, found) {
			if _, ok := hold[key]; ok {
				again = found.add(v) || again
			}
		}
	}
	return found
}

func naiveGlobally(s *System, hold vectorSet) vectorSet {
	left := vectorSet{}
	for _, v := range hold {
		left.add(v)
	}
	for again := true; again; {
		again = false
		for key, v := range left {
			next := s.successors(v)
			stays := len(next) == 0 || slices.ContainsFunc(next, func(w []uint32) bool {
				_, ok := left[fmt.Sprint(w)]
				return ok
			})
			if !stays {
				delete(left, key)
				again = true
			}
		}
	}
	return left
}
