package ledger

import (
	"pnmc/checker/inquiry"
	"pnmc/checker/witness"
)

// DecidedInitially is what shows an answer that the initial marking decides.
var DecidedInitially = inquiry.Witness{Ground: inquiry.InitialMarking}

// LookAtInitial decides the goals that the initial marking has, and notes the values
// of sums there.
func (b *Ledger) LookAtInitial() {
	initial := b.Net.Initial()
	for i, a := range b.Atoms {
		switch {
		case a.State != Open:
		case a.Maximum != nil:
			if value, ok := a.value(initial); ok {
				b.Raise(i, value, inquiry.InitialState, DecidedInitially)
			}
		case witness.Satisfies(b.Net, initial, a.Goal):
			b.Decide(i, Reached, inquiry.InitialState, DecidedInitially)
		}
	}
}
