package reduce

import (
	"context"
	"slices"
	"unsafe"

	"pnmc/internal/account"
	"pnmc/petri"
)

// arc connects a transition with a place of a draft.
type arc struct {
	place  int32
	weight int64
}

// transition is one of a draft; pre and post ascend by place.
type transition struct {
	pre, post []arc
	recipe    *recipe
	id        string
	removed   bool
	untidy    bool  // a place of its arcs is gone
	of        int32 // for Counting: the original transition that it fires, beside moves, or noOriginal
}

// noOriginal stands for no original transition.
const noOriginal = -1

// link is an arc or two of a place: what firing the transition takes and gives.
type link struct {
	transition         int32
	consumed, produced int64
}

// draft is a net being reduced. Places and transitions keep their numbers and are only
// marked as removed, so that each removal costs as much as what it touches. Arcs stand at
// both of their ends.
type draft struct {
	net         *petri.Net
	initial     []int64
	protected   []bool // the property looks at it, or a ceiling or a reset arc does
	fixed       []bool // by original transition: it has a ceiling or a reset arc; nil if none has
	placeGone   []bool
	transitions []transition
	prefix      *recipe

	links                [][]link // by place, ascending by transition, some of removed transitions
	dead                 []int32  // by place: how many those are
	consumers, producers []int32  // by place: how many transitions take from it, give to it
	due                  due
	counting             *counting // nil unless markings are to be counted
	twins                [twinKinds]twins

	ctx     context.Context
	account *account.Account
	perLook int // work between two looks at ctx
	work    int // since the last one
	ended   bool
	done    int  // all work, as of the last look
	most    int  // after so much rules stop; 0: no bound
	stopped bool // they have
	scratch struct {
		one, other           []effect
		producers, consumers []link
		changes, others      []int64
		position             []int32 // of places that are fused, plus one; 0 of others
	}
}

// workPerLook is how much work there may be between two looks at the context, about one
// for each arc looked at: below a millisecond. Each is charged with what an arc takes where it
// is made again, at both of its ends and as garbage.
const (
	workPerLook = 1 << 14
	arcBytes    = 64
)

// over counts work, and reports whether ctx has ended, the memory that it carries is used
// up, or all work is done that is allowed. Then a rule stops between two of its removals; each removal is sound by itself.
func (d *draft) over(work int) bool {
	if d.work += work; d.work >= d.perLook {
		d.ended = d.ended || d.ctx.Err() != nil || d.account.Charge(d.work*arcBytes) != nil
		d.done += d.work
		d.stopped = d.stopped || d.most > 0 && d.done >= d.most
		d.work = 0
	}
	return d.isOver()
}

// isOver reports whether no rule may go on.
func (d *draft) isOver() bool { return d.ended || d.stopped }

// draftBytes returns about how many bytes a draft of the net takes at first.
func draftBytes(net *petri.Net) int {
	return net.Arcs()*int(unsafe.Sizeof(arc{})+unsafe.Sizeof(link{})) +
		net.Transitions()*int(unsafe.Sizeof(transition{})+unsafe.Sizeof(recipe{}))
}

// newDraft returns a draft of the net as it is, in time linear in its arcs. It is incomplete if the
// context or the memory ends first: then d.ended is set.
func newDraft(ctx context.Context, net *petri.Net, protected []bool) *draft {
	places := net.Places()
	d := &draft{
		ctx: ctx, account: account.Of(ctx), perLook: workPerLook, net: net, initial: net.Initial(), protected: slices.Clone(protected),
		placeGone:   make([]bool, places),
		transitions: make([]transition, net.Transitions()),
		links:       make([][]link, places), dead: make([]int32, places),
		consumers: make([]int32, places), producers: make([]int32, places),
	}
	if d.protected == nil {
		d.protected = make([]bool, places)
	}
	d.fix()
	all := make([]arc, 0, net.Arcs())
	convert := func(arcs []petri.Arc) []arc {
		first := len(all)
		for _, a := range arcs {
			all = append(all, arc{int32(a.Place), a.Weight})
		}
		return all[first:len(all):len(all)]
	}
	for t := range d.transitions {
		u := petri.Transition(t)
		d.transitions[t] = transition{
			pre: convert(net.Pre(u)), post: convert(net.Post(u)), recipe: leaf(u), id: net.TransitionLabel(u).ID, of: int32(t),
		}
		if d.over(1 + len(net.Pre(u)) + len(net.Post(u))) {
			return d
		}
	}
	d.connect()
	return d
}

