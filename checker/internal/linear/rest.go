package linear

import (
	"slices"

	"pnmc/petri"
)

// mostLooks bounds the work on the rest of a run, in transitions looked at: about a second.
const mostLooks = 1 << 28

// rest goes on where the run of the reduced net has ended. That end says only that nothing happens any
// more that the formula can see. The original net may have firings left: some that were put off to be
// fired together with later ones, and some that were removed since they change nothing that matters.
//
// It fires the first enabled transition again and again, until none is enabled or a marking
// returns. One earlier marking is kept for comparison, and replaced after 1, 2, 4, 8, ... steps
// (Brent, "An improved Monte Carlo factorization algorithm", 1980). So the loop that is told may
// begin later than it could. Whether the word violates the formula is judged by the caller.
func (f *confirmation) rest() error {
	saved, at := slices.Clone(f.marking), len(f.run)
	for steps, power, looks := 0, 1, 0; ; {
		next := petri.Transition(0)
		for int(next) < f.Net.Transitions() && !f.Net.Enabled(f.marking, next) {
			next++
		}
		if int(next) == f.Net.Transitions() {
			f.word.Loop, f.cycle, f.ends = len(f.word.Letters)-1, len(f.run), true
			return nil
		}
		if looks += int(next) + 1; looks > mostLooks {
			return errLongWord
		}
		if err := f.transitions([]petri.Transition{next}); err != nil {
			return err
		}
		if slices.Equal(f.marking, saved) {
			f.word.Loop, f.cycle = at, at
			f.word.Letters = f.word.Letters[:len(f.run)] // the loop's first letter again
			return nil
		}
		if steps++; steps == power {
			saved, at, steps, power = slices.Clone(f.marking), len(f.run), 0, 2*power
		}
	}
}
