package coloured

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"unsafe"

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
	"pnmc/petri/symmetric/replay"
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
	left      int    // atoms that are not sighted
	best      []sighting
	order     []int
	gain      []int64
	target    *ledger.Atom     // that runs of the third policy bring nearer
	wished    *logic.Predicate // its goal over places; nil: not yet written down
	limits    *account.Account
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
		limits:  account.Of(ctx),
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
	w.sighted, w.left = make([]bool, len(w.Ledger.Atoms)), len(open)
	for i := range w.sighted {
		w.sighted[i] = true
	}
	effort := 0 // to look at the open atoms once
	for _, i := range open {
		w.sighted[i], w.best[i] = false, sighting{i, 0, -1}
		effort += effortOf(w.Ledger.Atoms[i])
		if err := w.limits.Charge(effortOf(w.Ledger.Atoms[i]) * partWork); err != nil {
			return err
		}
	}
	w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	w.target, w.wished = w.Ledger.Atoms[open[w.random.IntN(len(open))]], nil
	if round%3 == 2 {
		effort += w.directing()
	}
	idle := 0
	pace := newPace(ctx)
	for step := 0; ; step++ {
		if !pace.goesOn(w.walk, effort*partWork) {
			break
		}
		met := w.look(open, step)
		if idle++; met {
			idle = 0
		}
		// A run that meets nothing new ends early, as does one that has it all.
		if step >= length || w.left == 0 || idle > length/2 && step > shortestRun {
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
		firing, err := w.step(round)
		if err != nil || !pace.keeps(firing) {
			break // a deadlock, or as good as one; or the end
		}
		w.run = append(w.run, firing)
	}
	return w.report(ctx, open)
}

// step fires a binding by the policy of the round.
func (w *walker) step(round int) (symmetric.Firing, error) {
	switch {
	case round%3 == 0 || w.random.IntN(64) == 0:
		return w.walk.Step()
	case round%3 == 1:
		if w.random.IntN(2000) == 0 {
			w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
		}
		return w.walk.StepBy(w.order)
	}
	if err := w.direct(w.target); err != nil {
		return symmetric.Firing{}, err
	}
	return w.walk.StepBy(w.order)
}

// directing returns what direct looks at each time: transitions, which it sorts, and their arcs.
func (w *walker) directing() int {
	effort := 8 * len(w.gain)
	for t := range w.gain {
		effort += len(w.skeleton.Effect(petri.Transition(t)))
	}
	return effort
}

// direct orders transitions by how much they bring an atom nearer. Those that bring it equally near
// come in random order. The error says that there is no room for its goal over places.
func (w *walker) direct(a *ledger.Atom) error {
	weights := make(map[uint32]int64)
	if a.Maximum != nil {
		for s := range a.Number().Sums() {
			for _, t := range s.Terms {
				weights[t.Place] += t.Coefficient
			}
		}
	} else {
		if w.wished == nil {
			if err := w.limits.Reserve(rephrase.BytesOverPlaces(w.skeleton, a.Goal)); err != nil {
				return err
			}
			w.wished = rephrase.OverPlaces(w.skeleton, a.Goal)
		}
		w.wish(w.wished, true, weights)
	}
	for t := range w.gain {
		w.gain[t] = 0
		for _, change := range w.skeleton.Effect(petri.Transition(t)) {
			w.gain[t] += weights[uint32(change.Place)] * max(-arithmetic.Small, min(change.Weight, arithmetic.Small))
		}
	}
	w.random.Shuffle(len(w.order), func(i, j int) { w.order[i], w.order[j] = w.order[j], w.order[i] })
	slices.SortStableFunc(w.order, func(a, b int) int { return cmp.Compare(w.gain[b], w.gain[a]) })
	return nil
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
			w.left--
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
	again, err := replay.Start(ctx, w.source)
	if err != nil {
		return err
	}
	again.Context = lanes.Plain(ctx)
	step := 0
	var kept []symmetric.Firing // as far as there are sightings; all witnesses are parts of it
	shown := func() (inquiry.Witness, error) {
		if kept == nil {
			last := w.sightings[len(w.sightings)-1].step
			if err := w.limits.Reserve(last * int(unsafe.Sizeof(symmetric.Firing{}))); err != nil {
				return inquiry.Witness{}, err
			}
			kept = slices.Clone(w.run[:last])
		}
		return inquiry.Witness{Ground: inquiry.ReachedMarking, Coloured: true, Bindings: kept[:step:step]}, nil
	}
	for _, c := range w.sightings {
		for ; step < c.step; step++ {
			if err := cmp.Or(context.Cause(ctx), w.limits.Charge(leastStep+firingBytes*len(w.run[step].Binding))); err != nil {
				return err
			}
			if err := again.Fire(w.run[step]); err != nil {
				return fmt.Errorf("a run does not replay: %w", err)
			}
		}
		a := w.Ledger.Atoms[c.atom]
		if a.Maximum != nil {
			if value, ok := smallValue(a.Number(), again.Sums()); ok {
				witness, err := shown()
				if err != nil {
					return err
				}
				w.Ledger.Raise(c.atom, value, inquiry.RandomWalk, witness)
			}
			continue
		}
		if !w.Ledger.IsOpen(c.atom) {
			continue
		}
		holds, err := holdsIn(again, len(w.source.Transitions), a.Goal, confirmLimit)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if !holds || err != nil {
			w.Note("atom %d is not confirmed after %d steps of the coloured net: %v", c.atom, step, err)
			continue
		}
		witness, err := shown()
		if err != nil {
			return err
		}
		w.Ledger.Decide(c.atom, ledger.Reached, inquiry.RandomWalk, witness)
	}
	return nil
}
