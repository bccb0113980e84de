package asking

import (
	"slices"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/runs"
	"pnmc/checker/witness"
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
	q.Combination = tree
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

// askInitially reports whether the initial marking shows the value of a formula. If so,
// it asks the formula and answers it.
func askInitially(r *core.Task, number int, f *ctl.Formula, initial petri.Marking) bool {
	value := runs.BranchingAt(r.Net, f, initial)
	if value == runs.Unknown {
		return false
	}
	q := &ledger.Question{Number: number, CTL: f, SimplifiedBy: simplifiedBy(r)}
	r.Ledger.Ask(q)
	r.Ledger.AnswerNow(q, inquiry.Truth(value == runs.Yes), inquiry.InitialState, shownInitially(r, f, value == runs.Yes, initial))
	return true
}

// shownInitially returns what shows the value of f, which the initial marking decides: a step, where
// f speaks of the next marking and one shows it.
func shownInitially(r *core.Task, f *ctl.Formula, value bool, initial petri.Marking) inquiry.Witness {
	if r.Folded || value != (f.Operator == ctl.ExistsNext) || !value && f.Operator != ctl.AllNext || f.Operands[0].Operator != ctl.State {
		return ledger.DecidedInitially
	}
	m, tried := slices.Clone(initial), 0
	for t := petri.Transition(0); int(t) < r.Net.Transitions() && tried < mostTried; t++ {
		if !r.Net.Fire(m, t) {
			continue
		}
		tried++
		if witness.Satisfies(r.Net, m, f.Operands[0].Predicate) == value {
			step := &branching.Run{Prefix: []petri.Transition{t}}
			return inquiry.Witness{Ground: inquiry.Branches, Net: r.Net, Branches: []*branching.Run{step}}
		}
		copy(m, initial)
	}
	return ledger.DecidedInitially
}

// mostTried bounds the steps of which one may show a formula that speaks of the next marking.
const mostTried = 100
