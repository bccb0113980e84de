package checker

import (
	"fmt"
	"slices"

	"pnmc/checker/inquiry"
)

// partsOf groups questions by the engines that decide them, in the order in which they
// come.
func partsOf(questions []Question, a *answers) (parts []*part) {
	families := familiesOf(questions)
	for i, f := range families {
		at := slices.IndexFunc(parts, func(p *part) bool { return p.family == f })
		if at < 0 {
			at = len(parts)
			parts = append(parts, &part{family: f})
		}
		a.assign(i, parts[at])
	}
	return parts
}

// familiesOf gives each question its family. Formulas of CTL that are combinations of
// reachability are that, unless there are others: formulas stay together, since what
// engines find out for one serves others.
func familiesOf(questions []Question) []inquiry.Family {
	list := make([]inquiry.Family, len(questions))
	branching := false
	for i, q := range questions {
		list[i] = q.Family()
		switch q := q.(type) {
		case Branching:
			branching = branching || !newBoolean(q.Formula.MergeStates(), new([]*atom)).complete()
		}
	}
	for i, q := range questions {
		if _, ok := q.(Branching); ok && !branching {
			list[i] = inquiry.ReachabilityFamily
		}
	}
	return list
}

// check tells what is wrong with questions.
func check(questions []Question) error {
	for i, q := range questions {
		switch q := q.(type) {
		case nil:
			return fmt.Errorf("question %d is none", i)
		case Linear:
			if most := len(q.Formulas.Propositions()); len(q.Predicates) < most {
				return fmt.Errorf("question %d: %d predicates for %d propositions", i, len(q.Predicates), most)
			}
		case Automaton:
			if most := len(q.Automaton.Propositions); len(q.Predicates) != most {
				return fmt.Errorf("question %d: %d predicates for %d propositions", i, len(q.Predicates), most)
			}
		case Size:
			if q > TokensInPlace {
				return fmt.Errorf("question %d: no such size", i)
			}
		}
	}
	return nil
}

// simplifies reports whether predicates are simplified before the questions of a family
// are put. Where the questions are reachability itself, the engines do that.
func simplifies(f inquiry.Family) bool {
	return f == inquiry.BranchingFamily || f == inquiry.LinearFamily
}
