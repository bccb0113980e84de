package invariant

import (
	"context"
	"slices"

	"pnmc/internal/account"
	"pnmc/petri"
)

// A machine is a set of places that always has one token, or always none: each transition takes as
// many tokens from it as it gives to it, one or none. So it is a semiflow with weights of one. Nets
// that are put together from automata have one machine for each, and so is often a resource with
// what holds it. Where there are tens of thousands of transitions, the elimination of semiflow.go
// runs out of work long before it has found one. Machines are found place by place.
//
// The idea. Begin with a place. A transition that takes from the set and gives nothing to it needs
// one of the places that it gives to in the set, and the other way round. Since the set has one
// token, what takes from two of its places is dead. So of two places before one transition, or
// behind one, only one is in the set: what does not fit there is no candidate. Mostly one is left.
// Where there are several, one is tried, and another one if that ends in a contradiction.
//
// For example, let a robot go from a to b if b is free: t takes a and free-b, and gives b and
// free-a. Begin with a, and t needs b or free-a. If b is tried, free-b does not fit, since t takes it
// with a. What goes on from b to c then needs c. So all places of the robot come in. If free-a is
// tried, what else gives free-a or takes it is needed: the other robots at a.
//
// Why it is right: how many places each transition takes from and gives to is counted as places come
// in. At the end these numbers are equal for each transition.
//
// What it costs: each place that comes in, a look at its transitions, and each transition that needs
// a place, a look at the transitions of candidates until one shows that it does not fit.

// Machines returns machines of the net: for each place that has one token at first two at most, and
// for each place that these leave out, one at most. None of their places is reset. It stops after
// looking at about work arcs, or when ctx ends, with those found by then.
func Machines(ctx context.Context, net *petri.Net, work int) []petri.Semiflow {
	g := &machineGrower{
		net: net, ctx: ctx, work: work, look: work, barred: make([]bool, net.Places()), at: make([][]int, net.Places()),
		inside: make([]bool, net.Places()), taken: make([]uint8, net.Transitions()), given: make([]uint8, net.Transitions()),
	}
	for p := range petri.Place(net.Places()) {
		g.barred[p] = net.Emptied(p) || net.InitialTokens(p) > 1
	}
	for t := range petri.Transition(net.Transitions()) {
		for _, arcs := range [][]petri.Arc{net.Pre(t), net.Post(t)} {
			for _, a := range arcs {
				g.barred[a.Place] = g.barred[a.Place] || a.Weight > 1
			}
		}
	}
	covered := make([]bool, net.Places())
	add := func(p petri.Place, last bool) {
		if f, ok := g.grow(p, last); ok && !slices.ContainsFunc(g.at[p], func(i int) bool { return slices.Equal(g.found[i].Terms, f.Terms) }) {
			for _, a := range f.Terms {
				covered[a.Place] = true
				g.at[a.Place] = append(g.at[a.Place], len(g.found))
			}
			g.found = append(g.found, f)
		}
	}
	for p := range petri.Place(net.Places()) {
		if net.InitialTokens(p) == 1 {
			if add(p, false); g.chosen {
				add(p, true)
			}
		}
	}
	for p := range petri.Place(net.Places()) {
		if !covered[p] {
			add(p, false)
		}
	}
	return g.found
}

// machineGrower makes one machine after the other.
type machineGrower struct {
	net    *petri.Net
	ctx    context.Context
	work   int
	look   int    // the work left at the last look at ctx
	barred []bool // places that are in no machine
	found  []petri.Semiflow
	at     [][]int // by place, the numbers of those found

	inside       []bool        // places
	trail        []petri.Place // inside, in the order in which they came
	taken, given []uint8       // by transition, how many places inside it takes from and gives to
	queue        []petri.Transition
	marked       bool // a place inside has the token

	choices []choice
	flips   int
	chosen  bool // there was a choice
}

// choice is a decision that can be taken another way.
type choice struct {
	trail, queue, head int // as it was before
	marked             bool
	rest               []petri.Place // what else can be tried
}

// mostFlips bounds the decisions that are taken another way, for each machine.
const mostFlips = 40

// goesOn reports whether there is work left and ctx has not ended.
func (g *machineGrower) goesOn() bool {
	if g.look-g.work >= workBetweenLooks {
		if g.look = g.work; account.Reason(g.ctx) != nil {
			g.work = 0
		}
	}
	return g.work > 0
}

