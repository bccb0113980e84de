package checker

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/checker/stateequation"
	"pnmc/logic"
	"pnmc/logic/ctl"
	"pnmc/petri"
	"pnmc/petri/symmetric"
)

// task is what engines work on: questions of one family about one net, what is proven
// of it, and the memory and time there are.
type task struct {
	solver *Solver
	clock  clock
	whole  context.Context // of the task; phases have less
	family inquiry.Family
	net    *petri.Net
	groups *rephrase.Nodes // what questions speak of
	ledger *ledger
	always Techniques // that every answer rests on
	budget petri.Budget
	facts  *factsMemory
	// simplify, unless nil, simplifies predicates by what is proven of all reachable
	// markings, and tells how it did; changedBy has these techniques since it was last 0.
	simplify  simplification
	changedBy Techniques
	tokens    *tokens          // if sizes are asked for
	prospects *turns.Prospects // while lanes are at work; nil: there is a deadline
	within    bool             // prospects are those of another task

	shared  sync.Mutex // guards what follows
	reduced *reducedNet
	graph   *graphNet
}

// simplification gives a predicate that holds in the same reachable markings, and
// tells how that is known.
type simplification = func(*logic.Predicate) (*logic.Predicate, Techniques)

// engine decides what it can of a task's questions. The error says why it ended early, if
// it did.
type engine func(ctx context.Context, r *task) error

// clock tells when a task began, and how much time it has by its plan.
type clock struct {
	start   time.Time
	horizon time.Duration
	endless bool // there is more time after that
}

// newClock has all the time until deadline.
func newClock(deadline time.Time) clock {
	now := time.Now()
	return clock{start: now, horizon: deadline.Sub(now)}
}

// at is when a fraction of the time is over.
func (c clock) at(fraction float64) time.Time {
	return c.start.Add(time.Duration(float64(c.horizon) * min(fraction, math.MaxInt32)))
}

// on is a task about another net until ctx ends, with the same questions to answer.
func (r *task) on(ctx context.Context, net *petri.Net) *task {
	return &task{
		solver: r.solver, clock: r.clock, whole: lanes.Plain(ctx), family: r.family, budget: r.budget, facts: r.solver.factsAbout(net),
		net: net, groups: rephrase.SameNodes(net.Places(), net.Transitions()),
	}
}

// note tells Explain something.
func (r *task) note(format string, arguments ...any) { r.solver.note(format, arguments...) }

// run runs one phase.
func (r *task) run(ctx context.Context, p phase) {
	r.note("begin: %s", p.name)
	defer r.noteDefect(p.name)
	if err := p.engine(ctx, r); err != nil {
		r.note("end: %s: %v", p.name, err)
		return
	}
	r.note("end: %s", p.name)
}

// noteDefect leaves out an engine that has a defect; the others go on. It is to be
// deferred.
func (r *task) noteDefect(name string) {
	if defect := recover(); defect != nil {
		r.note("defect: %s: %v\n%s", name, defect, debug.Stack())
	}
}

// simplifier simplifies predicates by invariants, which is cheap, and then by the
// state equation, until ctx ends.
func (r *task) simplifier(ctx context.Context) simplification {
	facts := r.factsOf(ctx, r.net)
	s := stateequation.NewSimplifier(stateequation.New(r.net), simplifyEach)
	return func(p *logic.Predicate) (*logic.Predicate, Techniques) {
		by := Techniques(0)
		q := settledWithin(r.net, p, facts)
		if !reflect.DeepEqual(p, q) {
			by |= Topological
		}
		if p = s.Simplify(ctx, q); !reflect.DeepEqual(p, q) {
			by |= LinearProgram
		}
		return p, by
	}
}

// predicate says a question's predicate over the nodes of the net, simplified.
func (r *task) predicate(p *logic.Predicate) *logic.Predicate {
	p = r.groups.Predicate(p).Simplify()
	if r.simplify != nil {
		var by Techniques
		p, by = r.simplify(p)
		r.changedBy |= by
	}
	return p
}

// formula says a question's formula of CTL over the nodes of the net, its predicates
// simplified.
func (r *task) formula(f *ctl.Formula) *ctl.Formula {
	if f.Operator == ctl.State {
		return ctl.Of(r.predicate(f.Predicate))
	}
	operands := make([]*ctl.Formula, len(f.Operands))
	for i, o := range f.Operands {
		operands[i] = r.formula(o)
	}
	return ctl.New(f.Operator, operands...)
}

// simplifiedBy names how the question that is being put was simplified.
func (r *task) simplifiedBy() Techniques {
	if r.changedBy != 0 {
		return QueryReduction | r.changedBy
	}
	return 0
}

// bytesPerNode is about what a node of an unfolded net takes, with what engines
// build beside it.
const bytesPerNode = 4000

// mostNodes bounds unfolded nets by the memory there is.
func (s *Solver) mostNodes() int {
	if s.options.MemoryBytes == 0 {
		return symmetric.DefaultMaxNodes
	}
	return int(min(symmetric.DefaultMaxNodes, s.options.MemoryBytes/bytesPerNode))
}

// note tells Explain something, unless no Decide is under way.
func (s *Solver) note(format string, arguments ...any) {
	if s.options.Explain == nil {
		return
	}
	message := fmt.Sprintf(format, arguments...)
	s.explaining.Lock()
	defer s.explaining.Unlock()
	s.options.Explain(message)
}
