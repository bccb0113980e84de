package reachability

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"pnmc/checker/internal/rephrase"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/growing"
	"pnmc/logic"
	"pnmc/petri"
)

// FiringSearch looks for goals in the whole state graph of a plain net, as GoalSearch does, where there
// are very many goals of the form "t can fire", or as many transitions.
//
// The problem. To ask whether a net of 31,000 transitions is quasi-live is to ask for 31,000 goals. To
// look at each in each marking takes many times as long as to explore, and so does a search for the
// firings of the run to each of them.
//
// The idea. The edges of a marking tell what fires there. So a goal of one firing is looked up by the
// transition that fires, and a deadlock has no edge. Only other goals are evaluated in each marking.
// Each marking has its parent and what fired there, so that a run is read off. Runs are told when
// markings have doubled, and at the end, those to the last markings first: the run to a marking has
// the runs to all that lie on the way, and each goal there is told along with it.
//
// It can be cut short at any time and goes on when Run is called again. It does not look at goals with
// a deadlock among other parts.
//
// The cost is that of the state graph, for each marking the size of the open goals that are not of the
// form "t can fire", and for each run that is told its length.
type FiringSearch struct {
	Goals []walk.Goal
	// Open reports whether a goal is still looked for.
	Open func(goal int) bool
	// Found is called with a run and the goals that it reaches on its way, each after its first bursts.
	Found func(run []witness.Burst, reached []walk.Reached)
	// Raised is called with a run to the largest value of a maximum so far, and Largest at the end with
	// the largest value of all.
	Raised  func(goal int, run []witness.Burst)
	Largest func(goal int, value int64)
	// Unreachable is called at the end for each goal that no marking has.
	Unreachable func(goal int)

	kripke  *petri.Kripke
	parents growing.Stack[petri.StateID]    // of each marking
	by      growing.Stack[petri.Transition] // what fired in the parent
	next    petri.StateID                   // to be looked at
	tellAt  int                             // so many markings, what was found is told
	begun   bool

	// firing has the goals that transitions reach by firing, those of t from firingStart[t] on.
	firing      []int32
	firingStart []int32
	deadlocks   []int // goals that a deadlock reaches
	others      []int // open goals to be evaluated in each marking
	conditions  []*walk.Condition
	met         []bool
	best        []int64
	bestAt      []petri.StateID
	raised      []bool    // since it was told
	untold      []reached // goals met, by ascending markings

	fired   []petri.Transition
	marking petri.Marking
}

// reached says at which marking a goal was first met.
type reached struct {
	goal int
	at   petri.StateID
}

// NewFiringSearch begins with the initial marking of a plain net, of which the facts hold. How markings
// are packed is not thought about any longer once ctx ends.
func NewFiringSearch(ctx context.Context, net *petri.Net, facts petri.Facts, budget petri.Budget) *FiringSearch {
	f := &FiringSearch{kripke: petri.NewKripkeWithin(ctx, net, facts, budget), marking: make(petri.Marking, net.Places()), tellAt: firstTold}
	f.kripke.NoteFirings(true)
	f.parents.Push(f.kripke.Initial())
	f.by.Push(0)
	return f
}

// firstTold is how many markings are looked at before what was found is told for the first time.
const firstTold = 256

// Kripke returns the state graph as far as it is explored, for others to go on with. The search must
// not go on then.
func (f *FiringSearch) Kripke() *petri.Kripke {
	f.kripke.NoteFirings(false)
	return f.kripke
}

// States returns the number of markings that were looked at.
func (f *FiringSearch) States() int { return int(f.next) }

