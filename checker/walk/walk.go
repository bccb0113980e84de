package walk

import (
	"context"
	"math/rand/v2"

	"pnmc/checker/witness"
	"pnmc/logic"
	"pnmc/petri"
)

// Goal is what a walk looks for: a marking where Predicate holds, or, where that
// is nil, the largest value of Maximum and Products together.
type Goal struct {
	Predicate *logic.Predicate
	Maximum   *logic.Sum
	Products  []logic.Product
}

// Number returns Maximum and Products together.
func (g *Goal) Number() logic.Polynomial {
	return logic.Polynomial{Sum: *g.Maximum, Products: g.Products}
}

// Value returns that of Maximum and Products in a marking; ok is false if 64 bits do not suffice
// on the way.
func (g *Goal) Value(m petri.Marking) (value int64, ok bool) {
	return valueOf(g.Maximum, g.Products, m)
}

// valueOf returns the value of a sum and products together, by package logic: the replay has code of
// its own, which an error here does not pass.
func valueOf(s *logic.Sum, products []logic.Product, m petri.Marking) (value int64, ok bool) {
	if len(products) == 0 {
		return s.Value(m)
	}
	return logic.Polynomial{Sum: *s, Products: products}.Value(m)
}

// Walk looks for goals by random walks from the initial marking of a net: many
// goals are looked for in one walk, and only what a firing touches is looked at
// again. It proves nothing impossible.
//
// The policies take turns, since each finds what others miss:
//
//	uniformly        reaches what is near
//	asOftenAsItGoes  fires a transition many times: for goals that need many tokens in a place
//	leastFiredFirst  prefers what fired seldom: for parts of the net that chance seldom enters
//	towardsGoal      prefers steps after which comparisons of a goal lack fewer tokens
//	alongPlan        follows plans, to goals behind many steps that each bring nothing by
//	                 themselves (plan.go)
//	alongCounts      fires what a solution of the state equation fires, as often as that does (counts.go)
//
// None of them proves anything, so that none need be fair. Walks start short, so that goals that are
// near are found soon, and get longer by half each round. A policy that took more work than all
// others together waits, and one that gets far ahead of them within a walk ends it (tooMuch). A run that ends in a deadlock goes back some firings, and on
// elsewhere.
//
// The goal-directed steps come from best-first search with heuristics by the distance of
// comparisons, as in TAPAAL's verifypn (Jensen, Nielsen, Oestergaard, Srba, "TAPAAL and
// reachability analysis of P/T nets", ToPNoC XI, 2016). Plans come from Hoffmann, Nebel, "The
// FF planning system" (JAIR 14, 2001).
type Walk struct {
	net   *petri.Net
	game  *tokenGame
	board *board
	rng   *rand.Rand
	plan  *relaxedPlan
	next  []uint32 // what is left of its steps
	goals []walkGoal
	// truths follow the goals that were open when they were prepared, watched of them.
	truths  *truths
	watched int
	open    int

	length  int // of the next walks
	run     []burst
	reached []Reached  // along run, and not reported yet
	past    []snapshot // of the present walk
	sums    bool       // some goal is a maximum
	fired   []uint32   // how often each transition fired, for the fair policy
	counts  counts     // for the policy along counts

	spent    [policies]int64 // work of each policy
	looked   int64           // spent when the context was looked at last
	planWork int64           // of a plan

	// Found is called with a goal that is reached, or a value that is larger than
	// the ones before, and the run that leads there, which is the callee's. It
	// reports whether the goal is done with. Called from Run.
	Found func(goal int, value int64, run []witness.Burst) (done bool)
	// FoundAlong, unless nil, is called with many goals that one run reaches, in order, in place of
	// calls of Found. The run is the callee's, the list is not. It reports for each whether it is done
	// with.
	FoundAlong func(run []witness.Burst, reached []Reached) (done []bool)
	// Pumped, unless nil, is called with a sum that grows without bound, since
	// after run, loop can be fired again and again and adds to it each time. It
	// reports whether the goal is done with.
	Pumped func(goal int, run, loop []witness.Burst) (done bool)
	// Counts, unless nil, returns how often transitions fire in a solution of the state equation for a
	// goal, in no order: another one in each turn, as far as there are others; none if none is known.
	// They stay as they are.
	Counts func(goal, turn int) []witness.Burst
	// Wanted, unless nil, is asked before each walk whether a goal is still looked
	// for.
	Wanted func(goal int) bool
	// Steps counts the firings, a repeated one once.
	Steps int64
}

type burst = witness.Burst

