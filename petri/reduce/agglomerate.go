package reduce

import (
	"slices"

	"pnmc/petri"
)

// Agglomeration takes a place p away by firing the transitions that produce on it together with
// those that consume from it: each producer h and consumer f become one transition "h then f". For
// example:
//
//	before                         after
//	h1: a → p    f: p → q          h1.f: a → q
//	h2: b → p                      h2.f: b → q
//
// The markings with a token on p are no longer there, nor the ways in which other transitions can fire
// between h1 and f. Where many processes do so side by side, each such place multiplies the markings.
//
// That is sound only if the token on p could not have done anything else that matters. There are four
// rules, by the condition that makes it so:
//
//	after           f needs p alone, so that it can fire at once: it does
//	after choices   the same with several consumers: which of them fires is chosen earlier
//	before          h's input serves h alone, so that h can wait for f: it does
//	freely          h's input may serve others: waiting leaves them more
//
// What each rule preserves stands in the table of rules (reduce.go), and why at its head here. None
// applies to a place that the property looks at, or that some transition both gives to and takes
// from. None applies next to a transition with a ceiling or a reset arc.
//
// What it costs. k producers and m consumers become k·m transitions. That may be at most maxGrowth
// more than k+m, else the net would grow. The arcs of a producer are then those of m transitions, and
// those of a consumer of k: a thousand producers before one consumer of ten thousand arcs would make
// ten million. Therefore maxArcGrowth bounds the arcs, too.

// These bound what one agglomeration makes of the net.
const (
	maxGrowth    = 4       // transitions that it adds beyond those it removes
	maxFan       = 32      // producers of the place, and consumers
	maxFanOfOne  = 1024    // the same where there is one producer, or one consumer: the net does not grow
	maxArcGrowth = 1 << 17 // arcs that it adds
)

// around is a place with the links to its producers and to its consumers.
type around struct {
	place                int32
	producers, consumers []link
}

// agglomerateAfter fires the one consumer of p at once after each producer. The consumer needs p
// alone, so that nothing can keep it from firing once p is marked, and it changes no protected
// place. Where there is no producer it fires for the tokens that p has at first, and is gone.
//
// Any run can be rearranged so that the consumer fires right after the producer whose token it
// takes. If it never did, it is made to fire there. No marking with p marked is a deadlock. A
// marking before the consumer fires and the one after it are stuttering bisimilar: the consumer
// commutes with all that can fire instead, disables nothing, and cannot fire for ever alone. It is
// confluent (Groote, van de Pol, "State space reduction using partial tau-confluence", 2000).
func agglomerateAfter(d *draft, rule int) int {
	return d.agglomerateWhere(rule, func(p around) bool { return len(p.consumers) == 1 && d.eager(p) })
}

// agglomerateAfterChoice agglomerates as agglomerateAfter does, with several consumers. With p → f1 and p
// → f2, producer h becomes h.f1 and h.f2: which of the two fires is chosen when h fires, earlier
// than before. The runs are the same without that moment; but a formula of branching time could
// see it: after h, both f1 and f2 were possible.
func agglomerateAfterChoice(d *draft, rule int) int {
	return d.agglomerateWhere(rule, func(p around) bool {
		return d.initial[p.place] == 0 && !slices.ContainsFunc(p.producers, func(l link) bool { return l.produced != 1 }) && d.eager(p)
	})
}

// eager reports whether each consumer needs one token of p alone, and changes no protected
// place.
func (d *draft) eager(p around) bool {
	return !slices.ContainsFunc(p.consumers, func(l link) bool {
		f := d.at(l.transition)
		return len(f.pre) != 1 || f.pre[0].weight != 1 || !d.invisible(l.transition)
	})
}

