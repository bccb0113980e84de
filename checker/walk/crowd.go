package walk

import (
	"cmp"
	"math"
	"slices"

	"pnmc/petri"
)

// Where places are few and transitions many, a token that comes to a place wakes hundreds of
// transitions that wait there, and nearly all of them go on to wait elsewhere. Each is somewhere
// else in memory, and that takes nearly all the time of a walk. So in such a net transitions that
// need the same places are a crowd, which is looked at in their stead.
//
// The idea. The places that a transition needs are put into one order for the whole net. What
// begins with the same places is one crowd, and crowds that begin with the same ones are again in a
// crowd: a tree, whose root is all. A crowd is open if all places that its members have in common
// have enough tokens. This is kept up to date: a place that changes lists its crowds, and the
// transitions whose first place beyond their crowd's it is. Only what is listed there in an open crowd
// is looked at. A transition whose crowd is closed, or whose first place is short, is at home. Any
// other one waits at a place, if it is not enabled, and when it wakes it may come home.
//
// For example, let a hundred transitions need a, b and one of a hundred other places each, and let
// nothing be marked. They are one crowd, below that of a. A token on a opens the crowd of a, and
// that of b is looked at: one look for all.
//
// Why it is right. A transition that is not enabled waits at a place that is short, or is at home.
// What is at home is looked at when its crowd opens, or when its first place gets tokens.
//
// What it costs. A change of a place costs a pass over two lists that lie in one piece each, and what
// is open. Nets whose places have few consumers do without: their transitions wait one by one.

// crowd is a set of transitions, and of smaller crowds, which need all that their parent needs and
// one place more. Those within have the numbers from its own on.
type crowd struct {
	need       shortNeed
	parent     uint32
	last       uint32 // behind those within
	first, end uint32 // where its members are
}

// member is a transition of a crowd that is in no smaller one, or such a crowd. weight is what it
// needs of place beyond what its crowd needs, zero if that is nothing.
type member struct {
	shortNeed
	number uint32 // crowds are behind transitions
}

// listed is a crowd or a transition as a place lists it.
type listed struct{ number, parent uint32 }

// seat is what is known of a transition in its crowd. Needs lie in the order of crowds, so that those
// of one crowd are near each other in memory: from first to end are all of the transition, from rest
// on those that its crowd does not have in common.
type seat struct{ crowd, first, rest, end uint32 }

// shortNeed is an arc to a transition.
type shortNeed struct{ place, weight uint32 }

const (
	// consumersOfCrowded is how many consumers places must have on average for crowds.
	consumersOfCrowded = 64
	smallestCrowd      = 2
	atHome             = -2 // a position, as notEnabled is
)

// findCrowds finds crowds if places have enough consumers on average.
func (g *tokenGame) findCrowds(consumers int) {
	n := g.net
	if len(g.watches) == 0 || len(g.watches) < consumers*n.Places() {
		return
	}
	order := make([]petri.Place, n.Places())
	for p := range order {
		order[p] = petri.Place(p)
	}
	slices.SortStableFunc(order, func(p, q petri.Place) int { return cmp.Compare(len(n.Consumers(p)), len(n.Consumers(q))) })
	rank := make([]uint32, n.Places()) // by number of consumers: what few need comes first
	for i, p := range order {
		rank[p] = uint32(i)
	}
	f := crowdFinder{game: g, needs: make([]shortNeed, 0, len(g.watches)), start: make([]uint32, 1, n.Transitions()+1)}
	list := make([]uint32, n.Transitions())
	for t := range list {
		list[t] = uint32(t)
		from := len(f.needs)
		for _, a := range n.Pre(petri.Transition(t)) {
			if a.Weight > math.MaxUint32 {
				return
			}
			f.needs = append(f.needs, shortNeed{rank[a.Place], uint32(a.Weight)})
		}
		slices.SortFunc(f.needs[from:], func(a, b shortNeed) int { return cmp.Compare(a.place, b.place) })
		f.start = append(f.start, uint32(len(f.needs)))
	}
	slices.SortFunc(list, func(t, u uint32) int {
		return slices.CompareFunc(f.of(t), f.of(u), func(a, b shortNeed) int {
			return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.weight, b.weight))
		})
	})
	for i := range f.needs {
		f.needs[i].place = uint32(order[f.needs[i].place])
	}
	g.seats, g.needs = make([]seat, n.Transitions()), make([]shortNeed, 0, len(f.needs))
	g.crowds = append(g.crowds, crowd{})
	f.split(list, 0, 0)
	g.listMembers()
}

// crowdFinder finds crowds. It has what each transition needs, in the order of crowds.
type crowdFinder struct {
	game  *tokenGame
	needs []shortNeed
	start []uint32
}