type walkGoal struct {
	condition *Condition
	looks     bool // condition asks what is enabled
	maximum   *logic.Sum
	products  []logic.Product // beside maximum
	terms     []logic.Term    // of all sums
	// coefficients has those of maximum by place, about, once it was planned for; without products
	coefficients []float64
	sum          int32 // of maximum, among the truths; without products
	best         int64
	bestAt       int // length of the run where best was reached, if it is news
	news         bool
	done         bool
	noted        bool // among those reached
}

// New prepares walks on net. Random choices follow from seed. An error is the context's, or that of the budget it carries.
func New(ctx context.Context, net *petri.Net, goals []Goal, seed uint64) (*Walk, error) {
	game, err := newPlannedGame(ctx, net)
	if err != nil {
		return nil, err
	}
	w := &Walk{
		net: net, game: game, rng: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)),
		fired: make([]uint32, net.Transitions()), open: len(goals),
	}
	w.board = newBoard(w.game)
	w.plan = newRelaxedPlan(w.board, w.rng)
	w.planWork = int64(net.Arcs() + net.Places() + net.Transitions())
	for _, g := range goals {
		goal := walkGoal{maximum: g.Maximum, products: g.Products, best: -1 << 63}
		if g.Predicate != nil {
			goal.condition = NewCondition(g.Predicate)
			goal.looks = goal.condition.looksAround()
		} else if w.sums, goal.terms = true, g.Maximum.Terms; len(g.Products) > 0 {
			goal.looks, goal.terms = true, nil
			for s := range g.Number().Sums() {
				goal.terms = append(goal.terms, s.Terms...)
			}
		}
		w.goals = append(w.goals, goal)
	}
	return w, nil
}

// Drop ends the search for a goal.
func (w *Walk) Drop(goal int) {
	if !w.goals[goal].done {
		w.goals[goal].done = true
		w.open--
	}
}

// Open returns the number of goals still looked for.
func (w *Walk) Open() int { return w.open }

// policy is a way to choose the next firing.
type policy uint8

const (
	uniformly policy = iota
	asOftenAsItGoes
	leastFiredFirst
	towardsGoal
	alongPlan
	alongCounts
	policies
)

// Lengths of walks: they start short and get longer.
const (
	shortestWalk = 200
	longestWalk  = 200_000
)

// What bounds the way back from a deadlock, after which a walk goes on elsewhere: on nets
// that are soon dead a walk from the initial marking costs more than its few firings.
const (
	mostBacks    = 64
	farthestBack = 16
)

// Work is counted in arcs that are looked at or so: a firing is stepWork, and pollWork is
// what may be between two looks at the context, below a millisecond.
const (
	stepWork = 64
	pollWork = 1 << 14
)

// Run walks until ctx ends or no goal is open. Called again it goes on with walks as long as the
// last ones.
func (w *Walk) Run(ctx context.Context) {
	w.length = max(w.length, shortestWalk)
	for how := policy(0); w.open > 0 && ctx.Err() == nil; how = (how + 1) % policies {
		for i := range w.goals {
			if !w.goals[i].done && w.Wanted != nil && !w.Wanted(i) {
				w.Drop(i)
			}
		}
		switch {
		case w.tooMuch(how, firstWork):
		case how == alongCounts:
			w.walkAlongCounts(ctx)
		default:
			w.walk(ctx, how, w.length)
		}
		if how == policies-1 {
			w.length = min(longestWalk, w.length+w.length/2)
		}
	}
}

// tooMuch reports whether a policy took more work than all others, and as much as ahead says, as plans
// do on large nets: it then waits for them.
func (w *Walk) tooMuch(how policy, ahead int64) bool {
	total := int64(0)
	for _, n := range w.spent {
		total += n
	}
	return w.spent[how] > total-w.spent[how]+ahead
}

// firstWork is what a policy may take before others have taken anything, and farAhead what ends a
// walk: some ten milliseconds, in which a large net is planned on a few times.
const (
	firstWork = 1 << 20
	farAhead  = 1 << 22
)

