package product

import (
	"testing"

	"pnmc/internal/account"
	"pnmc/petri"
)

// Numbers stay with their states when the table gets room for more automaton
// states, wherever it ends.
func TestNumberingIsWidened(t *testing.T) {
	x := &testingProduct{numbering: numbering{states: 1, account: new(account.Account)}}
	where := map[pair]uint32{}
	for i := range uint32(400) {
		p := pair{petri.StateID(i * 37 % 1500), i % (1 + i/20)}
		slot := x.slot(p.s, p.q)
		if *slot != where[p] {
			t.Fatalf("step %d: state %v has number %d, expected %d", i, p, *slot, where[p])
		}
		if *slot == unmet {
			where[p] = x.numbering.number(slot)
		}
	}
	for p, n := range where {
		if got := *x.slot(p.s, p.q); got != n {
			t.Errorf("state %v has number %d, expected %d", p, got, n)
		}
	}
}
