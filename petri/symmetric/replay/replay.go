package replay

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri/symmetric"
)

// Run is a run of a coloured net from its initial marking on, that is fired by the definition of firing and
// nothing else. It confirms the runs that a symmetric.Walk has found, and what is enabled in their markings. It
// shares neither the joins nor the indexes of a Walk.
type Run struct {
	// Context, unless nil, ends Enabled, which is then not certain.
	Context context.Context

	net     *symmetric.Net
	marking []map[int64]int64 // for each place: the count of each colour
	sums    []int64
}

// mostTokens bounds the colours that a multiset has in a run, and tokenBytes is about what a coloured token of a
// marking takes.
const (
	mostTokens = 1 << 22
	tokenBytes = 100
)

// Start starts a run of n in the initial marking. The error reports a marking that is negative or too large to
// be held, also by the memory that ctx gives.
func Start(ctx context.Context, n *symmetric.Net) (*Run, error) {
	tokens := 0
	for p := range n.Places {
		tokens += n.Places[p].Initial.MostTokens(n.Places[p].Domain, mostTokens)
	}
	if err := account.Of(ctx).Reserve(tokens * tokenBytes); err != nil {
		return nil, err
	}
	r := &Run{net: n, marking: make([]map[int64]int64, len(n.Places)), sums: make([]int64, len(n.Places))}
	for p := range n.Places {
		r.marking[p] = make(map[int64]int64)
		if err := r.move(p, n.Places[p].Initial, nil, 1); err != nil {
			return nil, fmt.Errorf("the initial marking: %w", err)
		}
	}
	return r, nil
}

// Sums returns the tokens of each place, all colours together. They change as Fire
// is called.
func (r *Run) Sums() []int64 { return r.sums }

// SameMarking reports whether two runs are in the same marking, colour by colour.
func (r *Run) SameMarking(other *Run) bool {
	return slices.EqualFunc(r.marking, other.marking, maps.Equal[map[int64]int64, map[int64]int64])
}

// Fire fires a binding of a transition. The error says why it cannot; the run is of
// no use then.
func (r *Run) Fire(f symmetric.Firing) error {
	if f.Transition < 0 || f.Transition >= len(r.net.Transitions) {
		return fmt.Errorf("no transition has number %d", f.Transition)
	}
	t := &r.net.Transitions[f.Transition]
	if len(f.Binding) != len(t.Variables) {
		return fmt.Errorf("%d colours for the %d variables of %q", len(f.Binding), len(t.Variables), t.ID)
	}
	for i, v := range t.Variables {
		if f.Binding[i] < 0 || f.Binding[i] >= v.Class.Size {
			return fmt.Errorf("%q has no colour %d", v.Class.Name, f.Binding[i])
		}
	}
	if t.Guard != nil && !t.Guard.Holds(f.Binding) {
		return fmt.Errorf("the guard of %q[%s] does not hold", t.ID, t.Binding(f.Binding))
	}
	for _, a := range t.Inhibitors {
		if tokens := r.sums[a.Place]; tokens >= a.Weight {
			return fmt.Errorf("%q[%s] is inhibited by %d tokens of %q", t.ID, t.Binding(f.Binding), tokens, r.net.Places[a.Place].ID)
		}
	}
	for _, side := range []struct {
		arcs []symmetric.Arc
		sign int64
	}{{t.Pre, -1}, {t.Post, 1}} {
		for _, a := range side.arcs {
			if err := r.move(a.Place, a.Expression, f.Binding, side.sign); err != nil {
				return fmt.Errorf("%q[%s]: %w", t.ID, t.Binding(f.Binding), err)
			}
		}
	}
	return nil
}

// move adds the tokens that e stands for to a place, or takes them off.
func (r *Run) move(place int, e symmetric.Expression, binding []int64, sign int64) error {
	p := &r.net.Places[place]
	tokens, ok := e.Tokens(p.Domain, binding, mostTokens)
	if !ok {
		return fmt.Errorf("%w: tokens of %q", symmetric.ErrTooLarge, p.ID)
	}
	for tuple, moved := range tokens {
		if moved < 0 || sign > 0 && r.sums[place] > math.MaxInt64-moved {
			return fmt.Errorf("%q gets %d tokens of colour %v", p.ID, moved, p.Domain.Colours(tuple))
		}
		count := r.marking[place][tuple] + sign*moved
		if count < 0 {
			return fmt.Errorf("%q lacks a token of colour %v", p.ID, p.Domain.Colours(tuple))
		}
		r.sums[place] += sign * moved
		if count == 0 {
			delete(r.marking[place], tuple)
		} else {
			r.marking[place][tuple] = count
		}
	}
	return nil
}
