package checker

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"pnmc/automata"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/asking"
	"pnmc/checker/internal/coloured"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/linear"
	"pnmc/checker/internal/rephrase"
	"pnmc/checker/internal/turns"
	"pnmc/internal/account"
	"pnmc/internal/smtlib"
	"pnmc/logic"
	"pnmc/logic/ltl"
	"pnmc/petri/disk"
)

// Options direct a Solver.
type Options struct {
	// MemoryBytes is what the process may use, as the system counts it, while this solver is
	// at work; 0: no limit. Solvers at work at the same time each go by their own limit, but
	// what one uses the others see as used.
	MemoryBytes int64
	// Threads bounds how many engines work at the same time. 0: as many as there are.
	// With 1 they take turns by the work they do, so that what does not depend on time is
	// the same again. Threads that engines leave, of so many or, with 0, of as many as the process has
	// processors, are used in two ways: engines try several questions beside each other, and a search of
	// a state graph may use some.
	Threads int
	// Seed drives random choices.
	Seed uint64
	// Explain, unless nil, is told what engines do, a line at a time, by one of them at a
	// time.
	Explain func(message string)
	// Translator, unless nil, translates negated formulas that package translate does not
	// in time. It is called from several goroutines.
	Translator func(ctx context.Context, s *ltl.Formulas, negated *ltl.Formula) (*automata.Automaton, error)
	// Without has techniques that are not used. Leaving one out shows what it adds. Of use are
	// those that ParseTechniques knows. The others give the same answers, or fewer.
	Without Techniques
	// KeepBindings unfolds coloured nets with all their bindings, for the sake of
	// witnesses. Otherwise those that do the same become one.
	KeepBindings bool
	// SMTSolver, unless empty, is the command line of a solver modulo theories, such as z3, which New
	// looks up. It is asked about reachable markings and invariants, with nothing it says believed:
	// package induction.
	SMTSolver string
	// Disk, unless nil, is a folder for markings that memory has no room for: reachable markings,
	// invariants and deadlocks that nothing else decides are looked for there, by sorted runs. Two solvers
	// may not use it at the same time.
	Disk *disk.Folder
	// Warn, unless nil, is told once that the solver modulo theories has a defect, and once that there is
	// no more room on disk.
	Warn func(warning string)
	// Patience is how long a marking that decision diagrams know to be reachable may wait
	// for a run that shows it. 0: until shortly before the deadline, or 30 seconds without
	// one. Without a deadline, random runs and walks also go on for at least this long
	// once no other engine can decide what is left. After that it is unknown.
	Patience time.Duration
}

// Solver answers questions about one net. What it learns for some serves others: facts,
// reduced nets, state graphs and diagrams are kept as long as there is memory.
type Solver struct {
	problem  Problem
	shared   *core.Shared
	coloured *coloured.Solver // nil: the net has no colours
	plan     func(inquiry.Family) []core.Phase
	// threads is how many there are for engines. With 1 one engine works at a time.
	threads  int
	deciding sync.Mutex // held by Decide
}

// New returns a solver for a problem. It does no work yet. The error says that the problem has no
// net, or two, or that there is no program SMTSolver.
func New(problem Problem, options Options) (*Solver, error) {
	if err := problem.Check(); err != nil {
		return nil, err
	}
	s := &Solver{problem: problem, plan: planOf}
	if s.threads = options.Threads; s.threads <= 0 {
		s.threads = runtime.GOMAXPROCS(0)
	}
	var external *smtlib.Command
	if options.SMTSolver != "" {
		var err error
		if external, err = smtlib.ParseCommand(options.SMTSolver); err != nil {
			return nil, err
		}
	}
	s.shared = core.NewShared(core.Settings{
		MemoryBytes: options.MemoryBytes, Seed: options.Seed, Patience: options.Patience,
		Explain: options.Explain, Translator: options.Translator, Without: options.Without,
		Solver: external, Warn: options.Warn, Disk: options.Disk,
	}, options.Threads)
	if problem.Coloured != nil {
		s.coloured = coloured.NewSolver(problem.Coloured, s.shared, options.KeepBindings, skeletonPlans, s.decide)
	}
	return s, nil
}

// ErrNotDecided says that no engine decided a question, though none was interrupted.
var ErrNotDecided = inquiry.ErrNotDecided