func (f *crowdFinder) of(t uint32) []shortNeed { return f.needs[f.start[t]:f.start[t+1]] }

// split puts a sorted list of transitions into a crowd, whose places are the first ones that they
// need, as many as depth.
func (f *crowdFinder) split(list []uint32, depth int, number uint32) {
	g := f.game
	var members []member
	for len(list) > 0 {
		needs, same := f.of(list[0]), 1
		m := member{number: list[0]}
		if len(needs) > depth {
			m.shortNeed = needs[depth]
			for same < len(list) && f.of(list[same])[depth] == needs[depth] {
				same++
			}
		}
		if same >= smallestCrowd {
			inside := uint32(len(g.crowds))
			g.crowds = append(g.crowds, crowd{need: needs[depth], parent: number})
			f.split(list[:same], depth+1, inside)
			m.number = uint32(g.net.Transitions()) + inside
		} else {
			first := uint32(len(g.needs))
			g.needs = append(g.needs, needs...)
			g.seats[list[0]] = seat{crowd: number, first: first, rest: first + uint32(depth), end: uint32(len(g.needs))}
		}
		members = append(members, m)
		list = list[same:]
	}
	c := &g.crowds[number]
	c.first = uint32(len(g.members))
	g.members = append(g.members, members...)
	c.end, c.last = uint32(len(g.members)), uint32(len(g.crowds))
}

// listMembers lists crowds and transitions at the places that they need beyond their crowd's.
func (g *tokenGame) listMembers() {
	g.crowdsAt, g.membersAt = make([][]listed, g.net.Places()), make([][]listed, g.net.Places())
	for number := range g.crowds {
		c := &g.crowds[number]
		if number > 0 {
			g.crowdsAt[c.need.place] = append(g.crowdsAt[c.need.place], listed{uint32(number), c.parent})
		}
		for _, m := range g.members[c.first:c.end] {
			if m.weight > 0 && m.number < uint32(len(g.seats)) {
				g.membersAt[m.place] = append(g.membersAt[m.place], listed{m.number, uint32(number)})
			}
		}
	}
}

// openAll opens what can be opened, from a board on which nothing is.
func (b *board) openAll() {
	for t := range b.position {
		b.position[t] = atHome
	}
	clear(b.open)
	b.openCrowd(0)
}

// openCrowd opens a crowd that was closed.
func (b *board) openCrowd(number uint32) {
	c := &b.game.crowds[number]
	b.open[number] = true
	for _, m := range b.game.members[c.first:c.end] {
		if b.marking[m.place] < int64(m.weight) {
			continue
		}
		if transitions := uint32(len(b.position)); m.number >= transitions {
			b.openCrowd(m.number - transitions)
		} else if b.position[m.number] == atHome {
			b.settle(m.number)
		}
	}
}

// closeCrowds closes the crowds that lack tokens since the place has lost some, and all within.
func (b *board) closeCrowds(p uint32) {
	for _, l := range b.game.crowdsAt[p] {
		if c := &b.game.crowds[l.number]; b.open[l.number] && int64(c.need.weight) > b.marking[p] {
			clear(b.open[l.number:c.last])
		}
	}
}

// openCrowds looks at what needs the place, which has got tokens: at crowds, and at transitions
// that are at home.
func (b *board) openCrowds(p uint32) {
	for _, l := range b.game.crowdsAt[p] {
		if b.open[l.parent] && !b.open[l.number] && int64(b.game.crowds[l.number].need.weight) <= b.marking[p] {
			b.openCrowd(l.number)
		}
	}
	for _, l := range b.game.membersAt[p] {
		if b.open[l.parent] && b.position[l.number] == atHome {
			b.settle(l.number)
		}
	}
}

// settleInCrowd is settle where there are crowds.
func (b *board) settleInCrowd(t uint32) {
	s := b.game.seats[t]
	if !b.open[s.crowd] {
		b.position[t] = atHome
		return
	}
	for i, n := range b.game.needs[s.rest:s.end] {
		if b.marking[n.place] >= int64(n.weight) {
			continue
		}
		if i == 0 {
			b.position[t] = atHome
		} else {
			b.wait(t, n.place)
		}
		return
	}
	b.settleBelow(t)
}

// disableInCrowds is disableAnywhere where there are crowds.
func (b *board) disableInCrowds() {
	for i := len(b.enabled) - 1; i >= 0; i-- {
		t := b.enabled[i]
		s := b.game.seats[t]
		for _, n := range b.game.needs[s.first:s.end] {
			if b.marking[n.place] < int64(n.weight) {
				b.disable(t, n.place)
				break
			}
		}
	}
}
