package petritest

import "slices"

// This file has the temporal operators of CTL on a Graph by their definitions:
// fixpoints by repeated sweeps over all markings. Sets of markings are given by a
// truth value for each; all chooses between "on all paths" and "on some path". A
// deadlock ends the path.
//
// For example, let marking 0 lead to 1, and 1 be a deadlock, and let x hold in 1 only. Finally begins
// with (false, false). A sweep finds that 0 leads to nothing that is in, and adds 1, where x holds.
// The next sweep adds 0, and the third one changes nothing: (true, true). Least fixpoints, of Until,
// begin with nothing and grow; greatest ones, of Globally, begin with everything and shrink.

// Next returns where every successor, or some, is in x.
func (g *Graph) Next(all bool, x []bool) []bool {
	return g.fixpoint(false, func(i int, _ []bool) bool { return g.follows(i, all, x) })
}

// Until returns where b holds at some time and a until then.
func (g *Graph) Until(all bool, a, b []bool) []bool {
	return g.fixpoint(false, func(i int, v []bool) bool {
		return b[i] || a[i] && len(g.Edges[i]) > 0 && g.follows(i, all, v)
	})
}

// Finally returns where x holds at some time.
func (g *Graph) Finally(all bool, x []bool) []bool {
	everywhere := make([]bool, len(x))
	for i := range everywhere {
		everywhere[i] = true
	}
	return g.Until(all, everywhere, x)
}

// Globally returns where x holds at all times.
func (g *Graph) Globally(all bool, x []bool) []bool {
	return g.fixpoint(true, func(i int, v []bool) bool {
		return x[i] && (len(g.Edges[i]) == 0 || g.follows(i, all, v))
	})
}

// follows reports whether every successor of i, or some, is in x.
func (g *Graph) follows(i int, all bool, x []bool) bool {
	return slices.ContainsFunc(g.Edges[i], func(e Firing) bool { return x[e.To] != all }) != all
}

// fixpoint sets each marking to what step says of it, again and again, until nothing changes. Steps
// only add to the set, or only take away, so that each sweep but the last changes some marking for
// good.
func (g *Graph) fixpoint(start bool, step func(i int, v []bool) bool) []bool {
	v := make([]bool, len(g.Markings))
	for i := range v {
		v[i] = start
	}
	for changed := true; changed; {
		changed = false
		for i := range v {
			if x := step(i, v); x != v[i] {
				v[i], changed = x, true
			}
		}
	}
	return v
}
