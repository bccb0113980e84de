package induction

import (
	"context"
	"slices"

	"pnmc/checker/witness"
	"pnmc/internal/smtlib"
	"pnmc/petri"
)

// Bounds on a search. A search that comes so far has long been slow.
const (
	maxFrames      = 1_000
	maxObligations = 100_000
	maxClauses     = 5_000
	maxComparisons = 1_000 // of a cube
)

// obligation is a cube to be excluded from a frame. Each of its markings has a run to the goal: it fires
// by, which leads into the cube of next, and so on.
type obligation struct {
	cube  Cube
	frame int
	by    petri.Transition
	next  *obligation // nil: the goal holds in the cube
	asked bool        // the state equation does not exclude the cube
}

// run returns the run from a marking of o's cube.
func (o *obligation) run() []witness.Burst {
	run := []witness.Burst{}
	for ; o.next != nil; o = o.next {
		run = append(run, witness.Burst{Transition: o.by, Times: 1})
	}
	return run
}

// Directed searches by property-directed reachability. The error is the reason of ctx to stop, or one of
// this package, or of the solver's session: then there is no outcome.
func (s *Search) Directed(ctx context.Context) (Outcome, error) {
	if s.holds(s.goal, s.initial) {
		return Outcome{Reached: true, Run: []witness.Burst{}}, nil
	}
	session, err := s.start(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer session.Close()
	d := &directed{Search: s, ctx: ctx, session: session, declared: make([]bool, s.net.Places()), told: make([]bool, len(s.flows))}
	outcome, err := d.run()
	outcome.Depth, outcome.Questions = d.last, session.Questions()
	return outcome, err
}

// directed is one property-directed search.
type directed struct {
	*Search
	ctx         context.Context
	session     *smtlib.Session
	declared    []bool        // places that the session knows
	places      []petri.Place // those
	told        []bool        // invariants that the session knows
	comparisons int           // for which the session has names
	last        int           // frame
	clauses     []clause
	obligations int
	// asked are cubes about which the state equation was asked, and refuted those that it excludes.
	asked, refuted int
}

// run goes through the frames.
func (d *directed) run() (Outcome, error) {
	d.frame(0)
	d.frame(1)
	d.declareOf(d.goal)
	d.session.Tell("(declare-fun goal () Bool)\n(assert (=> goal %s))", text(placeName, func(w *writer) { w.predicate(d.goal) }))
	for d.last = 1; d.last < maxFrames; d.last++ {
		for {
			result, err := d.session.Check(append(d.assumptions(d.last), "goal")...)
			if err == nil && result == smtlib.Unknown {
				err = ErrUnknown
			}
			if err != nil {
				return Outcome{}, err
			}
			if result == smtlib.Unsatisfiable {
				break
			}
			found, err := d.excludeGoal()
			if err != nil || found != nil {
				return Outcome{Reached: found != nil, Run: found}, err
			}
		}
		invariant, err := d.propagate()
		if err != nil {
			return Outcome{}, err
		}
		if invariant != nil {
			if err := d.Certify(d.ctx, invariant); err != nil {
				return Outcome{}, err
			}
			return Outcome{Unreachable: true, Invariant: invariant}, nil
		}
	}
	return Outcome{}, ErrLarge
}

// excludeGoal excludes a cube in which the goal holds, that of the model at hand, from the last frame. It
// returns a run to the goal if there is one.
func (d *directed) excludeGoal() ([]witness.Burst, error) {
	m, err := d.model()
	if err != nil {
		return nil, err
	}
	if !d.holds(d.goal, m) {
		return nil, ErrWrong
	}
	reasons, ok := d.reasons(nil, d.goal, m, true)
	if !ok {
		return nil, ErrNotLinear
	}
	cube, possible := normal(reasons)
	if !possible {
		return nil, ErrWrong
	}
	return d.exclude(&obligation{cube: cube, frame: d.last})
}

// exclude excludes the cube of first from its frame and returns nil, or a run to the goal. Of all that is
// to be excluded, the earliest frame comes first, and in that the newest.
func (d *directed) exclude(first *obligation) ([]witness.Burst, error) {
	waiting := make([][]*obligation, d.last+1)
	put := func(o *obligation) { waiting[o.frame] = append(waiting[o.frame], o) }
	put(first)
	for {
		i := slices.IndexFunc(waiting, func(list []*obligation) bool { return len(list) > 0 })
		if i < 0 {
			return nil, nil
		}
		o := waiting[i][len(waiting[i])-1]
		waiting[i] = waiting[i][:len(waiting[i])-1]
		if d.obligations++; d.obligations > maxObligations || len(o.cube) > maxComparisons {
			return nil, ErrLarge
		}
		if err := d.ctx.Err(); err != nil {
			return nil, context.Cause(d.ctx)
		}
		switch {
		case o.cube.Contains(d.initial):
			return o.run(), nil
		case d.isExcluded(o.cube, o.frame):
			continue
		case !o.asked && d.refutes(o.cube):
			if err := d.add(clause{o.cube, forever}); err != nil {
				return nil, err
			}
			continue
		}
		o.asked = true
		before, core, err := d.leadsInto(o.cube, o.frame-1)
		if err != nil {
			return nil, err
		}
		if before != nil {
			before.next, before.frame = o, o.frame-1
			if before.frame == 0 && !before.cube.Contains(d.initial) {
				return nil, ErrWrong
			}
			put(o)
			put(before)
			continue
		}
		if err := d.learn(core, o.frame); err != nil {
			return nil, err
		}
		if o.frame < d.last {
			o.frame++
			put(o)
		}
	}
}

// The state equation is asked about so many cubes, and then about so many for each one that it excluded.
const (
	firstAsked = 4
	askedMore  = 4
)

// refutes reports whether the state equation excludes c. Where it seldom does, it is not asked.
func (d *directed) refutes(c Cube) bool {
	if d.asked >= firstAsked+askedMore*d.refuted {
		return false
	}
	d.asked++
	if !d.excluded(d.ctx, c) {
		return false
	}
	d.refuted++
	return true
}
