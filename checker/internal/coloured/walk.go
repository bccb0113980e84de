package coloured

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/runs"
	"pnmc/internal/account"
	"pnmc/internal/arithmetic"
	"pnmc/logic"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// walker looks for the open atoms by random runs of the coloured net. Where an atom's goal is met,
// it notes a sighting, with the step. At the end of a run, and in a long one in between, the run is
// replayed by the definition of firing, the sightings are checked on the way, and what holds is
// reported.
//
// Three policies take turns, one for each run. Uniform choice among bindings reaches what is near.
// A fixed preference among transitions leads to extreme markings: the preferred one fires as long
// as it can. The third prefers transitions that bring one atom nearer, by the skeleton's counts:
// for the goal p ≥ 3 those that add tokens to p, of whatever colour.
type walker struct {
	present
	random    *rand.Rand
	run       []symmetric.Firing
	sightings []sighting
	sighted   []bool // of atoms: met in this run, or not open
	best      []sighting
	order     []int
	gain      []int64
}

// sighting says that after the given number of steps an atom's goal is reached, or
// its sum has the value.
type sighting struct {
	atom, step int
	value      int64
}

// Runs get longer, from shortestRun steps to longestRun.
const (
	shortestRun = 1024
	longestRun  = 400_000
)

// Walk walks until ctx ends or nothing is open.
func (c *Folded) Walk(ctx context.Context) {
	w := &walker{
		present: present{Folded: c, enabled: make([]runs.Truth, len(c.source.Transitions))},
		random:  rand.New(rand.NewPCG(c.Shared.Seed, 5)),
		gain:    make([]int64, len(c.source.Transitions)),
		best:    make([]sighting, len(c.Ledger.Atoms)),
	}
	for i := range c.source.Transitions {
		w.order = append(w.order, i)
	}
	length := shortestRun // and long enough for each token to move
	for p := range petri.Place(c.skeleton.Places()) {
		length += int(min(c.skeleton.InitialTokens(p), longestRun))
	}
	steps := 0
	for round, length := 0, min(length, longestRun); ctx.Err() == nil; round++ {
		open := c.Ledger.OpenAtoms()
		if len(open) == 0 {
			break
		}
		if err := w.once(ctx, open, round, length); ctx.Err() != nil {
			break
		} else if err != nil {
			c.Note("coloured walk: %v", err)
			break
		}
		steps += len(w.run)
		if round%4 == 3 {
			length = min(longestRun, length*2)
		}
	}
	c.Note("walked %d steps of the coloured net", steps)
}

// once makes one run and reports what it met.
func (w *walker) once(ctx context.Context, open []int, round, length int) error {
	var err error
	if w.walk, err = w.source.Walk(ctx, w.random, bindingLimit); err != nil {
		return err
	}
	w.run, w.sightings = w.run[:0], w.sightings[:0]
	w.sighted = make([]bool, len(w.Ledger.Atoms))
	for i := range w.sighted {
		w.sighted[i] = !slices.Contains(open, i)
	}
	for _, i := range open {
		w.best[i] = sighting{i, 0, -1}
	}
	w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	target := open[w.random.IntN(len(open))]
	idle := 0
	pace := newPace(ctx)
	for step := 0; ; step++ {
		if !pace.goesOn(w.walk) {
			break
		}
		met := w.look(open, step)
		if idle++; met {
			idle = 0
		}
		// A run that meets nothing new ends early, as does one that has it all.
		if step >= length || !slices.Contains(w.sighted, false) || idle > length/2 && step > shortestRun {
			break
		}
		// What is met early is reported early: at steps that double, so that the
		// replays take as long as one of the whole run.
		if step >= shortestRun && step&(step-1) == 0 {
			if err := w.report(ctx, open); err != nil {
				return err
			}
			w.sightings = w.sightings[:0]
		}
		firing, err := w.step(round, target)
		if err != nil {
			break // a deadlock, or as good as one
		}
		w.run = append(w.run, firing)
	}
	return w.report(ctx, open)
}

// pace looks at a context from time to time, by the work that a walk of a coloured net has done.
type pace struct {
	account account.Account
	charged int64 // of the walk's work
}

// newPace returns a pace that ends with ctx.
func newPace(ctx context.Context) *pace {
	p := new(pace)
	p.account.Begin(ctx)
	return p
}

// The cost of a step in the search for a binding, and of a step of a walk beside that, in nanoseconds,
// about.
const (
	bindingWork = 60
	leastStep   = 500
)

// goesOn charges what the walk has done since the last call, and reports whether the context
// goes on.
func (p *pace) goesOn(w *symmetric.Walk) bool {
	done := w.Work - p.charged
	p.charged = w.Work
	return p.account.Charge(int(done)*bindingWork+leastStep) == nil
}

// step fires a binding by the policy of the round.
func (w *walker) step(round, target int) (symmetric.Firing, error) {
	switch {
	case round%3 == 0 || w.random.IntN(64) == 0:
		return w.walk.Step()
	case round%3 == 1:
		if w.random.IntN(2000) == 0 {
			w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
		}
		return w.walk.StepBy(w.order)
	}
	w.direct(w.Ledger.Atoms[target])
	return w.walk.StepBy(w.order)
}

