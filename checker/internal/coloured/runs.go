package coloured

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/runs"
	"pnmc/checker/internal/turns"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri/symmetric"
	"pnmc/petri/symmetric/replay"
)

// runner decides temporal questions by single runs of the coloured net: by how they begin, by a
// deadlock, or by a cycle for ever.
//
// In a net of many colours no run meets a marking again by chance. So a run goes some steps,
// remembers where it is, takes one step more, and then tries to go back. For that it prefers
// bindings that take tokens where there are more than before. For example, where three of a
// thousand trains have moved on, it prefers to move those three, not one of the others. If it comes
// back, the steps between are a cycle.
//
// In each marking it notes for each predicate whether it holds: yes, no, or unknown. It may be too
// expensive to find out whether a transition has an enabled binding. runs.Evidence says what such a
// run shows. Short runs come first, since looking at each of their markings takes time.
//
// What a run shows is replayed before it becomes an answer: by the definition of firing, with the
// predicates evaluated anew. An answer needs the same result both times.
type runner struct {
	present
	random   *rand.Rand
	run      []symmetric.Firing
	evidence runs.Evidence
	order    []int
	limits   *account.Account
}

// Bounds of a run: its steps before it turns back, its steps to come back, and how often it tries to.
const (
	longestBefore = 200_000
	longestBack   = 60
	backTries     = 8
)

// needsRuns reports whether a question is temporal, so that its atoms alone do not decide it.
func needsRuns(q *ledger.Question) bool {
	switch {
	case q.LTL != nil:
		return !q.OnlyAtoms
	case q.CTL != nil:
		return !ledger.NewBoolean(q.CTL, new([]*ledger.Atom)).Complete()
	}
	return false
}

// TryRuns makes runs until ctx ends or no question is left that they may decide.
func (c *Folded) TryRuns(ctx context.Context) {
	r := &runner{
		present: present{Folded: c, enabled: make([]runs.Truth, len(c.source.Transitions))},
		random:  rand.New(rand.NewPCG(c.Shared.Seed, 11)),
		limits:  account.Of(ctx),
	}
	for i := range c.source.Transitions {
		r.order = append(r.order, i)
	}
	needing := func() []*ledger.Question {
		return slices.DeleteFunc(c.Ledger.OpenQuestions(), func(q *ledger.Question) bool { return !needsRuns(q) })
	}
	rounds := 0
	t := &turns.Queue[runKind]{First: 100 * time.Millisecond, Growth: 1.125}
	t.IsOpen = func(runKind) bool { return true }
	t.Open = func() []runKind {
		if len(needing()) == 0 {
			return nil
		}
		return []runKind{preferring, uniform, farPreferring, anyLength}
	}
	t.Try = func(slice context.Context, kind runKind, _ time.Duration) (turns.Outcome, error) {
		before := rounds / int(runKinds)
		switch kind {
		case farPreferring:
			before = longestBefore
		case anyLength:
			before = r.random.IntN(1 << min(10, rounds/8))
		}
		rounds++
		open := needing()
		if err := r.once(ctx, slice, open, kind, before); err != nil {
			return turns.Hopeless, err
		}
		r.decide(ctx, open)
		return turns.Again, nil
	}
	if err := t.Run(ctx); err != nil && ctx.Err() == nil {
		c.Note("coloured runs: %v", err)
	}
	if rounds > 0 {
		c.Note("tried %d runs of the coloured net", rounds)
	}
}

// runKind is one of the kinds of runs, which take turns.
type runKind uint8

const (
	preferring    runKind = iota // some transitions to others, which leads far
	uniform                      // each binding is as likely
	farPreferring                // as long as its slice of time, for deadlocks and extreme markings
	anyLength                    // some steps more or less
	runKinds
)

// once makes a run: some steps, at most before and as many as there is time for in slice, and then
// back.
func (r *runner) once(ctx, slice context.Context, open []*ledger.Question, kind runKind, before int) error {
	var err error
	if r.walk, err = r.source.Walk(ctx, r.random, bindingLimit); err != nil {
		return err
	}
	r.run, r.evidence = r.run[:0], runs.Evidence{Loop: -1, Letters: make(map[*logic.Predicate][]runs.Truth)}
	for _, q := range open {
		eachLetter(q, func(p *logic.Predicate) { r.evidence.Letters[p] = nil })
	}
	r.random.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
	r.look()
	effort := 0 // to look at all predicates once
	for p := range r.evidence.Letters {
		effort += predicateEffort(p)
	}
	forth := newPace(slice)
	for range before {
		if !forth.goesOn(r.walk, effort*partWork) {
			break
		}
		if kind == preferring || kind == farPreferring {
			err = r.step(func() (symmetric.Firing, error) { return r.walk.StepBy(r.order) })
		} else {
			err = r.step(r.walk.Step)
		}
		if err != nil {
			r.evidence.Ended = errors.Is(err, symmetric.ErrDeadlock)
			return nil
		}
	}
	back := newPace(ctx)
	for range backTries {
		start := len(r.run)
		r.walk.Remember()
		err := r.step(r.walk.Step)
		for len(r.run) < start+longestBack && err == nil && back.goesOn(r.walk, effort*partWork) && !r.walk.Returned() {
			err = r.step(r.walk.StepBack)
		}
		switch {
		case errors.Is(err, symmetric.ErrDeadlock):
			r.evidence.Ended = true
			return nil
		case len(r.run) > start && r.walk.Returned():
			// The last marking is the one at start: its letter is there already.
			r.evidence.Length, r.evidence.Loop = len(r.run), start
			return nil
		case err != nil && !errors.Is(err, symmetric.ErrSearchLimit) || ctx.Err() != nil:
			return nil
		}
	}
	return nil
}