// agglomerateBefore fires producers no earlier than right before consumers. Producers make one
// token on p and nothing else. Their pre-sets, unprotected and not empty, serve them alone: waiting
// hinders nobody. For example, h: a → p, f1: p + c → q and f2: p + d → r become h.f1: a + c → q and
// h.f2: a + d → r. Producers may look at other places, too, where tokens last: they are as able to
// fire later.
//
// If the smaller net has a deadlock, so has the larger. Fire producers there as often as they can.
// They take only tokens that nobody else wants, and the same consumers stay disabled. Producers are
// confluent, as consumers are in agglomerateAfter: they take what nobody else wants, end when it is
// used up, and change no protected place.
func agglomerateBefore(d *draft, rule int) int {
	return d.agglomerateWhere(rule, func(p around) bool {
		return d.oneByOne(p) && !slices.ContainsFunc(p.producers, func(h link) bool {
			return !takes(d.at(h.transition)) || !d.mayWait(h, p, func(e effect) bool {
				if e.produced > 0 {
					return d.lasts(e.place, e.consumed)
				}
				return d.consumers[e.place] == 1
			})
		})
	})
}

// agglomerateFreely agglomerates as agglomerateBefore does, with producers that share places of their
// pre-sets with others. A run that waits with a producer has more tokens in the meantime, so that
// all else can fire as before. A producer whose token on p is never taken is left out. So the same
// values of protected places are reached. But deadlocks are not kept: a run that fires h, and is
// then stuck with its token on p, has no counterpart.
//
// What producers look at may also be needed by each consumer: then it is still there. For example,
// h: a + r → p + r and f: p + r → q become h.f: a + r → q.
func agglomerateFreely(d *draft, rule int) int {
	return d.agglomerateWhere(rule, func(p around) bool {
		return d.oneByOne(p) && !slices.ContainsFunc(p.producers, func(h link) bool { return !d.mayFireLater(h, p) })
	})
}

// mayFireLater reports whether producer h of p can wait for a consumer as free agglomeration has it.
func (d *draft) mayFireLater(h link, p around) bool {
	return d.mayWait(h, p, func(e effect) bool {
		return e.produced == 0 || d.lasts(e.place, e.consumed) || d.needed(p.consumers, e.place, e.consumed)
	})
}

// oneByOne reports whether p is empty at first, each producer makes one token on p, and each
// consumer takes one. Then each firing of a consumer uses the token of one firing of a producer.
func (d *draft) oneByOne(p around) bool {
	return d.initial[p.place] == 0 &&
		!slices.ContainsFunc(p.producers, func(l link) bool { return l.produced != 1 }) &&
		!slices.ContainsFunc(p.consumers, func(l link) bool { return l.consumed != 1 })
}

// mayWait reports whether producer h of p can fire later as well: to another place it gives
// nothing, or just what it takes there; it leaves no protected place with less; and able holds for
// each place of its pre-set.
func (d *draft) mayWait(h link, p around, able func(e effect) bool) bool {
	for _, e := range d.effects(h.transition) {
		switch {
		case e.place == p.place:
		case e.produced == 0 && d.protected[e.place], e.produced > 0 && e.produced != e.consumed, !able(e):
			return false
		}
	}
	return true
}

// lasts reports whether a place keeps so many tokens once it has them, as no transition leaves
// fewer. It reports false of a place with very many transitions, which are not looked at.
func (d *draft) lasts(p int32, tokens int64) bool {
	links := d.linksOf(p)
	if d.net.Emptied(petri.Place(p)) || len(links) > maxFanOfOne {
		return false
	}
	return !d.over(len(links)) && !slices.ContainsFunc(links, func(l link) bool {
		return !d.transitions[l.transition].removed && l.produced < l.consumed && l.produced < tokens
	})
}

// needed reports whether each of the transitions needs so many tokens of a place.
func (d *draft) needed(by []link, p int32, tokens int64) bool {
	return !slices.ContainsFunc(by, func(f link) bool {
		pre := d.at(f.transition).pre
		i, found := slices.BinarySearchFunc(pre, p, func(a arc, p int32) int { return int(a.place) - int(p) })
		return !found || pre[i].weight < tokens
	})
}

