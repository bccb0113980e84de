package asking

import (
	"strconv"

	"pnmc/checker/branching"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
)

// askImplied asks what a formula of CTL and its negation imply in simpler logics, where that
// is more than nothing. What refutes one of these decides q: a formula that implies something false
// is false, and one whose negation does so is true.
//
// For example, f = AG (p ∧ EF q) implies EF q. The combination of atoms "q is reachable" is asked
// as a twin of q's question: if q cannot be reached, it answers false, and if q can be reached,
// it answers nothing. f also implies a formula of linear time, G (p ∧ (¬dead ∨ q)). It is a
// question of the task r.Implied: a run that violates it answers false, too.
//
// Combinations of reachability become atoms of r. Formulas of linear time are asked of r.Implied, on
// the same net, unless that only stands for a coloured one.
func askImplied(r *core.Task, q *ledger.Question, initial petri.Marking) {
	if sizeOf(q.CTL) > mostImplying || !r.Shared.Uses(inquiry.QueryReduction) {
		return
	}
	var implied branching.Consequences
	if !r.Folded {
		implied.Before = func(p *logic.Predicate) *logic.Predicate { return rephrase.Before(r.Net, p) }
	}
	if r.Implied == nil && !r.Folded {
		r.Implied = r.On(r.Whole, r.Net)
		r.Implied.Within = true
		r.Implied.Ledger = &ledger.Ledger{Net: r.Net, Answers: r.Ledger.Answers, Sink: r.Ledger}
	}
	for _, holds := range []bool{true, false} {
		otherwise := inquiry.Truth(!holds)
		f := branching.Simplify(implied.OfReachability(q.CTL, holds), r.Net, initial)
		var atoms []*ledger.Atom
		tree := ledger.NewBoolean(f, &atoms)
		if runs.BranchingAt(r.Net, f, initial) == runs.No {
			r.Ledger.AnswerNow(q, otherwise, inquiry.InitialState|inquiry.QueryReduction, shownInitially(r, q.CTL, !holds, initial))
			return
		}
		if len(atoms) > 0 {
			twin := &ledger.Question{Number: q.Number, SilentTwin: q, Combination: tree, SimplifiedBy: q.SimplifiedBy | inquiry.QueryReduction}
			twin.Evaluate = func() (inquiry.Value, inquiry.Techniques) {
				if value, by := tree.Value(); value == runs.No {
					return otherwise, by
				}
				return inquiry.Value{}, 0
			}
			r.Ledger.Ask(twin, atoms...)
		}
		if r.Folded {
			continue
		}
		askWithoutNext(r, q, holds, initial)
		l := onRuns(r.Implied, implied, q.CTL, holds)
		if l == nil {
			return
		}
		switch l.TruthAt(r.Whole, r.Net, initial) {
		case runs.Yes:
			continue
		case runs.No:
			r.Ledger.AnswerNow(q, otherwise, inquiry.InitialState|inquiry.QueryReduction, shownInitially(r, q.CTL, !holds, initial))
			return
		}
		r.Implied.Ledger.Ask(&ledger.Question{Number: q.Number, LTL: l, Proves: q, Proved: otherwise, Implied: true})
	}
}

// askWithoutNext asks what a formula that looks at next steps, or if holds is false, its negation,
// implies without. It is a formula for a net that is reduced further. It is not asked if the initial
// marking shows that it is true, or if it is of reachability, which is asked anyway.
func askWithoutNext(r *core.Task, q *ledger.Question, holds bool, initial petri.Marking) {
	if !branching.HasNext(q.CTL) {
		return
	}
	f := branching.Simplify(branching.WithoutNext(q.CTL, holds, !r.Net.Deadlock(initial)), r.Net, initial)
	if runs.BranchingAt(r.Net, f, initial) == runs.Yes || ledger.NewBoolean(f, new([]*ledger.Atom)).Complete() {
		return
	}
	r.Ledger.Ask(&ledger.Question{Number: q.Number, CTL: f, SilentTwin: q, Implied: true, Proved: inquiry.Truth(!holds), SimplifiedBy: q.SimplifiedBy})
}

// mostImplying bounds the size of formulas, in operators and comparisons, for which implied
// formulas are looked for. Those of the contest have up to 120. Finding implied formulas takes
// time and memory that are quadratic in the size, without a look at limits.
const mostImplying = 500

// sizeOf returns the number of operators and comparisons of f.
func sizeOf(f *ctl.Formula) int {
	if f.Operator == ctl.State {
		return rephrase.Comparisons(f.Predicate)
	}
	size := 1
	for _, g := range f.Operands {
		size += sizeOf(g)
	}
	return size
}

// onRuns returns what f, or if holds is false, its negation implies of all runs, or nil if there is no
// room for it.
func onRuns(r *core.Task, implied branching.Consequences, f *ctl.Formula, holds bool) *runs.Question {
	asked := inquiry.Linear{Formulas: ltl.NewFormulas()}
	atom := func(p *logic.Predicate) *ltl.Formula {
		asked.Predicates = append(asked.Predicates, p)
		return asked.Formulas.Atom(strconv.Itoa(len(asked.Predicates)))
	}
	asked.Formula = implied.OnRuns(f, holds, asked.Formulas, atom)
	return linearOf(r, asked)
}
