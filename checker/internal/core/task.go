package core

import (
	"context"
	"errors"
	"reflect"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"pnmc/checker/inquiry"
	"pnmc/checker/internal/bounds"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/checker/stateequation"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri"
)

// Task is what engines work on: questions of one family about one net, what is proven
// of it, and the memory and time there are.
type Task struct {
	Shared *Shared
	Clock  Clock
	Whole  context.Context // of the task; phases have less
	Family inquiry.Family
	Net    *petri.Net
	// Folded: of Net, which stands for a coloured one, the initial marking means something, and
	// nothing that it fires.
	Folded bool
	Groups *rephrase.Nodes // what questions speak of
	Ledger *ledger.Ledger
	Always inquiry.Techniques // that every answer rests on
	Budget petri.Budget
	Parts  int // that are decided beside each other, each with such a part of the shares of memory; 0 is 1
	Facts  *FactsMemory
	// Simplify, unless nil, simplifies predicates by what is proven of all reachable
	// markings, and says how. ChangedBy collects these techniques, since it was last 0.
	Simplify  Simplification
	ChangedBy inquiry.Techniques
	// FirstLook, unless nil, may answer questions of linear time before predicates are simplified, and
	// puts those on the ledger.
	FirstLook func(ctx context.Context, r *Task, questions []*ledger.Question) error
	// Further, unless nil, goes on with the state graph of the net as it is, which was begun before the
	// plan. LookedFirst: a walk on the net as it is came before the plan, too.
	Further     func(ctx context.Context) error
	LookedFirst bool
	Sizes       *ledger.Sizes // if sizes are asked for
	// Implied, unless nil, has formulas of linear time that are implied by questions of
	// CTL, or by their negations. Its ledger's sink is this task's.
	Implied   *Task
	Prospects *turns.Prospects // while lanes are at work; nil: there is a deadline
	Within    bool             // Prospects are those of another task

	rest Clock         // of the plan; zero: Clock
	pace *account.Pace // of the lanes beside that of decision diagrams; nil: none

	mutex   sync.Mutex // guards what follows
	reduced *Reduced
	forAll  atomic.Pointer[Reduced] // the same, without the mutex
}

// Simplification returns a predicate that holds in the same reachable markings, and
// says how that is known.
type Simplification = func(*logic.Predicate) (*logic.Predicate, inquiry.Techniques)

// On returns a task about another net until ctx ends, with the same questions to answer.
func (r *Task) On(ctx context.Context, net *petri.Net) *Task {
	return &Task{
		Shared: r.Shared, Clock: r.Clock, Whole: lanes.Plain(ctx), Family: r.Family, Budget: r.Budget, Parts: r.Parts, Facts: r.Shared.FactsAbout(net),
		Net: net, Groups: rephrase.SameNodes(net.Places(), net.Transitions()),
	}
}

// Note passes a message on to Explain.
func (r *Task) Note(format string, arguments ...any) { r.Shared.Note(format, arguments...) }

// NoteDefect leaves out an engine that has a defect; the others go on. It is to be
// deferred.
func (r *Task) NoteDefect(name string) {
	if defect := recover(); defect != nil {
		r.Note("defect: %s: %v\n%s", name, defect, debug.Stack())
	}
}

// Simplifier simplifies predicates by invariants, which is cheap, and then by the
// state equation, until ctx ends.
func (r *Task) Simplifier(ctx context.Context) Simplification {
	facts := r.FactsOf(ctx, r.Net)
	work := account.Of(ctx)
	equation := stateequation.NewSimplifier(stateequation.New(ctx, r.Net), simplifyEach)
	return func(p *logic.Predicate) (*logic.Predicate, inquiry.Techniques) {
		by := inquiry.Techniques(0)
		apply := func(t inquiry.Techniques, simplify func(*logic.Predicate) *logic.Predicate) {
			if !r.Shared.Uses(t) {
				return
			}
			if q := simplify(p); !reflect.DeepEqual(p, q) {
				p, by = q, by|t
			}
		}
		apply(inquiry.Topological, func(p *logic.Predicate) *logic.Predicate { return bounds.Settled(work, r.Net, p, facts) })
		apply(inquiry.LinearProgram, func(p *logic.Predicate) *logic.Predicate { return equation.Simplify(ctx, p) })
		return p, by
	}
}

// simplifyEach is how long each question to the state equation may take that simplifies a
// predicate.
const simplifyEach = 100 * time.Millisecond

// Exploring is what answers found on a state graph, whose markings are compressed, rest on.
const Exploring = inquiry.ExplicitSearch | inquiry.StateCompression

// ErrNotShown says why an answer comes without a run.
var ErrNotShown = errors.New("no run was found in time")

// ExploringWith returns Exploring, stubborn sets if they left out something, and symmetries if there
// were some by which markings stood for others.
func ExploringWith(s petri.Savings, symmetries int) inquiry.Techniques {
	by := Exploring
	if s.Part > 0 {
		by |= inquiry.StubbornSets
	}
	if symmetries > 0 {
		by |= inquiry.Symmetries
	}
	return by
}

// NoteSavings notes what stubborn sets left out, if they did.
func (r *Task) NoteSavings(s petri.Savings) {
	if s.Part > 0 {
		r.Note("stubborn sets: %d of %d markings with a part of their firings, %d left out", s.Part, s.States, s.Left)
	}
}