// Decide answers questions. It calls found with each answer as soon as it is known,
// once for each question, by one goroutine at a time, and not after Decide has
// returned. It must not call the solver. If ctx ends, or all engines have ended, open
// questions get an unknown value and the reason. Then all engines have stopped.
//
// The error says that a question lacks a part, or is not of this net; none is answered then.
//
// Calls at the same time wait for each other. Answers come in any order, and each has its question's
// position in questions.
func (s *Solver) Decide(ctx context.Context, questions []Question, found func(Answer)) error {
	if err := asking.Check(s.problem, questions); err != nil {
		return err
	}
	s.deciding.Lock()
	defer s.deciding.Unlock()
	whole, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var watching sync.WaitGroup
	defer s.shared.LimitCollector()()
	if s.shared.MemoryBytes > 0 {
		watching.Go(func() { s.shared.WatchMemory(whole, cancel) })
		defer watching.Wait()
		defer cancel(nil) // before
	}
	if !s.shared.HasRoom(whole) {
		s.shared.Kept.Drop()
	}
	questions, found = asking.Divided(questions, found)
	a := ledger.NewAnswers(len(questions), found)
	within, stop := account.Within(whole, s.shared.Budget)
	defer stop(nil)
	for i, q := range questions {
		questions[i] = asking.Disguised(within, q)
	}
	reason := s.decideParts(whole, asking.Parts(questions, a), a, questions)
	if err := context.Cause(whole); err != nil {
		reason = err
	}
	for i := range questions {
		a.Give(Answer{Question: i, Reason: cmp.Or(a.Refused(i), reason)})
	}
	return nil
}

// Close drops what the solver holds. It is of no use afterwards.
func (s *Solver) Close() {
	s.deciding.Lock()
	defer s.deciding.Unlock()
	s.shared.Close()
	if s.coloured != nil {
		s.coloured.Close()
	}
}

// nominalTime is the time that plans share out in the first round if there is no deadline.
// Phases then end as if there were so much time; only the last ones do not end. Later
// rounds, for what more time may decide, have roundGrowth times as much.
const nominalTime = 5 * time.Minute

// firstRound is what all parts together have in the first round where there is no
// deadline, and several parts; each round has roundGrowth times as much.
const (
	firstRound  = 20 * time.Second
	roundGrowth = 4
)

// decideParts runs engines on each part, until ctx ends or no engine decides what is left. It returns
// the reason why questions are left.
//
// A part has time by the number of its open questions. With a deadline, the time left is shared out.
// Of 60 seconds, for example, parts with 16, 16 and 8 questions get 24, 24 and 12. If the first one
// takes 4 seconds only, the others share 56: about 37 and 19. Without a deadline there are rounds: of
// 20 seconds for all questions together, then of 80, and so on. A part that is alone has no end.
//
// Where there are threads and memory for the engines of two parts, or more, so many are decided beside each other,
// and each has so many times as long. Memory is shared out among them where engines have shares of it.
func (s *Solver) decideParts(ctx context.Context, parts []*ledger.Part, a *ledger.Answers, questions []Question) error {
	deadline, limited := ctx.Deadline()
	beside := s.partsBeside(len(parts))
	var mutex sync.Mutex // of the next two
	exhausted := make(map[*ledger.Part]bool)
	reason := ErrNotDecided
	total, alone := 0, false // of the present round
	t := &turns.Queue[*ledger.Part]{First: firstRound / time.Duration(max(1, len(questions))), Growth: roundGrowth, Beside: beside}
	t.IsOpen = func(p *ledger.Part) bool { return a.Open(p) > 0 }
	t.Open = func() []*ledger.Part {
		mutex.Lock()
		defer mutex.Unlock()
		open := slices.DeleteFunc(slices.Clone(parts), func(p *ledger.Part) bool { return exhausted[p] || !t.IsOpen(p) })
		total, alone = 0, len(open) == 1
		for _, p := range open {
			total += a.Open(p)
		}
		return open
	}
	t.Share = func(p *ledger.Part, slice time.Duration) time.Duration {
		n := a.Open(p)
		defer func() { total -= n }()
		switch {
		case limited:
			left := time.Until(deadline)
			return min(left, left/time.Duration(max(1, total))*time.Duration(n*beside))
		case alone:
			return 0
		}
		return slice * time.Duration(n)
	}
	t.Try = func(part context.Context, p *ledger.Part, slice time.Duration) (turns.Outcome, error) {
		clock := core.Clock{Start: time.Now(), Horizon: time.Duration(float64(nominalTime) * (float64(slice) / float64(t.First))), Endless: !limited, Looks: s.shared.Turns.Looks()}
		if end, ok := part.Deadline(); ok {
			clock.Horizon = end.Sub(clock.Start)
		}
		cut, err := s.decidePart(part, clock, beside, p, a, questions)
		mutex.Lock()
		defer mutex.Unlock()
		if err != nil {
			reason = err
		}
		if exhausted[p] = !cut || err != nil; exhausted[p] {
			return turns.Hopeless, nil
		}
		return turns.Again, nil
	}
	if err := t.Run(ctx); err != nil {
		return err
	}
	return reason
}

