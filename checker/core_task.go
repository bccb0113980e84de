package checker

import (
	"context"
	"errors"
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
	"pnmc/petri"
)

// task is what engines work on: questions of one family about one net, what is proven
// of it, and the memory and time there are.
type task struct {
	shared *shared
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

	mutex   sync.Mutex // guards what follows
	reduced *reducedNet
	graph   *graphNet
}

// simplification gives a predicate that holds in the same reachable markings, and
// tells how that is known.
type simplification = func(*logic.Predicate) (*logic.Predicate, Techniques)

// on is a task about another net until ctx ends, with the same questions to answer.
func (r *task) on(ctx context.Context, net *petri.Net) *task {
	return &task{
		shared: r.shared, clock: r.clock, whole: lanes.Plain(ctx), family: r.family, budget: r.budget, facts: r.shared.factsAbout(net),
		net: net, groups: rephrase.SameNodes(net.Places(), net.Transitions()),
	}
}

// note tells Explain something.
func (r *task) note(format string, arguments ...any) { r.shared.note(format, arguments...) }

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

// simplifyEach is how long each question to the state equation may take that simplifies a
// predicate.
const simplifyEach = 100 * time.Millisecond

// exploring is what answers found on a state graph, whose markings are compressed, rest on.
const exploring = ExplicitSearch | StateCompression

// errNotShown says why an answer comes without a run.
var errNotShown = errors.New("no run was found in time")