// fix protects the places that ceilings and reset arcs look at, and notes whose these are.
// Then no rule removes such a place. No rule drops a transition that changes the place, or
// makes it fire earlier or later. Only the rule of dead transitions touches a fixed
// transition. For the other places, the arguments of the rules hold as in a net without such
// arcs: while the watched places have as many tokens, more tokens elsewhere neither disable
// nor lose anything.
func (d *draft) fix() {
	if d.net.Plain() {
		return
	}
	d.fixed = make([]bool, d.net.Transitions())
	for t := range petri.Transition(d.net.Transitions()) {
		d.fixed[t] = len(d.net.Ceilings(t)) > 0 || len(d.net.Resets(t)) > 0
	}
	for p := range d.protected {
		d.protected[p] = d.protected[p] || d.net.Watched(petri.Place(p))
	}
}

// isFixed reports whether t has a ceiling or a reset arc.
func (d *draft) isFixed(t int32) bool { return int(t) < len(d.fixed) && d.fixed[t] }

// connect makes the links of the net as it is read, and all of it due.
func (d *draft) connect() {
	size := make([]int32, len(d.links))
	total := 0
	for t := range d.transitions {
		for _, e := range d.effects(int32(t)) {
			size[e.place]++
			total++
		}
	}
	all := make([]link, total)
	for p, n := range size {
		d.links[p], all = all[:0:n], all[n:]
	}
	d.due = due{places: make([]ruleSet, len(d.links)), net: everyRule}
	for p := range d.due.places {
		d.due.places[p] = everyRule
	}
	for t := range d.transitions {
		d.link(int32(t))
		if d.over(1 + len(d.transitions[t].pre) + len(d.transitions[t].post)) {
			return
		}
	}
}

// at returns the transition of that number, without arcs of places that are gone.
func (d *draft) at(t int32) *transition {
	u := &d.transitions[t]
	if u.untidy {
		gone := func(a arc) bool { return d.placeGone[a.place] }
		u.pre, u.post = slices.DeleteFunc(u.pre, gone), slices.DeleteFunc(u.post, gone)
		u.untidy = false
		d.work += len(u.pre) + len(u.post)
	}
	return u
}

// effect is what firing a transition takes from a place and gives to it.
type effect struct {
	place              int32
	consumed, produced int64
}

// effects returns those of t, ascending by place; the result is good until the next call.
func (d *draft) effects(t int32) []effect {
	d.scratch.one = d.at(t).appendEffects(d.scratch.one[:0])
	return d.scratch.one
}

// appendEffects merges the arcs from and to places, both ascending by place, into one list.
func (t *transition) appendEffects(list []effect) []effect {
	i, j := 0, 0
	for i < len(t.pre) || j < len(t.post) {
		switch {
		case j == len(t.post) || i < len(t.pre) && t.pre[i].place < t.post[j].place:
			list = append(list, effect{t.pre[i].place, t.pre[i].weight, 0})
			i++
		case i == len(t.pre) || t.post[j].place < t.pre[i].place:
			list = append(list, effect{t.post[j].place, 0, t.post[j].weight})
			j++
		default:
			list = append(list, effect{t.pre[i].place, t.pre[i].weight, t.post[j].weight})
			i++
			j++
		}
	}
	return list
}

