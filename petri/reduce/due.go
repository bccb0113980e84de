package reduce

// What is due. A rule looks at a place or a transition again only after something has
// changed that it asks about: the links of the place, or the arcs of the transition. Rules
// about the net as a whole are due again after any removal.

// ruleSet is a set of rules by their numbers in the table, which has room for sixteen; each
// place and each transition has one. For more rules a wider type is enough. A rule without room
// would never be due: TestRulesHaveRoom.
type ruleSet uint16

const everyRule = ^ruleSet(0)

// due tells which rules have to look at what again.
type due struct {
	places, transitions []ruleSet
	net                 ruleSet
}

// linksChanged makes a place due, as its links or its tokens have changed.
func (d *draft) linksChanged(p int32) { d.due.places[p] = everyRule }

// duePlaces are the places that are there and due for the rule, ascending; what gets due
// meanwhile is among them if it comes later.
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

// dueTransitions are the transitions that are there and due for the rule, ascending.
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

// netDue reports whether a rule about the whole net is due, and that it is no more.
func (d *draft) netDue(rule int) bool {
	is := d.due.net&(1<<rule) != 0
	d.due.net &^= 1 << rule
	return is
}
