package symmetric

import (
	"context"
	"fmt"
)

// fact is a coloured token that some reachable marking may hold.
type fact struct {
	place int
	tuple int64
}

// suspended is a binding that is complete but for a token that an arc with All
// needs.
type suspended struct {
	transition int
	binding    []int64
}

type unfolder struct {
	ctx      context.Context
	net      *Net
	options  Options
	initial  [][]token
	facts    []map[int64]bool // for each place: the tuples it may hold
	queue    []fact           // facts in the order found
	indexes  indexes
	runners  []*runner
	triggers [][]trigger // for each place: what a new token there may complete
	initials []*plan     // for each transition without a trigger; else nil
	bulk     [][]int     // for each transition: input arcs to check in full
	waiting  map[fact][]suspended
	bindings [][]int64 // for each transition: all its bindings, one after the other
	count    []int     // for each transition: how many
	nodes    int
	arcs     int
	work     int
	tokens   []token // scratch
	err      error
}

type trigger struct {
	transition int
	plan       *plan
}

func newUnfolder(ctx context.Context, net *Net, options Options) *unfolder {
	if options.MaxNodes <= 0 {
		options.MaxNodes = DefaultMaxNodes
	}
	if options.MaxArcs <= 0 {
		options.MaxArcs = 10 * options.MaxNodes
	}
	u := &unfolder{
		ctx: ctx, net: net, options: options,
		initial:  make([][]token, len(net.Places)),
		facts:    make([]map[int64]bool, len(net.Places)),
		indexes:  make(indexes, len(net.Places)),
		triggers: make([][]trigger, len(net.Places)),
		runners:  make([]*runner, len(net.Transitions)),
		initials: make([]*plan, len(net.Transitions)),
		bulk:     make([][]int, len(net.Transitions)),
		bindings: make([][]int64, len(net.Transitions)),
		count:    make([]int, len(net.Transitions)),
		waiting:  make(map[fact][]suspended),
	}
	for p := range u.facts {
		u.facts[p] = make(map[int64]bool)
	}
	widest := 0
	for _, p := range net.Places {
		widest = max(widest, len(p.Domain))
	}
	for i := range net.Transitions {
		t := &net.Transitions[i]
		u.runners[i] = &runner{
			transition: t, net: net,
			binding: make([]int64, len(t.Variables)), colours: make([]int64, widest),
			found:   func(binding []int64) bool { return u.found(i, binding) },
			visited: u.visited,
		}
		planner := newPlanner(net, t, func(place int, positions []int) *index {
			return u.indexes.register(net, place, positions, false)
		})
		switch {
		case options.KeepAll:
			u.initials[i] = planner.plan(nil, false)
			continue
		case len(planner.atoms) == 0:
			u.initials[i] = planner.plan(nil, true)
		}
		for _, a := range planner.atoms {
			u.triggers[a.place] = append(u.triggers[a.place], trigger{i, planner.plan(a, true)})
		}
		for k, arc := range t.Pre {
			bulk := hasNegative(arc.Expression)
			for _, m := range arc.Expression {
				bulk = bulk || hasAll(m)
			}
			if bulk {
				u.bulk[i] = append(u.bulk[i], k)
			}
		}
	}
	return u
}

// visited counts the steps of all runs; false if there are too many.
func (u *unfolder) visited() bool {
	const workPerNode = 200 // joins that come to nothing, before giving up
	u.work++
	if u.work&0xFFFF == 0 && u.err == nil {
		u.err = u.ctx.Err()
	}
	if u.work > workPerNode*u.options.MaxNodes {
		u.exceed("more than %d steps of binding", u.work-1)
	}
	return u.err == nil
}

func (u *unfolder) exceed(format string, arguments ...any) {
	if u.err == nil {
		u.err = fmt.Errorf("%w: %s", ErrTooLarge, fmt.Sprintf(format, arguments...))
	}
}

// grow counts nodes and arcs to be built against the limits.
func (u *unfolder) grow(nodes, arcs int) bool {
	u.nodes += nodes
	u.arcs += arcs
	if u.nodes > u.options.MaxNodes {
		u.exceed("more than %d nodes", u.options.MaxNodes)
	}
	if u.arcs > u.options.MaxArcs {
		u.exceed("more than %d arcs", u.options.MaxArcs)
	}
	return u.err == nil
}

// evaluate gives the tokens of an arc or marking; the result is good until the
// next call. It sets u.err where they are negative or too many.
func (u *unfolder) evaluate(place int, e Expression, binding []int64, what func() string) []token {
	p := &u.net.Places[place]
	tokens, ok := e.eval(p.Domain, binding, u.tokens[:0], u.options.MaxArcs)
	if !ok {
		u.exceed("%s has more than %d colours or more than 2^63-1 tokens", what(), u.options.MaxArcs)
		return nil
	}
	u.tokens = tokens
	for _, t := range tokens {
		if t.count < 0 && u.err == nil {
			u.err = fmt.Errorf("%s takes %d tokens of colour %v, expected no negative count",
				what(), t.count, p.Domain.Colours(t.tuple))
		}
	}
	return tokens
}

// arcTokens gives the tokens of an arc of transition i.
func (u *unfolder) arcTokens(i int, arc *Arc, binding []int64) []token {
	return u.evaluate(arc.Place, arc.Expression, binding, func() string {
		t := &u.net.Transitions[i]
		return fmt.Sprintf("the arc between %q and %q[%s]", u.net.Places[arc.Place].ID, t.ID, t.Binding(binding))
	})
}

// marking notes the initial tokens of all places.
func (u *unfolder) marking() bool {
	for p := range u.net.Places {
		tokens := u.evaluate(p, u.net.Places[p].Initial, nil, func() string {
			return fmt.Sprintf("the initial marking of %q", u.net.Places[p].ID)
		})
		if u.err != nil {
			return false
		}
		u.initial[p] = append([]token(nil), tokens...)
	}
	return true
}
