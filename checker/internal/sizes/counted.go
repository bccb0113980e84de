package sizes

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/petri"
	"pnmc/petri/reduce"
	"pnmc/symbolic"
)

// counter counts the state space of a net on the diagram of a smaller one.
type counter struct {
	*core.Task
	space  *symbolic.StateSpace
	counts *reduce.Counts
	give   func(size inquiry.Size, value *big.Int)
}

// run gives all sizes that it finds in time.
func (c *counter) run(ctx context.Context) error {
	sharing := c.counts.Sharing()
	weighted, err := c.space.Weigh(ctx, func(p, tokens uint32, needed int64, charge func(work int)) *big.Int {
		return sharing.Ways(int(p), int64(tokens), needed, charge)
	})
	if err != nil {
		return err
	}
	c.give(inquiry.Markings, weighted.States())
	firings, err := c.firings(ctx, weighted)
	if err != nil {
		return err
	}
	c.give(inquiry.Firings, firings)
	if err := c.tokens(); !errors.Is(err, errLargeNumbers) {
		return err
	}
	return nil
}

// tokens gives the most tokens in a place and in a marking.
func (c *counter) tokens() error {
	all, err := c.largest(c.Sizes.Counts)
	if err != nil {
		return err
	}
	c.give(inquiry.TokensPerMarking, all)
	if c.Sizes.Done(false) {
		return nil // there may be a diagram's worth of work for each equation
	}
	most := new(big.Int)
	for p, bound := range c.space.PlaceBounds() {
		if slices.ContainsFunc(c.counts.Groups[p], c.Sizes.Counts) && most.Cmp(big.NewInt(int64(bound))) < 0 {
			most.SetInt64(int64(bound)) // all of its tokens may be at one place
		}
	}
	for _, e := range c.counts.Equations {
		if !c.Sizes.Counts(e.Place) {
			continue
		}
		n, err := c.largest(func(p petri.Place) bool { return p == e.Place })
		if err != nil {
			return err
		}
		if most.Cmp(n) < 0 {
			most = n
		}
	}
	c.give(inquiry.TokensInPlace, most)
	return nil
}

// largest returns the most tokens that places have together for which counted reports true.
func (c *counter) largest(counted func(p petri.Place) bool) (*big.Int, error) {
	weights, constant, ok := c.counts.Largest(counted)
	if !ok {
		return nil, errLargeNumbers
	}
	n, err := c.space.LargestSum(weights)
	if err != nil {
		return nil, err
	}
	return n.Add(n, big.NewInt(constant)), nil
}

// errLargeNumbers means that equations have numbers that are too large.
var errLargeNumbers = errors.New("numbers of places that equal others leave 64 bits")

// firings counts pairs of a marking and a transition that is enabled there. Transitions that need
// the same count once, as often as they are.
func (c *counter) firings(ctx context.Context, weighted *symbolic.Weighted) (*big.Int, error) {
	type alike struct {
		needs []reduce.Need
		times int64
	}
	var all []*alike
	known := make(map[string]*alike)
	for t := range petri.Transition(c.Net.Transitions()) {
		needs, fires := c.counts.Needs(t)
		if !fires {
			continue
		}
		key := fmt.Sprint(needs)
		if known[key] == nil {
			known[key] = &alike{needs: needs}
			all = append(all, known[key])
		}
		known[key].times++
	}
	total := new(big.Int)
	for _, a := range all {
		needs := make(map[uint32]int64, len(a.needs))
		for _, n := range a.needs {
			needs[uint32(n.Place)] = n.Tokens
		}
		n, err := weighted.Count(ctx, needs)
		if err != nil {
			return nil, err
		}
		total.Add(total, n.Mul(n, big.NewInt(a.times)))
	}
	return total, nil
}
