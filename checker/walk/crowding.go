package walk

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"pnmc/internal/account"
	"pnmc/internal/bitset"
	"pnmc/internal/subsets"
	"pnmc/petri"
)

const (
	// consumersOfCrowded is how many consumers places must have on average for crowds.
	consumersOfCrowded = 64
	// wordsPerArc bounds the sets of crowds, for each arc to a transition.
	wordsPerArc = 2
	// rememberedPerArc bounds the memory of a board, in numbers of 32 bits for each arc to a transition.
	rememberedPerArc = 4
	// The walk that learns has so many firings at most, and keeps one marking of so many.
	mostTried    = 512
	triedPerKept = 16
)

// findCrowds lays crowds out if places have enough consumers on average and crowds pay. With
// none asked for, which is for tests, it does so for any plain net.
//
// An error is that of the account.
func (g *tokenGame) findCrowds(a *account.Account, consumers int) error {
	n := g.net
	if !n.Plain() || len(g.watches) == 0 || len(g.watches) < consumers*n.Places() || n.Places() > subsets.MostNumbers {
		return nil
	}
	c := &crowds{words: bitset.WordsFor(n.Places())}
	most := 0
	if consumers > 0 {
		most = wordsPerArc * len(g.watches)
		if n.Places()*c.words > most {
			return nil
		}
	}
	for _, w := range g.watches {
		c.heavy = c.heavy || w.weight > 1
	}
	tried, err := g.try(a)
	if err != nil {
		return err
	}
	meter := account.Meter{Account: a}
	c.index = subsets.New(subsets.Sets{
		Numbers: n.Places(), Count: n.Transitions(), Rank: tried.rank(), Usual: markedPlaces(n.Initial(), c.words),
		Members: func(t uint32, list []uint32) []uint32 {
			for _, a := range g.preSet(t) {
				list = append(list, uint32(a.Place))
			}
			return list
		},
		Asked: meter.Asked,
	}, most)
	if c.index != nil && (consumers == 0 || tried.pays(g, c)) {
		g.crowds = c
		return a.Reserve(4 * rememberedPerArc * len(g.watches)) // for the memory of a board
	}
	return meter.End
}

// markedPlaces returns the set of places that have tokens.
func markedPlaces(m petri.Marking, words int) []uint64 {
	set := make([]uint64, words)
	for p, tokens := range m {
		if tokens > 0 {
			bitset.Add(set, p)
		}
	}
	return set
}

// trial is what a short walk showed.
type trial struct {
	net      *petri.Net
	often    []int // by place, in how many markings it was marked
	markings []petri.Marking
	steps    int
	woken    int // consumers of places that got tokens
}

// try walks at random, without crowds. An error is that of the account.
func (g *tokenGame) try(a *account.Account) (*trial, error) {
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
		if err := a.Charge(4 * len(b.marking)); err != nil {
			return nil, err
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
	return t, nil
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

// hasNeeds reports whether all places that t needs have enough tokens.
func (g *tokenGame) hasNeeds(m petri.Marking, t uint32) bool {
	for _, a := range g.preSet(t) {
		if m[a.Place] < a.Weight {
			return false
		}
	}
	return true
}
