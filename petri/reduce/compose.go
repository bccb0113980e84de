package reduce

import (
	"math"
	"strconv"
)

// maxWeight bounds weights and initial counts of a reduced net: rules that would
// exceed it do not apply.
const maxWeight = math.MaxInt32

// compose returns the transition that stands for h followed by n times f, without the place p
// between them. It reports false if a weight grows out of bounds, or if p would keep an arc.
//
// Both transitions list their places in ascending order, so that one pass merges the two lists;
// follow does the arithmetic of each place. For example, h: a → p + x and f: p + x + c → q with n =
// 1 become a + c → q. The token that f needs on x is the one that h puts there.
func (d *draft) compose(h, f int32, n int64, p int32) (t transition, ok bool) {
	first, second := d.at(h), d.at(f)
	if n > maxWeight {
		return t, false
	}
	d.scratch.one = first.appendEffects(d.scratch.one[:0])
	d.scratch.other = second.appendEffects(d.scratch.other[:0])
	one, other := d.scratch.one, d.scratch.other
	arcs := make([]arc, 0, 2*(len(one)+len(other)))
	post := len(one) + len(other) // arcs of the post-set begin here
	arcs = arcs[:post]
	pre := 0
	for len(one)+len(other) > 0 {
		var a, b effect
		if len(other) == 0 || len(one) > 0 && one[0].place <= other[0].place {
			a, one = one[0], one[1:]
			b.place = a.place
		}
		if a == (effect{}) || len(other) > 0 && other[0].place == a.place {
			b, other = other[0], other[1:]
		}
		e, ok := follow(a, b, n)
		if !ok || b.place == p && e != (effect{place: p}) {
			return t, false
		}
		if e.consumed > 0 {
			arcs[pre] = arc{e.place, e.consumed}
			pre++
		}
		if e.produced > 0 {
			arcs = append(arcs, arc{e.place, e.produced})
		}
	}
	t.pre, t.post = arcs[:pre:pre], arcs[post:]
	t.recipe, t.id = first.recipe.then(second.recipe.times(n)), composedID(first.id, second.id, n)
	return t, true
}

// follow returns what h and then n times f take from a place and give to it. It reports false if a
// weight grows out of bounds.
//
// The first of n firings of f needs all tokens that f takes. Each later one needs those that the
// one before did not give back. For example, f takes 2 tokens and gives 1, and is to fire 3 times:
// it needs 2+1+1 = 4. If h gives 3, then 1 must be there before. After h there are 4, after f 3, 2
// and 1. So the two together take 1 and give 1.
func follow(h, f effect, n int64) (e effect, ok bool) {
	if f.consumed > maxWeight || f.produced > maxWeight {
		return e, false
	}
	needed := int64(0)
	if f.consumed > 0 {
		needed = f.consumed + (n-1)*max(0, f.consumed-f.produced)
	}
	gained := h.produced - h.consumed
	e = effect{place: f.place, consumed: max(h.consumed, needed-gained)}
	e.produced = e.consumed + gained + n*(f.produced-f.consumed)
	return e, e.consumed <= maxWeight && e.produced <= maxWeight && e.produced >= 0
}

// longID bounds identifiers of composed transitions, in bytes.
const longID = 80

// composedID returns an identifier for h followed by n times f, such as h.f or h.f^3. Those of long
// sequences are cut, and may be equal; finish makes them different.
func composedID(h, f string, n int64) string {
	if len(h) > longID {
		return h
	}
	id := h + "." + f
	if n != 1 {
		id += "^" + strconv.FormatInt(n, 10)
	}
	return id[:min(len(id), 2*longID)]
}
