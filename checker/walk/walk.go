package walk

import (
	"context"
	"math/rand/v2"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// Goal is what a walk looks for: a marking where Predicate holds, or, where that
// is nil, the largest value of Maximum.
type Goal struct {
	Predicate *logic.Predicate
	Maximum   *logic.Sum
}

// Walk looks for goals by random walks from the initial marking of a net: many
// goals are looked for in one walk, and only what a firing touches is looked at
// again. It proves nothing impossible.
//
// The policies take turns: uniform choice, firing a transition as often as it
// goes, preferring what fired least, steps that bring one goal nearer, and plans for
// one goal.
type Walk struct {
	net   *petri.Net
	game  *tokenGame
	board *board
	rng   *rand.Rand
	plan  *relaxedPlan
	next  []uint32 // what is left of its steps
	goals []walkGoal
	// watchers lists, for each place, the goals that look at it.
	watchers [][]int32
	// always are goals to look at after every firing.
	always []int32
	// queue and queued are the goals to look at after the present firing.
	queue  []int32
	queued []bool
	open   int

	run   []burst
	past  []snapshot // of the present walk
	sums  bool       // some goal is a sum
	fired []uint32   // how often each transition fired, for the fair policy

	// Found is called with a goal that is reached, or a value that is larger than
	// the ones before, and the run that leads there, which is the callee's. It
	// tells whether the goal is done with. Called from Run.
	Found func(goal int, value int64, run []witness.Burst) (done bool)
	// Pumped, unless nil, is called with a sum that grows without bound, since
	// after run, loop can be fired again and again and adds to it each time. It
	// tells whether the goal is done with.
	Pumped func(goal int, run, loop []witness.Burst) (done bool)
	// Wanted, unless nil, is asked before each walk whether a goal is still looked
	// for.
	Wanted func(goal int) bool
	// Steps counts the firings, a repeated one once.
	Steps int64
}

type burst = witness.Burst

type walkGoal struct {
	condition *Condition
	maximum   *logic.Sum
	best      int64
	bestAt    int // length of the run where best was reached, if it is news
	news      bool
	done      bool
}

// New prepares walks on net. Random choices follow from seed.
func New(net *petri.Net, goals []Goal, seed uint64) *Walk {
	w := &Walk{
		net: net, game: newTokenGame(net), rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)),
		watchers: make([][]int32, net.Places()), queued: make([]bool, len(goals)),
		fired: make([]uint32, net.Transitions()), open: len(goals),
	}
	w.board = newBoard(w.game)
	w.plan = newRelaxedPlan(w.board, w.rng)
	for i, g := range goals {
		goal := walkGoal{maximum: g.Maximum, best: -1 << 63}
		places := make(map[uint32]bool)
		if g.Predicate != nil {
			goal.condition = NewCondition(g.Predicate)
			if !witness.SupportOf(net, g.Predicate, places) {
				w.always = append(w.always, int32(i))
				clear(places)
			}
		} else {
			w.sums = true
			for _, t := range g.Maximum.Terms {
				places[t.Place] = true
			}
		}
		for p := range places {
			w.watchers[p] = append(w.watchers[p], int32(i))
		}
		w.goals = append(w.goals, goal)
	}
	return w
}

// Drop tells that a goal is not looked for any more.
func (w *Walk) Drop(goal int) {
	if !w.goals[goal].done {
		w.goals[goal].done = true
		w.open--
	}
}

// Open is the number of goals still looked for.
func (w *Walk) Open() int { return w.open }

// policy is a way to choose the next firing.
type policy uint8

const (
	uniformly policy = iota
	asOftenAsItGoes
	leastFiredFirst
	towardsGoal
	alongPlan
	policies
)

// Lengths of walks: they start short and get longer.
const (
	shortestWalk = 200
	longestWalk  = 200_000
)

// pollSteps is the number of firings between two looks at the context.
const pollSteps = 256

// Run walks until ctx ends or no goal is open.
func (w *Walk) Run(ctx context.Context) {
	length := shortestWalk
	for round := 0; w.open > 0 && ctx.Err() == nil; round++ {
		for i := range w.goals {
			if !w.goals[i].done && w.Wanted != nil && !w.Wanted(i) {
				w.Drop(i)
			}
		}
		w.walk(ctx, policy(round%int(policies)), length)
		if round%int(policies) == int(policies)-1 {
			length = min(longestWalk, length+length/2)
		}
	}
}

// walk makes one walk of at most length steps from the initial marking.
func (w *Walk) walk(ctx context.Context, how policy, length int) {
	w.board.set(w.net.Initial())
	w.run = w.run[:0]
	w.past = w.past[:0]
	w.next = w.next[:0]
	clear(w.fired)
	for i := range w.goals {
		w.queue = append(w.queue, int32(i))
	}
	w.look()
	target := w.target()
	for step := 0; step < length && w.open > 0 && len(w.board.enabled) > 0; step++ {
		if step%pollSteps == 0 && ctx.Err() != nil {
			break
		}
		if how >= towardsGoal && target >= 0 && w.goals[target].done {
			target = w.target()
		}
		t, times := w.choose(how, target)
		if !w.board.fire(t, times) {
			break
		}
		w.Steps++
		w.fired[t]++
		w.run = append(w.run, burst{Transition: petri.Transition(t), Times: times})
		for _, c := range w.game.effect(t) {
			for _, g := range w.watchers[c.place] {
				if !w.queued[g] && !w.goals[g].done {
					w.queued[g] = true
					w.queue = append(w.queue, g)
				}
			}
		}
		w.queue = append(w.queue, w.always...)
		w.look()
		if w.sums && w.Pumped != nil && step%snapshotEvery == snapshotEvery-1 {
			w.pump()
		}
	}
	w.report()
}

