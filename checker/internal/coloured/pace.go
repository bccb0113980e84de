package coloured

import (
	"context"

	"pnmc/checker/internal/ledger"
	"pnmc/internal/account"
	"pnmc/logic"
	"pnmc/petri/symmetric"
)

// pace looks at a context and the budget that it carries from time to time, by the work that a walk of
// a coloured net has done, and by what is done beside.
type pace struct {
	account *account.Account
	charged int64 // of the walk's work
}

// newPace returns a pace that ends with ctx.
func newPace(ctx context.Context) *pace { return &pace{account: account.Of(ctx)} }

// The cost of a step in the search for a binding, of a step of a walk beside that, and of a part of a
// predicate that is evaluated, in nanoseconds, about.
const (
	bindingWork = 60
	leastStep   = 500
	partWork    = 10
)

// goesOn charges what the walk has done since the last call, and work beside that. It reports whether
// the context goes on.
func (p *pace) goesOn(w *symmetric.Walk, work int) bool {
	done := w.Work - p.charged
	p.charged = w.Work
	return p.account.Charge(int(done)*bindingWork+leastStep+work) == nil
}

// firingBytes is about what a firing of a run takes beside its binding.
const firingBytes = 64

// keeps charges what a firing takes that a run keeps. It reports whether there is room.
func (p *pace) keeps(f symmetric.Firing) bool {
	return p.account.Charge(firingBytes+8*len(f.Binding)) == nil
}

// effortOf returns how many parts an atom has, each of which is looked at to evaluate it.
func effortOf(a *ledger.Atom) int {
	if a.Maximum == nil {
		return predicateEffort(a.Goal)
	}
	effort := 1
	for s := range a.Number().Sums() {
		effort += 1 + len(s.Terms)
	}
	return effort
}

// predicateEffort is effortOf for a predicate.
func predicateEffort(p *logic.Predicate) int {
	effort := 1 + len(p.Sum.Terms) + len(p.Transitions)
	for _, product := range p.Products {
		effort += 1 + len(product.Factors)
	}
	for _, o := range p.Operands {
		effort += predicateEffort(o)
	}
	return effort
}
