package induction

import (
	"context"
	"fmt"

	"pnmc/checker/witness"
	"pnmc/internal/smtlib"
	"pnmc/petri"
)

// Bounds on unrolling.
const (
	maxSteps       = 200
	maxUnrolled    = 1_000_000 // arcs of all steps
	maxBackward    = 2_000     // cubes from which few firings lead to the goal
	maxUnrolledNet = 20_000    // arcs of the net
)

// Unrolled searches by bounded model checking and k-induction, for k from 0 on. The error is the reason of
// ctx to stop, or one of this package, or of the solver's session: then there is no outcome.
func (s *Search) Unrolled(ctx context.Context) (Outcome, error) {
	if s.holds(s.goal, s.initial) {
		return Outcome{Reached: true, Run: []witness.Burst{}}, nil
	}
	if !s.net.Plain() || s.net.Arcs() > maxUnrolledNet {
		return Outcome{}, ErrLarge
	}
	session, err := s.start(ctx)
	if err != nil {
		return Outcome{}, err
	}
	defer session.Close()
	u := &unrolled{Search: s, ctx: ctx, session: session, inductive: true}
	outcome, err := u.run()
	outcome.Depth, outcome.Questions = u.steps, session.Questions()
	return outcome, err
}

// unrolled is one search along steps. The session has markings 0 to steps, of which step i leads from
// marking i to the next: place 3 of marking 2 is p3_2, and t5_2 is how often transition 5 fires in step 2.
// Assumptions are
//
//	initial    marking 0 is the initial one
//	single     each step fires one transition
//	goal_i     the goal holds in marking i
//	none_i     it does not
type unrolled struct {
	*Search
	ctx       context.Context
	session   *smtlib.Session
	steps     int
	inductive bool // whether k-induction is tried
}

// run goes from each number of steps to the next.
func (u *unrolled) run() (Outcome, error) {
	if err := u.begin(); err != nil {
		return Outcome{}, err
	}
	for {
		result, err := u.session.Check("initial", fmt.Sprintf("goal_%d", u.steps))
		switch {
		case err != nil:
			return Outcome{}, err
		case result == smtlib.Unknown:
			return Outcome{}, ErrUnknown
		case result == smtlib.Satisfiable:
			run, err := u.fired()
			return Outcome{Reached: err == nil, Run: run}, err
		}
		if u.inductive && u.steps > 0 { // else it is for the state equation to exclude the goal
			invariant, err := u.induction()
			if err != nil {
				return Outcome{}, err
			}
			if invariant != nil {
				return Outcome{Unreachable: true, Invariant: invariant}, nil
			}
		}
		if u.steps >= maxSteps || (u.steps+1)*u.net.Arcs() > maxUnrolled {
			return Outcome{}, ErrLarge
		}
		if err := u.step(); err != nil {
			return Outcome{}, err
		}
	}
}

// name returns the names of places in marking i.
func (u *unrolled) name(i int) func(uint32) string {
	return func(p uint32) string { return fmt.Sprintf("p%d_%d", p, i) }
}

// begin declares marking 0, in which the place invariants hold.
func (u *unrolled) begin() error {
	u.session.Tell("(declare-fun initial () Bool)\n(declare-fun single () Bool)")
	u.marking()
	for p, tokens := range u.initial {
		u.session.Tell("(assert (=> initial (= p%d_0 %d)))", p, tokens)
	}
	for _, f := range u.flows {
		u.session.Tell("(assert %s)", flowText(u.name(0), f))
	}
	return u.ctx.Err()
}

// marking declares marking u.steps, and whether the goal holds there.
func (u *unrolled) marking() {
	name := u.name(u.steps)
	for p := range uint32(u.net.Places()) {
		u.session.Tell("(declare-fun %s () Int)\n(assert (>= %s 0))", name(p), name(p))
	}
	goal := text(name, func(w *writer) { w.predicate(u.goal) })
	u.session.Tell("(declare-fun goal_%d () Bool)\n(declare-fun none_%d () Bool)", u.steps, u.steps)
	u.session.Tell("(assert (=> goal_%d %s))\n(assert (=> none_%d (not %s)))", u.steps, goal, u.steps, goal)
}

