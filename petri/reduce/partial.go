package reduce

// Partial agglomeration fires some producers of a place right before its consumer, and leaves the
// place to the others. For example, h can wait for f, but g makes two tokens on p:
//
//	before                               after
//	h: a → p    g: b → 2·p    f: p → q   h.f: a → q    g: b → 2·p    f: p → q
//
// No place goes, and there are as many transitions as before. But markings are gone in which h has
// fired and f has not, and h.f may be one that others make superfluous, or may have a place less to
// look at. (Thierry-Mieg 2020 has it with several consumers, too. Then each producer becomes several
// transitions: on the nets that were tried that left more of them than it saved.)

// agglomerateSomeFreely agglomerates the producers of a place that could be agglomerated freely, where
// others could not, or where the place has tokens at first. The place has one consumer.
//
// Why the same values of protected places are reached. Take a run of the net, and let each of
// these producers wait in the smaller net until its token is needed. Then the smaller net has on p
// the tokens of the run but for those of the waiting producers, and at least as many tokens everywhere
// else. Where the run fires f, the smaller net fires f, too, if it has a token on p. If it has none, a
// producer h waits, and it fires h.f: what h takes is still there, and what h looks at is, as at
// agglomerateFreely. Everything else fires as in the run. Conversely, h.f is h and then f.
//
// So h has to make just the tokens that f takes, and neither may look at p: composed, they would keep
// an arc to it.
//
// The rule takes each place once. In a cycle of such places it would never end.
func agglomerateSomeFreely(d *draft, rule int) int {
	n := 0
	for i := range d.duePlaces(rule) {
		if d.over(1) {
			return n
		}
		if d.consumers[i] != 1 || d.producers[i] == 0 || d.producers[i] > maxFanOfOne || d.protected[i] {
			continue
		}
		p := around{place: i}
		p.producers, p.consumers = d.sides(i)
		before, after := d.arcsOf(p.producers), d.arcsOf(p.consumers)
		if d.over(before + after) {
			return n
		}
		f := p.consumers[0]
		if after*len(p.producers) <= maxArcGrowth && !d.isFixed(f.transition) && d.agglomerateSome(p) {
			n++
		}
	}
	return n
}

// agglomerateSome agglomerates the producers of p that can wait for its consumer. It reports false
// and does nothing if there are none, or if the context ends first.
func (d *draft) agglomerateSome(p around) bool {
	var waiting []int32
	var made []transition
	for _, h := range p.producers {
		if d.isFixed(h.transition) || !d.mayFireLater(h, p) {
			continue
		}
		t, ok := d.compose(h.transition, p.consumers[0].transition, 1, p.place)
		if d.over(8 * (len(t.pre) + len(t.post))) {
			return false
		}
		if ok {
			waiting, made = append(waiting, h.transition), append(made, t)
		}
	}
	if len(waiting) == 0 || !d.hasRoom(made) {
		return false
	}
	for i, h := range waiting {
		d.removeTransition(h)
		d.transitions = append(d.transitions, made[i])
		d.link(int32(len(d.transitions) - 1))
	}
	return true
}
