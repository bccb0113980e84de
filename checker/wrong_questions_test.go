package checker_test

import (
	"errors"
	"testing"

	"pnmc/automata"
	"pnmc/checker"
	"pnmc/checker/properties"
	"pnmc/internal/petritest"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/logic/ltl"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// TestProblemsWithoutNet: each call tells of a problem without net, or with two, whatever is
// asked about it.
func TestProblemsWithoutNet(t *testing.T) {
	for name, p := range map[string]checker.Problem{
		"none": {}, "two": {Net: new(petri.Net), Coloured: new(symmetric.Net)},
	} {
		for call, err := range map[string]error{
			"CheckLTL": second(checker.CheckLTL(t.Context(), p, "G p")), "CheckCTL": second(checker.CheckCTL(t.Context(), p, "AG p")),
			"ParseLTL": second(checker.ParseLTL(p, "true")), "Ask": second(checker.Ask(t.Context(), p, checker.Deadlock{})),
			"New": second(checker.New(p, checker.Options{})),
		} {
			var syntax *logic.SyntaxError
			if err == nil || errors.As(err, &syntax) {
				t.Errorf("%s: %s: %v", name, call, err)
			}
		}
		if p.Vocabulary().Places("p") != nil {
			t.Errorf("%s: a place is known", name)
		}
	}
}

func second[V any](_ V, err error) error { return err }

// TestWrongQuestions: questions that lack a part, or are of another net, are an error, and
// nothing is answered then.
func TestWrongQuestions(t *testing.T) {
	net := petritest.Kanban(1)
	places, transitions := uint32(net.Places()), uint32(net.Transitions())
	far := logic.Sum{Terms: []logic.Term{{Place: places, Coefficient: 1}}}
	farther := &logic.Predicate{Operator: logic.Not, Operands: []*logic.Predicate{
		{Operator: logic.PolynomialAtMost, Products: []logic.Product{{Coefficient: 1, Factors: []logic.Sum{far, far}}}}}}
	always := &logic.Predicate{Operator: logic.True}
	formulas := ltl.NewFormulas()
	formula := formulas.Globally(formulas.Atom("p"))
	every := automata.EveryWord()
	for name, q := range map[string]checker.Question{
		"none":                nil,
		"a pointer":           &checker.Deadlock{},
		"no predicate":        checker.Reachable{},
		"no invariant":        checker.Invariant{},
		"no operand":          checker.Invariant{Predicate: &logic.Predicate{Operator: logic.Not}},
		"missing operand":     checker.Invariant{Predicate: &logic.Predicate{Operator: logic.And, Operands: []*logic.Predicate{nil}}},
		"implication":         checker.Reachable{Predicate: &logic.Predicate{Operator: logic.Implies, Operands: []*logic.Predicate{always, always}}},
		"place":               checker.Bound{Sum: far},
		"place of a number":   checker.Bound{Products: farther.Operands[0].Products},
		"place of a product":  checker.Reachable{Predicate: farther},
		"transition":          checker.Reachable{Predicate: &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{transitions}}},
		"no formula":          checker.Branching{},
		"no state":            checker.Branching{Formula: ctl.New(ctl.State)},
		"no end":              checker.Branching{Formula: ctl.New(ctl.AllUntil, ctl.Of(always))},
		"no operand of AG":    checker.Branching{Formula: ctl.New(ctl.AllGlobally)},
		"no formula below":    checker.Branching{Formula: ctl.New(ctl.AllGlobally, nil)},
		"constant":            checker.Branching{Formula: ctl.New(logic.True)},
		"no linear formula":   checker.Linear{},
		"no maker":            checker.Linear{Formula: formula},
		"too few predicates":  checker.Linear{Formulas: formulas, Formula: formula},
		"predicate missing":   checker.Linear{Formulas: formulas, Formula: formula, Predicates: []*logic.Predicate{nil}},
		"no automaton":        checker.Automaton{},
		"too many predicates": checker.Automaton{Property: properties.Property{Automaton: every, Predicates: []*logic.Predicate{always}}},
		"size":                checker.Size(99),
	} {
		s, err := checker.New(checker.Problem{Net: net}, checker.Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = s.Decide(t.Context(), []checker.Question{checker.OneSafe{}, q}, func(a checker.Answer) { t.Errorf("%s: answered: %v", name, a.Value) })
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if err := s.Decide(t.Context(), []checker.Question{checker.OneSafe{}}, func(checker.Answer) {}); err != nil {
			t.Errorf("after %s: %v", name, err)
		}
		s.Close()
	}
}
