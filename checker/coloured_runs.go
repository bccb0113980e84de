package checker

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri/symmetric"
)

// colouredRuns decides temporal questions by single runs of the coloured net: by
// what they begin with, by a deadlock, or by a cycle for ever.
//
// In a net of many colours no run meets a marking again by chance. So it goes
// some steps, and then back: by bindings that take the tokens which are more than
// there were. Short runs come first, since to look what is enabled in each of
// their markings takes time.
type colouredRuns struct {
	*coloured
	random    *rand.Rand
	walk      *symmetric.Walk
	run       []symmetric.Firing
	evidence  evidence
	enabled   []truth // of each transition at the present step
	uncertain bool
	order     []int
	negations map[*question]*ltl.Formula // of formulas of linear time, in normal form
}

// A run may have so many steps before it turns back, and so many to come back; it
// tries to so often.
const (
	longestBefore = 200_000
	longestBack   = 60
	backTries     = 8
)

// needsRuns reports whether a question is more than its atoms.
func needsRuns(q *question) bool {
	switch {
	case q.ltl != nil:
		return !q.onlyAtoms
	case q.ctl != nil:
		return !newBoolean(q.ctl, new([]*atom)).complete()
	}
	return false
}

// tryRuns tries runs until ctx ends or no question is left that they may decide.
func (c *coloured) tryRuns(ctx context.Context) {
	r := &colouredRuns{
		coloured: c, random: rand.New(rand.NewPCG(c.shared.seed, 11)),
		enabled: make([]truth, len(c.source.Transitions)), negations: make(map[*question]*ltl.Formula),
	}
	for i := range c.source.Transitions {
		r.order = append(r.order, i)
	}
	needing := func() []*question {
		return slices.DeleteFunc(c.ledger.openQuestions(), func(q *question) bool { return !needsRuns(q) })
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
		c.note("coloured runs: %v", err)
	}
	if rounds > 0 {
		c.note("tried %d runs of the coloured net", rounds)
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

// once makes a run: some steps, at most before, or as many as there is time for in a slice
// of ctx, and then back.
func (r *colouredRuns) once(ctx, slice context.Context, open []*question, kind runKind, before int) error {
	var err error
	if r.walk, err = symmetric.NewWalk(ctx, r.source, r.random, bindingLimit); err != nil {
		return err
	}
	r.run, r.evidence = r.run[:0], evidence{loop: -1, letters: make(map[*logic.Predicate][]truth)}
	for _, q := range open {
		eachLetter(q, func(p *logic.Predicate) { r.evidence.letters[p] = nil })
	}
	r.random.Shuffle(len(r.order), func(i, j int) { r.order[i], r.order[j] = r.order[j], r.order[i] })
	r.look()
	forth := newPace(slice)
	for range before {
		if !forth.goesOn(r.walk) {
			break
		}
		if kind == preferring || kind == farPreferring {
			err = r.step(func() (symmetric.Firing, error) { return r.walk.StepBy(r.order) })
		} else {
			err = r.step(r.walk.Step)
		}
		if err != nil {
			r.evidence.ended = errors.Is(err, symmetric.ErrDeadlock)
			return nil
		}
	}
	back := newPace(ctx)
	for range backTries {
		start := len(r.run)
		r.walk.Remember()
		err := r.step(r.walk.Step)
		for len(r.run) < start+longestBack && err == nil && back.goesOn(r.walk) && !r.walk.Returned() {
			err = r.step(r.walk.StepBack)
		}
		switch {
		case errors.Is(err, symmetric.ErrDeadlock):
			r.evidence.ended = true
			return nil
		case len(r.run) > start && r.walk.Returned():
			// The last marking is the one at start: its letter is there already.
			r.evidence.length, r.evidence.loop = len(r.run), start
			return nil
		case err != nil && !errors.Is(err, symmetric.ErrSearchLimit) || ctx.Err() != nil:
			return nil
		}
	}
	return nil
}

// step takes a step and looks at the marking there.
func (r *colouredRuns) step(by func() (symmetric.Firing, error)) error {
	firing, err := by()
	if err != nil {
		return err
	}
	r.run = append(r.run, firing)
	r.look()
	return nil
}

// look notes which predicates hold now.
func (r *colouredRuns) look() {
	clear(r.enabled)
	sums := r.walk.Sums()
	for p, letters := range r.evidence.letters {
		r.uncertain = false
		t := no
		if p.Holds(sums, len(r.enabled), r.isEnabled) {
			t = yes
		}
		if r.uncertain {
			t = unknown
		}
		r.evidence.letters[p] = append(letters, t)
	}
	r.evidence.length++
}

// isEnabled reports whether a binding of t is enabled now.
func (r *colouredRuns) isEnabled(t uint32) bool {
	if r.enabled[t] == unknown {
		enabled, certain := r.test(r.walk, int(t))
		switch {
		case enabled:
			r.enabled[t] = yes
		case certain:
			r.enabled[t] = no
		default:
			r.uncertain = true
		}
	}
	return r.enabled[t] == yes
}

// decide answers what the run shows, once it has been replayed.
func (r *colouredRuns) decide(ctx context.Context, open []*question) {
	e := &r.evidence
	for p, letters := range e.letters {
		e.letters[p] = letters[:e.length]
	}
	var shown []*question
	for _, q := range open {
		if r.shownBy(e, q) != unknown {
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
		r.note("a run of the coloured net does not replay: %v", err)
		return
	}
	witness := Witness{Ground: InfiniteRun, Coloured: true, Bindings: slices.Clone(r.run), Ends: e.ended}
	if e.loop >= 0 {
		witness.Bindings, witness.BindingsCycle = witness.Bindings[:e.loop:e.loop], witness.Bindings[e.loop:]
	}
	for _, q := range shown {
		if value := r.shownBy(replayed, q); value == r.shownBy(e, q) {
			r.ledger.answerNow(q, Truth(value == yes), RandomWalk, witness)
		} else {
			r.note("question %d: not confirmed by the replay of a run of the coloured net", q.number)
		}
	}
}

// shownBy is the truth of a question, as far as a run shows it.
func (r *colouredRuns) shownBy(e *evidence, q *question) truth {
	switch {
	case q.ltl != nil && q.ltl.formula == nil:
		if e.accepted(q.ltl) {
			return no
		}
	case q.ltl != nil:
		if e.surely(q.ltl, r.negated(q)) {
			return no
		}
	case e.proves(q.ctl, false):
		return yes
	case e.proves(q.ctl, true):
		return no
	}
	return unknown
}

func (r *colouredRuns) negated(q *question) *ltl.Formula {
	if r.negations[q] == nil {
		r.negations[q] = ltl.NewRewriter(q.ltl.formulas).NegationNormal(q.ltl.formula, true)
	}
	return r.negations[q]
}

// replay fires the run by the definition of firing, and looks again, apart from the
// engine, how the predicates of the questions are in its markings, whether its cycle
// returns, and whether it ends.
func (r *colouredRuns) replay(ctx context.Context, shown []*question) (*evidence, error) {
	e := r.evidence
	e.letters = make(map[*logic.Predicate][]truth)
	for _, q := range shown {
		eachLetter(q, func(p *logic.Predicate) { e.letters[p] = make([]truth, e.length) })
	}
	all, err := symmetric.NewReplay(ctx, r.source)
	if err != nil {
		return nil, err
	}
	start, err := symmetric.NewReplay(ctx, r.source)
	if err != nil {
		return nil, err
	}
	all.Context = lanes.Plain(ctx)
	for i := range e.length {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for p, letters := range e.letters {
			// What the engine does not know need not be known.
			if r.evidence.letters[p][i] == unknown {
				continue
			}
			switch holds, err := holdsIn(all, len(r.source.Transitions), p, confirmLimit); {
			case err != nil: // stays unknown
			case holds:
				letters[i] = yes
			default:
				letters[i] = no
			}
		}
		if i >= len(r.run) {
			break
		}
		if err := all.Fire(r.run[i]); err != nil {
			return nil, err
		}
		if i < e.loop {
			if err := start.Fire(r.run[i]); err != nil {
				return nil, err
			}
		}
	}
	if e.loop >= 0 && !all.SameMarking(start) {
		return nil, errors.New("the cycle does not return")
	}
	if e.ended {
		dead, err := holdsIn(all, len(r.source.Transitions), &logic.Predicate{Operator: logic.Deadlocked}, confirmLimit)
		if err != nil || !dead {
			return nil, errors.Join(errors.New("it does not end in a deadlock"), err)
		}
	}
	return &e, nil
}

// eachLetter visits the predicates of a question.
func eachLetter(q *question, visit func(*logic.Predicate)) {
	if q.ltl == nil {
		q.ctl.EachPredicate(visit)
		return
	}
	for _, p := range q.ltl.predicates {
		visit(p)
	}
}