// snapshot is a marking of the present walk with the length of the run to it.
type snapshot struct {
	marking petri.Marking
	length  int
}

// snapshots are taken every so many steps; the last few are kept.
const (
	snapshotEvery = 32
	snapshots     = 8
)

// pump looks for an earlier marking of the walk that the present one covers:
// what led from there to here can be repeated for ever.
func (w *Walk) pump() {
	for _, s := range w.past {
		if !witness.Covers(w.board.marking, s.marking) {
			continue
		}
		for i := range w.goals {
			g := &w.goals[i]
			if g.maximum == nil || g.done {
				continue
			}
			before, ok := witness.ValueOf(g.maximum, s.marking)
			after, alsoOK := witness.ValueOf(g.maximum, w.board.marking)
			if ok && alsoOK && after > before &&
				w.Pumped(i, append([]witness.Burst(nil), w.run[:s.length]...), append([]witness.Burst(nil), w.run[s.length:]...)) {
				w.Drop(i)
			}
		}
	}
	now := snapshot{append(petri.Marking(nil), w.board.marking...), len(w.run)}
	if len(w.past) < snapshots {
		w.past = append(w.past, now)
	} else {
		w.past[w.rng.IntN(snapshots)] = now
	}
}

// target draws an open goal for the policy that has one.
func (w *Walk) target() int {
	for range 20 {
		if g := w.rng.IntN(len(w.goals)); !w.goals[g].done {
			return g
		}
	}
	for g := range w.goals {
		if !w.goals[g].done {
			return g
		}
	}
	return -1
}

// candidates is how many enabled transitions a choice compares at most.
const candidates = 6

func (w *Walk) choose(how policy, target int) (t uint32, times int64) {
	enabled := w.board.enabled
	t, times = enabled[w.rng.IntN(len(enabled))], 1
	switch how {
	case asOftenAsItGoes:
		if times = w.board.most(t, 1<<20); w.rng.IntN(4) == 0 {
			times = 1 + w.rng.Int64N(times)
		}
	case leastFiredFirst:
		for range 3 {
			if u := enabled[w.rng.IntN(len(enabled))]; w.fired[u] < w.fired[t] {
				t = u
			}
		}
	case alongPlan:
		if target >= 0 && w.rng.IntN(alongPlanOften) > 0 {
			t = w.planned(t, target)
		}
	case towardsGoal:
		if target < 0 || w.rng.IntN(8) == 0 {
			break
		}
		best := int64(1) << 62
		n := min(len(enabled), candidates)
		offset := w.rng.IntN(len(enabled))
		tried := make([]uint32, n) // the board reorders enabled while trying
		for i := range n {
			tried[i] = enabled[(offset+i)%len(enabled)]
		}
		for _, u := range tried {
			if !w.board.fire(u, 1) {
				continue
			}
			d := w.distance(target)*64 + int64(w.rng.IntN(64))
			w.board.fire(u, -1)
			if d < best {
				best, t = d, u
			}
		}
	}
	return t, times
}

// alongPlanOften: one step in so many is not along the plan.
const alongPlanOften = 24

// planned is the next step of the present plan for a goal, or of a new one; t if
// there is none.
func (w *Walk) planned(t uint32, target int) uint32 {
	for planned := false; ; {
		for len(w.next) > 0 {
			u := w.next[len(w.next)-1]
			w.next = w.next[:len(w.next)-1]
			if w.board.missing[u] == 0 {
				return u
			}
		}
		if planned {
			return t
		}
		w.next, planned = w.plan.steps(&w.goals[target], w.next), true
	}
}

func (w *Walk) distance(goal int) int64 {
	g := &w.goals[goal]
	if g.condition != nil {
		return g.condition.distance(w.board)
	}
	v, _ := witness.ValueOf(g.maximum, w.board.marking)
	return -min(max(v, -far), far)
}

// look examines the queued goals on the present marking.
func (w *Walk) look() {
	for _, i := range w.queue {
		w.queued[i] = false
		g := &w.goals[i]
		switch {
		case g.done:
		case g.condition != nil:
			if g.condition.holds(w.board) && w.Found(int(i), 0, append([]witness.Burst(nil), w.run...)) {
				w.Drop(int(i))
			}
		default:
			if v, ok := witness.ValueOf(g.maximum, w.board.marking); ok && v > g.best {
				g.best, g.bestAt, g.news = v, len(w.run), true
			}
		}
	}
	w.queue = w.queue[:0]
}

// report tells the maxima that the walk improved, at its end only: a walk may
// improve them at every step.
func (w *Walk) report() {
	for i := range w.goals {
		g := &w.goals[i]
		if !g.news || g.done {
			continue
		}
		g.news = false
		if w.Found(i, g.best, append([]witness.Burst(nil), w.run[:g.bestAt]...)) {
			w.Drop(i)
		}
	}
}
