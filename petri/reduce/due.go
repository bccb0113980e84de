package reduce

// Rules apply again and again, as one makes room for another, until none does. To look at the whole
// net each time would cost the square of its size: a chain of a million places is agglomerated in a
// million steps.
//
// So a rule looks at a place or a transition again only after something has changed that it asks
// about: the links of the place, or the arcs of the transition. Each place and each transition has
// a bit for each rule, and a change sets all its bits. When a rule looks, it clears its own bit
// first; what it changes there sets the bit again. When no bit is set that a rule in use asks
// about, the net is reduced. Rules about the net as a whole have one bit for it, and are due again
// after any removal.
//
// For example, let p lie between h and f, and agglomerate. Both transitions go and h.f comes, so
// that the places around h and f have new links and become due, for all rules. No other place does.

// ruleSet is a set of rules, by their numbers in the table. It has room for 32. A rule without
// room would never be due; TestRulesHaveRoom sees to that. For more rules a wider type is enough.
type ruleSet uint32

const everyRule = ^ruleSet(0)

// due has the rules that have to look again: at each place, at each transition, and at the net.
type due struct {
	places, transitions []ruleSet
	net                 ruleSet
}

// linksChanged makes a place due, as its links or its tokens have changed.
func (d *draft) linksChanged(p int32) { d.due.places[p] = everyRule }

// duePlaces yields the places that are there and due for the rule, ascending, and clears their bit.
// A place that becomes due meanwhile is among them if its number is larger than the present one.
func (d *draft) duePlaces(rule int) func(yield func(p int32) bool) {
	return func(yield func(int32) bool) {
		for p := range d.due.places {
			if d.due.places[p]&(1<<rule) == 0 {
				continue
			}
			d.due.places[p] &^= 1 << rule
			if !d.placeGone[p] && !yield(int32(p)) {
				return
			}
		}
	}
}

// dueTransitions yields the transitions that are there and due for the rule, ascending, and clears
// their bit. Transitions that are made meanwhile are among them.
func (d *draft) dueTransitions(rule int) func(yield func(t int32) bool) {
	return func(yield func(int32) bool) {
		for t := 0; t < len(d.due.transitions); t++ {
			if d.due.transitions[t]&(1<<rule) == 0 {
				continue
			}
			d.due.transitions[t] &^= 1 << rule
			if !d.transitions[t].removed && !yield(int32(t)) {
				return
			}
		}
	}
}

// netDue reports whether a rule about the whole net is due, and clears its bit.
func (d *draft) netDue(rule int) bool {
	is := d.due.net&(1<<rule) != 0
	d.due.net &^= 1 << rule
	return is
}
