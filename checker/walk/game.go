package walk

import (
	"cmp"
	"context"
	"slices"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/petri"
)

// tokenGame is a net laid out for playing: the effect of each transition, and
// for each place who watches it. It is immutable and shared by walkers.
type tokenGame struct {
	net     *petri.Net
	changes []change // by transition, see start
	start   []uint32
	watches []watch // by place, ascending by weight, see first
	first   []uint32
	inputs  []int32 // number of places in the pre-set of each transition
	begin   *board  // at the initial marking
	// ceilings has, for each transition, the places where it needs few tokens. above has,
	// for each place, the transitions with a ceiling there, ascending by weight. Nil in a
	// plain net.
	ceilings [][]petri.Arc
	above    [][]watch
	resets   bool    // some transition resets a place
	crowds   *crowds // nil if places have few consumers
}

// change is what a transition adds to a place.
type change struct {
	place uint32
	delta int64
}

// watch is a transition that needs weight tokens of a place.
type watch struct {
	transition uint32
	weight     int64
}

// arcWork is about what it takes to look at an arc, in nanoseconds.
const arcWork = 8

// newTokenGame lays out a net: effects by transition, and watches by place. It has room for a board. An error is that of the
// account.
func newTokenGame(a *account.Account, net *petri.Net) (*tokenGame, error) {
	return gameOf(a, net, consumersOfCrowded)
}

// newPlannedGame lays out a net for walks that plan: there is room for a plan, too. An error is the context's, or that of the
// budget it carries.
func newPlannedGame(ctx context.Context, net *petri.Net) (*tokenGame, error) {
	a := account.Of(ctx)
	g, err := newTokenGame(a, net)
	if err == nil {
		err = a.Reserve(bytesOfPlan(g))
	}
	return g, err
}

// gameOf is newTokenGame with crowds where places have so many consumers on average.
func gameOf(a *account.Account, net *petri.Net, consumers int) (*tokenGame, error) {
	if err := a.Reserve(bytesPerNode * (net.Transitions() + net.Places())); err != nil {
		return nil, err
	}
	g := &tokenGame{
		net: net, start: make([]uint32, 1, net.Transitions()+1), first: make([]uint32, 1, net.Places()+1),
		inputs: make([]int32, net.Transitions()),
	}
	changes, watches := 0, 0
	var effect []petri.Arc
	for t := range petri.Transition(net.Transitions()) {
		if err := a.Charge(arcWork * (1 + len(net.Pre(t)) + len(net.Post(t)))); err != nil {
			return nil, err
		}
		effect = net.AppendEffect(effect[:0], t)
		changes += len(effect)
		g.inputs[t] = int32(len(net.Pre(t)))
		watches += len(net.Pre(t))
	}
	if err := a.Reserve(bytesPerChange*changes + bytesPerWatch*watches); err != nil {
		return nil, err
	}
	g.changes, g.watches = make([]change, 0, changes), make([]watch, 0, watches)
	for t := range petri.Transition(net.Transitions()) {
		if err := a.Charge(arcWork * (1 + len(net.Pre(t)) + len(net.Post(t)))); err != nil {
			return nil, err
		}
		effect = net.AppendEffect(effect[:0], t)
		for _, a := range effect {
			g.changes = append(g.changes, change{uint32(a.Place), a.Weight})
		}
		g.start = append(g.start, uint32(len(g.changes)))
	}
	for p := range petri.Place(net.Places()) {
		from := len(g.watches)
		if err := a.Charge(4 * arcWork * (1 + len(net.Consumers(p)))); err != nil {
			return nil, err
		}
		for _, t := range net.Consumers(p) {
			pre := net.Pre(t)
			i, _ := slices.BinarySearchFunc(pre, p, func(a petri.Arc, p petri.Place) int { return cmp.Compare(a.Place, p) })
			g.watches = append(g.watches, watch{uint32(t), pre[i].Weight})
		}
		slices.SortStableFunc(g.watches[from:], func(a, b watch) int { return cmp.Compare(a.weight, b.weight) })
		g.first = append(g.first, uint32(len(g.watches)))
	}
	if err := g.findCeilings(a); err != nil {
		return nil, err
	}
	if err := g.findCrowds(a, consumers); err != nil {
		return nil, err
	}
	g.begin = emptyBoard(g)
	g.begin.place(net.Initial())
	return g, nil
}

const (
	bytesPerChange = int(unsafe.Sizeof(change{}))
	bytesPerWatch  = int(unsafe.Sizeof(watch{}))
	// bytesPerNode is what a node takes in a game and on two boards: the one that is begun with, and that of a walker.
	bytesPerNode = 40
)

// findCeilings lays out what inhibitor arcs and capacities forbid. An error is that of the account.
func (g *tokenGame) findCeilings(a *account.Account) error {
	if g.net.Plain() {
		return nil
	}
	if err := a.Reserve(24 * (g.net.Transitions() + g.net.Places())); err != nil {
		return err
	}
	g.resets = g.net.HasResets()
	g.ceilings, g.above = make([][]petri.Arc, g.net.Transitions()), make([][]watch, g.net.Places())
	for t := range g.ceilings {
		g.ceilings[t] = g.net.Ceilings(petri.Transition(t))
		if err := a.Charge(2 * bytesPerWatch * (1 + len(g.ceilings[t]))); err != nil {
			return err
		}
		for _, c := range g.ceilings[t] {
			g.above[c.Place] = append(g.above[c.Place], watch{uint32(t), c.Weight})
		}
	}
	for _, list := range g.above {
		if err := a.Charge(4 * arcWork * len(list)); err != nil {
			return err
		}
		slices.SortStableFunc(list, func(a, b watch) int { return cmp.Compare(a.weight, b.weight) })
	}
	return nil
}

// empties reports whether t resets a place: what it adds then differs from firing to firing.
func (g *tokenGame) empties(t uint32) bool {
	return g.resets && len(g.net.Resets(petri.Transition(t))) > 0
}

// preSet returns what t needs; not to be modified.
func (g *tokenGame) preSet(t uint32) []petri.Arc { return g.net.Pre(petri.Transition(t)) }

// effect returns what t changes; not to be modified.
func (g *tokenGame) effect(t uint32) []change { return g.changes[g.start[t]:g.start[t+1]] }