// step takes a step and looks at the marking there.
func (r *runner) step(by func() (symmetric.Firing, error)) error {
	firing, err := by()
	if err != nil {
		return err
	}
	if err := r.limits.Charge(firingBytes + 8*len(firing.Binding) + len(r.evidence.Letters)); err != nil {
		return err
	}
	r.run = append(r.run, firing)
	r.look()
	return nil
}

// look notes which predicates hold in the present marking.
func (r *runner) look() {
	clear(r.enabled)
	sums := r.walk.Sums()
	for p, letters := range r.evidence.Letters {
		r.uncertain = false
		t := runs.No
		if p.Holds(sums, len(r.enabled), r.isEnabled) {
			t = runs.Yes
		}
		if r.uncertain {
			t = runs.Unknown
		}
		r.evidence.Letters[p] = append(letters, t)
	}
	r.evidence.Length++
}

// decide replays the run if it shows the truth of a question, and answers what the replay shows too.
func (r *runner) decide(ctx context.Context, open []*ledger.Question) {
	e := &r.evidence
	for p, letters := range e.Letters {
		e.Letters[p] = letters[:e.Length]
	}
	var shown []*ledger.Question
	for _, q := range open {
		if r.shownBy(ctx, e, q) != runs.Unknown {
			shown = append(shown, q)
		}
	}
	if len(shown) == 0 {
		return
	}
	replayed, err := r.replay(ctx, shown)
	if ctx.Err() != nil {
		return // what is not replayed to the end shows nothing
	}
	if err != nil {
		r.Note("a run of the coloured net does not replay: %v", err)
		return
	}
	witness := inquiry.Witness{Ground: inquiry.InfiniteRun, Coloured: true, Bindings: slices.Clone(r.run), Ends: e.Ended}
	if e.Loop >= 0 {
		witness.Bindings, witness.BindingsCycle = witness.Bindings[:e.Loop:e.Loop], witness.Bindings[e.Loop:]
	}
	for _, q := range shown {
		if value := r.shownBy(ctx, replayed, q); value != runs.Unknown && value == r.shownBy(ctx, e, q) {
			r.Ledger.AnswerNow(q, inquiry.Truth(value == runs.Yes), inquiry.RandomWalk, witness)
		} else if ctx.Err() == nil { // else it was only too late
			r.Note("question %d: not confirmed by the replay of a run of the coloured net", q.Number)
		}
	}
}

// shownBy returns the truth of a question, as far as a run shows it.
func (r *runner) shownBy(ctx context.Context, e *runs.Evidence, q *ledger.Question) runs.Truth {
	switch {
	case q.LTL != nil && q.LTL.Formula == nil:
		if e.Accepted(ctx, q.LTL) {
			return runs.No
		}
	case q.LTL != nil:
		if refuted, err := e.Surely(account.Of(ctx), q.LTL, q.LTL.Negated); err == nil && refuted {
			return runs.No
		}
	default:
		return e.TruthOf(account.Of(ctx), q.CTL)
	}
	return runs.Unknown
}

// replay fires the run again, by the definition of firing, and returns its evidence. It evaluates the
// questions' predicates in each marking, apart from the engine. An error says that a binding is not
// enabled, that the cycle does not return, or that the last marking is no deadlock.
func (r *runner) replay(ctx context.Context, shown []*ledger.Question) (*runs.Evidence, error) {
	e := r.evidence
	e.Letters = make(map[*logic.Predicate][]runs.Truth)
	for _, q := range shown {
		eachLetter(q, func(p *logic.Predicate) { e.Letters[p] = make([]runs.Truth, e.Length) })
	}
	all, err := replay.Start(ctx, r.source)
	if err != nil {
		return nil, err
	}
	start, err := replay.Start(ctx, r.source)
	if err != nil {
		return nil, err
	}
	all.Context = lanes.Plain(ctx)
	for i := range e.Length {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for p, letters := range e.Letters {
			// The engine need not know the rest.
			if r.evidence.Letters[p][i] == runs.Unknown {
				continue
			}
			switch holds, err := holdsIn(all, len(r.source.Transitions), p, confirmLimit); {
			case err != nil: // stays unknown
			case holds:
				letters[i] = runs.Yes
			default:
				letters[i] = runs.No
			}
		}
		if i >= len(r.run) {
			break
		}
		if err := all.Fire(r.run[i]); err != nil {
			return nil, err
		}
		if i < e.Loop {
			if err := start.Fire(r.run[i]); err != nil {
				return nil, err
			}
		}
	}
	if e.Loop >= 0 && !all.SameMarking(start) {
		return nil, errors.New("the cycle does not return")
	}
	if e.Ended {
		dead, err := holdsIn(all, len(r.source.Transitions), &logic.Predicate{Operator: logic.Deadlocked}, confirmLimit)
		if err != nil || !dead {
			return nil, errors.Join(errors.New("it does not end in a deadlock"), err)
		}
	}
	return &e, nil
}

// eachLetter calls visit with the predicates of a question.
func eachLetter(q *ledger.Question, visit func(*logic.Predicate)) {
	if q.LTL == nil {
		q.CTL.EachPredicate(visit)
		return
	}
	for _, p := range q.LTL.Predicates {
		visit(p)
	}
}
