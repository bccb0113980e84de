package checker

import "pnmc/checker/witness"

// decidedInitially is what shows an answer that the initial marking decides.
var decidedInitially = Witness{Ground: InitialMarking}

// lookAtInitial decides the goals that the initial marking has, and notes the values
// of sums there.
func (b *ledger) lookAtInitial() {
	initial := b.net.Initial()
	for i, a := range b.atoms {
		switch {
		case a.state != open:
		case a.maximum != nil:
			if value, ok := witness.ValueOf(a.maximum, initial); ok {
				b.raise(i, value, InitialState, decidedInitially)
			}
		case witness.Satisfies(b.net, initial, a.goal):
			b.decide(i, reached, InitialState, decidedInitially)
		}
	}
}