// link enters a transition, which has the largest number, at its places.
func (d *draft) link(t int32) {
	for len(d.due.transitions) <= int(t) {
		d.due.transitions = append(d.due.transitions, everyRule)
	}
	for _, e := range d.effects(t) {
		links := d.links[e.place]
		if len(links) == cap(links) {
			links = d.linksOf(e.place) // those of removed transitions make room
		}
		d.links[e.place] = append(links, link{t, e.consumed, e.produced})
		d.count(e, 1)
	}
}

// hasRoom reports whether there is room for transitions that were made to be linked, as lists of links that are full get
// twice the room. That is asked for the first one: after that the lists have room for others.
func (d *draft) hasRoom(made []transition) bool {
	if len(made) == 0 {
		return !d.isOver()
	}
	growth := 0
	for _, arcs := range [2][]arc{made[0].pre, made[0].post} {
		for _, a := range arcs {
			if links := d.links[a.place]; len(links) == cap(links) && 2*int(d.dead[a.place]) <= len(links) {
				growth += 2*len(links) + 1
			}
		}
	}
	d.ended = d.ended || d.account.Reserve(growth*int(unsafe.Sizeof(link{}))) != nil
	return !d.isOver()
}

// count counts the transition of an effect in, or with -1 out.
func (d *draft) count(e effect, by int32) {
	if e.consumed > 0 {
		d.consumers[e.place] += by
	}
	if e.produced > 0 {
		d.producers[e.place] += by
	}
	d.linksChanged(e.place)
}

// removeTransition takes a transition off its places.
func (d *draft) removeTransition(t int32) {
	for _, e := range d.effects(t) {
		d.dead[e.place]++
		d.count(e, -1)
	}
	d.transitions[t].removed = true
	d.due.net = everyRule
}

// removePlace takes a place off its transitions.
func (d *draft) removePlace(p int32) {
	d.placeGone[p] = true
	d.due.net = everyRule
	for _, l := range d.linksOf(p) {
		if u := &d.transitions[l.transition]; !u.removed {
			u.untidy = true
			d.due.transitions[l.transition] = everyRule
		}
	}
}

// removePlacesBut removes all places but those that are kept, and returns how many these are.
func (d *draft) removePlacesBut(kept []bool) int {
	n := 0
	for p := range d.placeGone {
		if !d.placeGone[p] && !kept[p] {
			d.removePlace(int32(p))
			n++
		}
	}
	return n
}

// linksOf returns the links of a place. Some may be of removed transitions, at most as many as
// others, so that skipping them costs no more than removing them did.
func (d *draft) linksOf(p int32) []link {
	if 2*int(d.dead[p]) > len(d.links[p]) {
		d.links[p] = slices.DeleteFunc(d.links[p], func(l link) bool { return d.transitions[l.transition].removed })
		d.dead[p] = 0
	}
	return d.links[p]
}

// liveLinks returns the links of a place without those of removed transitions.
func (d *draft) liveLinks(p int32) []link {
	if d.dead[p] > 0 {
		d.dead[p] = int32(len(d.links[p]))
	}
	return d.linksOf(p)
}

// sides returns the links of a place to its producers and to its consumers. The result is good
// until the next call.
func (d *draft) sides(p int32) (producers, consumers []link) {
	producers, consumers = d.scratch.producers[:0], d.scratch.consumers[:0]
	for _, l := range d.liveLinks(p) {
		if l.produced > 0 {
			producers = append(producers, l)
		}
		if l.consumed > 0 {
			consumers = append(consumers, l)
		}
	}
	d.scratch.producers, d.scratch.consumers = producers, consumers
	return producers, consumers
}

// invisible reports whether firing t changes no protected place.
func (d *draft) invisible(t int32) bool {
	for _, e := range d.effects(t) {
		if d.protected[e.place] && e.consumed != e.produced {
			return false
		}
	}
	return true
}
