package core

import (
	"context"
	"slices"
	"time"

	"pnmc/checker/diagram"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/ledger"
	"pnmc/checker/internal/turns"
	"pnmc/petri"
	"pnmc/symbolic"
)

// diagramShare is the part of the memory that decision diagrams may fill, in
// percent; without a limit they have their default.
const diagramShare = 35

// Diagram returns the decision diagram of all markings of a net, as others left it, or a new one.
// It goes back by KeepDiagram.
func (r *Task) Diagram(ctx context.Context, net *petri.Net) (*diagram.Space, error) {
	return r.diagramBeside(ctx, net, nil)
}

// diagramBeside returns the diagram of a net, or that of another one, unless nil, if it is there or is
// found first.
func (r *Task) diagramBeside(ctx context.Context, net, other *petri.Net) (*diagram.Space, error) {
	for _, n := range []*petri.Net{net, other} {
		if s := take(r.Shared.Kept, r.Shared.Kept.diagramMap, n); s != nil {
			return s, nil
		}
	}
	options := symbolic.Options{
		Memory: r.MemoryShare(diagramShare), Process: petri.Budget{MemoryBytes: r.Shared.MemoryBytes}, Encoding: symbolic.PerGroup,
		Prefer: r.Shared.Kept.order(),
	}
	var s *diagram.Space
	var err error
	if other == nil {
		s, err = diagram.ExploreWithin(ctx, net, options)
	} else {
		s, err = diagram.ExploreBeside(ctx, net, other, options)
	}
	if err != nil {
		return nil, err
	}
	of := ""
	if s.Net == other {
		of = " of the net as it is"
	} else {
		r.Shared.Kept.noteOrder(s.StateSpace().OrderName)
	}
	r.Note("decision diagram of all markings%s: %d nodes, order %s", of, s.StateSpace().Nodes, s.StateSpace().OrderName)
	return s, nil
}

// KeepDiagram keeps a decision diagram for later questions, and drops the one kept before: one may
// fill a good part of the memory. It is not kept if it fills more than half of its budget, as what is
// computed next on it would fail.
func (r *Task) KeepDiagram(s *diagram.Space) {
	if limit := r.MemoryShare(diagramShare); limit > 0 && s.Forest.Memory() > limit/2 || !r.Shared.HasRoom(context.Background()) {
		return
	}
	k := r.Shared.Kept
	k.mutex.Lock()
	defer k.mutex.Unlock()
	clear(k.diagrams)
	k.diagrams[s.Net] = s
}

// DiagramTurns decides open questions on the decision diagram of all markings of a net, in turns
// of growing slices: decide does what it can for one. If other is not nil, the diagram may be of that net.
func (r *Task) DiagramTurns(ctx context.Context, net, other *petri.Net, questions []*ledger.Question, decide func(part context.Context, s *diagram.Space, q *ledger.Question) (turns.Outcome, error)) error {
	s, err := r.diagramBeside(ctx, net, other)
	if err != nil {
		return err
	}
	defer r.KeepDiagram(s)
	t := r.QuestionTurns(FirstDiagramSlice, 4)
	t.Open = func() []*ledger.Question { return slices.DeleteFunc(slices.Clone(questions), r.Ledger.IsAnswered) }
	t.Try = func(part context.Context, q *ledger.Question, _ time.Duration) (turns.Outcome, error) {
		return decide(part, s, q)
	}
	return t.Run(ctx)
}

// Showing returns a function that makes contexts for finding a run that shows an answer. The time is
// ten times as long as deciding took since begin, at least leastShowing, and at most a quarter of what
// is left. After 2 seconds of deciding, with 100 seconds left, it is 20 seconds.
func Showing(ctx context.Context, begin time.Time) func() (context.Context, context.CancelFunc) {
	return ShowingAmong(ctx, begin, 1)
}

// ShowingAmong returns what Showing does where open questions, this one among them, share that quarter:
// runs that take long must not keep the others from being decided. With 4 seconds left and ten open
// questions, finding the run of one may take a tenth of a second.
func ShowingAmong(ctx context.Context, begin time.Time, open int) func() (context.Context, context.CancelFunc) {
	return func() (context.Context, context.CancelFunc) {
		limit := max(10*time.Since(begin), leastShowing)
		if deadline, ok := ctx.Deadline(); ok {
			limit = min(limit, time.Until(deadline)/4/time.Duration(open))
		}
		return lanes.Sliced(ctx, limit)
	}
}

// leastShowing is how long a run is looked for even if deciding took no time.
const leastShowing = 5 * time.Second
