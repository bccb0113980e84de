package asking

import (
	"errors"
	"fmt"

	"pnmc/checker/inquiry"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// Check returns what is wrong with questions about a problem: what of them is missing, or
// is not of the problem's net.
func Check(problem inquiry.Problem, questions []inquiry.Question) error {
	n := nodesOf(problem)
	for i, q := range questions {
		if err := n.check(q); err != nil {
			return fmt.Errorf("question %d: %w", i, err)
		}
	}
	return nil
}

// nodes holds the numbers of places and transitions of a problem's net.
type nodes struct{ places, transitions int }

// nodesOf counts the nodes that questions about a problem may speak of: of a coloured net, the
// coloured ones.
func nodesOf(p inquiry.Problem) nodes {
	if p.Coloured != nil {
		return nodes{len(p.Coloured.Places), len(p.Coloured.Transitions)}
	}
	return nodes{p.Net.Places(), p.Net.Transitions()}
}

var (
	errNone        = errors.New("there is none")
	errNoPredicate = errors.New("a predicate is missing")
	errNoFormula   = errors.New("the formula is missing")
	errNoAutomaton = errors.New("the automaton is missing")
	errNoSize      = errors.New("no such size")
)

// check returns what is wrong with a question: a part is missing, or names a node that is not
// there.
func (n nodes) check(q inquiry.Question) error {
	switch q := q.(type) {
	case nil:
		return errNone
	case inquiry.Reachable:
		return n.checkPredicate(q.Predicate)
	case inquiry.Invariant:
		return n.checkPredicate(q.Predicate)
	case inquiry.Bound:
		for sum := range (logic.Polynomial{Sum: q.Sum, Products: q.Products}).Sums() {
			if err := n.checkSum(sum); err != nil {
				return err
			}
		}
	case inquiry.Branching:
		return n.checkFormula(q.Formula)
	case inquiry.Linear:
		if q.Formulas == nil || q.Formula == nil {
			return errNoFormula
		}
		if most := len(q.Formulas.Propositions()); len(q.Predicates) < most {
			return fmt.Errorf("%d predicates for %d propositions", len(q.Predicates), most)
		}
		return n.checkPredicates(q.Predicates)
	case inquiry.Automaton:
		if q.Automaton == nil {
			return errNoAutomaton
		}
		if most := len(q.Automaton.Propositions); len(q.Predicates) != most {
			return fmt.Errorf("%d predicates for %d propositions", len(q.Predicates), most)
		}
		return n.checkPredicates(q.Predicates)
	case inquiry.Size:
		if q > inquiry.TokensInPlace {
			return errNoSize
		}
	case inquiry.Deadlock, inquiry.QuasiLive, inquiry.Live, inquiry.OneSafe, inquiry.StableMarking:
	default:
		return fmt.Errorf("%T is no question, expected one of the types of package inquiry", q)
	}
	return nil
}

// checkFormula returns what is wrong with a formula of CTL.
func (n nodes) checkFormula(f *ctl.Formula) error {
	if f == nil {
		return errNoFormula
	}
	operands := -1 // any number
	switch f.Operator {
	case ctl.State:
		return n.checkPredicate(f.Predicate)
	case logic.And, logic.Or:
	case ctl.ExistsUntil, ctl.AllUntil:
		operands = 2
	case logic.Not, ctl.ExistsNext, ctl.ExistsFinally, ctl.ExistsGlobally, ctl.AllNext, ctl.AllFinally, ctl.AllGlobally:
		operands = 1
	default:
		return fmt.Errorf("operator %d is none of CTL", f.Operator)
	}
	if operands >= 0 && len(f.Operands) != operands {
		return fmt.Errorf("operator %d of CTL has %d operands, expected %d", f.Operator, len(f.Operands), operands)
	}
	for _, g := range f.Operands {
		if err := n.checkFormula(g); err != nil {
			return err
		}
	}
	return nil
}

// checkPredicates returns what is wrong with the first bad predicate of a list.
func (n nodes) checkPredicates(list []*logic.Predicate) error {
	for _, p := range list {
		if err := n.checkPredicate(p); err != nil {
			return err
		}
	}
	return nil
}

// checkPredicate returns what is wrong with a state predicate.
func (n nodes) checkPredicate(p *logic.Predicate) error {
	if p == nil {
		return errNoPredicate
	}
	operands := 0
	switch p.Operator {
	case logic.And, logic.Or:
		operands = len(p.Operands)
	case logic.Not:
		operands = 1
	case logic.Equivalent:
		operands = 2
	case logic.False, logic.True, logic.AtMost, logic.Equal, logic.PolynomialAtMost, logic.PolynomialEqual, logic.Fireable, logic.Deadlocked:
	default:
		return fmt.Errorf("operator %d is none of state predicates", p.Operator)
	}
	if len(p.Operands) != operands {
		return fmt.Errorf("operator %d of state predicates has %d operands, expected %d", p.Operator, len(p.Operands), operands)
	}
	for sum := range p.Sums() {
		if err := n.checkSum(sum); err != nil {
			return err
		}
	}
	for _, t := range p.Transitions {
		if int64(t) >= int64(n.transitions) {
			return fmt.Errorf("transition %d of a net with %d", t, n.transitions)
		}
	}
	return n.checkPredicates(p.Operands)
}

// checkSum returns an error if a term has a place that is not there.
func (n nodes) checkSum(s *logic.Sum) error {
	for _, t := range s.Terms {
		if int64(t.Place) >= int64(n.places) {
			return fmt.Errorf("place %d of a net with %d", t.Place, n.places)
		}
	}
	return nil
}
