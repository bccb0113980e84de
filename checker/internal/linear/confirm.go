package linear

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/runs"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/petri"
)

// A counterexample comes from the product of a reduced net and an automaton. Before it becomes an
// answer, it is told in the original net and judged again, in a way that shares nothing with the
// search. The run is fired transition by transition: what the reduction fires at first, then for
// each step of the reduced net the transitions that it stands for. The predicates are evaluated in
// each marking. That makes an infinite word, and the formula itself is evaluated on the word,
// without any automaton.
//
// Three cases need care:
//
//   - The cycle gains tokens, in an unbounded net. It can be repeated for ever, unless Hindrance
//     finds a place that hinders it. But predicates may change with the number of tokens. So it is
//     fired again and again until repeats says that no predicate will ever change. Let a round add
//     a token to q, and let the formula ask q ≥ 3. From no token on, the fourth round is the first
//     that looks like all later ones.
//   - The run stutters: it ends, in the reduced net. The original one may have firings left that the
//     formula does not see. They are fired too (rest.go).
//   - The word is too long. Then nothing is confirmed, and the question stays open.

// confirm fires a counterexample on the original net, and returns the run. The error is nil if the
// run violates the question: its formula, or where there is none, because the automaton of the
// negation accepts it.
func confirm(r *core.Task, c *attempt, x *witness.Counterexample) (inquiry.Witness, error) {
	within, release := r.Shared.Within(r.Whole)
	defer func() { release(context.Cause(within)) }()
	l := c.question.LTL
	f := &confirmation{
		Task: r, attempt: c, word: &runs.Word{Question: l, Net: r.Net}, marking: r.Net.Initial(),
		work: account.Of(within), each: stepBytes + witness.EvaluationWork(r.Net, l.Predicates...),
	}
	if err := f.fire(x); err != nil {
		return inquiry.Witness{}, err
	}
	violates, err := f.word.Violates(f.work)
	if err == nil && !violates {
		err = errors.New("the run satisfies the formula")
	}
	return f.witness(), err
}

// stepBytes is about what is kept of a step, in bytes.
const stepBytes = 128

// confirmation is a counterexample being fired on the original net.
type confirmation struct {
	*core.Task
	attempt *attempt
	word    *runs.Word
	marking petri.Marking
	run     []witness.Burst
	cycle   int  // where the cycle begins in run
	ends    bool // the run ends in a deadlock, which repeats its marking
	work    *account.Account
	each    int // work of a step
}

// witness returns the run that was fired.
func (f *confirmation) witness() inquiry.Witness {
	return inquiry.Witness{Ground: inquiry.InfiniteRun, Net: f.Net, Run: f.run[:f.cycle:f.cycle], Cycle: f.run[f.cycle:], Ends: f.ends}
}

// errLongWord says why a counterexample is not confirmed.
var errLongWord = errors.New("too long")

// longest returns how many letters the word may have.
func (f *confirmation) longest() int { return min(runs.LongestWord, f.LongestReplay()) }

// transitions fires ts, and adds the marking after each to the word.
func (f *confirmation) transitions(ts []petri.Transition) error {
	for _, t := range ts {
		if !f.Net.Fire(f.marking, t) {
			return fmt.Errorf("transition %q is not enabled", f.Net.TransitionLabel(t).ID)
		}
		if err := f.work.Charge(f.each); err != nil {
			return err
		}
		f.word.Add(f.marking)
		f.run = append(f.run, witness.Burst{Transition: t, Times: 1})
		if len(f.word.Letters) > f.longest() {
			return errLongWord
		}
	}
	return nil
}

// step fires the transitions that a step of the reduced net stands for.
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

// fire fires x, and its cycle until it looks the same for ever. If the run ends in the reduced net,
// it goes on in the original one with what can still fire.
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
	// The cycle can be repeated for ever if there are at least as many tokens after it.
	// If there are more, it is unrolled until they make no difference.
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