// partsBeside returns how many of so many parts are decided beside each other: as many as there are threads and memory
// for their engines, and at least one.
func (s *Solver) partsBeside(parts int) int {
	engines := min(s.threads, s.shared.MostEngines())
	return min(parts, max(1, engines/s.enginesOfPart()))
}

// enginesOfPart returns how many engines the questions of a part have at the same time: those of the
// lanes, and on a coloured net those on its skeleton and its runs.
func (s *Solver) enginesOfPart() int {
	if s.coloured != nil {
		return 2 * enginesOfPlan
	}
	return enginesOfPlan
}

// enginesOfPlan is how many engines most plans have at the same time.
const enginesOfPlan = 3

// decidePart runs engines on one part, one of so many beside each other. It reports whether more time could
// help.
func (s *Solver) decidePart(ctx context.Context, clock core.Clock, beside int, p *ledger.Part, a *ledger.Answers, questions []Question) (cut bool, err error) {
	part, stop := context.WithCancel(ctx)
	defer stop()
	a.Watch(p, stop)
	defer a.Watch(p, nil)
	r := s.newTask(part, clock, p, a)
	r.Parts = beside
	if s.coloured != nil {
		return s.coloured.Decide(part, r, stop, p, questions)
	}
	r.Net, r.Facts = s.problem.Net, s.shared.FactsAbout(s.problem.Net)
	r.Groups = rephrase.SameNodes(r.Net.Places(), r.Net.Transitions())
	return s.decide(part, r, stop, p, questions), nil
}

// newTask returns a task without a net.
func (s *Solver) newTask(ctx context.Context, clock core.Clock, p *ledger.Part, a *ledger.Answers) *core.Task {
	return &core.Task{Shared: s.shared, Clock: clock, Whole: ctx, Family: p.Family, Budget: s.shared.Budget, Ledger: &ledger.Ledger{Answers: a}}
}

// simplifyUntil is the fraction of the time in which formulas are simplified before anything
// else.
const simplifyUntil = 0.15

// decide puts the questions to the task's net and runs the plan. It reports whether more time
// could help.
func (s *Solver) decide(ctx context.Context, r *core.Task, stop context.CancelFunc, p *ledger.Part, questions []Question) (cut bool) {
	r.Ledger.Net, r.Ledger.Always = r.Net, r.Always
	r.Shared.Turns.Run(ctx, func(ctx context.Context) {
		defer r.NoteDefect("questions")
		within, release := r.Shared.Within(ctx)
		defer func() { release(context.Cause(within)) }()
		simplifying, done := r.Clock.Until(within, simplifyUntil)
		defer done()
		if asking.Simplifies(r.Family) && r.Shared.Uses(inquiry.QueryReduction) {
			simplifier := sync.OnceValue(func() core.Simplification { return r.Simplifier(simplifying) })
			r.Simplify = func(p *logic.Predicate) (*logic.Predicate, inquiry.Techniques) { return simplifier()(p) }
			r.FirstLook = linear.FirstRuns
		}
		asking.Put(simplifying, r, p, questions)
	})
	if questions, _ := r.Ledger.Counts(); questions == 0 && r.Sizes == nil && r.Ledger.Answers.Refused(p.Numbers[0]) != nil {
		r.Shared.Kept.Drop()
		return p.RefusedAgain()
	}
	r.Ledger.WhenDone(stop) // not earlier: one answer may come before the next question
	if r.Ledger.Answers.Open(p) == 0 {
		return false
	}
	r.ShareOutRest()
	if look := firstLookOf(r.Family); look != nil {
		r.Shared.Turns.Run(ctx, func(ctx context.Context) {
			defer r.NoteDefect("first look")
			within, release := r.Shared.Within(ctx)
			defer func() { release(context.Cause(within)) }()
			look(within, r)
		})
		if r.Ledger.Answers.Open(p) == 0 {
			return false
		}
		r.ShareOutRest()
	}
	plan := s.plan(r.Family)
	if s.threads == 1 && !r.Clock.Endless {
		plan = planOfOne(r.Family, plan)
	}
	return r.Follow(ctx, plan)
}