// sums returns for each place the terms that the firings of a step add to it, each behind a space.
func (u *unrolled) sums(step string, arcs func(petri.Transition) []petri.Arc) []string {
	terms := make([]writer, u.net.Places())
	for t := range petri.Transition(u.net.Transitions()) {
		for _, a := range arcs(t) {
			w := &terms[a.Place]
			w.WriteString(" (* ")
			w.integer(a.Weight)
			fmt.Fprintf(w, " t%d%s)", t, step)
		}
	}
	list := make([]string, len(terms))
	for p := range terms {
		list[p] = terms[p].String()
	}
	return list
}

// step adds a step, and the marking after it. What the transitions of a step need is there for all of them
// at the same time: so they can fire in any order.
func (u *unrolled) step() error {
	i := u.steps
	step := fmt.Sprintf("_%d", i)
	var all writer
	for t := range u.net.Transitions() {
		u.session.Tell("(declare-fun t%d%s () Int)\n(assert (>= t%d%s 0))", t, step, t, step)
		fmt.Fprintf(&all, " t%d%s", t, step)
	}
	u.session.Tell("(assert (=> single (= (+ 0 0%s) 1)))", all.String())
	u.steps++
	u.marking()
	added := u.sums(step, func(t petri.Transition) []petri.Arc { return u.effects[t] })
	for p, needed := range u.sums(step, u.net.Pre) {
		u.session.Tell("(assert (>= p%d_%d (+ 0 0%s)))", p, i, needed)
		u.session.Tell("(assert (= p%d_%d (+ 0 p%d_%d%s)))", p, u.steps, p, i, added[p])
	}
	return u.ctx.Err()
}

// fired returns the run of the model.
func (u *unrolled) fired() ([]witness.Burst, error) {
	run := []witness.Burst{}
	names := make([]string, u.net.Transitions())
	for i := range u.steps {
		for t := range names {
			names[t] = fmt.Sprintf("t%d_%d", t, i)
		}
		times, err := u.session.Values(names)
		if err != nil {
			return nil, err
		}
		for t, n := range times {
			if n < 0 {
				return nil, ErrWrong
			}
			if n > 0 {
				run = append(run, witness.Burst{Transition: petri.Transition(t), Times: n})
			}
		}
	}
	m, err := witness.ReplayRun(u.net, run)
	if err != nil || !u.holds(u.goal, m) {
		return nil, ErrWrong
	}
	return run, nil
}

// induction tries k-induction with as many steps as there are. It returns an invariant that is certified, or
// nil. If the invariant that belongs to the solver's answer is too large, or is not certified, induction
// is not tried again.
func (u *unrolled) induction() ([]Cube, error) {
	assumptions := []string{"single", fmt.Sprintf("goal_%d", u.steps)}
	for i := range u.steps {
		assumptions = append(assumptions, fmt.Sprintf("none_%d", i))
	}
	result, err := u.session.Check(assumptions...)
	if err != nil || result == smtlib.Satisfiable {
		return nil, err
	}
	u.inductive = false
	if result == smtlib.Unknown {
		return nil, nil
	}
	invariant, err := u.backward()
	if err == nil {
		err = u.Certify(u.ctx, invariant)
	}
	if err != nil && u.ctx.Err() == nil {
		return nil, nil // a run may be there all the same
	}
	return invariant, err
}

// backward returns the cubes from which fewer firings than there are steps lead to the goal, without those that the
// state equation excludes.
func (u *unrolled) backward() ([]Cube, error) {
	layer, err := cubesOf(u.goal)
	if err != nil {
		return nil, err
	}
	all := []Cube{}
	for i := 0; ; i++ {
		var added []Cube
		for _, c := range layer {
			if err := u.ctx.Err(); err != nil {
				return nil, err
			}
			if !covered(all, c) && !u.excluded(u.ctx, c) {
				all, added = append(all, c), append(added, c)
			}
			if len(all) > maxBackward {
				return nil, ErrLarge
			}
		}
		if len(added) == 0 || i+1 >= u.steps {
			return all, nil
		}
		layer = nil
		for _, c := range added {
			for _, t := range u.touching(c) {
				before, possible, err := u.before(t, c)
				if err != nil {
					return nil, err
				}
				if possible {
					layer = append(layer, before)
				}
			}
		}
	}
}

// covered reports whether one of the cubes covers c.
func covered(cubes []Cube, c Cube) bool {
	for _, d := range cubes {
		if d.covers(c) {
			return true
		}
	}
	return false
}
