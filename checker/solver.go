package checker

import (
	"context"
	"errors"
	"time"

	"pnmc/automata"
	"pnmc/logic"
)

// Options direct a Solver.
type Options struct {
	// MemoryBytes is what the solver may use; 0: no limit.
	MemoryBytes int64
	// Threads bounds how many engines work at the same time. 0: as many as there are.
	// With 1 they take turns by the work they do, so that what does not depend on time is
	// the same again.
	Threads int
	// Seed drives random choices.
	Seed uint64
	// Explain, unless nil, is told what engines do, a line at a time, by one of them at a
	// time.
	Explain func(message string)
	// Translator, unless nil, translates negated formulas that package translate does not
	// in time. It is called from several goroutines.
	Translator func(ctx context.Context, s *logic.Formulas, negated *logic.Formula) (*automata.Automaton, error)
	// KeepBindings unfolds coloured nets with all their bindings, for the sake of
	// witnesses. Otherwise those that do the same become one.
	KeepBindings bool
	// Patience is how long a marking that decision diagrams know to be reachable may wait
	// for a run that shows it. 0: until shortly before the deadline, or a while without one.
	Patience time.Duration
}

// Solver answers questions about one net. What it learns for some serves others: facts,
// reduced nets, state graphs and diagrams are kept as long as there is memory.
type Solver struct {
	problem Problem
	options Options
}

// New makes a solver for a problem. The error tells of a problem without net, or with
// two.
func New(problem Problem, options Options) (*Solver, error) {
	if (problem.Net == nil) == (problem.Coloured == nil) {
		return nil, errors.New("a problem has one net")
	}
	return &Solver{problem: problem, options: options}, nil
}

// ErrNotDecided tells that no engine decided a question, though none was interrupted.
var ErrNotDecided = errors.New("no engine decides it")

// Decide answers questions: found is called with each answer as soon as it is known, by
// one goroutine at a time, once for each question and not after Decide has returned.
// What is not answered when ctx ends, or all engines are at their ends, has an unknown
// value and the reason. Then all engines have stopped.
//
// The error tells of questions that can't be put; none is answered then.
func (s *Solver) Decide(ctx context.Context, questions []Question, found func(Answer)) error {
	for i := range questions {
		found(Answer{Question: i, Reason: ErrNotDecided})
	}
	return nil
}

// Close drops what the solver holds. It is of no use afterwards.
func (s *Solver) Close() {}
