package atoms

import (
	"testing"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core/coretest"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/witness"
	"pnmc/logic"
)

// TestWalkAsItIs: on the net without reductions a walk reaches what can be reached, of a few atoms and of
// many, by runs that end there, and says nothing of what can't.
func TestWalkAsItIs(t *testing.T) {
	for _, tokens := range []int64{3, 40} {
		net := chain(t, tokens)
		r, record := coretest.NewTask(t, net, int(tokens)+3, time.Minute)
		ask := func(number int, p *logic.Predicate) {
			r.Ledger.Ask(&ledger.Question{Number: number, OnReached: inquiry.Truth(true)}, &ledger.Atom{Goal: p})
		}
		for n := range tokens + 2 { // the last one is one too many
			ask(int(n), &logic.Predicate{Operator: logic.AtMost, Sum: logic.Sum{Constant: n, Terms: []logic.Term{{Place: 1, Coefficient: -1}}}})
		}
		ask(int(tokens)+2, &logic.Predicate{Operator: logic.Deadlocked})
		part, cancel := lanes.Sliced(t.Context(), firstWalk)
		walkAsItIs(part, r)
		cancel()
		for n := range int(tokens) + 3 {
			got := record.Answer(n)
			if n == int(tokens)+1 {
				if got.Value.IsKnown() {
					t.Errorf("%d tokens: %d of them are answered %v", tokens, n, got.Value)
				}
				continue
			}
			m, err := witness.ReplayRun(net, got.Witness.Run)
			if !got.Value.IsTrue() || err != nil || n <= int(tokens) && m[1] < int64(n) || n == int(tokens)+2 && !net.Deadlock(m) || got.By != inquiry.RandomWalk {
				t.Errorf("%d tokens: question %d is answered %v by %v, its run leads to %v, %v", tokens, n, got.Value, got.By, m, err)
			}
		}
	}
}
