package mcc

import (
	"errors"
	"fmt"
	"slices"

	"pnmc/checker"
	"pnmc/logic"
	"pnmc/petri"
)

// mostRounds bounds how often a cycle is unrolled.
const mostRounds = 200

// repeats tells whether a cycle from m on, which adds tokens each time, looks the
// same to a formula for ever. It changes m.
func (r *run) repeats(c *linearCheck, cycle []checker.Step, m, added petri.Marking) (bool, error) {
	if !slices.ContainsFunc(added, func(n int64) bool { return n != 0 }) {
		return true, nil
	}
	var predicates []*logic.Predicate
	for _, p := range c.question.ltl.predicates {
		predicates = append(predicates, overPlaces(r.net, p))
	}
	differs := func(p *logic.Predicate) bool { return !looksTheSame(p, m, added) }
	for _, s := range cycle {
		if s.Stutter {
			continue
		}
		for _, t := range c.reduction.Sequence(nil, s.Transition) {
			if slices.ContainsFunc(predicates, differs) {
				return false, nil
			}
			if !r.net.Fire(m, t) {
				return false, fmt.Errorf("transition %q is not enabled", r.net.TransitionLabel(t).ID)
			}
		}
	}
	return true, nil
}

// looksTheSame tells whether each comparison in p, which looks at places only, has
// the same truth in m and in m with any multiple of added.
func looksTheSame(p *logic.Predicate, m, added petri.Marking) bool {
	switch p.Operator {
	case logic.AtMost, logic.Equal:
		// The sum in m, what a cycle adds to it, and whether either fits.
		v, d := p.Sum.Constant, int64(0)
		valueFits, addedFits := true, true
		for _, t := range p.Sum.Terms {
			coefficient := max(t.Coefficient, -t.Coefficient)
			valueFits = valueFits && max(coefficient, m[t.Place]) < small
			addedFits = addedFits && (added[t.Place] == 0 || max(coefficient, added[t.Place]) < small)
			v += t.Coefficient * m[t.Place]
			d += t.Coefficient * added[t.Place]
		}
		switch {
		case !addedFits:
			return false
		case d == 0:
			return true
		}
		return valueFits && (d > 0 && v > 0 || d < 0 && (v < 0 || v == 0 && p.Operator == logic.AtMost))
	}
	for _, q := range p.Operands {
		if !looksTheSame(q, m, added) {
			return false
		}
	}
	return true // that a marking is no deadlock does not change with more tokens
}

// confirm fires a counterexample on the original net and evaluates the formula on
// the infinite word of markings, without any automaton.
func (r *run) confirm(c *linearCheck, x *checker.Counterexample) error {
	l := c.question.ltl
	w := &word{linear: l, net: r.net}
	m := r.net.Initial()
	w.add(m)
	fire := func(ts []petri.Transition) error {
		for _, t := range ts {
			if !r.net.Fire(m, t) {
				return fmt.Errorf("transition %q is not enabled", r.net.TransitionLabel(t).ID)
			}
			w.add(m)
			if len(w.letters) > longestWord {
				return errors.New("too long")
			}
		}
		return nil
	}
	step := func(s checker.Step) error {
		if s.Stutter {
			if !r.net.Deadlock(m) {
				return errors.New("it stays in a marking that is no deadlock")
			}
			w.add(m)
			return nil
		}
		if c.reduction.SequenceLength(s.Transition) > longestWord {
			return errors.New("too long")
		}
		return fire(c.reduction.Sequence(nil, s.Transition))
	}
	if c.reduction.PrefixLength() > longestWord {
		return errors.New("too long")
	}
	if err := fire(c.reduction.Prefix()); err != nil {
		return err
	}
	for _, s := range x.Prefix {
		if err := step(s); err != nil {
			return err
		}
	}
	// The cycle can be repeated for ever if there are at least as many tokens after
	// it. Where there are more it is unrolled until they make no difference.
	for round := 0; ; round++ {
		before := slices.Clone(m)
		w.loop = len(w.letters) - 1
		for _, s := range x.Cycle {
			if err := step(s); err != nil {
				return err
			}
		}
		added := slices.Clone(m)
		for p := range m {
			if added[p] -= before[p]; added[p] < 0 {
				return fmt.Errorf("the cycle does not return on place %q", r.net.PlaceLabel(petri.Place(p)).ID)
			}
		}
		same, err := r.repeats(c, x.Cycle, before, added)
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
	w.letters = w.letters[:len(w.letters)-1] // the loop's first letter again
	if len(w.letters) == w.loop {
		return errors.New("the cycle is empty")
	}
	if w.satisfies(l.formula) {
		return errors.New("the run satisfies the formula")
	}
	return nil
}
