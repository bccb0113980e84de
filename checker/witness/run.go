package witness

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"

	"pnmc/internal/arithmetic"
	"pnmc/logic"
	"pnmc/petri"
)

// Burst is a transition and how often it fires in a row.
type Burst struct {
	Transition petri.Transition
	Times      int64
}

// Bursts returns a run with each firing by itself.
func Bursts(run []petri.Transition) []Burst {
	list := make([]Burst, len(run))
	for i, t := range run {
		list[i] = Burst{Transition: t, Times: 1}
	}
	return list
}

// SupportOf collects the places that p looks at, those of pre-sets of fireable
// transitions among them. It reports false if p looks at all of them.
func SupportOf(net *petri.Net, p *logic.Predicate, places map[uint32]bool) bool {
	switch p.Operator {
	case logic.Deadlocked:
		return false
	case logic.Fireable:
		for _, t := range p.Transitions {
			for _, a := range net.Pre(petri.Transition(t)) {
				places[uint32(a.Place)] = true
			}
			for _, a := range net.Ceilings(petri.Transition(t)) {
				places[uint32(a.Place)] = true
			}
		}
	}
	for s := range p.Sums() {
		for _, t := range s.Terms {
			places[t.Place] = true
		}
	}
	for _, q := range p.Operands {
		if !SupportOf(net, q, places) {
			return false
		}
	}
	return true
}

// Satisfies reports whether p holds in a marking of net.
func Satisfies(net *petri.Net, m petri.Marking, p *logic.Predicate) bool {
	return p.Holds(m, net.Transitions(), func(t uint32) bool { return net.Enabled(m, petri.Transition(t)) })
}

// EvaluationWork returns about what it costs to evaluate predicates in a marking, in nanoseconds.
func EvaluationWork(net *petri.Net, predicates ...*logic.Predicate) int {
	work := 0
	for _, p := range predicates {
		work += 4 + 16*len(p.Transitions)
		for s := range p.Sums() {
			work += 4 + 4*len(s.Terms)
		}
		if p.Operator == logic.Deadlocked {
			work += 8 * net.Transitions()
		}
		work += EvaluationWork(net, p.Operands...)
	}
	return work
}

// NumberWork returns about what it costs to evaluate a number in a marking, in nanoseconds.
func NumberWork(n logic.Polynomial) int {
	work := 4
	for s := range n.Sums() {
		work += 4 + 4*len(s.Terms)
	}
	return work
}

// Fired returns the transitions of a run, one that is fired again and again once.
func Fired(run []Burst) iter.Seq[petri.Transition] {
	return func(yield func(petri.Transition) bool) {
		for _, b := range run {
			if !yield(b.Transition) {
				return
			}
		}
	}
}

// ReplayRun fires a run on net from its initial marking, by the definitions alone, and returns the
// marking it ends in. The error says which step is not possible, and why.
func ReplayRun(net *petri.Net, run []Burst) (petri.Marking, error) {
	m := net.Initial()
	return m, replayFrom(net, m, run)
}

// ReplayTo fires a run as ReplayRun does, and calls visit with the marking after each of the lengths,
// which ascend and are in bursts. The marking is visit's until it returns.
func ReplayTo(net *petri.Net, run []Burst, lengths []int, visit func(i int, m petri.Marking)) error {
	m, fired := net.Initial(), 0
	for i, length := range lengths {
		if err := replayFrom(net, m, run[fired:length]); err != nil {
			return err
		}
		fired = length
		visit(i, m)
	}
	return nil
}

// ConfirmsPump reports whether after run, loop can be repeated for ever and adds to a number each
// time.
func ConfirmsPump(net *petri.Net, run, loop []Burst, number logic.Polynomial) bool {
	m, err := ReplayRun(net, run)
	if err != nil {
		return false
	}
	before := slices.Clone(m)
	if replayFrom(net, m, loop) != nil || !net.RepeatsBy(before, m, Fired(loop)) {
		return false
	}
	return number.Grows(before, m)
}

// ValueOf returns the value of a sum in a marking; ok is false if it leaves 63 bits.
//
// It does not call Sum.Value of package logic, by which engines look for large values: if that was
// wrong, it would confirm itself here. Coefficients may be negative, but no token count is.
func ValueOf(s *logic.Sum, m petri.Marking) (value int64, ok bool) {
	value, ok = s.Constant, true
	for _, t := range s.Terms {
		h, l := bits.Mul64(uint64(t.Coefficient), uint64(m[t.Place]))
		if t.Coefficient < 0 {
			h -= uint64(m[t.Place])
		}
		if int64(h) != int64(l)>>63 {
			return 0, false
		}
		sum := value + int64(l)
		if (sum < value) != (int64(l) < 0) {
			return 0, false
		}
		value = sum
	}
	return value, ok
}

// ValueOfAll returns the value of a sum and products together; ok is false if 64 bits do not
// suffice on the way.
func ValueOfAll(s *logic.Sum, products []logic.Product, m petri.Marking) (value int64, ok bool) {
	if len(products) == 0 {
		return ValueOf(s, m)
	}
	return logic.Polynomial{Sum: *s, Products: products}.Value(m)
}

// replayFrom changes m to the marking after run.
func replayFrom(net *petri.Net, m petri.Marking, run []Burst) error {
	for i, b := range run {
		if int(b.Transition) >= net.Transitions() || b.Times < 1 {
			return fmt.Errorf("step %d: no such transition, or fired %d times", i+1, b.Times)
		}
		if err := fireRepeatedly(net, m, b); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

// fireRepeatedly fires a transition many times in a row, in constant time for each of its arcs. It
// fires it once, then changes the counts by what all but the last firing do, and fires it once more.
// If the first and the last firing are possible, so are all in between, as the counts change evenly.
// If t takes 2 tokens and gives 1 back, 10 on the place last for 9 firings: after 8 of them 2 are
// left. A place that the transition resets has the same count after each firing.
func fireRepeatedly(net *petri.Net, m petri.Marking, b Burst) error {
	if !net.Fire(m, b.Transition) {
		return fmt.Errorf("transition %q is not enabled", net.TransitionLabel(b.Transition).ID)
	}
	if b.Times == 1 {
		return nil
	}
	for _, c := range net.Effect(b.Transition) {
		if net.Empties(b.Transition, c.Place) {
			continue
		}
		delta, ok := arithmetic.Multiply(c.Weight, b.Times-2)
		if !ok || delta > 0 && m[c.Place] > TokenLimit || delta > TokenLimit || delta < -TokenLimit {
			return fmt.Errorf("transition %q: too many tokens", net.TransitionLabel(b.Transition).ID)
		}
		if m[c.Place] += delta; m[c.Place] < 0 {
			return fmt.Errorf("transition %q is not enabled %d times", net.TransitionLabel(b.Transition).ID, b.Times)
		}
	}
	if !net.Fire(m, b.Transition) {
		return fmt.Errorf("transition %q is not enabled %d times", net.TransitionLabel(b.Transition).ID, b.Times)
	}
	return nil
}

// TokenLimit is where walks stop adding tokens, so that sums do not overflow.
const TokenLimit = math.MaxInt64 / 4