// Run explores, or goes on. It returns nil if all of the state graph was explored, or if no goal is
// open any more. An error is that of ctx or the budget, or says that a place is unbounded, or a sum
// too large.
func (f *FiringSearch) Run(ctx context.Context) error {
	if f.kripke.Lost() {
		return errLost
	}
	f.kripke.Begin(ctx)
	if !f.begun {
		f.sortGoals()
		f.begun = true
	}
	k := f.kripke
	looks := 4*k.Net().Places() + f.othersWork()
	for ; int(f.next) < k.Len(); f.next++ {
		id := f.next
		if int(id)%pollStates == 0 {
			if !f.anyOpen() {
				return nil
			}
			looks = 4*k.Net().Places() + f.othersWork()
		}
		if len(f.others) > 0 {
			k.Account().Add(looks)
			if err := f.look(id); err != nil {
				return err
			}
		}
		successors, err := k.Successors(id)
		if err != nil {
			return err
		}
		if u := k.Unbounded(); u != nil {
			return u
		}
		f.fired = k.Fired(f.fired[:0])
		f.note(id, successors)
		if int(id) >= f.tellAt {
			f.tellAt = 2 * int(id)
			if err := f.tell(); err != nil {
				return err
			}
		}
	}
	if err := f.tell(); err != nil {
		return err
	}
	for i, goal := range f.Goals {
		switch {
		case !f.Open(i) || !f.decides(&goal):
		case goal.Maximum != nil:
			f.Largest(i, f.best[i])
		case !f.met[i]:
			f.Unreachable(i)
		}
	}
	return nil
}

// errLost says that a search can't go on.
var errLost = errors.New("the markings met before are lost")

// decides reports whether the search looks at a goal.
func (f *FiringSearch) decides(goal *walk.Goal) bool {
	return goal.Predicate == nil || goal.Predicate.Operator == logic.Deadlocked || !rephrase.LooksAtDeadlock(goal.Predicate)
}

// sortGoals tells goals of one firing and deadlocks from others.
func (f *FiringSearch) sortGoals() {
	n := len(f.Goals)
	f.conditions, f.met = make([]*walk.Condition, n), make([]bool, n)
	f.best, f.bestAt, f.raised = make([]int64, n), make([]petri.StateID, n), make([]bool, n)
	f.firingStart = make([]int32, f.kripke.Net().Transitions()+1)
	for i, goal := range f.Goals {
		f.best[i] = -1 << 63
		switch p := goal.Predicate; {
		case !f.decides(&goal):
		case p == nil:
			f.others = append(f.others, i)
		case p.Operator == logic.Deadlocked:
			f.deadlocks = append(f.deadlocks, i)
		case p.Operator == logic.Fireable:
			for _, t := range p.Transitions {
				f.firingStart[t+1]++
			}
		default:
			f.conditions[i] = walk.NewCondition(p)
			f.others = append(f.others, i)
		}
	}
	for t := range f.firingStart[1:] {
		f.firingStart[t+1] += f.firingStart[t]
	}
	f.firing = make([]int32, f.firingStart[len(f.firingStart)-1])
	next := slices.Clone(f.firingStart)
	for i, goal := range f.Goals {
		if goal.Predicate != nil && goal.Predicate.Operator == logic.Fireable {
			for _, t := range goal.Predicate.Transitions {
				f.firing[next[t]] = int32(i)
				next[t]++
			}
		}
	}
}

// anyOpen drops goals that need not be evaluated any more, and reports whether some goal is open.
func (f *FiringSearch) anyOpen() bool {
	f.others = slices.DeleteFunc(f.others, func(i int) bool { return f.met[i] || !f.Open(i) })
	return len(f.others) > 0 || slices.ContainsFunc(f.untold, func(r reached) bool { return f.Open(r.goal) }) ||
		slices.ContainsFunc(f.deadlocks, func(i int) bool { return !f.met[i] && f.Open(i) }) ||
		slices.ContainsFunc(f.firing, func(i int32) bool { return !f.met[i] && f.Open(int(i)) })
}

// othersWork returns about what it costs to evaluate the other goals, in nanoseconds.
func (f *FiringSearch) othersWork() (work int) {
	for _, i := range f.others {
		work += goalWork * size(&f.Goals[i])
	}
	return work
}

