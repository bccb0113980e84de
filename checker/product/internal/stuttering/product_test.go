package stuttering

import (
	"testing"

	"pnmc/checker/product/internal/states"
	"pnmc/internal/account"
	"pnmc/petri"
)

// Numbers stay with their states when the table gets room for more automaton
// states, wherever it ends.
func TestNumberingIsWidened(t *testing.T) {
	x := &Product{numbering: states.Numbering{States: 1, Account: new(account.Account)}}
	where := map[states.Pair]uint32{}
	for i := range uint32(400) {
		p := states.Pair{S: petri.StateID(i * 37 % 1500), Q: i % (1 + i/20)}
		slot := x.slot(p.S, p.Q)
		if *slot != where[p] {
			t.Fatalf("step %d: state %v has number %d, expected %d", i, p, *slot, where[p])
		}
		if *slot == states.Unmet {
			where[p] = x.numbering.Number(slot)
		}
	}
	for p, n := range where {
		if got := *x.slot(p.S, p.Q); got != n {
			t.Errorf("state %v has number %d, expected %d", p, got, n)
		}
	}
}
