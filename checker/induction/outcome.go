package induction

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/stateequation"
	"pnmc/checker/witness"
	"pnmc/internal/account"
	"pnmc/internal/smtlib"
	"pnmc/logic"
	"pnmc/petri"
)

// Outcome is what a search found.
type Outcome struct {
	Reached bool
	Run     []witness.Burst // where the goal is reached; to be replayed
	// Unreachable: Invariant excludes the goal, and is certified.
	Unreachable bool
	Invariant   []Cube // of which no reachable marking has one
	// Depth is how many steps, or frames, were looked at, and Questions are those to the solver.
	Depth, Questions int
}

// Errors of searches that end by themselves without an outcome.
var (
	// ErrNotLinear: the goal multiplies places, or numbers are too large.
	ErrNotLinear = errors.New("the goal is not linear, or has numbers that are too large")
	// ErrNotCertified: the solver says that there is an invariant, which does not stand here.
	ErrNotCertified = errors.New("the invariant is not certified")
	// ErrUnknown: the solver gave up.
	ErrUnknown = errors.New("the solver answers unknown")
	// ErrLarge: a bound of this package is reached.
	ErrLarge = errors.New("too many cubes or steps")
	// ErrWrong: the solver's model does not satisfy what it was asked.
	ErrWrong = errors.New("the solver's model is wrong")
)

// Search looks for a marking of Net with a goal, or an invariant without one.
type Search struct {
	net      *petri.Net
	goal     *logic.Predicate // over places, without products
	initial  petri.Marking
	effects  [][]petri.Arc        // of transitions
	changing [][]petri.Transition // that change a place, ascending
	equation *stateequation.Equation
	flows    []petri.Semiflow // of which the solver is told
	flowsAt  [][]int32        // places' flows
	solver   *smtlib.Command
	work     *account.Account
	patience time.Duration // of a question to the equation about one cube
	memory   int64         // that the solver may use, in bytes; 0: no bound
}

// Known is what is known of a net: its state equation, by which invariants are certified, and place
// invariants, of which the solver is told, so that it leaves out most markings that can't be reached.
type Known struct {
	Equation  *stateequation.Equation
	Semiflows []petri.Semiflow
}

// New returns a search for a goal in net. The solver may use so many bytes; 0: no bound. The error is
// ErrNotLinear, or the reason of ctx to stop.
func New(ctx context.Context, net *petri.Net, known Known, goal *logic.Predicate, solver *smtlib.Command, memory int64) (*Search, error) {
	work := account.Of(ctx)
	overPlaces := rephrase.BytesOverPlaces(net, goal) + rephrase.BytesOfDeadlockOverPlaces(net, goal)
	if err := work.Reserve(goalCopies * overPlaces); err != nil {
		return nil, err
	}
	s := &Search{
		work: work, patience: excludeTime,
		net: net, initial: net.Initial(), equation: known.Equation,
		goal:    rephrase.DeadlockOverPlaces(net, rephrase.OverPlaces(net, goal)).Simplify(),
		effects: make([][]petri.Arc, net.Transitions()), changing: make([][]petri.Transition, net.Places()),
		flowsAt: make([][]int32, net.Places()), solver: solver, memory: memory,
	}
	if !isLinear(s.goal) {
		return nil, ErrNotLinear
	}
	for t := range petri.Transition(net.Transitions()) {
		s.effects[t] = net.Effect(t)
		for _, a := range s.effects[t] {
			if !net.Empties(t, a.Place) {
				s.changing[a.Place] = append(s.changing[a.Place], t)
			}
		}
		for _, p := range net.Resets(t) {
			s.changing[p] = append(s.changing[p], t)
		}
		if err := work.Charge(arcWork * (1 + len(s.effects[t]) + len(net.Resets(t)))); err != nil {
			return nil, err
		}
	}
	for _, f := range known.Semiflows {
		if len(f.Terms) > maxFlow {
			continue
		}
		for _, a := range f.Terms {
			s.flowsAt[a.Place] = append(s.flowsAt[a.Place], int32(len(s.flows)))
		}
		s.flows = append(s.flows, f)
		if err := work.Charge(arcWork * len(f.Terms)); err != nil {
			return nil, err
		}
	}
	return s, ctx.Err()
}

// goalCopies is how often the goal is written anew: over places, without deadlock, and simplified.
const goalCopies = 3

// maxFlow bounds the places of an invariant that the solver is told.
const maxFlow = 200

// arcWork is about what an arc takes here, in bytes.
const arcWork = 64

// start starts the solver for as long as ctx lasts.
func (s *Search) start(ctx context.Context) (*smtlib.Session, error) {
	session, err := s.solver.Start(lanes.Plain(ctx), s.memory)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", smtlib.ErrEnded, err)
	}
	session.Rest = func(wait func()) { lanes.Rest(ctx, wait) }
	return session, nil
}

// isLinear reports whether p has no products of places.
func isLinear(p *logic.Predicate) bool {
	switch p.Operator {
	case logic.PolynomialAtMost, logic.PolynomialEqual:
		return false
	}
	for _, q := range p.Operands {
		if !isLinear(q) {
			return false
		}
	}
	return true
}

// holds reports whether p holds in m.
func (s *Search) holds(p *logic.Predicate, m petri.Marking) bool {
	return witness.Satisfies(s.net, m, p)
}
