package atoms

import (
	"context"
	"errors"
	"fmt"
	"time"

	"pnmc/checker/induction"
	"pnmc/checker/inquiry"
	"pnmc/checker/internal/core"
	"pnmc/checker/internal/lanes"
	"pnmc/checker/internal/turns"
	"pnmc/checker/stateequation"
	"pnmc/internal/account"
	"pnmc/internal/smtlib"
)

// The first slice of time for an atom, and that after which an atom is given up where there is no
// deadline.
const (
	firstInduction   = 300 * time.Millisecond
	longestInduction = 5 * time.Minute
)

// The solver is asked after a second, or the twentieth part of the time.
const (
	inductionDelay = time.Second
	inductionShare = 20
)

// solverShare is the part of the memory limit that a solver's process may take, in percent, solverLeast what it may take
// however low the limit is, as it would not start otherwise, and solverMemory what without a limit.
const (
	solverShare  = 25
	solverLeast  = 256 << 20
	solverMemory = 2 << 30
)

// mostFailures is how often a solver may fail before it is not asked any more.
const mostFailures = 3

// Induction asks a solver modulo theories about open goals, each on the net reduced for it: whether there is
// an inductive invariant without the goal, or a run to it. Runs are replayed, and invariants certified.
func Induction(ctx context.Context, r *core.Task) error {
	lanes.Rest(ctx, func() { // what is easy others answer sooner
		wait, cancel := context.WithTimeout(lanes.Plain(ctx), min(inductionDelay, r.Clock.Horizon/inductionShare))
		defer cancel()
		<-wait.Done()
	})
	failures := 0
	t := r.AtomTurns(firstInduction, 4)
	t.Try = func(part context.Context, atom int, slice time.Duration) (turns.Outcome, error) {
		outcome, err := induce(part, r, atom, slice)
		if err == nil {
			return outcome, nil
		}
		r.Note("%s: atom %d: %v", r.Shared.Solver, atom, err)
		r.Shared.Complain(err)
		if failures++; failures == mostFailures {
			return turns.Hopeless, fmt.Errorf("%s failed %d times", r.Shared.Solver, failures)
		}
		return turns.Again, nil
	}
	return t.Run(ctx)
}

// induce tries an atom. The error says that the solver has a defect.
func induce(part context.Context, r *core.Task, atom int, slice time.Duration) (turns.Outcome, error) {
	n := r.ReduceFor(part, []int{atom})
	if n == nil {
		return turns.Again, nil // for lack of time or memory
	}
	if n.Goals[0].Maximum != nil {
		return turns.Hopeless, nil
	}
	if slice > longestInduction && r.Clock.Endless {
		return turns.Hopeless, nil
	}
	equation := stateequation.New(part, n.Net)
	switch {
	case equation == nil && part.Err() != nil:
		return turns.Again, nil
	case equation == nil:
		return turns.Hopeless, nil
	}
	memory := int64(solverMemory)
	if r.Shared.MemoryBytes > 0 {
		memory = max(solverLeast, r.MemoryShare(solverShare))
	}
	known := induction.Known{Equation: equation, Semiflows: n.FactsOf(part, r).Semiflows}
	within, stop := account.Within(lanes.Plain(part), r.Budget)
	defer stop(nil)
	// Where lanes take turns a slice is counted in looks, of which there are none while the solver works.
	timed, cancel := context.WithTimeout(within, slice)
	defer cancel()
	search, err := induction.New(lanes.Of(part, timed), n.Net, known, n.Goals[0].Predicate, r.Shared.Solver, memory)
	if err != nil {
		if errors.Is(err, induction.ErrNotLinear) {
			return turns.Hopeless, nil
		}
		return turns.Again, nil
	}
	late := false
	for _, way := range []struct {
		name  string
		share time.Duration // of a slice
		find  func(context.Context) (induction.Outcome, error)
	}{{"property-directed reachability", slice / 2, search.Directed}, {"unrolling", slice / 2, search.Unrolled}} {
		if timed.Err() != nil {
			return turns.Again, nil
		}
		ctx, cancel := context.WithTimeout(timed, way.share)
		found, err := way.find(lanes.Of(part, ctx))
		ended := ctx.Err() != nil
		cancel()
		late = late || ended
		switch {
		case err == nil:
			r.Note("%s: atom %d: %s, depth %d, %d questions to %s", way.name, atom, toldOf(found), found.Depth, found.Questions, r.Shared.Solver)
			return report(r, n, found), nil
		case !ended && !endsByItself(err):
			return turns.Again, fmt.Errorf("%s: %w", way.name, err)
		}
		r.Note("%s: atom %d is open, depth %d, %d questions: %v", way.name, atom, found.Depth, found.Questions, err)
	}
	if late {
		return turns.Again, nil
	}
	return turns.Hopeless, nil
}

// endsByItself reports whether a search ended for a reason that is no defect of the solver.
func endsByItself(err error) bool {
	for _, known := range []error{induction.ErrNotLinear, induction.ErrNotCertified, induction.ErrUnknown, induction.ErrLarge, smtlib.ErrLarge} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, new(*account.MemoryError))
}

// toldOf returns what was found, in words.
func toldOf(found induction.Outcome) string {
	if found.Reached {
		return fmt.Sprintf("a run of %d bursts", len(found.Run))
	}
	return fmt.Sprintf("a certified invariant of %d clauses", len(found.Invariant))
}

// report tells the ledger, which replays runs.
func report(r *core.Task, n *core.Reduced, found induction.Outcome) turns.Outcome {
	if found.Unreachable {
		r.Ledger.Impossible(n.Atoms[0], n.By(inquiry.SolverModuloTheories|inquiry.LinearProgram), inquiry.Witness{Ground: inquiry.Induction})
		return turns.Hopeless
	}
	original := n.Original(found.Run, r.LongestReplay())
	if original != nil && !r.Ledger.Witnessed(n.Atoms[0], original, n.By(inquiry.SolverModuloTheories)) {
		r.Note("a witness of atom %d does not replay", n.Atoms[0])
	}
	return turns.Hopeless
}
