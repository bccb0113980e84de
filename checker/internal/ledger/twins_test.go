package ledger_test

import (
	"testing"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/ledger"
	"pnmc/logic"
	"pnmc/logic/ctl"
)

// TestImpliedTwins: what a formula implies answers it if it is false, and says nothing if it is true.
func TestImpliedTwins(t *testing.T) {
	formula := ctl.New(ctl.ExistsGlobally, ctl.Of(&logic.Predicate{Operator: logic.True}))
	for _, value := range []bool{true, false} {
		for _, proved := range []bool{true, false} {
			b, given := book(1)
			asked := b.Ask(&ledger.Question{CTL: formula})
			twin := b.Ask(&ledger.Question{CTL: formula, SilentTwin: asked, Implied: true, Proved: inquiry.Truth(proved)})
			if twins := b.OpenTwins(); len(twins) != 1 || twins[0] != twin || len(b.OpenQuestions()) != 1 {
				t.Fatalf("open are %v, and of twins %v", b.OpenQuestions(), twins)
			}
			b.AnswerNow(twin, inquiry.Truth(value), inquiry.DecisionDiagrams, inquiry.Witness{})
			if len(b.OpenTwins()) != 0 || !b.IsAnswered(twin) {
				t.Errorf("the twin is open though it is %t", value)
			}
			switch {
			case value && (len(*given) != 0 || b.IsAnswered(asked)):
				t.Errorf("what is implied is true: answers %v", *given)
			case !value && (len(*given) != 1 || (*given)[0].Value != inquiry.Truth(proved) || (*given)[0].By != inquiry.DecisionDiagrams|inquiry.QueryReduction):
				t.Errorf("what is implied is false, which proves %t: answers %v", proved, *given)
			}
		}
	}
	b, _ := book(1)
	asked := b.Ask(&ledger.Question{CTL: formula})
	twin := b.Ask(&ledger.Question{CTL: formula, SilentTwin: asked, Implied: true})
	b.AnswerNow(asked, inquiry.Truth(true), inquiry.ExplicitSearch, inquiry.Witness{})
	if len(b.OpenTwins()) != 0 || !b.IsAnswered(twin) {
		t.Error("the twin is open though the question is answered")
	}
}
