package linear

import (
	"errors"
	"fmt"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/runs"
	"pnmc/checker/witness"
	"pnmc/petri"
)

// confirm fires a counterexample on the original net and judges the infinite word of
// markings: by the formula, without any automaton, where there is one. It gives the run.
func confirm(r *core.Task, c *attempt, x *witness.Counterexample) (inquiry.Witness, error) {
	f := &confirmation{Task: r, attempt: c, word: &runs.Word{Question: c.question.LTL, Net: r.Net}, marking: r.Net.Initial()}
	if err := f.fire(x); err != nil {
		return inquiry.Witness{}, err
	}
	violates, err := f.word.Violates()
	if err == nil && !violates {
		err = errors.New("the run satisfies the formula")
	}
	return f.witness(), err
}

// confirmation is a counterexample being fired on the original net.
type confirmation struct {
	*core.Task
	attempt *attempt
	word    *runs.Word
	marking petri.Marking
	run     []witness.Burst
	cycle   int  // where the cycle begins in run
	ends    bool // it is that of a deadlock
}

// witness is the run that was fired.
func (f *confirmation) witness() inquiry.Witness {
	return inquiry.Witness{Ground: inquiry.InfiniteRun, Net: f.Net, Run: f.run[:f.cycle:f.cycle], Cycle: f.run[f.cycle:], Ends: f.ends}
}

// errLongWord says why a counterexample is not confirmed.
var errLongWord = errors.New("too long")

// longest is how many letters the word may have.
func (f *confirmation) longest() int { return min(runs.LongestWord, f.LongestReplay()) }

// transitions fires some of them.
func (f *confirmation) transitions(ts []petri.Transition) error {
	for _, t := range ts {
		if !f.Net.Fire(f.marking, t) {
			return fmt.Errorf("transition %q is not enabled", f.Net.TransitionLabel(t).ID)
		}
		f.word.Add(f.marking)
		f.run = append(f.run, witness.Burst{Transition: t, Times: 1})
		if len(f.word.Letters) > f.longest() {
			return errLongWord
		}
	}
	return nil
}

// step fires what a step of the reduced net stands for.
func (f *confirmation) step(s witness.Step) error {
	if s.Stutter {
		return errors.New("nothing fires in the midst of a cycle")
	}
	ts, ok := f.attempt.reduction.SequenceWithin(nil, s.Transition, f.longest())
	if !ok {
		return errLongWord
	}
	return f.transitions(ts)
}

// fire fires x, and its cycle until it looks the same for ever. A run that ends in the reduced
// net goes on in the original one, where what is left can fire.
func (f *confirmation) fire(x *witness.Counterexample) error {
	f.word.Add(f.marking)
	prefix, ok := f.attempt.reduction.PrefixWithin(f.longest())
	if !ok {
		return errLongWord
	}
	if err := f.transitions(prefix); err != nil {
		return err
	}
	for _, s := range x.Prefix {
		if s.Stutter {
			return f.rest()
		}
		if err := f.step(s); err != nil {
			return err
		}
	}
	if len(x.Cycle) > 0 && x.Cycle[0].Stutter {
		return f.rest()
	}
	// The cycle can be repeated for ever if there are at least as many tokens after
	// it. Where there are more it is unrolled until they make no difference.
	for round := 0; ; round++ {
		before := slices.Clone(f.marking)
		f.word.Loop, f.cycle = len(f.word.Letters)-1, len(f.run)
		for _, s := range x.Cycle {
			if err := f.step(s); err != nil {
				return err
			}
		}
		if p, hindered := f.Net.Hindrance(before, f.marking); hindered {
			return fmt.Errorf("the cycle does not return on place %q", f.Net.PlaceLabel(p).ID)
		}
		added := slices.Clone(f.marking)
		for p := range added {
			added[p] -= before[p]
		}
		same, err := repeats(f.Task, f.attempt, x.Cycle, before, added)
		if err != nil {
			return err
		}
		if same {
			break
		}
		if round == mostRounds {
			return errors.New("the cycle does not look the same again and again")
		}
	}
	w := f.word
	w.Letters = w.Letters[:len(w.Letters)-1] // the loop's first letter again
	if len(w.Letters) == w.Loop {
		return errors.New("the cycle is empty")
	}
	return nil
}
