package checker

import (
	"context"
	"fmt"

	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
)

// CheckLTL decides whether all runs of a problem satisfy a formula of linear temporal logic
// in Spot's syntax, such as G("p1>=2" -> F fireable(t3)). It is the formula of the property,
// not of its negation. If ctx ends first, the value is unknown, with a reason. The error
// says what is wrong with the formula (a *logic.SyntaxError) or with the problem.
func CheckLTL(ctx context.Context, p Problem, formula string) (Answer, error) {
	q, err := ParseLTL(p, formula)
	if err != nil {
		return Answer{}, err
	}
	return Ask(ctx, p, q)
}

// CheckCTL decides whether the initial marking satisfies a formula of CTL, such as
// AG EF p1 >= 2, as CheckLTL does.
func CheckCTL(ctx context.Context, p Problem, formula string) (Answer, error) {
	if err := p.Check(); err != nil {
		return Answer{}, err
	}
	f, err := ctl.Parse(formula, p.Vocabulary())
	if err != nil {
		return Answer{}, err
	}
	return Ask(ctx, p, Branching{Formula: f})
}

// ParseLTL reads a formula of linear temporal logic over the nodes of the problem's net, in
// Spot's syntax.
func ParseLTL(p Problem, formula string) (Linear, error) {
	if err := p.Check(); err != nil {
		return Linear{}, err
	}
	v := p.Vocabulary()
	formulas := ltl.NewFormulas()
	f, err := ltl.Parser{Formulas: formulas, Check: func(name string) error {
		_, err := logic.ParsePredicate(name, v)
		return err
	}}.Parse(formula)
	if err != nil {
		return Linear{}, err
	}
	q := Linear{Formulas: formulas, Formula: f}
	for _, name := range formulas.Propositions() {
		predicate, err := logic.ParsePredicate(name, v)
		if err != nil {
			return Linear{}, fmt.Errorf("proposition %q: %w", name, err)
		}
		q.Predicates = append(q.Predicates, predicate)
	}
	return q, nil
}

// Ask answers one question. Many about one net are answered faster by one Solver.
func Ask(ctx context.Context, p Problem, q Question) (Answer, error) {
	s, err := New(p, Options{})
	if err != nil {
		return Answer{}, err
	}
	defer s.Close()
	var answer Answer
	err = s.Decide(ctx, []Question{q}, func(a Answer) { answer = a })
	return answer, err
}
