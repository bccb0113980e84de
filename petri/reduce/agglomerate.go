package reduce

import "slices"

// Agglomeration takes a place p away by firing the transitions that produce on
// it together with those that consume from it: each producer h and consumer f
// become one transition "h then f". There are four rules, by the condition that makes
// it sound: what each preserves stands in the table of rules (reduce.go), why at its head here.

// maxGrowth bounds how many transitions one agglomeration may add beyond those
// it removes, and maxFan the producers or consumers of the place.
const (
	maxGrowth = 4
	maxFan    = 32
)

// around is a place with its producers and consumers.
type around struct {
	place                int32
	producers, consumers []link
}

// agglomerateAfter fires the one consumer at once after producers. It needs p alone, so
// that nothing can keep it from firing once p is marked, and changes no protected place.
//
// Any run can be rearranged so that the consumer fires right after the producer
// whose token it takes, or is made to fire there if it never did; no marking
// with p marked is a deadlock. A marking before the consumer fires and the one after it
// are stuttering bisimilar, since the consumer commutes with all that can fire
// instead, disables nothing, and cannot fire for ever alone: it is confluent (Groote,
// van de Pol, "State space reduction using partial tau-confluence", 2000).
func agglomerateAfter(d *draft, rule int) int {
	return d.agglomerateWhere(rule, func(p around) bool { return len(p.consumers) == 1 && d.eager(p) })
}

// agglomerateAfterChoice is agglomerateAfter for several consumers. Which of them fires is
// chosen earlier than before: runs are the same, the branching is not.
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

// agglomerateBefore fires producers no earlier than right before consumers.
// Producers make one token on p and nothing else, and their pre-sets, unprotected
// and not empty, serve them alone: waiting hinders nobody.
//
// A deadlock stays one: with producers fired as often as they can, which takes
// only tokens nobody else wants, the same consumers are disabled. Producers are
// confluent, as consumers are in agglomerateAfter: they take what nobody else wants, end
// when it is used up, and change no protected place.
func agglomerateBefore(d *draft, rule int) int {
	return d.agglomerateWhere(rule, func(p around) bool {
		if !d.oneByOne(p) {
			return false
		}
		for _, l := range p.producers {
			h := d.at(l.transition)
			if len(h.pre) == 0 {
				return false
			}
			for _, a := range h.pre {
				if d.protected[a.place] || d.consumers[a.place] != 1 {
					return false
				}
			}
		}
		return true
	})
}

// agglomerateFreely is agglomerateBefore for producers whose pre-sets others may
// want too: a run that waits with them has more tokens in the meantime, and one
// that never needs them leaves them out.
func agglomerateFreely(d *draft, rule int) int {
	return d.agglomerateWhere(rule, func(p around) bool {
		if !d.oneByOne(p) {
			return false
		}
		for _, l := range p.producers {
			for _, a := range d.at(l.transition).pre {
				if d.protected[a.place] {
					return false
				}
			}
		}
		return true
	})
}

// oneByOne reports whether p is empty at first, each producer makes one token on p
// and nothing else, and each consumer takes one.
func (d *draft) oneByOne(p around) bool {
	if d.initial[p.place] != 0 {
		return false
	}
	for _, l := range p.producers {
		if l.produced != 1 || len(d.at(l.transition).post) != 1 {
			return false
		}
	}
	return !slices.ContainsFunc(p.consumers, func(l link) bool { return l.consumed != 1 })
}

// agglomerateWhere agglomerates the places where sound holds. It asks about those that are
// due, and about those around transitions that are. A place behind a producer that has lost
// its last rival elsewhere is not asked about again; at worst it is left.
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
		if d.protected[i] || !fewAround(int(d.producers[i]), int(d.consumers[i])) {
			continue
		}
		p := around{place: i}
		p.producers, p.consumers = d.sides(i)
		arcs := d.arcsAround(p)
		if d.over(arcs) {
			return n
		}
		if d.disjoint(p) && !d.fixedAround(p) && sound(p) && d.agglomerate(p) {
			n++
		}
	}
	return n
}

// fewAround reports whether a place has producers and consumers, few enough.
func fewAround(producers, consumers int) bool {
	return producers > 0 && consumers > 0 && producers <= maxFan && consumers <= maxFan &&
		producers*consumers <= producers+consumers+maxGrowth
}

// arcsAround is the number of arcs at the producers and consumers of p, which are looked
// at a few times.
func (d *draft) arcsAround(p around) int {
	arcs := 0
	for _, side := range [2][]link{p.producers, p.consumers} {
		for _, l := range side {
			u := d.at(l.transition)
			arcs += len(u.pre) + len(u.post)
		}
	}
	return arcs
}

// disjoint reports whether no producer of p is a consumer, too.
func (d *draft) disjoint(p around) bool {
	return !slices.ContainsFunc(p.producers, func(l link) bool { return l.consumed > 0 })
}

// fixedAround reports whether a producer or consumer of p is fixed: it may be disabled by more
// than lacking tokens, so that it can't be counted on.
func (d *draft) fixedAround(p around) bool {
	fixed := func(l link) bool { return d.isFixed(l.transition) }
	return d.fixed != nil && (slices.ContainsFunc(p.producers, fixed) || slices.ContainsFunc(p.consumers, fixed))
}

// agglomerate does it, unless weights would grow out of bounds.
func (d *draft) agglomerate(p around) bool {
	made := make([]transition, 0, len(p.producers)*len(p.consumers))
	for _, h := range p.producers {
		for _, f := range p.consumers {
			t, ok := d.compose(h.transition, f.transition, h.produced, p.place)
			if d.work += 8 * (len(t.pre) + len(t.post)); !ok {
				return false
			}
			made = append(made, t)
		}
	}
	if d.initial[p.place] > 0 && !d.fireInitially(p) {
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

// fireInitially moves the tokens that p has at first on with its one consumer.
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
