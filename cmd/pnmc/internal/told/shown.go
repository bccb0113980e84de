package told

import (
	"slices"
	"sync"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// withoutRuns returns what an answer to a formula of CTL rests on that no run shows.
func withoutRuns(by checker.Techniques) string {
	if by&checker.DecisionDiagrams != 0 {
		return grounds.Get()[checker.DiagramMarkings]
	}
	return "state graph"
}

// isShownInitially reports whether a run of no steps shows an answer that the initial marking
// decides. It does not if that is true of all runs, or of what comes next.
func (d Decided) isShownInitially() bool {
	q, ok := d.Question.(checker.Branching)
	return !ok || showsInitially(q.Formula, d.Answer.Value.IsTrue(), func() bool { return startsDead(*d.Problem) })
}

// showsInitially reports whether a run can show that a formula of CTL has the given
// value; dead reports whether the initial marking is a deadlock.
//
// It presumes that the value is known from the initial marking. EF p is true there as p holds: a
// run of no steps shows it. AG p is false as p fails there: this is shown, too. That EF p is
// false says something about all runs, which no single run shows. Of a conjunction that is true
// all parts must be shown, of one that is false a single part, and a disjunction is the other way
// round. EX and AX speak of the next marking: only a deadlock shows that EX is false, and AX
// true.
func showsInitially(f *ctl.Formula, value bool, dead func() bool) bool {
	return shows(f, value, sync.OnceValue(dead)) // a formula may ask that thousands of times
}

// shows goes down a formula for showsInitially.
func shows(f *ctl.Formula, value bool, dead func() bool) bool {
	of := func(g *ctl.Formula) bool { return shows(g, value, dead) }
	switch f.Operator {
	case logic.Not:
		return shows(f.Operands[0], !value, dead)
	case logic.And, logic.Or:
		if value == (f.Operator == logic.And) {
			return !slices.ContainsFunc(f.Operands, func(g *ctl.Formula) bool { return !of(g) })
		}
		return slices.ContainsFunc(f.Operands, of)
	case ctl.ExistsNext, ctl.AllNext:
		return value == (f.Operator == ctl.AllNext) && dead()
	case ctl.ExistsFinally:
		return value && of(f.Operands[0])
	case ctl.AllGlobally:
		return !value && of(f.Operands[0])
	case ctl.ExistsGlobally, ctl.AllFinally:
		return of(f.Operands[0])
	case ctl.ExistsUntil, ctl.AllUntil:
		return of(f.Operands[1])
	}
	return true
}