// grow makes a machine with the place p. With last it tries the last candidate first, for another
// machine.
func (g *machineGrower) grow(p petri.Place, last bool) (petri.Semiflow, bool) {
	defer g.undo(choice{})
	g.choices, g.flips, g.chosen = g.choices[:0], 0, false
	if !g.take(p) {
		return petri.Semiflow{}, false
	}
	for head := 0; head < len(g.queue); head++ {
		if !g.goesOn() {
			return petri.Semiflow{}, false
		}
		candidates, ok := g.candidates(g.queue[head])
		if ok && len(candidates) == 0 {
			continue
		}
		if last {
			slices.Reverse(candidates)
		}
		for ok = ok && g.decide(candidates, head); !ok; {
			if len(g.choices) == 0 || g.flips == mostFlips || !g.goesOn() {
				return petri.Semiflow{}, false
			}
			c := g.choices[len(g.choices)-1]
			g.choices = g.choices[:len(g.choices)-1]
			g.flips++
			g.undo(c)
			head = c.head
			ok = g.decide(c.rest, head)
		}
	}
	return g.machine()
}

// decide takes the first candidate, and notes the others.
func (g *machineGrower) decide(candidates []petri.Place, head int) bool {
	if len(candidates) > 1 {
		g.chosen = true
		g.choices = append(g.choices, choice{trail: len(g.trail), queue: len(g.queue), head: head, marked: g.marked, rest: candidates[1:]})
	}
	return g.take(candidates[0])
}

// candidates returns the places of which t needs one inside. It reports false if it needs one and there
// is none.
func (g *machineGrower) candidates(t petri.Transition) (fitting []petri.Place, ok bool) {
	if g.taken[t] == g.given[t] {
		return nil, true
	}
	arcs := g.net.Post(t)
	if g.given[t] > 0 {
		arcs = g.net.Pre(t)
	}
	for _, a := range arcs {
		if g.fits(a.Place) {
			fitting = append(fitting, a.Place)
		}
	}
	return fitting, len(fitting) > 0
}

// fits reports whether p may come in: it is not before a transition with a place inside, nor behind
// one.
func (g *machineGrower) fits(p petri.Place) bool {
	g.work--
	if g.inside[p] || g.barred[p] || g.marked && g.net.InitialTokens(p) > 0 {
		return false
	}
	for _, t := range g.net.Consumers(p) {
		if g.work--; g.taken[t] > 0 {
			return false
		}
	}
	for _, t := range g.net.Producers(p) {
		if g.work--; g.given[t] > 0 {
			return false
		}
	}
	return true
}

// take takes p in, if it fits.
func (g *machineGrower) take(p petri.Place) bool {
	if !g.fits(p) {
		return false
	}
	g.inside[p] = true
	g.trail = append(g.trail, p)
	g.marked = g.marked || g.net.InitialTokens(p) > 0
	g.count(p, 1)
	g.queue = append(append(g.queue, g.net.Consumers(p)...), g.net.Producers(p)...)
	return true
}

// count adds to how many places the transitions of p take from and give to.
func (g *machineGrower) count(p petri.Place, by uint8) {
	for _, t := range g.net.Consumers(p) {
		g.taken[t] += by
	}
	for _, t := range g.net.Producers(p) {
		g.given[t] += by
	}
	g.work -= len(g.net.Consumers(p)) + len(g.net.Producers(p))
}

// undo goes back to a choice; the zero one is the beginning.
func (g *machineGrower) undo(c choice) {
	for _, p := range g.trail[c.trail:] {
		g.inside[p] = false
		g.count(p, ^uint8(0)) // one less
	}
	g.trail, g.queue, g.marked = g.trail[:c.trail], g.queue[:c.queue], c.marked
}

// machine returns the places inside as a semiflow, if they are one.
func (g *machineGrower) machine() (petri.Semiflow, bool) {
	f := petri.Semiflow{}
	for _, t := range g.queue {
		if g.taken[t] != g.given[t] {
			return f, false
		}
	}
	for _, p := range slices.Sorted(slices.Values(g.trail)) {
		f.Terms = append(f.Terms, petri.Arc{Place: p, Weight: 1})
		f.Value += g.net.InitialTokens(p)
	}
	return f, true
}
