package reduce

import (
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/petri"
)

// Counts tells how markings and firings of the original net are counted on the reduced one.
//
// A place of the reduced net has the tokens of a group of original places, and whenever it has n, each way
// to share them out among the k places of its group is reached: Sharing.Ways of them, the binomial of n+k-1 over
// k-1. Every other original place equals a sum of places of groups. So each original marking belongs to one
// marking of the reduced net and one way to share out the tokens of each of its places.
//
// For example, let a chain of ten places hand on a token, from the first, where it is fed in, to the last.
// The reduced net has one place instead, and a marking with two tokens there stands for 55 markings.
//
// (Berthomieu, Le Botlan, Dal Zilio, "Counting Petri net markings from reduction equations",
// International Journal on Software Tools for Technology Transfer 22, 2020.)
type Counts struct {
	net *petri.Net
	// Groups gives each place of the reduced net the original places whose tokens it has.
	Groups [][]petri.Place
	// Equations are those of all places that are in no group, in an order in which the terms of one are
	// in groups or have later ones.
	Equations []Equation
	// in gives each original place the place of the reduced net whose group it is in, or -1.
	in   []int32
	dead []bool
}

// An Equation says how many tokens an original place has: the constant, and those of the terms, of
// each place as often as it stands there.
type Equation struct {
	Place    petri.Place
	Constant int64
	Terms    []petri.Place
}

// A Need is how many tokens a firing needs of the places of a group together, at least. Of these each
// token is needed at one of the places.
type Need struct {
	Place  int // of the reduced net
	Tokens int64
}

// Needs returns what the original transition t needs, ascending by place. It reports false if t never
// fires. Places outside of all groups never disable it.
func (c *Counts) Needs(t petri.Transition) (needs []Need, fires bool) {
	if c.dead[t] {
		return nil, false
	}
	for _, a := range c.net.Pre(t) {
		if in := c.in[a.Place]; in >= 0 {
			needs = append(needs, Need{int(in), a.Weight})
		}
	}
	slices.SortFunc(needs, func(a, b Need) int { return a.Place - b.Place })
	merged := needs[:0]
	for _, n := range needs {
		if last := len(merged) - 1; last >= 0 && merged[last].Place == n.Place {
			sum, ok := arithmetic.Add(merged[last].Tokens, n.Tokens)
			if !ok {
				return nil, false // no place has so many
			}
			merged[last].Tokens = sum
		} else {
			merged = append(merged, n)
		}
	}
	return merged, true
}

// Largest returns weights for the places of the reduced net, and a constant, such that the largest sum over
// its markings is the largest number of tokens that the original places have together for which counted
// reports true. It reports false if these numbers leave 64 bits.
func (c *Counts) Largest(counted func(p petri.Place) bool) (weights []int64, constant int64, ok bool) {
	times := make([]int64, len(c.in)) // how often a token of the place counts
	for p := range times {
		if counted(petri.Place(p)) {
			times[p] = 1
		}
	}
	for _, e := range c.Equations {
		product, fits := arithmetic.Multiply(times[e.Place], e.Constant)
		sum, added := arithmetic.Add(constant, product)
		if constant = sum; !fits || !added {
			return nil, 0, false
		}
		for _, p := range e.Terms {
			if times[p], added = arithmetic.Add(times[p], times[e.Place]); !added {
				return nil, 0, false
			}
		}
	}
	weights = make([]int64, len(c.Groups))
	for i, group := range c.Groups {
		for _, p := range group {
			weights[i] = max(weights[i], times[p]) // all tokens may be where they count most
		}
	}
	return weights, constant, true
}