// agglomerateWhere agglomerates the places for which sound reports true, and returns how many. It
// asks about places that are due, and about those next to transitions that are due. If a producer
// loses its last rival for a place elsewhere, the places behind it are not asked about again; at
// worst one is left that could go.
func (d *draft) agglomerateWhere(rule int, sound func(p around) bool) int {
	for t := range d.dueTransitions(rule) {
		for _, e := range d.effects(t) {
			d.due.places[e.place] |= 1 << rule
		}
		if d.over(1 + len(d.scratch.one)) {
			return 0
		}
	}
	n := 0
	for i := range d.duePlaces(rule) {
		if d.over(1) {
			return n
		}
		onlyFires := d.producers[i] == 0 && d.consumers[i] == 1 && d.initial[i] > 0
		if d.protected[i] || !onlyFires && !fewAround(int(d.producers[i]), int(d.consumers[i])) {
			continue
		}
		p := around{place: i}
		p.producers, p.consumers = d.sides(i)
		before, after := d.arcsOf(p.producers), d.arcsOf(p.consumers)
		if d.over(before + after) {
			return n
		}
		grown := before*(len(p.consumers)-1) + after*(len(p.producers)-1)
		if grown <= maxArcGrowth && d.disjoint(p) && !d.fixedAround(p) && sound(p) && d.agglomerate(p) {
			n++
		}
	}
	return n
}

// fewAround reports whether a place has producers and consumers, and few enough for the net not to
// grow much.
func fewAround(producers, consumers int) bool {
	fan := maxFan
	if min(producers, consumers) == 1 {
		fan = maxFanOfOne
	}
	return producers > 0 && consumers > 0 && max(producers, consumers) <= fan &&
		producers*consumers <= producers+consumers+maxGrowth
}

// arcsOf returns the number of arcs at the producers or consumers of a place, which are looked at a
// few times.
func (d *draft) arcsOf(side []link) int {
	arcs := 0
	for _, l := range side {
		u := d.at(l.transition)
		arcs += len(u.pre) + len(u.post)
	}
	return arcs
}

// disjoint reports whether no producer of p is also a consumer of p.
func (d *draft) disjoint(p around) bool {
	return !slices.ContainsFunc(p.producers, func(l link) bool { return l.consumed > 0 })
}

// fixedAround reports whether a producer or consumer of p is fixed. Such a transition may be
// disabled although it has its tokens, so that no rule can count on it.
func (d *draft) fixedAround(p around) bool {
	fixed := func(l link) bool { return d.isFixed(l.transition) }
	return d.fixed != nil && (slices.ContainsFunc(p.producers, fixed) || slices.ContainsFunc(p.consumers, fixed))
}

// agglomerate replaces the producers and consumers of p by their compositions, and removes p. It
// reports false and does nothing if weights would grow out of bounds, or if the context ends first.
func (d *draft) agglomerate(p around) bool {
	made := make([]transition, 0, len(p.producers)*len(p.consumers))
	for _, h := range p.producers {
		for _, f := range p.consumers {
			t, ok := d.compose(h.transition, f.transition, h.produced, p.place)
			if d.over(8*(len(t.pre)+len(t.post))) || !ok {
				return false
			}
			made = append(made, t)
		}
	}
	if !d.hasRoom(made) || d.initial[p.place] > 0 && !d.fireInitially(p) {
		return false
	}
	for _, side := range [2][]link{p.producers, p.consumers} {
		for _, l := range side {
			d.removeTransition(l.transition)
		}
	}
	d.placeGone[p.place] = true
	for _, t := range made {
		d.transitions = append(d.transitions, t)
		d.link(int32(len(d.transitions) - 1))
	}
	return true
}

// fireInitially fires the one consumer of p for each token that p has at first. These firings go to
// the prefix of all runs. It reports false if a count would grow out of bounds.
func (d *draft) fireInitially(p around) bool {
	tokens := d.initial[p.place]
	f := d.at(p.consumers[0].transition)
	if tokens > maxWeight {
		return false
	}
	for _, a := range f.post {
		if a.weight > maxWeight || d.initial[a.place] > maxWeight {
			return false
		}
	}
	for _, a := range f.post {
		d.initial[a.place] += tokens * a.weight
		d.linksChanged(a.place)
	}
	d.initial[p.place] = 0
	d.prefix = d.prefix.then(f.recipe.times(tokens))
	return true
}
