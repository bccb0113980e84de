package checker

import (
	"context"
	"fmt"
	"slices"

	"pnmc/logic"
	"pnmc/petri"
)

// GoalSearch looks for goals in the whole state graph of a net, all of them in
// one exploration, breadth first: what it has not found when it is complete is
// not there.
type GoalSearch struct {
	Net    *petri.Net
	Facts  petri.Facts
	Budget petri.Budget
	Goals  []Goal
	// Open tells whether a goal is still looked for.
	Open func(goal int) bool
	// Found is called with a goal that is reached, or with a larger value, and
	// the run that leads there.
	Found func(goal int, value int64, run []Burst)
	// States are the markings explored so far.
	States int
}

// Run explores. The error is nil if all of the state graph was explored, or if
// no goal is open any more.
func (g *GoalSearch) Run(ctx context.Context) error {
	k := petri.NewKripke(g.Net, g.Facts, g.Budget)
	k.Begin(ctx)
	conditions := make([]*condition, len(g.Goals))
	best := make([]int64, len(g.Goals))
	bestAt := make([]petri.StateID, len(g.Goals))
	var open []int
	for i, goal := range g.Goals {
		best[i] = -1 << 63
		if goal.Predicate != nil {
			conditions[i] = newCondition(goal.Predicate)
		}
		open = append(open, i)
	}
	var parents stack[petri.StateID]
	parents.push(k.Initial())
	marking := make(petri.Marking, g.Net.Places())
	work := 4 * len(marking)
	for _, goal := range g.Goals {
		work += goalWork * goal.size()
	}
	for id := petri.StateID(0); int(id) < k.Len(); id++ {
		look := id%pollStates == 0 || k.Account().Due()
		if err := k.Account().Charge(work); err != nil {
			return err
		}
		if look {
			open = slices.DeleteFunc(open, func(i int) bool { return !g.Open(i) })
			if len(open) == 0 {
				return nil
			}
		}
		g.States = int(id) + 1
		k.Marking(id, marking)
		decided := false
		for _, i := range open {
			if c := conditions[i]; c != nil {
				if c.holdsIn(g.Net, marking) {
					g.Found(i, 0, pathTo(k, &parents, id))
					decided = true
				}
			} else if v, ok := ValueOf(g.Goals[i].Maximum, marking); !ok {
				return fmt.Errorf("a sum of tokens exceeds 63 bits")
			} else if v > best[i] {
				best[i], bestAt[i] = v, id
			}
		}
		if decided {
			open = slices.DeleteFunc(open, func(i int) bool { return !g.Open(i) })
		}
		if _, err := k.Successors(id); err != nil {
			return err
		}
		if u := k.Unbounded(); u != nil {
			return u
		}
		k.Account().Add(4 * (k.Len() - parents.length))
		for parents.length < k.Len() {
			parents.push(id)
		}
	}
	for i, goal := range g.Goals {
		if goal.Predicate == nil && g.Open(i) {
			g.Found(i, best[i], pathTo(k, &parents, bestAt[i]))
		}
	}
	return nil
}

// pollStates is the number of states between two looks at what is still asked.
const pollStates = 1 << 10

// goalWork is about what it costs to look at a part of a goal in a marking, in nanoseconds.
const goalWork = 8

// size is the number of parts of the goal.
func (g *Goal) size() int {
	if g.Predicate == nil {
		return 1 + len(g.Maximum.Terms)
	}
	return predicateSize(g.Predicate)
}

// predicateSize is the number of operators, terms and transitions in p.
func predicateSize(p *logic.Predicate) int {
	size := 1 + len(p.Sum.Terms) + len(p.Transitions)
	for _, o := range p.Operands {
		size += predicateSize(o)
	}
	return size
}

// pathTo is the run along parents from the initial state to s.
func pathTo(k *petri.Kripke, parents *stack[petri.StateID], s petri.StateID) []Burst {
	var run []Burst
	for s != k.Initial() {
		before := *parents.at(int(s))
		t, ok := k.Firing(before, s)
		if !ok {
			return nil
		}
		run = append(run, Burst{t, 1})
		s = before
	}
	slices.Reverse(run)
	return run
}

// ReplayRun fires a run on net from its initial marking, by the definitions
// alone, and returns the marking it ends in. The error says what is wrong.
func ReplayRun(net *petri.Net, run []Burst) (petri.Marking, error) {
	m := net.Initial()
	return m, replayFrom(net, m, run)
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

// ConfirmsPump tells whether after run, loop can be repeated for ever and adds to
// sum, whose coefficients are not negative, each time.
func ConfirmsPump(net *petri.Net, run, loop []Burst, sum *logic.Sum) bool {
	m, err := ReplayRun(net, run)
	if err != nil {
		return false
	}
	before := slices.Clone(m)
	if replayFrom(net, m, loop) != nil || !covers(m, before) {
		return false
	}
	for _, t := range sum.Terms {
		if t.Coefficient < 0 {
			return false
		}
		if t.Coefficient > 0 && m[t.Place] > before[t.Place] {
			return true
		}
	}
	return false
}

// fireRepeatedly fires a transition often: it can n times in a row if it can the
// first time and, the counts changing evenly, the last time too.
func fireRepeatedly(net *petri.Net, m petri.Marking, b Burst) error {
	if !net.Fire(m, b.Transition) {
		return fmt.Errorf("transition %q is not enabled", net.TransitionLabel(b.Transition).ID)
	}
	if b.Times == 1 {
		return nil
	}
	for _, c := range net.Effect(b.Transition) {
		delta, ok := multiply(c.Weight, b.Times-2)
		if !ok || delta > 0 && m[c.Place] > tokenLimit || delta > tokenLimit || delta < -tokenLimit {
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

// multiply is a·b, and whether it fits 64 bits.
func multiply(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	return c, c/b == a && (a != -1 || b != -1<<63) && (b != -1 || a != -1<<63)
}

// Satisfies evaluates p in a marking of net.
func Satisfies(net *petri.Net, m petri.Marking, p *logic.Predicate) bool {
	return p.Holds(m, net.Transitions(), func(t uint32) bool { return net.Enabled(m, petri.Transition(t)) })
}
