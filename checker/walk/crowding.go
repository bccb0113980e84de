package walk

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"

	"pnmc/petri"
)

const (
	// consumersOfCrowded is how many consumers places must have on average for crowds.
	consumersOfCrowded = 64
	// wordsPerArc bounds the sets of crowds, for each arc to a transition.
	wordsPerArc = 2
	// The walk that learns has so many firings at most, and keeps one marking of so many.
	mostTried    = 512
	triedPerKept = 16
)

// findCrowds lays crowds out if places have enough consumers on average and crowds pay. With
// none asked for, which is for tests, it does so for any plain net.
func (g *tokenGame) findCrowds(consumers int) {
	n := g.net
	if !n.Plain() || len(g.watches) == 0 || len(g.watches) < consumers*n.Places() || n.Places() > 1<<16 {
		return
	}
	c := &crowds{words: (n.Places() + 63) / 64}
	if consumers > 0 && n.Places()*c.words > wordsPerArc*len(g.watches) {
		return
	}
	for _, w := range g.watches {
		c.heavy = c.heavy || w.weight > 1
	}
	if !c.settleHome(g) && consumers > 0 {
		return
	}
	tried := g.try()
	c.pair(g, tried.rank())
	if consumers == 0 || tried.pays(g, c) {
		g.crowds = c
	}
}

// trial is what a short walk showed.
type trial struct {
	net      *petri.Net
	often    []int // by place, in how many markings it was marked
	markings []petri.Marking
	steps    int
	woken    int // consumers of places that got tokens
}

// try walks at random, without crowds.
func (g *tokenGame) try() *trial {
	t := &trial{net: g.net, often: make([]int, g.net.Places())}
	g.begin = emptyBoard(g)
	g.begin.place(g.net.Initial())
	b := newBoard(g)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range mostTried {
		if len(b.enabled) == 0 {
			b.restart()
			if len(b.enabled) == 0 {
				break
			}
		}
		u := b.enabled[rng.IntN(len(b.enabled))]
		if !b.fire(u, 1) {
			b.restart()
			continue
		}
		t.steps++
		for _, e := range g.effect(u) {
			if e.delta > 0 {
				t.woken += int(g.first[e.place+1] - g.first[e.place])
			}
		}
		for p, tokens := range b.marking {
			if tokens > 0 {
				t.often[p]++
			}
		}
		if i%triedPerKept == 0 {
			t.markings = append(t.markings, slices.Clone(b.marking))
		}
	}
	return t
}

// rank numbers places from those that were marked least often.
func (t *trial) rank() []uint32 {
	order := make([]petri.Place, t.net.Places())
	for p := range order {
		order[p] = petri.Place(p)
	}
	slices.SortStableFunc(order, func(p, q petri.Place) int {
		return cmp.Or(cmp.Compare(t.often[p], t.often[q]), cmp.Compare(len(t.net.Consumers(p)), len(t.net.Consumers(q))))
	})
	rank := make([]uint32, t.net.Places())
	for i, p := range order {
		rank[p] = uint32(i)
	}
	return rank
}

// pays reports whether fewer transitions are looked at than need the places that a firing brings tokens to. Of
// these about a tenth would wait there, and to wake one takes about ten times as long as a look.
func (t *trial) pays(g *tokenGame, c *crowds) bool {
	if len(t.markings) == 0 {
		return false
	}
	with := *g
	with.crowds = c
	b := emptyBoard(&with)
	for _, m := range t.markings {
		b.place(m)
	}
	return b.looks/len(t.markings) < t.woken/t.steps
}

// settleHome lays out the transitions that are enabled at first. It reports whether the sets are small enough.
func (c *crowds) settleHome(g *tokenGame) bool {
	n, initial := g.net, g.net.Initial()
	for t := range petri.Transition(n.Transitions()) {
		if n.Enabled(initial, t) {
			c.home = append(c.home, uint32(t))
		}
	}
	words := (len(c.home) + 63) / 64
	c.all = make([]uint64, words)
	for i := range c.home {
		c.all[i/64] |= 1 << (i % 64)
	}
	c.atHome, c.row = make([]uint64, c.words), make([]uint32, n.Places())
	for i, t := range c.home {
		for _, a := range n.Pre(petri.Transition(t)) {
			if bit := uint64(1) << (a.Place % 64); c.atHome[a.Place/64]&bit == 0 {
				c.atHome[a.Place/64] |= bit
				c.row[a.Place] = uint32(len(c.rows))
				c.rows = append(c.rows, make([]uint64, words)...)
			}
			c.rows[int(c.row[a.Place])+i/64] |= 1 << (i % 64)
		}
	}
	return len(c.rows) <= wordsPerArc*len(g.watches)
}

// pair lays out the other transitions, of which each has at least one place that it needs.
func (c *crowds) pair(g *tokenGame, rank []uint32) {
	n := g.net
	type paired struct {
		first, second uint16
		transition    uint32
	}
	var all []paired
	var list []petri.Arc
	needs := func(t uint32) []petri.Arc {
		list = append(list[:0], n.Pre(petri.Transition(t))...)
		slices.SortFunc(list, func(a, b petri.Arc) int { return cmp.Compare(rank[a.Place], rank[b.Place]) })
		return list
	}
	initial := n.Initial()
	for t := range uint32(n.Transitions()) {
		if n.Enabled(initial, petri.Transition(t)) {
			continue
		}
		list := needs(t)
		all = append(all, paired{uint16(list[0].Place), uint16(list[min(1, len(list)-1)].Place), t})
	}
	slices.SortFunc(all, func(a, b paired) int {
		return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.second, b.second), cmp.Compare(a.transition, b.transition))
	})
	c.firsts = make([]uint64, c.words)
	c.partners = make([]partners, n.Places()*c.words)
	for i, m := range all {
		c.firsts[m.first/64] |= 1 << (m.first % 64)
		c.partners[int(m.first)*c.words+int(m.second/64)].set |= 1 << (m.second % 64)
		if i == 0 || all[i-1].first != m.first || all[i-1].second != m.second {
			c.group = append(c.group, uint32(i))
		}
		list := needs(m.transition)
		rest := list[min(4, len(list)):]
		c.further = append(c.further, [2]uint16{uint16(list[min(2, len(list)-1)].Place), uint16(list[min(3, len(list)-1)].Place)})
		first := uint32(len(c.rest))
		for _, a := range rest {
			c.rest = append(c.rest, uint16(a.Place))
		}
		c.members = append(c.members, member{m.transition, first, uint32(len(c.rest))})
	}
	c.group = append(c.group, uint32(len(all)))
	groups := uint32(0)
	for i := range c.partners {
		of := &c.partners[i]
		of.before = groups
		groups += uint32(bits.OnesCount64(of.set))
	}
}

// hasNeeds reports whether all places that t needs have enough tokens.
func (g *tokenGame) hasNeeds(m petri.Marking, t uint32) bool {
	for _, a := range g.preSet(t) {
		if m[a.Place] < a.Weight {
			return false
		}
	}
	return true
}
