package reduce

import "slices"

// Agglomeration takes a place p away by firing the transitions that produce on
// it together with those that consume from it: each producer h and consumer f
// become one transition "h then f". Three conditions make that sound, from the
// one that preserves most to the one that preserves least.

// maxGrowth bounds how many transitions one agglomeration may add beyond those
// it removes, and maxFan the producers or consumers of the place.
const (
	maxGrowth = 4
	maxFan    = 32
)

// agglomerateAfter fires consumers at once after producers. Consumers need p
// alone, so that nothing can keep them from firing once p is marked, and change
// no protected place.
//
// Any run can be rearranged so that each consumer fires right after the producer
// whose token it takes, or is made to fire there if it never did; no marking
// with p marked is a deadlock.
func agglomerateAfter(d *draft) int {
	return d.agglomerateWhere(func(p int32) bool {
		for _, t := range d.consumers[p] {
			f := &d.transitions[t]
			if len(f.pre) != 1 || f.pre[0].weight != 1 || !d.invisible(f) {
				return false
			}
		}
		for _, t := range d.producers[p] {
			if w := weightIn(d.transitions[t].post, p); w != 1 && len(d.consumers[p]) != 1 {
				return false
			}
		}
		return d.initial[p] == 0 || len(d.consumers[p]) == 1
	})
}

// agglomerateBefore fires producers no earlier than right before consumers.
// Producers make one token on p and nothing else, and their pre-sets, unprotected
// and not empty, serve them alone: waiting hinders nobody.
//
// A deadlock stays one: with producers fired as often as they can, which takes
// only tokens nobody else wants, the same consumers are disabled.
func agglomerateBefore(d *draft) int {
	return d.agglomerateWhere(func(p int32) bool {
		if !d.oneByOne(p) {
			return false
		}
		for _, t := range d.producers[p] {
			h := &d.transitions[t]
			if len(h.pre) == 0 {
				return false
			}
			for _, a := range h.pre {
				if d.protected[a.place] || len(d.consumers[a.place]) != 1 {
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
func agglomerateFreely(d *draft) int {
	return d.agglomerateWhere(func(p int32) bool {
		if !d.oneByOne(p) {
			return false
		}
		for _, t := range d.producers[p] {
			for _, a := range d.transitions[t].pre {
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
func (d *draft) oneByOne(p int32) bool {
	if d.initial[p] != 0 {
		return false
	}
	for _, t := range d.producers[p] {
		if post := d.transitions[t].post; len(post) != 1 || post[0].weight != 1 {
			return false
		}
	}
	for _, t := range d.consumers[p] {
		if weightIn(d.transitions[t].pre, p) != 1 {
			return false
		}
	}
	return true
}

// agglomerateWhere agglomerates the places where sound holds. It asks only of
// places whose surroundings are as they were when indexed.
func (d *draft) agglomerateWhere(sound func(p int32) bool) int {
	n := 0
	for i := range d.placeGone {
		p := int32(i)
		if d.over(1 + len(d.producers[p]) + len(d.consumers[p])) {
			return n
		}
		if d.placeGone[p] || d.protected[p] || d.touched[p] || !d.fewAround(p) {
			continue
		}
		arcs := d.arcsAround(p)
		if d.over(arcs) {
			return n
		}
		if !d.disjoint(p) || d.nearTouched(p) || !sound(p) {
			continue
		}
		if d.agglomerate(p) {
			n++
		}
		d.over(8 * arcs * max(len(d.producers[p]), len(d.consumers[p]))) // each with each
	}
	return n
}

// fewAround reports whether p has producers and consumers, few enough.
func (d *draft) fewAround(p int32) bool {
	h, f := len(d.producers[p]), len(d.consumers[p])
	return h > 0 && f > 0 && h <= maxFan && f <= maxFan && h*f <= h+f+maxGrowth
}

// arcsAround is the number of arcs at the producers and consumers of p, which are looked
// at a few times.
func (d *draft) arcsAround(p int32) int {
	arcs := 0
	for _, list := range [2][]int32{d.producers[p], d.consumers[p]} {
		for _, t := range list {
			arcs += len(d.transitions[t].pre) + len(d.transitions[t].post)
		}
	}
	return arcs
}

// disjoint reports whether no producer of p is a consumer, too.
func (d *draft) disjoint(p int32) bool {
	for _, t := range d.producers[p] {
		if weightIn(d.transitions[t].pre, p) > 0 {
			return false
		}
	}
	return true
}

// nearTouched reports whether a transition around p has changed since index, or a
// place that one of them is connected to: then the lists may be out of date.
func (d *draft) nearTouched(p int32) bool {
	for _, list := range [][]int32{d.producers[p], d.consumers[p]} {
		for _, t := range list {
			u := &d.transitions[t]
			if u.removed {
				return true
			}
			touched := func(a arc) bool { return d.touched[a.place] }
			if slices.ContainsFunc(u.pre, touched) || slices.ContainsFunc(u.post, touched) {
				return true
			}
		}
	}
	return false
}

// agglomerate does it, unless weights would grow out of bounds.
func (d *draft) agglomerate(p int32) bool {
	var made []transition
	arcs := 0
	for _, th := range d.producers[p] {
		h := &d.transitions[th]
		for _, tf := range d.consumers[p] {
			t, ok := compose(h, &d.transitions[tf], weightIn(h.post, p), p)
			if !ok {
				return false
			}
			arcs += len(t.pre) + len(t.post)
			made = append(made, t)
		}
	}
	if d.initial[p] > 0 && !d.fireInitially(p) {
		return false
	}
	for _, list := range [][]int32{d.producers[p], d.consumers[p]} {
		for _, t := range list {
			u := &d.transitions[t]
			u.removed = true
			for _, a := range u.pre {
				d.touched[a.place] = true
			}
			for _, a := range u.post {
				d.touched[a.place] = true
			}
		}
	}
	d.placeGone[p] = true
	d.transitions = append(d.transitions, made...)
	return true
}

// fireInitially moves the tokens that p has at first on with its one consumer.
func (d *draft) fireInitially(p int32) bool {
	tokens := d.initial[p]
	f := &d.transitions[d.consumers[p][0]]
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
	}
	d.initial[p] = 0
	d.prefix = d.prefix.then(f.recipe.times(tokens))
	return true
}
