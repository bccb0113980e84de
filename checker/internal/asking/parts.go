package asking

import (
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/ledger"
)

// Parts groups questions by the engines that decide them, in the order in which they
// come.
func Parts(questions []inquiry.Question, a *ledger.Answers) (parts []*ledger.Part) {
	families := familiesOf(questions)
	for i, f := range families {
		at := slices.IndexFunc(parts, func(p *ledger.Part) bool { return p.Family == f })
		if at < 0 {
			at = len(parts)
			parts = append(parts, &ledger.Part{Family: f})
		}
		a.Assign(i, parts[at])
	}
	return parts
}

// familiesOf returns the family of each question. If all formulas of CTL are combinations of EF p and
// AG p, they are questions of reachability. If one is not, all of them are of the branching family,
// as what engines find out for one formula serves the others.
func familiesOf(questions []inquiry.Question) []inquiry.Family {
	list := make([]inquiry.Family, len(questions))
	branching := false
	for i, q := range questions {
		list[i] = q.Family()
		switch q := q.(type) {
		case inquiry.Branching:
			branching = branching || !ledger.NewBoolean(q.Formula.MergeStates(), new([]*ledger.Atom)).Complete()
		}
	}
	for i, q := range questions {
		if _, ok := q.(inquiry.Branching); ok && !branching {
			list[i] = inquiry.ReachabilityFamily
		}
	}
	return list
}

// Simplifies reports whether predicates are simplified before the questions of a family
// are put. Where the questions are reachability itself, the engines do that.
func Simplifies(f inquiry.Family) bool {
	return f == inquiry.BranchingFamily || f == inquiry.LinearFamily
}
