package runs_test

import (
	"fmt"

	"pnmc/checker/internal/runs"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/logic/ltl/rewrite"
)

// A run in which a does not hold at first, and holds later, satisfies F a however it goes on, and
// the negation of G a.
func ExampleEvidence_Surely() {
	s := ltl.NewFormulas()
	a := &logic.Predicate{Operator: logic.Fireable, Transitions: []uint32{0}}
	question := &runs.Question{Formulas: s, Predicates: []*logic.Predicate{a}}
	seen := &runs.Evidence{Length: 3, Loop: -1, Letters: map[*logic.Predicate][]runs.Truth{a: {runs.No, runs.No, runs.Yes}}}
	always, sometime := s.Globally(s.Atom("a")), s.Finally(s.Atom("a"))
	never := rewrite.New(s).NegationNormal(always, true)
	for _, f := range []*ltl.Formula{sometime, always, never} {
		surely, err := seen.Surely(new(account.Account), question, f)
		fmt.Println(surely, err)
	}
	// Output:
	// true <nil>
	// false <nil>
	// true <nil>
}