// walk makes one walk of at most length steps from the initial marking.
func (w *Walk) walk(ctx context.Context, how policy, length int) {
	w.board.restart()
	w.follow()
	w.run = w.run[:0]
	w.past = w.past[:0]
	w.next = w.next[:0]
	clear(w.fired)
	for i := range w.goals {
		w.truths.note(int32(i))
	}
	w.look()
	target := w.target()
	if how == alongCounts {
		target = w.counts.goal
	}
	backs := 0
	for step := 0; step < length && w.open > 0; step++ {
		if w.spent[how] += stepWork; w.spent[how]-w.looked >= pollWork || step == 0 {
			if w.looked = w.spent[how]; ctx.Err() != nil || how >= alongPlan && w.tooMuch(how, farAhead) {
				break
			}
		}
		if len(w.board.enabled) == 0 {
			if len(w.run) == 0 || backs == mostBacks || how == alongCounts {
				break
			}
			w.back(1 + w.rng.IntN(min(len(w.run), farthestBack)))
			backs++
		}
		if how >= towardsGoal && target >= 0 && w.goals[target].done {
			if how == alongCounts {
				break
			}
			target = w.target()
		}
		t, times := w.choose(how, target)
		if times == 0 || !w.board.fire(t, times) {
			break
		}
		w.Steps++
		w.fired[t]++
		w.run = append(w.run, burst{Transition: petri.Transition(t), Times: times})
		w.truths.fired(t, times)
		w.look()
		if w.sums && w.Pumped != nil && step%snapshotEvery == snapshotEvery-1 {
			w.pump()
		}
	}
	w.report()
}

// follow has the truths at the initial marking, and prepares them anew where they follow
// many goals that are done with.
func (w *Walk) follow() {
	if w.truths == nil || w.open <= w.watched/2 {
		w.truths, w.watched = newTruths(w.board, w.goals), w.open
		return
	}
	w.truths.restart()
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

// choose returns the transition to fire next, and how many times. It begins with one of the enabled
// ones at random, once. A policy then asks to fire it as often as possible, or replaces it: by one
// that fired less, by the next one of a plan, or by one that leads near the goal. Plans and goals
// are sometimes ignored, so that no walk is caught in a circle.
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
			t = w.planned(how, t, target)
		}
	case alongCounts:
		t, times = w.counted(t)
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
			d := w.distanceAfter(u, target)*64 + int64(w.rng.IntN(64))
			if d < best {
				best, t = d, u
			}
		}
	}
	return t, times
}

// alongPlanOften: one step in so many is not along the plan.
const alongPlanOften = 24

// dearPlan is from what work on a plan is followed to its end, and not made anew after its first steps.
const dearPlan = 1 << 15

// planned returns the next step of the present plan for a goal, or of a new one; t if
// there is none.
func (w *Walk) planned(how policy, t uint32, target int) uint32 {
	for planned := false; ; {
		for len(w.next) > 0 {
			u := w.next[len(w.next)-1]
			w.next = w.next[:len(w.next)-1]
			if w.board.isEnabled(u) && !w.wasteful(u, &w.goals[target]) {
				return u
			}
		}
		if planned {
			return t
		}
		w.next, planned = w.plan.steps(&w.goals[target], w.next, w.planWork > dearPlan), true
		w.spent[how] += w.planWork
	}
}

// distanceAfter estimates how far a goal is once t has fired.
func (w *Walk) distanceAfter(t uint32, goal int) int64 {
	g := &w.goals[goal]
	w.truths.supposing(t)
	defer w.truths.supposed()
	if g.condition == nil && !g.looks {
		return -w.truths.value(g.sum, g.maximum.Constant)
	}
	if !g.looks {
		return g.condition.distance(w.board)
	}
	if w.board.game.empties(t) || !w.board.fire(t, 1) {
		return far
	}
	d := g.distance(w.board)
	w.board.fire(t, -1)
	return d
}

// distance estimates how far the goal is from the marking of the board.
func (g *walkGoal) distance(b *board) int64 {
	if g.condition != nil {
		return g.condition.distance(b)
	}
	v, ok := valueOf(g.maximum, g.products, b.marking)
	if !ok {
		return far
	}
	return max(-v, -far)
}

// look examines the goals that the last firing may have reached.
func (w *Walk) look() {
	for _, i := range w.truths.changed {
		w.truths.noted[i] = false
		g := &w.goals[i]
		switch {
		case g.done:
		case g.condition != nil:
			if g.condition.holdsNow() {
				w.reach(int(i))
			}
		default:
			if v, ok := w.valueOf(g); ok && v > g.best {
				g.best, g.bestAt, g.news = v, len(w.run), true
			}
		}
	}
	w.truths.changed = w.truths.changed[:0]
}

// valueOf returns the value of a goal that is a maximum.
func (w *Walk) valueOf(g *walkGoal) (value int64, ok bool) {
	if len(g.products) > 0 {
		return valueOf(g.maximum, g.products, w.board.marking)
	}
	return w.truths.sums[g.sum].exact(g.maximum.Constant)
}

// report reports the goals that the walk reached, and the maxima that it improved, at its end only:
// a walk may improve them at every step.
func (w *Walk) report() {
	w.reportReached()
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