// look evaluates goals in a marking.
func (f *FiringSearch) look(id petri.StateID) error {
	f.kripke.Marking(id, f.marking)
	for _, i := range f.others {
		switch c := f.conditions[i]; {
		case f.met[i]:
		case c != nil:
			if c.HoldsIn(f.kripke.Net(), f.marking) {
				f.meet(i, id)
			}
		default:
			v, ok := f.Goals[i].Value(f.marking)
			if !ok {
				return errTooLarge
			}
			if v > f.best[i] {
				f.best[i], f.bestAt[i], f.raised[i] = v, id, true
			}
		}
	}
	return nil
}

// note notes what fires in a marking, and where new markings come from.
func (f *FiringSearch) note(id petri.StateID, successors []petri.StateID) {
	if len(f.fired) == 0 {
		for _, i := range f.deadlocks {
			if !f.met[i] {
				f.meet(i, id)
			}
		}
		return
	}
	for n, t := range f.fired {
		if int(successors[n]) == f.parents.Length { // Successors has charged more than these take
			f.parents.Push(id)
			f.by.Push(t)
		}
		for _, i := range f.firing[f.firingStart[t]:f.firingStart[t+1]] {
			if !f.met[i] {
				f.meet(int(i), id)
			}
		}
	}
}

// meet notes that a goal was met.
func (f *FiringSearch) meet(goal int, at petri.StateID) {
	f.met[goal] = true
	f.untold = append(f.untold, reached{goal, at})
}

// Tell tells which goals were met that were not told yet, and raised values, where Run was cut short.
func (f *FiringSearch) Tell(ctx context.Context) error {
	if f.kripke.Lost() {
		return errLost
	}
	f.kripke.Begin(ctx)
	return f.tell()
}

// tell tells what was found since it was last called. An error is the account's.
func (f *FiringSearch) tell() error {
	a := f.kripke.Account()
	for i := range f.Goals {
		if f.raised[i] && f.Open(i) {
			f.Raised(i, f.runTo(f.bestAt[i]))
		}
		f.raised[i] = false
	}
	// By descending markings; the goals of one lie side by side.
	slices.SortFunc(f.untold, func(a, b reached) int { return cmp.Or(cmp.Compare(b.at, a.at), cmp.Compare(a.goal, b.goal)) })
	told := make([]bool, len(f.untold))
	for first := range f.untold {
		if told[first] || !f.Open(f.untold[first].goal) {
			continue
		}
		run := f.runTo(f.untold[first].at)
		if err := a.Charge(toldStep * (len(run) + 1)); err != nil {
			f.untold = slices.DeleteFunc(f.untold, func(r reached) bool { return !f.Open(r.goal) })
			return err
		}
		var along []walk.Reached
		length := len(run)
		for s, i := f.untold[first].at, first; ; {
			// The markings on the way have descending numbers, as the list has.
			at, _ := slices.BinarySearchFunc(f.untold[i:], s, func(r reached, s petri.StateID) int { return cmp.Compare(s, r.at) })
			for i += at; i < len(f.untold) && f.untold[i].at == s; i++ {
				if !told[i] {
					told[i] = true
					along = append(along, walk.Reached{Goal: f.untold[i].goal, Length: length})
				}
			}
			if s == f.kripke.Initial() {
				break
			}
			s, length = *f.parents.At(int(s)), length-1
		}
		slices.Reverse(along)
		f.Found(run, along)
	}
	f.untold = f.untold[:0]
	return nil
}

// toldStep is about what it costs to tell a step of a run, in nanoseconds.
const toldStep = 400

// runTo returns the run by which a marking was first met.
func (f *FiringSearch) runTo(s petri.StateID) []witness.Burst {
	run := []witness.Burst{}
	for ; s != f.kripke.Initial(); s = *f.parents.At(int(s)) {
		run = append(run, witness.Burst{Transition: *f.by.At(int(s)), Times: 1})
	}
	slices.Reverse(run)
	return run
}
