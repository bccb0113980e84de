package asking

import (
	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/runs"
	"pnmc/logic/ctl"
	"pnmc/petri"
)

// askCTL puts a CTL formula: what its Boolean structure needs to know of
// reachable markings becomes atoms, and often that decides it.
func askCTL(r *core.Task, number int, f *ctl.Formula, initial petri.Marking) {
	f = branching.Simplify(f, r.Net, initial)
	if askInitially(r, number, f, initial) {
		return
	}
	q := &ledger.Question{Number: number, CTL: f, SimplifiedBy: simplifiedBy(r)}
	var atoms []*ledger.Atom
	tree := ledger.NewBoolean(f, &atoms)
	q.Evaluate = func() (inquiry.Value, inquiry.Techniques) {
		value, by := tree.Value()
		if value == runs.Unknown {
			return inquiry.Value{}, 0
		}
		return inquiry.Truth(value == runs.Yes), by
	}
	r.Ledger.Ask(q, atoms...)
	if !tree.Complete() {
		askImplied(r, q, initial)
	}
}

// askInitially asks a formula, and answers it, if the initial marking shows what it is.
func askInitially(r *core.Task, number int, f *ctl.Formula, initial petri.Marking) bool {
	value := runs.BranchingAt(r.Net, f, initial)
	if value == runs.Unknown {
		return false
	}
	q := &ledger.Question{Number: number, CTL: f, SimplifiedBy: simplifiedBy(r)}
	r.Ledger.Ask(q)
	r.Ledger.AnswerNow(q, inquiry.Truth(value == runs.Yes), inquiry.InitialState, ledger.DecidedInitially)
	return true
}
