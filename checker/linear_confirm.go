package checker

import (
	"errors"
	"fmt"
	"slices"

	"pnmc/checker/witness"
	"pnmc/petri"
)

// confirm fires a counterexample on the original net and judges the infinite word of
// markings: by the formula, without any automaton, where there is one. It gives the run.
func (r *task) confirm(c *linearCheck, x *witness.Counterexample) (Witness, error) {
	f := &confirmation{task: r, check: c, word: &word{linear: c.question.ltl, net: r.net}, marking: r.net.Initial()}
	if err := f.fire(x); err != nil {
		return Witness{}, err
	}
	violates, err := f.word.violates()
	if err == nil && !violates {
		err = errors.New("the run satisfies the formula")
	}
	return f.witness(), err
}

// confirmation is a counterexample being fired on the original net.
type confirmation struct {
	*task
	check   *linearCheck
	word    *word
	marking petri.Marking
	run     []witness.Burst
	cycle   int  // where the cycle begins in run
	ends    bool // it is that of a deadlock
}

func (f *confirmation) witness() Witness {
	return Witness{Ground: InfiniteRun, Net: f.net, Run: f.run[:f.cycle:f.cycle], Cycle: f.run[f.cycle:], Ends: f.ends}
}

var errLongWord = errors.New("too long")

// transitions fires some of them.
func (f *confirmation) transitions(ts []petri.Transition) error {
	for _, t := range ts {
		if !f.net.Fire(f.marking, t) {
			return fmt.Errorf("transition %q is not enabled", f.net.TransitionLabel(t).ID)
		}
		f.word.add(f.marking)
		f.run = append(f.run, witness.Burst{Transition: t, Times: 1})
		if len(f.word.letters) > longestWord {
			return errLongWord
		}
	}
	return nil
}

// step fires what a step of the reduced net stands for.
func (f *confirmation) step(s witness.Step) error {
	if s.Stutter {
		if !f.net.Deadlock(f.marking) {
			return errors.New("it stays in a marking that is no deadlock")
		}
		f.ends = true
		f.word.add(f.marking)
		return nil
	}
	if f.check.reduction.SequenceLength(s.Transition) > longestWord {
		return errLongWord
	}
	return f.transitions(f.check.reduction.Sequence(nil, s.Transition))
}

// fire fires x, and its cycle until it looks the same for ever.
func (f *confirmation) fire(x *witness.Counterexample) error {
	f.word.add(f.marking)
	if f.check.reduction.PrefixLength() > longestWord {
		return errLongWord
	}
	if err := f.transitions(f.check.reduction.Prefix()); err != nil {
		return err
	}
	for _, s := range x.Prefix {
		if err := f.step(s); err != nil {
			return err
		}
	}
	// The cycle can be repeated for ever if there are at least as many tokens after
	// it. Where there are more it is unrolled until they make no difference.
	for round := 0; ; round++ {
		before := slices.Clone(f.marking)
		f.word.loop, f.cycle = len(f.word.letters)-1, len(f.run)
		for _, s := range x.Cycle {
			if err := f.step(s); err != nil {
				return err
			}
		}
		added := slices.Clone(f.marking)
		for p := range added {
			if added[p] -= before[p]; added[p] < 0 {
				return fmt.Errorf("the cycle does not return on place %q", f.net.PlaceLabel(petri.Place(p)).ID)
			}
		}
		same, err := f.repeats(f.check, x.Cycle, before, added)
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
	w.letters = w.letters[:len(w.letters)-1] // the loop's first letter again
	if len(w.letters) == w.loop {
		return errors.New("the cycle is empty")
	}
	return nil
}
