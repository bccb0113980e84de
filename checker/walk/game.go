package walk

import (
	"cmp"
	"slices"

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

// newTokenGame lays out a net: effects by transition, and watches by place.
func newTokenGame(net *petri.Net) *tokenGame { return gameOf(net, consumersOfCrowded) }

// gameOf is newTokenGame with crowds where places have so many consumers on average.
func gameOf(net *petri.Net, consumers int) *tokenGame {
	g := &tokenGame{
		net: net, start: make([]uint32, 1, net.Transitions()+1), first: make([]uint32, 1, net.Places()+1),
		inputs: make([]int32, net.Transitions()),
	}
	changes, watches := 0, 0
	var effect []petri.Arc
	for t := range petri.Transition(net.Transitions()) {
		effect = net.AppendEffect(effect[:0], t)
		changes += len(effect)
		g.inputs[t] = int32(len(net.Pre(t)))
		watches += len(net.Pre(t))
	}
	g.changes, g.watches = make([]change, 0, changes), make([]watch, 0, watches)
	for t := range petri.Transition(net.Transitions()) {
		effect = net.AppendEffect(effect[:0], t)
		for _, a := range effect {
			g.changes = append(g.changes, change{uint32(a.Place), a.Weight})
		}
		g.start = append(g.start, uint32(len(g.changes)))
	}
	for p := range petri.Place(net.Places()) {
		from := len(g.watches)
		for _, t := range net.Consumers(p) {
			pre := net.Pre(t)
			i, _ := slices.BinarySearchFunc(pre, p, func(a petri.Arc, p petri.Place) int { return cmp.Compare(a.Place, p) })
			g.watches = append(g.watches, watch{uint32(t), pre[i].Weight})
		}
		slices.SortStableFunc(g.watches[from:], func(a, b watch) int { return cmp.Compare(a.weight, b.weight) })
		g.first = append(g.first, uint32(len(g.watches)))
	}
	g.findCeilings()
	g.findCrowds(consumers)
	g.begin = emptyBoard(g)
	g.begin.place(net.Initial())
	return g
}

// findCeilings lays out what inhibitor arcs and capacities forbid.
func (g *tokenGame) findCeilings() {
	if g.net.Plain() {
		return
	}
	g.resets = g.net.HasResets()
	g.ceilings, g.above = make([][]petri.Arc, g.net.Transitions()), make([][]watch, g.net.Places())
	for t := range g.ceilings {
		g.ceilings[t] = g.net.Ceilings(petri.Transition(t))
		for _, a := range g.ceilings[t] {
			g.above[a.Place] = append(g.above[a.Place], watch{uint32(t), a.Weight})
		}
	}
	for _, list := range g.above {
		slices.SortStableFunc(list, func(a, b watch) int { return cmp.Compare(a.weight, b.weight) })
	}
}

// empties reports whether t resets a place: what it adds then differs from firing to firing.
func (g *tokenGame) empties(t uint32) bool {
	return g.resets && len(g.net.Resets(petri.Transition(t))) > 0
}

// preSet returns what t needs; not to be modified.
func (g *tokenGame) preSet(t uint32) []petri.Arc { return g.net.Pre(petri.Transition(t)) }

// effect returns what t changes; not to be modified.
func (g *tokenGame) effect(t uint32) []change { return g.changes[g.start[t]:g.start[t+1]] }
