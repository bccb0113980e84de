package linear

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/checker/internal/turns"
	"pnmc/checker/reachability"
	"pnmc/checker/walk"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/logic"
)

// This file turns a question of linear time into questions of reachability. A random run meets a rare
// marking only by chance. But walks toward a goal, and explorations with stubborn sets, are good at
// finding one marking. And the automaton of the negation says which markings a violation must visit.
//
// For example, the negation of G (a → F b) is F (a ∧ G ¬b). Its automaton has state 0 with a loop, an
// edge with label a ∧ ¬b to state 1, and there an accepting loop with label ¬b. A run is accepted only
// if it takes an edge into the component of state 1. So each violation has a marking with a ∧ ¬b: that
// is what is needed, and runs.Question.Needed says so. Two things follow:
//
//   - If no reachable marking satisfies what is needed, nothing violates the formula. An exploration
//     that ends without finding one proves that it holds (exploreTo).
//   - A run to such a marking is a candidate. It is judged by the formula itself: it is a violation if
//     it ends in a deadlock without b, say. Often it is none, as it may go on to b.
//
// Where threads are free, questions are tried beside each other. Turns of a question alternate: walks
// toward what is needed, in between an exploration, and runs that are led through the automaton edge by
// edge (stages.go). After mostVain candidates that came to nothing, that kind is given up for the question.

// neededRuns judges runs to markings that violations need.
type neededRuns struct {
	*core.Task
	whole context.Context // in which runs are judged, so that the end of a slice loses nothing; of no lane
	most  int             // markings of a run
	drawn atomic.Uint64   // seeds

	mutex sync.Mutex // guards what follows
	aims  map[*ledger.Question]*aim
}

// seed returns another seed each time.
func (n *neededRuns) seed() uint64 { return n.Shared.Seed + n.drawn.Add(1) }

// judging returns the context in which the lane of ctx judges runs.
func (n *neededRuns) judging(ctx context.Context) context.Context { return lanes.Of(ctx, n.whole) }

// aim is what is known of how to reach a violation of a question.
type aim struct {
	needed   []*logic.Predicate // looked for in turns
	walks    map[int]*walk.Walk // by number of what is needed
	stages   *stages            // nil: runs are not led
	turn     int
	vain     int // runs that reached what is needed and violate nothing
	explored int // needed predicates explored for as long as is allowed
	lost     int // runs that were led, without a violation
}

// mostVain bounds the runs of a kind that violate nothing before the kind is given up.
const mostVain = 30

// newNeededRuns returns runs of at most so many markings, which are judged until ctx ends.
func newNeededRuns(ctx context.Context, r *core.Task, most int) *neededRuns {
	return &neededRuns{Task: r, whole: lanes.Plain(ctx), most: most, aims: make(map[*ledger.Question]*aim)}
}

// judge takes open questions in turns: of four turns of a question one leads a run, one explores,
// and two walk. It reports whether it is of no use to go on.
func (n *neededRuns) judge(ctx context.Context, slice time.Duration) (hopeless bool, err error) {
	t := n.QuestionTurns(max(leastAim, slice/time.Duration(max(1, len(n.Ledger.OpenQuestions())))), 2)
	t.Beside = n.Beside()
	t.Try = func(part context.Context, q *ledger.Question, slice time.Duration) (turns.Outcome, error) {
		n.mutex.Lock()
		a := n.aims[q]
		n.mutex.Unlock()
		if a == nil {
			if a = n.aimOf(part, q); part.Err() != nil {
				return turns.Again, nil
			}
			n.mutex.Lock()
			n.aims[q] = a
			n.mutex.Unlock()
		}
		a.turn++
		if a.stages != nil && (a.turn%4 == 0 || len(a.needed) == 0 || a.vain >= mostVain) {
			return turns.Again, n.leadOn(part, q, a)
		}
		if len(a.needed) == 0 || a.vain >= mostVain {
			return turns.Hopeless, nil
		}
		return turns.Again, n.aimAt(part, q, a, slice)
	}
	if err := t.Run(ctx); ctx.Err() == nil {
		return true, err
	}
	return false, nil
}

// leadOn leads a run by the automaton, and judges it.
func (n *neededRuns) leadOn(ctx context.Context, q *ledger.Question, a *aim) error {
	met := n.lead(ctx, q, a.stages)
	if ctx.Err() == nil {
		if a.lost++; a.lost == mostVain {
			a.stages = nil
		}
	}
	if met == nil {
		return nil
	}
	return n.judgePath(ctx, q, met, inquiry.RandomWalk)
}

// aimAt goes to one of the markings that violations need, and judges the run.
func (n *neededRuns) aimAt(ctx context.Context, q *ledger.Question, a *aim, slice time.Duration) error {
	i := a.turn / 4 % len(a.needed)
	reduced := n.ReduceForGoals(ctx, []walk.Goal{{Predicate: a.needed[i]}})
	if reduced == nil {
		return nil
	}
	var run []witness.Burst
	var by inquiry.Techniques
	if a.turn%4 == 2 && a.explored < len(a.needed) && n.Shared.Uses(inquiry.ExplicitSearch) {
		if run, by = n.exploreTo(ctx, q, reduced); slice >= longestExploring {
			a.explored++ // it comes as far the next time
		}
	} else {
		run, by = n.walkTo(ctx, q, a, i, reduced)
	}
	if run == nil {
		return nil
	}
	return n.judgeRun(ctx, q, a.needed[i], run, reduced.By(by), a)
}

// leastAim is the shortest slice of time for a question.
const leastAim = 100 * time.Millisecond

