package symmetric

import (
	"context"
	"fmt"
	"strings"

	"pnmc/internal/account"
	"pnmc/petri"
)

// UnfoldRun unfolds as much of n as runs need that fire no other bindings than those
// given: the tokens of the initial marking, the bindings, and the colours that they move.
// It serves nets whose unfolding is too large. It takes time linear in what it makes.
//
// For example, let a net have a million clients on places idle and busy, all idle at first, and let
// the run move clients 3 and 5 to busy. The result has a million places of idle, as they have
// tokens, two of busy, and two transitions.
//
// Why it is right: all places around a binding that is made are made, with the same arcs, tokens and
// inhibitor arcs as in the whole unfolding. So a sequence of these bindings can be fired in one net
// if and only if it can in the other, and it moves the same tokens.
//
// The error tells of a binding that does not exist, wraps ErrTooLarge where there would be more
// than most nodes (0: DefaultMaxNodes), or numbers too large to be held, or is that of ctx.
func (n *Net) UnfoldRun(ctx context.Context, firings []Firing, most int) (*Unfolding, error) {
	if most <= 0 {
		most = DefaultMaxNodes
	}
	b := &petri.Builder{ID: n.ID, Name: n.Name}
	u := &partialUnfolder{
		ctx: ctx, most: most, builder: b, names: &namer{b, make(map[string]int), make(map[string]bool)},
		places: make([]map[int64]petri.Place, len(n.Places)),
		result: &Unfolding{Coloured: n, Places: make([][]petri.Place, len(n.Places)), Transitions: make([][]petri.Transition, len(n.Transitions))},
	}
	for i := range n.Places {
		u.names.coloured[n.Places[i].ID] = true
		u.places[i] = make(map[int64]petri.Place)
	}
	for i := range n.Transitions {
		u.names.coloured[n.Transitions[i].ID] = true
	}
	for i := range n.Places {
		tokens, ok := n.Places[i].Initial.eval(n.Places[i].Domain, nil, nil, most)
		if !ok {
			return nil, fmt.Errorf("the initial marking of %q: %w", n.Places[i].ID, ErrTooLarge)
		}
		for _, token := range tokens {
			if _, err := u.place(i, token.tuple, token.count); err != nil {
				return nil, err
			}
		}
	}
	seen := make(map[string]bool)
	var distinct []Firing
	for _, f := range firings {
		key := fmt.Sprint(f.Transition, f.Binding)
		if seen[key] {
			continue
		}
		seen[key] = true
		if err := u.binding(f); err != nil {
			return nil, err
		}
		distinct = append(distinct, f)
	}
	if err := u.inhibit(distinct); err != nil {
		return nil, err
	}
	var err error
	u.result.Net, err = b.Build()
	return u.result, err
}

// partialUnfolder makes the nodes of an unfolding one by one.
type partialUnfolder struct {
	ctx     context.Context
	made    int // nodes
	most    int
	builder *petri.Builder
	names   *namer
	places  []map[int64]petri.Place // by colour
	result  *Unfolding
	numbers []petri.Transition // of bindings, as they come
}

// place returns the place of a colour, which is made with so many tokens if it is new.
func (u *partialUnfolder) place(i int, tuple, tokens int64) (petri.Place, error) {
	if number, known := u.places[i][tuple]; known {
		return number, nil
	}
	if err := u.node(); err != nil {
		return 0, err
	}
	p := &u.result.Coloured.Places[i]
	colours := p.Domain.Colours(tuple)
	number, err := u.builder.AddPlace(u.names.identifier(p.ID, colours), title(p.ID, p.Name, strings.Join(colours, ",")), tokens)
	u.places[i][tuple] = number
	u.result.Places[i] = append(u.result.Places[i], number)
	return number, err
}

// nodesPerLook is how many nodes are made between two looks at the context and its budget.
const nodesPerLook = 1 << 10

// node counts a node that is to be made.
func (u *partialUnfolder) node() error {
	if u.made++; u.made > u.most {
		return fmt.Errorf("%w: more than %d nodes", ErrTooLarge, u.most)
	}
	if u.made%nodesPerLook == 0 {
		return account.Reason(u.ctx)
	}
	return nil
}

// binding adds a transition for a binding.
func (u *partialUnfolder) binding(f Firing) error {
	if err := u.node(); err != nil {
		return err
	}
	net := u.result.Coloured
	if f.Transition < 0 || f.Transition >= len(net.Transitions) || len(f.Binding) != len(net.Transitions[f.Transition].Variables) {
		return fmt.Errorf("no binding %v of transition number %d", f.Binding, f.Transition)
	}
	t := &net.Transitions[f.Transition]
	colours := make([]string, len(t.Variables))
	for i, v := range t.Variables {
		if f.Binding[i] < 0 || f.Binding[i] >= v.Class.Size {
			return fmt.Errorf("%q has no colour %d", v.Class.Name, f.Binding[i])
		}
		colours[i] = v.Class.Colour(f.Binding[i])
	}
	number, err := u.builder.AddTransition(u.names.identifier(t.ID, colours), title(t.ID, t.Name, t.Binding(f.Binding)))
	if err != nil {
		return err
	}
	u.result.Transitions[f.Transition] = append(u.result.Transitions[f.Transition], number)
	u.numbers = append(u.numbers, number)
	for side, arcs := range [][]Arc{t.Pre, t.Post} {
		for _, a := range arcs {
			tokens, ok := a.Expression.eval(net.Places[a.Place].Domain, f.Binding, nil, u.most)
			if !ok {
				return fmt.Errorf("an arc of %q: %w", t.ID, ErrTooLarge)
			}
			for _, token := range tokens {
				p, err := u.place(a.Place, token.tuple, 0)
				if err != nil {
					return err
				}
				if side == 0 {
					err = u.builder.AddInput(p, number, token.count)
				} else {
					err = u.builder.AddOutput(number, p, token.count)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// inhibit adds the inhibitor arcs of the bindings, which are as those of the transitions made.
// Colours that no binding moves and that have no tokens at first inhibit none.
func (u *partialUnfolder) inhibit(firings []Firing) error {
	net := u.result.Coloured
	var h inhibition
	if !h.begin(u.builder, u.result, func(place int) (int64, int64, bool) {
		tokens, ok := net.Places[place].Initial.Cardinality(net.Places[place].Domain)
		return tokens, 0, ok
	}) {
		return fmt.Errorf("%w: the initial marking", ErrTooLarge)
	}
	if h.places == nil {
		return nil
	}
	for i := range net.Transitions {
		for _, a := range net.Transitions[i].Inhibitors {
			if !h.needsSum(a) {
				continue
			}
			if err := u.node(); err != nil {
				return err
			}
			if err := h.addSum(u.names, a); err != nil {
				return err
			}
		}
	}
	for k, f := range firings {
		if err := u.node(); err != nil {
			return err
		}
		t := &net.Transitions[f.Transition]
		for _, side := range []struct {
			arcs []Arc
			sign int64
		}{{t.Pre, -1}, {t.Post, 1}} {
			for _, a := range side.arcs {
				tokens, ok := a.Expression.Cardinality(net.Places[a.Place].Domain)
				if !ok || !h.moved(a.Place, side.sign*tokens) {
					return fmt.Errorf("an arc of %q: %w", t.ID, ErrTooLarge)
				}
			}
		}
		if err := h.finish(t, u.numbers[k]); err != nil {
			return err
		}
	}
	return nil
}
