package checker

import (
	"pnmc/checker/branching"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// askCTL puts a CTL formula: what its Boolean structure needs to know of
// reachable markings becomes atoms, and often that decides it.
func (r *task) askCTL(number int, f *ctl.Formula, initial petri.Marking) {
	f = branching.Simplify(f, r.net, initial)
	q := &question{number: number, ctl: f, simplifiedBy: r.simplifiedBy()}
	if value := branchingAt(r.net, f, initial); value != unknown {
		r.ledger.ask(q)
		r.ledger.answerNow(q, Truth(value == yes), InitialState, decidedInitially)
		return
	}
	var atoms []*atom
	tree := newBoolean(f, &atoms)
	q.evaluate = func() (Value, Techniques) {
		value, by := tree.value()
		if value == unknown {
			return Value{}, 0
		}
		return Truth(value == yes), by
	}
	r.ledger.ask(q, atoms...)
}