// aimOf returns what runs to a violation of q need. Nothing is known if the automaton of its negation
// cannot be made.
func (n *neededRuns) aimOf(ctx context.Context, q *ledger.Question) *aim {
	a := &aim{walks: make(map[int]*walk.Walk)}
	if q.OnlyAtoms { // which are walked for
		return a
	}
	if _, err := negation(ctx, n.Task, q.LTL); err != nil {
		return a
	}
	a.stages = stagesOf(ctx, q.LTL)
	for _, p := range q.LTL.Needed(ctx) {
		if p.Operator != logic.False {
			a.needed = append(a.needed, p)
		}
	}
	return a
}

// walkTo walks to one of the goals, on a reduced net, and returns the run of the original net, or nil.
// When it is called again for a goal it goes on with longer walks.
func (n *neededRuns) walkTo(ctx context.Context, q *ledger.Question, a *aim, goal int, reduced *core.Reduced) (original []witness.Burst, by inquiry.Techniques) {
	inner, found := context.WithCancel(lanes.Plain(ctx))
	defer found()
	w := a.walks[goal]
	if w == nil {
		var err error
		if w, err = walk.New(inner, reduced.Net, reduced.Goals, n.seed()); err != nil {
			return nil, 0
		}
		w.Wanted = func(int) bool { return !n.Ledger.IsAnswered(q) }
		a.walks[goal] = w
	}
	w.Found = func(_ int, _ int64, run []witness.Burst) bool {
		if inner.Err() == nil {
			original = reduced.Original(run, n.LongestReplay())
			found()
		}
		return false // the next run may be another one
	}
	if w.Run(lanes.Of(ctx, inner)); !n.Shared.HasRoom(n.whole) {
		delete(a.walks, goal)
	}
	n.Note("question %d: walked %d steps to what violations need", q.Number, w.Steps)
	return original, inquiry.RandomWalk
}

// exploreTo looks for the goal among all markings of a reduced net, and returns the run of the
// original net to the first one, or nil. If there is none, nothing violates q; so it answers q.
func (n *neededRuns) exploreTo(ctx context.Context, q *ledger.Question, reduced *core.Reduced) (original []witness.Burst, by inquiry.Techniques) {
	part, cancel := lanes.Sliced(ctx, longestExploring)
	defer cancel()
	threads, release := n.Threads(part, math.MaxInt)
	defer release()
	found := false
	search := &reachability.GoalSearch{
		Net: reduced.Net, Facts: reduced.FactsOf(part, n.Task), Budget: n.Budget, Goals: reduced.Goals, Stubborn: n.Shared.Uses(inquiry.StubbornSets), Symmetric: n.Shared.Uses(inquiry.Symmetries),
		Threads: threads, First: core.FewMarkings,
		Open: func(int) bool { return !found && !n.Ledger.IsAnswered(q) },
		Found: func(_ int, _ int64, run []witness.Burst) {
			if found = true; run != nil {
				original = reduced.Original(run, n.LongestReplay())
			}
		},
	}
	err := search.Run(part)
	n.Note("question %d: explored %d markings for what violations need: %v", q.Number, search.States, err)
	by = core.ExploringWith(search.Savings, search.Symmetries)
	if err == nil && !found && !n.Ledger.IsAnswered(q) {
		n.Ledger.AnswerNow(q, inquiry.Truth(true), reduced.By(by), inquiry.Witness{Ground: inquiry.AllMarkings, Count: int64(search.States)})
	}
	return original, by
}

// longestExploring bounds one search for a goal, since its markings take memory from others.
const longestExploring = time.Second

// judgeRun judges a run to a goal of q by all open questions.
func (n *neededRuns) judgeRun(ctx context.Context, q *ledger.Question, goal *logic.Predicate, run []witness.Burst, by inquiry.Techniques, a *aim) error {
	a.vain++
	work := n.Shared.Passing(n.judging(ctx))
	met, ok := n.pathOf(work, run, rephrase.LooksAtDeadlock(goal))
	if !ok {
		return nil
	}
	return n.judgePath(ctx, q, met, by)
}

// judgePath judges a run by all open questions, q first.
func (n *neededRuns) judgePath(ctx context.Context, q *ledger.Question, met *runs.Path, by inquiry.Techniques) error {
	whole := n.judging(ctx)
	work := n.Shared.Passing(whole)
	for i, other := range append([]*ledger.Question{q}, n.Ledger.OpenQuestions()...) {
		if i > 0 && other == q || n.Ledger.IsAnswered(other) {
			continue
		}
		if _, err := answerBy(work, n.Task, other, met, by); whole.Err() != nil {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

// pathOf fires a run and returns its markings. If deadlock is set it goes on to a deadlock that is
// near. It reports false if the run is too long, or cannot be fired.
func (n *neededRuns) pathOf(work *account.Account, run []witness.Burst, deadlock bool) (*runs.Path, bool) {
	if deadlock {
		m, err := witness.ReplayRun(n.Net, run)
		if err != nil {
			return nil, false
		}
		run = ledger.ToDeadlock(n.Net, m, run)
	}
	p := &runs.Path{Loop: -1}
	m := n.Net.Initial()
	for _, b := range run {
		if b.Times > int64(n.most-len(p.Markings)) {
			return nil, false
		}
		for range b.Times {
			p.Markings = append(p.Markings, slices.Clone(m))
			if work.Charge(200+runs.TokenBytes*len(m)) != nil || !n.Net.Fire(m, b.Transition) {
				return nil, false
			}
			p.Fired = append(p.Fired, b.Transition)
		}
	}
	p.Markings = append(p.Markings, m)
	if n.Net.Deadlock(m) {
		p.Loop = len(p.Markings) - 1
	}
	return p, true
}