// direct orders transitions by how much they bring an atom nearer. Those that bring it equally near
// come in random order.
func (w *walker) direct(a *ledger.Atom) {
	weights := make(map[uint32]int64)
	if a.Maximum != nil {
		for s := range a.Number().Sums() {
			for _, t := range s.Terms {
				weights[t.Place] += t.Coefficient
			}
		}
	} else {
		w.wish(rephrase.OverPlaces(w.skeleton, a.Goal), true, weights)
	}
	for t := range w.gain {
		w.gain[t] = 0
		for _, change := range w.skeleton.Effect(petri.Transition(t)) {
			w.gain[t] += weights[uint32(change.Place)] * max(-arithmetic.Small, min(change.Weight, arithmetic.Small))
		}
	}
	w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	slices.SortStableFunc(w.order, func(a, b int) int { return cmp.Compare(w.gain[b], w.gain[a]) })
}

// wish adds to weights for p to become true, or with wanted false to become false: above 0 for a
// place that should gain tokens, below 0 for one that should lose some.
func (w *walker) wish(p *logic.Predicate, wanted bool, weights map[uint32]int64) {
	sums := w.walk.Sums()
	switch p.Operator {
	case logic.Not:
		w.wish(p.Operands[0], !wanted, weights)
	case logic.And, logic.Or:
		// Where one of several operands will do, one that is random is chosen.
		if (p.Operator == logic.And) != wanted && len(p.Operands) > 0 {
			w.wish(p.Operands[w.random.IntN(len(p.Operands))], wanted, weights)
			return
		}
		for _, q := range p.Operands {
			w.wish(q, wanted, weights)
		}
	case logic.AtMost, logic.Equal:
		value := p.Sum.Constant
		for _, t := range p.Sum.Terms {
			value += t.Coefficient * sums[t.Place]
		}
		direction := int64(0)
		switch {
		case p.Operator == logic.AtMost && wanted && value > 0, p.Operator == logic.Equal && wanted && value > 0:
			direction = -1
		case p.Operator == logic.AtMost && !wanted && value <= 0, p.Operator == logic.Equal && wanted && value < 0,
			p.Operator == logic.Equal && !wanted && value == 0:
			direction = 1
		}
		for _, t := range p.Sum.Terms {
			weights[t.Place] += direction * max(-arithmetic.Small, min(t.Coefficient, arithmetic.Small))
		}
	}
}

// look notes which open atoms the present marking reaches. It reports whether there is a new one,
// or a larger value than before.
func (w *walker) look(open []int, step int) bool {
	clear(w.enabled)
	sums := w.walk.Sums()
	met := false
	for _, i := range open {
		if w.sighted[i] {
			continue
		}
		a := w.Ledger.Atoms[i]
		if a.Maximum != nil {
			if value, ok := smallValue(a.Number(), sums); ok && value > w.best[i].value {
				w.best[i] = sighting{i, step, value}
				met = true
			}
			continue
		}
		w.uncertain = false
		if a.Goal.Holds(sums, len(w.enabled), w.isEnabled) && !w.uncertain {
			w.sighted[i] = true
			w.sightings = append(w.sightings, sighting{i, step, 0})
			met = true
		}
	}
	return met
}

// smallValue returns the value of a number. It reports false if a count or coefficient is so large
// that the value might not fit.
func smallValue(number logic.Polynomial, counts []int64) (int64, bool) {
	for s := range number.Sums() {
		for _, t := range s.Terms {
			if counts[t.Place] > arithmetic.Small || t.Coefficient > arithmetic.Small || t.Coefficient < -arithmetic.Small {
				return 0, false
			}
		}
	}
	return number.Value(counts)
}

// report replays the run as far as there are sightings, and reports those that hold, until ctx ends.
func (w *walker) report(ctx context.Context, open []int) error {
	for _, i := range open {
		if w.Ledger.Atoms[i].Maximum != nil {
			w.sightings = append(w.sightings, w.best[i])
		}
	}
	slices.SortFunc(w.sightings, func(a, b sighting) int { return cmp.Compare(a.step, b.step) })
	replay, err := w.source.Replay(ctx)
	if err != nil {
		return err
	}
	replay.Context = lanes.Plain(ctx)
	step := 0
	for _, c := range w.sightings {
		for ; step < c.step; step++ {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := replay.Fire(w.run[step]); err != nil {
				return fmt.Errorf("a run does not replay: %w", err)
			}
		}
		a := w.Ledger.Atoms[c.atom]
		if a.Maximum != nil {
			if value, ok := smallValue(a.Number(), replay.Sums()); ok {
				w.Ledger.Raise(c.atom, value, inquiry.RandomWalk, w.shown(step))
			}
			continue
		}
		if !w.Ledger.IsOpen(c.atom) {
			continue
		}
		holds, err := holdsIn(replay, len(w.source.Transitions), a.Goal, confirmLimit)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !holds || err != nil {
			w.Note("atom %d is not confirmed after %d steps of the coloured net: %v", c.atom, step, err)
			continue
		}
		w.Ledger.Decide(c.atom, ledger.Reached, inquiry.RandomWalk, w.shown(step))
	}
	return nil
}

// shown returns the first steps of the run, as a witness.
func (w *walker) shown(step int) inquiry.Witness {
	return inquiry.Witness{Ground: inquiry.ReachedMarking, Coloured: true, Bindings: slices.Clone(w.run[:step])}
}
